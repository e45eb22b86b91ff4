// What happens to a task in one scenario, and how must that be told?

import type { MessagesRequest, Turn } from "../../test/support/messages-server.mjs";

/** How a task may stand where its scenario is over; "none": it is under way. */
export type End =
  | "done"
  | "blocked"
  | "stalled"
  | "skipped"
  | "over-budget"
  | "asked"
  | "deferred"
  | "none";

export type Model = readonly (Turn | ((request: MessagesRequest) => Turn))[];

interface Setup {
  /** What the model answers to Claude Code. */
  readonly model?: Model;
  /** In place of Claude Code: lines of the shell that the driver `command` runs. */
  readonly program?: string;
  /** The interaction threshold; 0 where it is left out. */
  readonly level?: number;
  /** Text by path, beside or in place of what each repository holds. */
  readonly files?: Readonly<Record<string, string>>;
  /** Settings of the user's Claude Code: a line of the shell by the event that it hooks. */
  readonly hooks?: Readonly<Record<string, string>>;
  /** Into the config. */
  readonly config?: string;
  /** The gate's command. */
  readonly gate?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Variables that are not set. */
  readonly without?: readonly string[];
  /** What a person types after the run, in order: arguments of `orch`. */
  readonly typed?: readonly (readonly string[])[];
}

interface More {
  /** What the first lines must not say. */
  readonly never?: RegExp;
  /** What must, or must not, stand anywhere on the last screen. */
  readonly shows?: readonly RegExp[];
  readonly hides?: readonly RegExp[];
  /** Who may not be the cause; the agent, where it is left out. */
  readonly blameless?: readonly string[];
}

interface Expected extends More {
  /** One of these must be the end, and one of these the exit code. */
  readonly ends: readonly End[];
  readonly exits: readonly number[];
  /** What must stand in the first lines: of the task in the summary, or of the question. */
  readonly says?: RegExp;
  readonly sessionsMost: number;
}

export interface Scenario extends Setup, Expected {}

/** By what happens, in one sentence. */
type Family = Readonly<Record<string, readonly [Setup, Expected]>>;
export type Families = Readonly<Record<string, Family>>;

export const done = (sessionsMost: number, more: More = {}): Expected => {
  return { ends: ["done"], exits: [0], sessionsMost, ...more };
};
export const blocked = (says: RegExp, sessionsMost: number, more: More = {}): Expected => {
  return { ends: ["blocked"], exits: [2, 3], says, sessionsMost, ...more };
};
export const asked = (says: RegExp, sessionsMost: number, more: More = {}): Expected => {
  return { ends: ["asked"], exits: [4], says, sessionsMost, ...more };
};
export const deferred = (says: RegExp, sessionsMost: number, more: More = {}): Expected => {
  return { ends: ["deferred", "stalled", "none"], exits: [75], says, sessionsMost, ...more };
};
/** The agent may be the cause. */
export const givenUp = (says: RegExp, sessionsMost: number, more: More = {}): Expected => {
  const ends = ["stalled", "blocked"] as const;
  return { ends, exits: [1, 3, 5], says, sessionsMost, blameless: [], ...more };
};

/** Once with nobody to ask, and once with a person who is asked. */
export function atBothLevels(
  what: string,
  setup: Setup,
  [says, sessionsMost, more = {}, ofQuestion = more]: readonly [RegExp, number, More?, More?],
): Family {
  return {
    [what]: [setup, blocked(says, sessionsMost, more)],
    [`${what} (level 2)`]: [{ ...setup, level: 2 }, asked(says, sessionsMost, ofQuestion)],
  };
}

export function bash(command: string): Turn {
  return { tools: [{ name: "Bash", input: { command, description: "Work" } }] };
}

export function call(name: string, input: object): Turn {
  return { tools: [{ name, input }] };
}

/** A shell command that leaves these words as the session's report. */
export function leaves(report: object | string): string {
  const words = typeof report === "string" ? report : JSON.stringify(report);
  return `cat > "$ORCH_REPORT" <<'END'\n${words}\nEND\n`;
}

export const DONE = { version: 1, status: "completed", summary: "It adds now." } as const;
export const MEND = "sed -i 's/a - b/a + b/' src/add.js";
export const REPORTS = bash(leaves(DONE));
export const STOPS: Turn = { text: "Done." };
export const SUCCEEDS: readonly Turn[] = [bash(MEND), REPORTS, STOPS];

/** After each prompt the same turns, from the first one on. */
export function always(...turns: readonly Turn[]): Model {
  return each(({ messages }) => {
    const prompt = messages.findLastIndex(
      ({ role, content }) =>
        role === "user" && !JSON.stringify(content).includes('"type":"tool_result"'),
    );
    const answers = messages.slice(prompt).filter(({ role }) => role === "assistant");
    return turns[Math.min(answers.length, turns.length - 1)] ?? STOPS;
  });
}

/** Without an end: the same turn, whatever is asked. */
export function forever(turn: Turn): Model {
  return each(() => turn);
}

/** The first model until the words were said to it; then the second. */
export function until(words: string, first: Model, second: Model): Model {
  return each((request) => {
    const prompts = request.messages.filter(({ role }) => role === "user");
    const [turn = STOPS] = JSON.stringify(prompts).includes(words) ? second : first;
    return typeof turn === "function" ? turn(request) : turn;
  });
}

export function each(answer: (request: MessagesRequest) => Turn): Model {
  return [Object.assign(answer, { repeat: true })];
}
