// Which tasks will be run, with everything about them resolved?

import { isAbsolute, join } from "node:path";

import { findCycle, matchDependency } from "../../core/run/dependencies.ts";
import type { RunSource } from "../../core/model/event.ts";
import { idOf, slug, type TaskId } from "../../core/model/ids.ts";
import { resolveTask, type Layers, type TaskDraft } from "../../core/run/resolve.ts";
import { NO_TASK_SETTINGS } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import type { TaskSource } from "../../engine/ports.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { suggestName } from "../../schema/suggest.ts";
import { titleOf } from "../../schema/task-file.ts";
import { problemError, VALIDATE_HINT } from "./problem-error.ts";
import { existing } from "./task-argument.ts";
import { readTaskFiles, stampOf } from "./task-files.ts";
import type { FileSource, FolderReading, ReadFile } from "./task-files.ts";

type KeyPath = readonly (string | number)[];

/** What stands above every task while it is read. */
export interface TaskContext extends Layers {
  /** The repository's root: stored paths are relative to it. */
  readonly root: string;
}

/** Tasks that can run, and everything wrong with those that cannot. */
export interface TaskReading {
  readonly tasks: readonly Task[];
  readonly problems: readonly Problem[];
  /** True, harmless, and worth saying before the run starts. */
  readonly notes: readonly string[];
  /** Where in its file a task says something: `tasks/a.md:4`. */
  readonly where: (task: TaskId, path: KeyPath) => string;
}

/** The tasks of a run as they are at each call; rejects with OrchError where one cannot be run. */
export function taskSource(
  source: RunSource,
  context: TaskContext,
  nowMs: () => number = Date.now,
): TaskSource {
  let last: { readonly stamp: string; readonly count: number } | null = null;
  return {
    read: async (tree) => {
      const stamp = stampAt(source, { root: context.root, tree, nowMs: nowMs() });
      if (last !== null && stamp === last.stamp) return { count: last.count, tasks: [] };
      const tasks = tasksOf(readTasks(source, context, tree));
      const count = tasks.length;
      last = stamp === null ? null : { stamp, count };
      return { count, tasks };
    },
  };
}

function stampAt(source: RunSource, { tree, ...at }: Parameters<typeof stampOf>[1]): string | null {
  return source.kind === "words" ? null : stampOf(source, { ...at, tree: treeWith(source, tree) });
}

/** The tasks, or the first problem as an error. */
export function tasksOf({ tasks, problems }: TaskReading): readonly Task[] {
  const [first] = problems;
  if (first === undefined) return tasks;
  const code = first.message.startsWith(CYCLE) ? "task-cycle" : "task-invalid";
  throw problemError(code, problems, "fix the task", VALIDATE_HINT);
}

const CYCLE = "the tasks wait for each other";

/**
 * Throws OrchError only where there is nothing to read; whatever is wrong inside is a problem. A task
 * that runs alone waits for nobody else: its dependencies must exist, and are taken as done.
 */
export function readTasks(
  source: RunSource,
  context: TaskContext,
  tree: string | null = null,
): TaskReading {
  const isWords = source.kind === "words";
  const reading = isWords ? wordsOnly(source.text) : withWritten(source, context.root, tree);
  const where = (read: ReadFile, path: KeyPath): string =>
    isWords ? read.name : `${read.name}:${read.file.lineOf(path)}`;
  const problems = [...reading.problems];
  const notes: string[] = [];
  const drafts = reading.files.map((read): TaskDraft => {
    const { found, unknown } = dependenciesOf(read, reading.ids);
    for (const { index, message, suggestion } of unknown)
      problems.push(problem(where(read, ["dependsOn", index]), message, suggestion));
    if (source.kind === "file" && found.length > 0)
      notes.push(
        `${read.id} depends on ${found.join(", ")}, not part of this run and taken as done`,
      );
    return {
      id: read.id,
      title: read.file.title ?? read.id,
      body: read.file.body,
      source: isWords ? { kind: "words" } : { kind: "file", path: read.name },
      context: reading.context,
      settings: read.file.settings,
      dependsOn: found.filter((id) => source.kind === "folder" || id === read.id),
    };
  });
  const at = (task: TaskId | undefined, path: KeyPath): string => {
    const read = reading.files.find(({ id }) => id === task);
    return read === undefined ? (task ?? "the tasks") : where(read, path);
  };
  const tasks = drafts.flatMap((draft) => {
    const resolution = resolveTask(draft, context);
    if (resolution.ok) return [resolution.task];
    for (const { name, message, path } of resolution.problems)
      problems.push(
        problem(at(draft.id, path), message, name && suggestName(name.given, name.known)),
      );
    return [];
  });
  const cycle = findCycle(drafts);
  const way = `${CYCLE}: ${cycle?.join(" → ")}`;
  if (cycle !== null)
    problems.push(problem(at(cycle[0], ["dependsOn"]), way, "remove one of these dependencies"));
  return { tasks, problems, notes, where: at };
}

/** The tree, where tasks may have been written in it: a folder of tasks lies there, too. */
function treeWith({ kind, path }: FileSource, tree: string | null): string | null {
  if (tree === null || kind === "file" || isAbsolute(path)) return null;
  return existing(join(tree, path)) === "folder" ? tree : null;
}

/** The folder as the user has it, and the tasks that were written beside them in another tree. */
function withWritten(source: FileSource, root: string, tree: string | null): FolderReading {
  const own = readTaskFiles(source, root);
  const from = treeWith(source, tree);
  if (from === null) return own;
  const there = readTaskFiles(source, from, own.ids);
  const added = there.files;
  const names = new Set(added.map(({ name }) => name));
  const problems = there.problems.filter(({ where }) => names.has(where.replace(/:\d+$/, "")));
  return {
    files: [...own.files, ...added],
    context: own.context,
    ids: [...own.ids, ...added.map(({ id }) => id)],
    problems: [...own.problems, ...problems],
  };
}

/** Words as the text of a file without settings of its own. */
function wordsOnly(text: string): FolderReading {
  const title = titleOf(text) ?? "task";
  const file = { title, body: text, settings: NO_TASK_SETTINGS, fields: {}, lineOf: () => 1 };
  const read = { id: idOf<TaskId>(slug(text)), name: "the task", file };
  return { files: [read], context: [], ids: [], problems: [] };
}

function dependenciesOf({ id: own, file }: ReadFile, ids: readonly TaskId[]) {
  const matches = file.settings.dependsOn.map((written, index) => ({
    index,
    id: matchDependency(written, ids),
    message: `dependsOn: there is no task ${JSON.stringify(written)} in this folder`,
    suggestion: suggestName(
      written,
      ids.filter((each) => each !== own),
    ),
  }));
  return {
    found: [...new Set(matches.flatMap(({ id }) => id ?? []))],
    unknown: matches.filter(({ id }) => id === null),
  };
}
