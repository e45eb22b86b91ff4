// Which command did someone mean who called it by another word?

/** Every command, with the words that other programs and people have for it. */
export const COMMAND_WORDS: Readonly<Record<string, readonly string[]>> = {
  run: ["start", "go", "begin", "do", "exec", "work", "launch"],
  resume: ["continue", "retry", "restart", "rerun", "unpause", "fg"],
  answer: ["reply", "respond", "accept", "approve", "allow", "questions"],
  status: ["ps", "st", "progress", "info"],
  list: ["ls", "runs", "history"],
  show: ["view", "cat", "inspect", "open", "describe"],
  explain: ["why"],
  eval: [],
  replay: ["simulate"],
  policy: ["config", "settings", "rules"],
  log: ["logs", "tail", "events", "follow"],
  watch: ["attach", "monitor", "live"],
  init: ["setup", "create"],
  new: ["add", "task"],
  validate: ["lint", "verify"],
  doctor: ["check", "diagnose", "health", "preflight"],
  demo: ["example", "tour", "try"],
  ask: ["question"],
  diff: ["changes", "patch"],
  merge: ["land", "apply", "take"],
  stop: ["kill", "cancel", "quit", "halt", "end", "pause", "exit"],
  abandon: ["discard", "delete", "drop", "close"],
  rescue: ["undo", "restore", "recover", "revert", "stash"],
  clean: ["rm", "prune", "gc", "cleanup", "remove"],
};

/** null: no command is called so. */
export function commandMeant(word: string): string | null {
  const said = word.toLowerCase();
  const found = Object.entries(COMMAND_WORDS).find(
    ([name, words]) => name === said || words.includes(said),
  );
  return found?.[0] ?? null;
}
