// Which files that the run goes by did a task change in its tree?

import type { TreeChange } from "../model/evidence.ts";
import type { RunState, TaskState } from "../model/state.ts";

/** Config, prompts, context and tasks, as far as an attempt changed them and was not told of before. */
export function refusedChanges(
  { run, tasks }: RunState,
  { refused }: TaskState,
  tree: TreeChange,
): readonly string[] {
  if (tree.kind !== "measured" || run === null || run.pinned === null) return [];
  const files = tasks.flatMap(({ task: { source } }) =>
    source.kind === "file" ? [source.path] : [],
  );
  const pinnedPaths = new Set([...run.pinned.paths, ...files]);
  return tree.changed.filter((path) => pinnedPaths.has(path) && !refused.includes(path));
}

/** Settings of git's are of no tree: whoever changed them, they are told once in a run. */
export function refusedSettings({ tasks }: RunState, keys: readonly string[]): readonly string[] {
  const reported = new Set(tasks.flatMap(({ refused }) => refused));
  return keys.map(gitKey).filter((name) => !reported.has(name));
}

/** As it stands among changed files. */
export function gitKey(key: string): string {
  return `git's ${key}`;
}

const PATHS_NAMED_MAX = 5;

export function refusedWords(paths: readonly string[]): string {
  return `changed ${named(paths, ", ")}; what the run began with counts`;
}

export function unusableWords(problems: readonly string[]): string {
  return `wrote tasks that cannot be run and were not added: ${named(problems, "; ")}`;
}

function named(all: readonly string[], between: string): string {
  const more = all.length - PATHS_NAMED_MAX;
  const first = all.slice(0, PATHS_NAMED_MAX).join(between);
  return more > 0 ? `${first} and ${more} more` : first;
}
