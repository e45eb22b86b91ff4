// What does the page ask the server, and what does it get?

/** What something is called, and what is said of it, in the words of the terminal. */
export type PageFact = readonly [
  label: string,
  text: string | null,
  tone?: "strong" | "quiet" | "good" | "bad" | "attention" | "accent" | null,
];
export type PageFacts = readonly PageFact[];

interface Look {
  readonly mark: string;
  readonly tone: NonNullable<PageFact[2]>;
}

/** A run in a list. */
export interface RunRow extends Look {
  readonly run: string;
  /** As short as tells it from the others. */
  readonly id: string;
  readonly title: string;
  readonly words: string;
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly took: string;
  /** null: unknown. */
  readonly costUsd: number | null;
  readonly cost: string;
}

/** What a task does at this moment. */
export interface LiveRow extends Look {
  readonly task: string;
  readonly doing: string;
  readonly facts: readonly string[];
}

/** A run that somebody works on, or that waits for a person. */
export interface LiveRun {
  readonly run: string;
  readonly id: string;
  readonly title: string;
  /** Of its last event: what was read before it is old. */
  readonly seq: number;
  readonly heading: string;
  readonly rows: readonly LiveRow[];
  readonly questions: readonly PageQuestion[];
}

export interface PageQuestion {
  readonly run: string;
  readonly id: string;
  readonly task: string;
  readonly asks: string;
  readonly place: string;
  readonly question: string;
  /** null: there is none. */
  readonly plan: string | null;
  readonly context: readonly string[];
  readonly choices: readonly Choice[];
  /** What the field for own words says; it is answered with "answer" and them. */
  readonly wordsFor: string;
  readonly deadline: string | null;
  /** An answer waits to be taken. */
  readonly isAnswered: boolean;
}

export interface Choice {
  readonly label: string;
  readonly action: string;
  readonly text: string;
  readonly isDefault: boolean;
}

export interface TaskRow extends Look {
  readonly id: string;
  readonly words: string;
  readonly effort: string;
  readonly dependsOn: readonly string[];
  /** Its work waits to be merged, or is being merged. */
  readonly isMerging: boolean;
}

export interface RunPage extends Look {
  readonly run: string;
  readonly id: string;
  readonly title: string;
  readonly seq: number;
  readonly heading: string;
  readonly spent: string;
  readonly facts: PageFacts;
  readonly closing: PageFacts;
  readonly tasks: readonly TaskRow[];
  /** Ids of tasks that began, or would begin, together. */
  readonly waves: readonly (readonly string[])[];
  /** Epoch milliseconds, and what was spent until then in US dollars. */
  readonly cost: readonly (readonly [atMs: number, usd: number])[];
  readonly questions: readonly PageQuestion[];
}

export interface TaskPage extends Look {
  readonly run: string;
  readonly id: string;
  readonly seq: number;
  readonly words: string;
  readonly facts: PageFacts;
  readonly attempts: readonly {
    readonly heading: string;
    readonly facts: PageFacts;
    /** Empty until it is decided. */
    readonly explain: PageFacts;
    readonly tables: readonly string[];
  }[];
  readonly questions: readonly PageQuestion[];
}

/** A line of the story of a run. */
export interface LogLine {
  readonly seq: number;
  readonly text: string;
}

export interface StatsPage {
  readonly heading: string;
  readonly facts: PageFacts;
  readonly rows: readonly (readonly string[])[];
}

export interface AnswerGiven {
  readonly run: string;
  readonly question: string;
  readonly action: string;
  readonly text: string;
}

/** Where the server gets all that from. A rejection with a `message` and a `hint` is told on the page. */
export interface WebData {
  runs(): Promise<readonly RunRow[]>;
  run(run: string): Promise<RunPage>;
  task(run: string, task: string): Promise<TaskPage>;
  /** Lines after this event; `task` "": of all. */
  log(run: string, task: string, after: number): Promise<readonly LogLine[]>;
  diff(run: string, task: string): Promise<string>;
  stats(since: string, by: string): Promise<StatsPage>;
  /** Resolves to what comes next. */
  answer(given: AnswerGiven): Promise<string>;
  /** Calls back at once, and whenever something changed; the returned function ends it. */
  live(changed: (runs: readonly LiveRun[]) => void): () => void;
}
