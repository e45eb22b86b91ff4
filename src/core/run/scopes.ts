// What may a task touch beside those that run, and what did it change that is not its own?

import { globsMeet, type Glob, readGlob, compileGlobs } from "../model/glob.ts";
import type { Task } from "../model/task.ts";
import type { TreeChange } from "../model/evidence.ts";
import type { Fence } from "../model/fence.ts";
import type { Crossing, RunState, TaskState } from "../model/state.ts";
import { isSibling } from "./contest.ts";
import { currentAttempt, currentStep } from "./select.ts";

/** Nothing that it may touch may be touched by one that runs. */
export function mayRunBeside(
  { scope }: Pick<Task, "scope">,
  running: readonly Pick<Task, "scope">[],
): boolean {
  return running.every((other) => !meet(scope, other.scope));
}

/** null: it may be any path. */
type Patterns = readonly Glob[] | null;

/** Asked of every task that waits whenever one begins or ends: each list is read once. */
const READ = new WeakMap<readonly string[], { readonly patterns: Patterns }>();

/**
 * Can one path match a pattern of both lists? In doubt yes, and tasks run one after another: an empty
 * list may mean any path, and so may one with a pattern that cannot be used, or with more in it than
 * is compared in bounded time. The answer knows patterns only: not the links and disks that
 * `globsMeet` names.
 */
function meet(a: readonly string[], b: readonly string[]): boolean {
  const [mine, theirs] = [patternsOf(a), patternsOf(b)];
  if (mine === null || theirs === null) return true;
  return mine.some((glob) => theirs.some((other) => globsMeet(glob, other)));
}

function patternsOf(scope: readonly string[]): Patterns {
  const read = READ.get(scope) ?? { patterns: readScope(scope) };
  READ.set(scope, read);
  return read.patterns;
}

/** Characters and segments of all patterns: the square of it bounds the work of a comparison. */
const SIZE_MAX = 3_000;

function readScope(scope: readonly string[]): Patterns {
  const patterns: Glob[] = [];
  let size = 0;
  for (const text of scope) {
    const glob = readGlob(text);
    size += (glob ?? []).reduce((sum, name) => sum + 1 + (name?.length ?? 0), 0);
    if (glob === null || size > SIZE_MAX) return null;
    patterns.push(glob);
  }
  return patterns.length === 0 ? null : patterns;
}

/**
 * Rounds of tasks that may run at the same time, if all of a round took equally long: a task is in the
 * first one where what it depends on is done, its scope meets that of no other, and a slot is free.
 *
 * Greedy in the order of definition, so that the order people chose is kept even where a cleverer
 * packing would need fewer rounds. What depends on something that is not among the tasks takes it as
 * done; tasks that wait for each other are refused before (`findCycle`), and are in no wave.
 */
export function waves<T extends Pick<Task, "id" | "scope" | "dependsOn" | "contest">>(
  tasks: readonly T[],
  parallel: number,
): readonly (readonly T[])[] {
  const rounds: (readonly T[])[] = [];
  for (let left = tasks; ;) {
    const undone = new Set(left.map(({ id }) => id));
    const wave: T[] = [];
    for (const task of left) {
      if (wave.length === parallel) break;
      if (task.dependsOn.some((id) => undone.has(id))) continue;
      const others = wave.filter((one) => one.contest === null || one.contest !== task.contest);
      if (mayRunBeside(task, others)) wave.push(task);
    }
    if (wave.length === 0) return rounds;
    rounds.push(wave);
    left = left.filter((task) => !wave.includes(task));
  }
}

/** Where the step that the task is at may write. */
export function fenceOf(task: TaskState): Fence {
  const { mergeTrouble: trouble } = task;
  const conflicts = trouble?.kind === "conflict" ? trouble.paths : [];
  const { allowWrite } = currentStep(task).step;
  return { allowWrite, scope: task.task.scope, conflicts };
}

/**
 * What an attempt wrote in the scope of tasks that were at work meanwhile, and was not told before. Of
 * paths it looks at those that evidence names.
 */
export function crossingsOf(
  state: RunState,
  task: TaskState,
  tree: TreeChange,
): readonly Crossing[] {
  if (tree.kind !== "measured") return [];
  const since = currentAttempt(task)?.startedAt ?? state.lastAt;
  const written = [...new Set([...tree.changed, ...tree.outside, ...tree.outOfScope])];
  return state.tasks.flatMap((peer) => {
    const [by, into] = [task.task.id, peer.task.id];
    if (
      by === into ||
      isSibling(task.task, peer.task) ||
      peer.task.scope.length === 0 ||
      !wasAtWork(peer, since)
    )
      return [];
    const isTheirs = compileGlobs(peer.task.scope);
    const reported = new Set(
      task.crossings.flatMap((one) => (one.by === by && one.into === into ? one.paths : [])),
    );
    const paths = written.filter((path) => isTheirs(path) && !reported.has(path));
    return paths.length === 0 ? [] : [{ by, into, paths }];
  });
}

/** Both are times as the log writes them, which sort as texts do. */
function wasAtWork({ startedAt, endedAt }: TaskState, since: string): boolean {
  return startedAt !== null && (endedAt === null || endedAt >= since);
}

/** Config, prompts, context and tasks, that an attempt changed and that were not reported before. */
export function refusedChanges(
  { run, tasks }: RunState,
  { refused }: TaskState,
  tree: TreeChange,
): readonly string[] {
  if (tree.kind !== "measured" || run === null) return [];
  const files = tasks.flatMap(({ task: { source } }) =>
    source.kind === "file" ? [source.path] : [],
  );
  const pinnedPaths = new Set([...run.pinned.paths, ...files]);
  return tree.changed.filter((path) => pinnedPaths.has(path) && !refused.includes(path));
}

/** Git's settings belong to no tree: a change is reported once in a run. */
export function refusedSettings({ tasks }: RunState, keys: readonly string[]): readonly string[] {
  const reported = new Set(tasks.flatMap(({ refused }) => refused));
  return keys.map(gitKey).filter((name) => !reported.has(name));
}

/** As it stands among changed files. */
export function gitKey(key: string): string {
  return `git's ${key}`;
}
