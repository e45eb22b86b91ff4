// What may a task touch beside those that run, and what did it change that is not its own?

import { globsMeet, type Glob, readGlob, compileGlobs } from "../model/glob.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/ids.ts";
import type { TreeChange } from "../model/evidence.ts";
import type { Fence } from "../model/fence.ts";
import type { Crossing, RunState, TaskState } from "../model/state.ts";
import { currentAttempt, currentStep } from "./select.ts";

export type Scoped = Pick<Task, "id" | "scope">;

export type Beginning =
  | { readonly kind: "begin" }
  | ({ readonly kind: "waits"; readonly for: TaskId } & Met);

/** Why two tasks do not run side by side. */
type Met =
  /** One path can match both patterns. */
  | { readonly why: "scope"; readonly mine: string; readonly theirs: string }
  /** Whose scope does not say what it leaves alone: that one may touch anything. */
  | { readonly why: "alone"; readonly whose: "own" | "theirs" };

/** A task begins where nothing it may touch may be touched by one that runs; of several reasons the first. */
export function mayBegin(candidate: Pick<Scoped, "scope">, running: readonly Scoped[]): Beginning {
  for (const { id, scope } of running) {
    const met = meeting(candidate.scope, scope);
    if (met !== null) return { kind: "waits", for: id, ...met };
  }
  return { kind: "begin" };
}

/**
 * Can one path match a pattern of both lists? In doubt yes, and tasks run one after another: an empty
 * list may mean any path, and so may one with a pattern that cannot be used, or with more in it than
 * is compared in bounded time. The answer knows patterns only: not the links and disks that
 * `globsMeet` names.
 */
export function overlaps(a: readonly string[], b: readonly string[]): boolean {
  return meeting(a, b) !== null;
}

interface Pattern {
  readonly text: string;
  readonly globs: readonly Glob[];
}

interface Scope {
  /** null: it may be any path. */
  readonly patterns: readonly Pattern[] | null;
  readonly met: WeakMap<Scope, Met | null>;
}

/** Asked of every task that waits whenever one begins or ends: each list is read once, each pair compared once. */
const READ = new WeakMap<readonly string[], Scope>();

function meeting(a: readonly string[], b: readonly string[]): Met | null {
  const [mine, theirs] = [scopeOf(a), scopeOf(b)];
  const cached = mine.met.get(theirs);
  if (cached !== undefined) return cached;
  const met = compared(mine, theirs);
  mine.met.set(theirs, met);
  return met;
}

function compared(mine: Scope, theirs: Scope): Met | null {
  if (mine.patterns === null || theirs.patterns === null)
    return { why: "alone", whose: mine.patterns === null ? "own" : "theirs" };
  for (const a of mine.patterns)
    for (const b of theirs.patterns)
      if (a.globs.some((one) => b.globs.some((other) => globsMeet(one, other))))
        return { why: "scope", mine: a.text, theirs: b.text };
  return null;
}

function scopeOf(scope: readonly string[]): Scope {
  const cached = READ.get(scope);
  if (cached !== undefined) return cached;
  const read = { patterns: readScope(scope), met: new WeakMap() };
  READ.set(scope, read);
  return read;
}

/** Characters and segments of all alternatives: the square of it bounds the work of a comparison. */
const SIZE_MAX = 3_000;

function readScope(scope: readonly string[]): readonly Pattern[] | null {
  const patterns: Pattern[] = [];
  let size = 0;
  for (const text of scope) {
    const globs = readGlob(text);
    size += (globs ?? []).flat().reduce((sum, name) => sum + 1 + (name?.length ?? 0), 0);
    if (globs === null || size > SIZE_MAX) return null;
    patterns.push({ text, globs });
  }
  return patterns.length === 0 ? null : patterns;
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
    if (by === into || peer.task.scope.length === 0 || !wasAtWork(peer, since)) return [];
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

const PATHS_CROSSED_MAX = 3;

/** "docs wrote src/api/x.ts, which is in the scope of api". */
export function crossingWords({ by, into, paths }: Crossing): string {
  const more = paths.length - PATHS_CROSSED_MAX;
  const named = paths.slice(0, PATHS_CROSSED_MAX).join(", ");
  const which = more > 0 ? `${named} and ${more} more` : named;
  return `${by} wrote ${which}, which ${paths.length === 1 ? "is" : "are"} in the scope of ${into}`;
}

/** Config, prompts, context and tasks, that an attempt changed and that were not reported before. */
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

/** Git's settings belong to no tree: a change is reported once in a run. */
export function refusedSettings({ tasks }: RunState, keys: readonly string[]): readonly string[] {
  const reported = new Set(tasks.flatMap(({ refused }) => refused));
  return keys.map(gitKey).filter((name) => !reported.has(name));
}

/** As it stands among changed files. */
export function gitKey(key: string): string {
  return `git's ${key}`;
}

const REFUSED_NAMED_MAX = 5;

export function refusedWords(paths: readonly string[]): string {
  return `changed ${named(paths, ", ")}; what the run began with counts`;
}

export function unusableWords(problems: readonly string[]): string {
  return `wrote tasks that cannot be run and were not added: ${named(problems, "; ")}`;
}

function named(all: readonly string[], between: string): string {
  const more = all.length - REFUSED_NAMED_MAX;
  const first = all.slice(0, REFUSED_NAMED_MAX).join(between);
  return more > 0 ? `${first} and ${more} more` : first;
}
