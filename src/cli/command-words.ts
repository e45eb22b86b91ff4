// Which commands are there for what, and which did someone mean who called it by another word?

/** Every command in the order of the help, with the words that other programs and people have for it. */
export const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  {
    Work: {
      run: ["start", "go", "begin", "do", "exec", "work", "launch"],
      resume: ["continue", "retry", "restart", "rerun", "unpause", "fg"],
      stop: ["kill", "cancel", "quit", "halt", "end", "pause", "exit"],
      merge: ["land", "apply", "take"],
      abandon: ["discard", "delete", "drop", "close"],
      rescue: ["undo", "restore", "recover", "revert", "stash"],
      clean: ["rm", "prune", "gc", "cleanup", "remove"],
    },
    Look: {
      status: ["ps", "st", "progress", "info"],
      list: ["ls", "runs", "history"],
      show: ["view", "cat", "inspect", "open", "describe"],
      watch: ["attach", "monitor", "live"],
      log: ["logs", "tail", "events", "follow"],
      explain: ["why"],
      diff: ["changes", "patch"],
    },
    Answer: {
      answer: ["reply", "respond", "accept", "approve", "allow", "questions"],
      ask: ["question"],
    },
    "Set up": {
      init: ["setup", "create"],
      new: ["add", "task"],
      validate: ["lint", "verify"],
      doctor: ["check", "diagnose", "health", "preflight"],
      demo: ["example", "tour", "try"],
      completion: ["completions"],
    },
    Measure: {
      policy: ["config", "settings", "rules"],
      replay: ["simulate"],
    },
  };

export const COMMAND_WORDS: Readonly<Record<string, readonly string[]>> = Object.assign(
  {},
  ...Object.values(COMMAND_GROUPS),
);

/** null: no command is called so. */
export function commandMeant(word: string): string | null {
  const said = word.toLowerCase();
  const found = Object.entries(COMMAND_WORDS).find(
    ([name, words]) => name === said || words.includes(said),
  );
  return found?.[0] ?? null;
}
