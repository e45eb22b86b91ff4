// Made by `npm run build` of src/schema: what can a config file say?

export type AgentConfig = {
  /** "claude-code", "codex", "anthropic", "acp" or "command". */
  driver: "claude-code";
  /** For claude-code and codex the program, or a list of the program and its first arguments. For acp and command, where it is needed: a line for the shell, or a list of a program and its arguments. */
  command?: string | string[] | undefined;
  /** The model where neither flag, task nor step names one. */
  model?: string | undefined;
  /** Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are redacted like those of orch's own environment. */
  env?: Record<string, string> | undefined;
} | {
  /** "claude-code", "codex", "anthropic", "acp" or "command". */
  driver: "codex";
  /** For claude-code and codex the program, or a list of the program and its first arguments. For acp and command, where it is needed: a line for the shell, or a list of a program and its arguments. */
  command?: string | string[] | undefined;
  /** For codex: what its commands may do. "danger-full-access": everything that you may. Default "workspace-write". */
  sandbox?: "workspace-write" | "danger-full-access" | undefined;
  /** The model where neither flag, task nor step names one. */
  model?: string | undefined;
  /** Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are redacted like those of orch's own environment. */
  env?: Record<string, string> | undefined;
} | {
  /** "claude-code", "codex", "anthropic", "acp" or "command". */
  driver: "anthropic";
  /** For anthropic: how much the model can read at once. Before that is full, the work is handed over to a fresh session. Default 200000. */
  contextTokens?: number | undefined;
  /** The model where neither flag, task nor step names one. */
  model?: string | undefined;
  /** Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are redacted like those of orch's own environment. */
  env?: Record<string, string> | undefined;
} | {
  /** "claude-code", "codex", "anthropic", "acp" or "command". */
  driver: "acp";
  /** A line for the shell, or a program with its arguments. */
  command: string | string[];
  /** For acp: how long the agent waits for the answer of a tool, in seconds. A person who needs longer answers the next session. */
  toolSeconds?: number | undefined;
  /** The model where neither flag, task nor step names one. */
  model?: string | undefined;
  /** Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are redacted like those of orch's own environment. */
  env?: Record<string, string> | undefined;
} | {
  /** "claude-code", "codex", "anthropic", "acp" or "command". */
  driver: "command";
  /** A line for the shell, or a program with its arguments. */
  command: string | string[];
  /** For command: how the prompt reaches it, "stdin" or "file". Default "stdin". */
  promptVia?: "stdin" | "file" | undefined;
  /** For command: what it prints, words or "events", one a line. Default "text". */
  prints?: "text" | "events" | undefined;
  /** The model where neither flag, task nor step names one. */
  model?: string | undefined;
  /** Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are redacted like those of orch's own environment. */
  env?: Record<string, string> | undefined;
};

export type CommandGateConfig = {
  /** A line for the shell, run in the working tree. */
  run: string;
  /** "fail": the checks must run and fail. Default "pass". */
  expect?: "pass" | "fail" | undefined;
  /** Longer is unknown, not failed. Default "15m". */
  timeout?: Duration | undefined;
  /** false: run and reported, and decides nothing. Default true. */
  required?: boolean | undefined;
  /** Whose output it is: "vitest", "jest", "node-test", "pytest", "tap", "none". Default "auto". */
  parse?: "auto" | "none" | "vitest" | "jest" | "node-test" | "pytest" | "tap" | undefined;
  /** The file in which the command reports its checks: JUnit XML, TAP, or the JSON of jest. A path or glob. */
  report?: string | undefined;
  /** "check": no runner of tests, its exit code is all there is. Default "auto". */
  kind?: "auto" | "check" | undefined;
  /** Further runs after a verdict that is not "passed"; see flaky gates. */
  retries?: number | undefined;
};

export type Duration = string;

export type FileGateConfig = {
  /** A file or folder that must be there. Stands alone, or with required. */
  fileExists: string;
  /** false: run and reported, and decides nothing. Default true. */
  required?: boolean | undefined;
};

export type GateConfig = CommandGateConfig | FileGateConfig;

export type OrchConfig = {
  /** How readily a person is asked: the interaction level. orch init writes 2. Default 0. */
  interactionThreshold?: number | undefined;
  /** What proves the work, by name; or "none". */
  gates?: "none" | Record<string, GateConfig> | undefined;
  /** The agent, if neither task nor step names one; of a list the others take over. */
  agent?: string | string[] | undefined;
  /** The model, if neither task, step nor agent names one. */
  model?: string | undefined;
  /** What tokens cost, in dollars for a million: { "my-model": { input: 2, output: 10, cacheRead: 0.2 } }. */
  prices?: Record<string, {
    input: number;
    output: number;
    cacheRead?: number | undefined;
    cacheWrite?: number | undefined;
  }> | undefined;
  /** So many candidates for each task, or the agent of each; the best one is merged. */
  bestOf?: number | string[] | undefined;
  /** Agents by name. */
  agents?: Record<string, AgentConfig> | undefined;
  /** Where task files are looked for by bare name and by orch validate. Default "tasks". */
  taskFolder?: string | undefined;
  /** Which pipeline a task goes through. */
  defaultPipeline?: string | undefined;
  /** Steps by name of the pipeline. */
  pipelines?: Record<string, StepConfig[]> | undefined;
  /** How many tasks may run at once, 1 to 64. Tasks run together if their scopes do not overlap; a task without one runs alone. orch init writes 2. Default 1. */
  parallel?: number | undefined;
  /** Limits. */
  budget?: {
    /** Attempts of one step under one plan. A number of your own is not extended for progress, unless you also give the next key. Default 3. */
    attempts?: number | undefined;
    /** The same, if there is progress; at least attempts. Default 5. */
    attemptsWithProgress?: number | undefined;
    /** New plans. Default 2. */
    replans?: number | undefined;
    /** Fresh sessions from a written resume point. Default 5. */
    handoffs?: number | undefined;
    /** Sessions, those after provider faults included. Default 25. */
    sessions?: number | undefined;
    /** Questions of the agent that a person gets. Default 3. */
    questions?: number | undefined;
    /** US dollars, or null. Default 10. */
    costUsd?: number | null | undefined;
    /** Fresh input, output and cache writes; or null. Default 5000000. */
    tokens?: number | null | undefined;
    /** Time at work, without pauses and waits. Default "4h". */
    time?: Duration | undefined;
    /** Model rounds of one session. Default 200. */
    turns?: number | undefined;
    run?: {
      /** Of all tasks of a run together; or null. Default 50. */
      costUsd?: number | null | undefined;
      /** The same for time at work. Default "24h". */
      time?: Duration | undefined;
      /** The same for questions. Default 20. */
      questions?: number | undefined;
    } | undefined;
  } | undefined;
  /** New plans a task may get; the same as budget.replans. Default 2. */
  replans?: number | undefined;
  /** Limits of one session. */
  timeouts?: {
    /** Silence of the agent that ends a session. Default "15m". */
    idle?: Duration | undefined;
    /** Wall time of one session. Default "2h". */
    session?: Duration | undefined;
    /** So long one that joins both sides of a conflict holds up other merges. Default "30m". */
    join?: Duration | undefined;
  } | undefined;
  /** How often the same trouble must come to change the decision. */
  stall?: {
    sameFailure?: {
      /** The agent must try a different approach, where no new plan is left. Default 2. */
      demand?: number | undefined;
      /** A new plan, if one is left. Default 2. */
      replan?: number | undefined;
      /** The task stalls. Default 4. */
      stall?: number | undefined;
    } | undefined;
    anyFailure?: {
      /** Any failures with nothing else between them, and none with fewer failing checks: back to the last tree that passed, with a new plan. Default 3. */
      rollback?: number | undefined;
    } | undefined;
    unknownGate?: {
      /** The agent must change something that keeps the gates from a verdict. Default 2. */
      demand?: number | undefined;
      /** The task stalls. Default 3. */
      stall?: number | undefined;
    } | undefined;
    noChange?: {
      /** Attempts without a change to the tree. The task stalls. Default 3. */
      stall?: number | undefined;
    } | undefined;
    plateau?: {
      /** Attempts whose number of failing checks does not fall, one more if the failure is new: a new plan, if one is left, else the task stalls. Default 4. */
      replan?: number | undefined;
    } | undefined;
    timedOut?: {
      /** Sessions that ran out of time or went silent: a new plan, if one is left. Default 2. */
      replan?: number | undefined;
    } | undefined;
    stateReturns?: {
      /** Over all plans: returns to an earlier state. The task stalls. Default 2. */
      stall?: number | undefined;
    } | undefined;
    /** Over all plans: the same failure. The task stalls. Default 4. */
    sameFingerprintEver?: number | undefined;
  } | undefined;
  /** When a task is too uncertain to continue as it is. */
  uncertainty?: {
    /** false: nothing is added up. Default true. */
    enabled?: boolean | undefined;
    /** The score at which orch acts, at every level. */
    threshold?: number | undefined;
    /** The score at which a task is skipped if nobody may be asked. Default 10. */
    autoSkipThreshold?: number | undefined;
    /** false: no person is asked because of a score, at any level; what level 0 does is done. Default true. */
    interactive?: boolean | undefined;
    /** What each sign adds, from 0 to 100; 0 switches it off. */
    weights?: Partial<Record<"declared_open_question_major" | "declared_open_question_minor" | "declared_low_confidence" | "ambiguous_target" | "missing_files" | "conflicting_signals" | "verification_inconclusive" | "verification_inconclusive_again" | "timeout_unclear" | "no_tool_calls" | "repeated_failure" | "no_progress" | "integrity_alarm", number>> | undefined;
  } | undefined;
  /** What must prove finished work. */
  proof?: {
    /** If checks that passed before were changed, each with a reason: "list" them, "ask" a person, or "refuse". */
    changedChecks?: "list" | "ask" | "refuse" | undefined;
    /** Where gates run: on the commit, in a place of orch's "own"; or in the "tree" where the agent works, which proves nothing. Default "own". */
    place?: "own" | "tree" | undefined;
  } | undefined;
  /** How long questions wait, and what happens then. */
  questions?: {
    /** How long a question waits for a person. Then an agent's question takes its default, or the most conservative reading; what orch itself asked ends the task. */
    expiresIn?: Duration | undefined;
  } | undefined;
  irreversible?: {
    /** What cannot be undone, and agents may do without asking: ["push"]. */
    allow: ("push" | "publish" | "deploy" | "drop-data" | "delete-outside" | "delete-history" | "disk" | "message")[];
  } | undefined;
  /** Who is notified that a question waits, or that the run is over. */
  notify?: {
    /** Which service the url is of: it gets a message instead of the record. "desktop": this screen, without a url. */
    to?: "slack" | "discord" | "ntfy" | "telegram" | "desktop" | undefined;
    /** A line for the shell; the record is its standard input. */
    command?: string | undefined;
    /** An http or https address that gets the record as a POST. */
    url?: string | undefined;
    /** For to: "telegram": the id of the chat. */
    chat?: string | undefined;
    header?: {
      /** A header of that request. */
      name: string;
      /** The environment variable that holds the header's value. */
      env: string;
    } | undefined;
  } | undefined;
  /** At a plan limit of the provider: true waits for the reset, false ends with exit code 75. Default true. */
  waitForRateLimitReset?: boolean | {
    /** Instead of true: { maxWait: "2h" }. All that a task may wait: for resets, and a provider that fails. What would be longer ends with exit code 75. Default "6h". */
    maxWait: Duration;
  } | undefined;
  /** Branches and commits. */
  git?: {
    /** "worktree": each task works in its own worktree, outside your checkout, which is never touched. "none": in your checkout, as it is. Default "worktree". */
    isolation?: "worktree" | "none" | undefined;
    /** Commit each passed step. In your checkout nothing is committed. */
    autoCommit?: boolean | undefined;
    /** How branches begin; ends in / or -, with no .. and no part that ends in .lock. Default "orch/". */
    branchPrefix?: string | undefined;
    /** What becomes of finished work: it stays on the run's branch ("leave"), goes into the branch the run started from ("merge"), or becomes a "pull-request" by gh: landing. Default "leave". */
    landing?: "leave" | "merge" | "pull-request" | undefined;
  } | undefined;
  /** "bwrap": agents, gates, setup and git run confined (Linux); { use, network, read, write, userns } says more. */
  sandbox?: "none" | "bwrap" | {
    /** "none": no sandbox. Default "bwrap". */
    use?: "none" | "bwrap" | undefined;
    /** Who reaches the network: "all", "agents" (gates and setup do not), or "none". Default "all". */
    network?: "all" | "agents" | "none" | undefined;
    /** What else can be read: paths from / or ~/ on. */
    read?: string[] | undefined;
    /** What else can be written. */
    write?: string[] | undefined;
    /** Whether programs inside may make user namespaces of their own: browsers want to. Default false. */
    userns?: boolean | undefined;
  } | undefined;
  /** The worktrees of tasks. */
  worktree?: {
    /** The folder that holds them, from / or ~/ on; outside the repository. */
    root?: string | undefined;
    /** Which ignored files are copied into them: patterns as in .gitignore, instead of those in a .worktreeinclude of the checkout. []: none. */
    include?: string[] | undefined;
    /** A shell command that is run once in a fresh worktree, such as npm ci; or { run, timeout }. */
    setup?: string | {
      run: string;
      /** If it takes longer, it has failed. Default "30m". */
      timeout?: Duration | undefined;
    } | undefined;
    /** A shell command that is run on each commit before its gates, where they run: code generators, builds that tests need. As setup, it may be { run, timeout }. */
    prepare?: string | {
      run: string;
      /** If it takes longer, it has failed. Default "30m". */
      timeout?: Duration | undefined;
    } | undefined;
    /** Folders beside the repository that it needs, such as "../shared": linked beside every worktree, where an agent can change them. */
    neighbours?: string[] | undefined;
  } | undefined;
};

export type StepConfig = {
  /** The step's name, once in its pipeline. */
  name: string;
  /** A template, or "self": the task's own text, with the report's rules below it. */
  prompt: string;
  /** An agent by name, or a list. */
  agent?: string | string[] | undefined;
  model?: string | undefined;
  /** A list of gate names and of gates in place, or "none". */
  gates?: "none" | (string | {
    /** Its name in this step. */
    name: string;
    /** A line for the shell, run in the working tree. */
    run: string;
    /** "fail": the checks must run and fail. Default "pass". */
    expect?: "pass" | "fail" | undefined;
    /** Longer is unknown, not failed. Default "15m". */
    timeout?: Duration | undefined;
    /** false: run and reported, and decides nothing. Default true. */
    required?: boolean | undefined;
    /** Whose output it is: "vitest", "jest", "node-test", "pytest", "tap", "none". Default "auto". */
    parse?: "auto" | "none" | "vitest" | "jest" | "node-test" | "pytest" | "tap" | undefined;
    /** The file in which the command reports its checks: JUnit XML, TAP, or the JSON of jest. A path or glob. */
    report?: string | undefined;
    /** "check": no runner of tests, its exit code is all there is. Default "auto". */
    kind?: "auto" | "check" | undefined;
    /** Further runs after a verdict that is not "passed"; see flaky gates. */
    retries?: number | undefined;
  } | {
    /** Its name in this step. */
    name: string;
    /** A file or folder that must be there. Stands alone, or with required. */
    fileExists: string;
    /** false: run and reported, and decides nothing. Default true. */
    required?: boolean | undefined;
  })[] | undefined;
  fileAccess?: {
    /** Globs the step may change. A completed step that changed anything else is disputed, once with feedback, then by asking. []: nothing. Measured with git. */
    allowWrite: string[];
  } | undefined;
  /** Attempts of this step; not extended for progress. */
  attempts?: number | undefined;
  /** The level in this step. */
  interactionThreshold?: number | undefined;
  /** Another session looks at finished work: { agent, model, prompt, share }, each by choice. */
  coach?: {
    agent?: string | undefined;
    model?: string | undefined;
    prompt?: string | undefined;
    share?: number | undefined;
  } | undefined;
  /** A person confirms the plan before it is carried out. */
  confirm?: boolean | undefined;
};

/** Gives the config its type: `export default defineConfig({ … })`. Returns it unchanged. */
export declare function defineConfig(config: OrchConfig): OrchConfig;
