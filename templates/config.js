// Configuration of orch. Every key is optional; remove the "//" in front of one to use it.
// What is written there is the default, or an example. Check this file with `orch validate`.

/** @type {import("orch").OrchConfig} */
export default {
  // How readily orch asks a person, 0 to 5:
  // - 0 never waits: nobody is asked, and the exit code tells what happened (for CI)
  // - 1 asks when the agent cannot continue
  // - 2 also when the task contradicts itself
  // - 3 also about behaviour or data that is costly to reverse
  // - 4 also about visible choices
  // - 5 about everything
  // Stronger than this: --interaction-threshold, ORCH_INTERACTION_THRESHOLD, the task, the step.
  interactionThreshold: 2,

  // What proves the work. orch runs these itself; an agent's word is never enough.
  // A gate can also look for a file: changelog: { fileExists: "CHANGELOG.md" }
  // More keys of a gate, with their defaults:
  // - expect: "pass" ("fail": the checks must run and fail)
  // - timeout: "15m" (Longer is unknown, not failed)
  // - required: true (false: run and reported, and decides nothing)
  // - parse: "auto" (Whose output it is: "vitest", "jest", "node-test", "pytest", "tap", "none")
  // - kind: "auto" ("check": no runner of tests, its exit code is all there is)
  // - retries: 1 after unknown, 0 after failed (Further runs after a verdict that is not "passed";
  // see flaky gates)
  /*{{gates}}*/

  // Who does the work. "claude-code" needs no entry.
  //agent: "claude-code",

  // The model where nothing closer names one.
  //model: "opus",

  // Agents by name.
  //agents: {
  //  "claude-code": { driver: "claude-code", command: "claude", env: {} },
  //  mine: { driver: "command", command: "my-agent --headless", promptVia: "stdin" },
  //  rehearsal: { driver: "script", script: "rehearsal.json" },
  //},

  // Where task files are looked for by bare name and by orch validate.
  //taskFolder: "tasks",

  // The stages a task goes through. A prompt is the name of a file in prompts/, or "self": the
  // task's own text. Built in: "default" and "plan-implement-review".
  //defaultPipeline: "default",

  // Where a step says `confirm`, a person says yes to its plan first.
  //pipelines: {
  //  "test-first": [
  //    {
  //      name: "red",
  //      prompt: "test",
  //      gates: [{ name: "red", run: "npm test", expect: "fail" }],
  //      fileAccess: { allowWrite: ["test/**"] },
  //    },
  //    { name: "green", prompt: "implement", attempts: 4 },
  //    {
  //      name: "review",
  //      prompt: "review",
  //      model: "opus",
  //      interactionThreshold: 3,
  //    },
  //  ],
  //  planned: [{ name: "do", prompt: "self", confirm: true }],
  //},

  // How many tasks may run at once, 1 to 64. Those run together that say in `scope` what they touch, and
  // touch different files; a task without a scope runs alone. `orch run <tasks> --plan` shows it.
  parallel: 2,

  // Limits. null means no limit, where it is allowed. `attempts` alone is not extended for progress.
  //budget: {
  //  attempts: 3,
  //  attemptsWithProgress: 5,
  //  replans: 2,
  //  handoffs: 5,
  //  sessions: 25,
  //  questions: 3,
  //  costUsd: 10,
  //  tokens: 5_000_000,
  //  time: "4h",
  //  turns: 200,
  //  run: { costUsd: 50, time: "24h", questions: 20 },
  //},

  // New plans a task may get; the same as budget.replans.
  //replans: 2,

  // Limits of one session.
  //timeouts: { idle: "15m", session: "2h" },

  // When the same trouble, seen this often in a row, changes what orch does. The last two are not in a row.
  //stall: {
  //  sameFailure: { demand: 2, replan: 3, stall: 4 },
  //  anyFailure: { rollback: 3 },
  //  unknownGate: { demand: 2, stall: 3 },
  //  noChange: { stall: 3 },
  //  plateau: { replan: 4 },
  //  timedOut: { replan: 2 },
  //  stateReturns: { stall: 2 },
  //  sameFingerprintEver: 5,
  //},

  // When a task is too unclear to go on as it is. A person is asked from a score of 10, 8, 5, 4, 3 at the
  // levels 1 to 5, or from `threshold`, which has no default. With nobody to ask it is skipped from
  // `autoSkipThreshold`. `weights` say what each sign adds; here are two of them.
  //uncertainty: {
  //  enabled: true,
  //  autoSkipThreshold: 10,
  //  interactive: true,
  //  weights: { missing_files: 2, no_progress: 4 },
  //},

  // What finished work must have been proven by.
  //proof: undefined,

  // How long questions wait for a person, and what happens then: "default" (go on with the default),
  // "skip" or "stall" (end the task), "wait". Without expiresIn they wait for ever.
  //questions: {
  //  expiresIn: "24h",
  //  whenExpired: "default",
  //  hold: "4m",
  //  levels: { "4": { expiresIn: "30m" } },
  //},

  // What cannot be undone waits for a person before Claude Code does it, and is refused at threshold 0. Not so:
  // "push", "publish", "deploy", "drop-data", "delete-outside", "delete-history", "disk", "message".
  //irreversible: { allow: ["push"] },

  // Who is told that a question waits, or that the run is over.
  //notify: {
  //  command: 'notify-send "orch: $ORCH_TASK" "$ORCH_QUESTION"',
  //  url: "https://hooks.example/orch",
  //  header: { name: "Authorization", env: "ORCH_HOOK_TOKEN" },
  //  timeout: "10s",
  //  bell: true,
  //},

  // A second model that may be asked where no rule speaks; it can ask for a new plan or a person, and
  // complete nothing. It is sent the task's text, failing checks and feedback.
  //judge: {
  //  enabled: false,
  //  model: "claude-sonnet-5-5",
  //  apiKeyEnv: "ANTHROPIC_API_KEY",
  //  confidence: 0.9,
  //  fromAttempt: 3,
  //  timeout: "1m",
  //},

  // At a plan limit of the agent's provider: wait this long for the reset; false: exit code 75.
  //waitForRateLimitReset: { maxWait: "6h" },

  // Each task has a tree and a branch of its own; the finished work of a run is merged into one.
  //git: { isolation: "worktree", autoCommit: true, branchPrefix: "orch/", landing: "leave" },

  // "bwrap" confines agents, gates and set-up on Linux: the task's tree can be written, and neither your
  // home folder nor orch's own files are seen.
  //sandbox: "bwrap",

  // Where the working trees of tasks lie, which ignored files are copied there, and what makes them ready.
  //worktree: { root: "~/worktrees", include: ["node_modules/", ".env*"], setup: "npm ci" },
};
