// Which tasks will be run, with everything about them resolved?

import { isAbsolute } from "node:path";

import type { RunSource } from "../../core/model/event.ts";
import { idOf, slug, type TaskId } from "../../core/model/ids.ts";
import {
  resolveCandidates,
  type Layers,
  type TaskDraft,
  CHOSEN_KEYS,
} from "../../core/run/resolve.ts";
import { NO_TASK_SETTINGS } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import { isObject } from "../../core/model/json.ts";
import type { TaskSource } from "../../engine/ports.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { suggestName } from "../../schema/suggest.ts";
import { titleOf } from "../../schema/task-file.ts";
import type { Redact } from "../redact.ts";
import { problemError, VALIDATE_HINT } from "./config-loader.ts";
import { readNewTaskFiles, readTaskFiles } from "./task-files.ts";
import type { FolderReading, ReadFile } from "./task-files.ts";
import { isMarkdown, taskName } from "./task-argument.ts";

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
}

/** What tasks write while the run goes on. */
export function taskSource(source: RunSource, context: TaskContext, redact: Redact): TaskSource {
  return {
    added: async ({ tree, takenIds, author, changed }) => {
      // A folder outside the repository is in no tree.
      if (source.kind !== "folder" || (tree !== null && isAbsolute(source.path))) return NONE;
      const reading = readNewTaskFiles(source, tree ?? context.root, { takenIds, redact });
      if (reading.files.length === 0 && reading.problems.length === 0) return NONE;
      // What somebody else deleted in the checkout still stands in a tree that was made of a commit.
      const changedNames = (await changed())?.filter(isMarkdown).map((path) => redact(path));
      const isOwn = (name: string): boolean => changedNames?.includes(name) ?? true;
      const files = reading.files
        .filter(({ name }) => isAbsolute(name) || isOwn(name))
        .map(chosenOnly);
      const problems = reading.problems.filter(
        ({ where }) => !/\.md(?::|$)/i.test(where) || (changedNames?.some(isIn(where)) ?? true),
      );
      const read = usable({ files, problems }, { takenIds, context: author.context }, (reading) =>
        resolved(reading, source, context),
      );
      return {
        tasks: read.tasks.map((task) => ({
          task,
          notHeeded: notHeededIn(files.find(({ id }) => id === (task.contest ?? task.id))),
        })),
        unusable: read.problems.map(({ where, message }) => `${where}: ${message}`),
      };
    },
  };
}

const NONE = { tasks: [], unusable: [] };

/** Without the settings that are for the author's policy to say. */
function chosenOnly(read: ReadFile): ReadFile {
  const { agent, model, pipeline, scope, dependsOn } = read.file.settings;
  const settings = { ...NO_TASK_SETTINGS, agent, model, pipeline, scope, dependsOn };
  return { ...read, file: { ...read.file, settings } };
}

function notHeededIn(read: ReadFile | undefined): readonly string[] {
  const { fields } = read?.file ?? {};
  return isObject(fields) ? Object.keys(fields).filter((key) => !CHOSEN_KEYS.has(key)) : [];
}

/** Without the files that something is wrong with, and then without those that only waited for them. */
function usable(
  { files, problems }: Pick<FolderReading, "files" | "problems">,
  {
    takenIds,
    context,
  }: { readonly takenIds: readonly TaskId[]; readonly context: Task["context"] },
  resolve: (reading: FolderReading) => TaskReading,
): Pick<TaskReading, "tasks" | "problems"> {
  const left = files.filter(({ name }) => !problems.some(({ where }) => isIn(where)(name)));
  const ids = [...takenIds, ...left.map(({ id }) => id)];
  const read = resolve({ files: left, ids, context, problems: [] });
  if (read.problems.length === 0) return { tasks: read.tasks, problems };
  const all = [...problems, ...read.problems];
  const isSmaller = left.some(({ name }) => read.problems.some(({ where }) => isIn(where)(name)));
  return isSmaller
    ? usable({ files: left, problems: all }, { takenIds, context }, resolve)
    : { tasks: [], problems: all };
}

/** Whether a problem is of this file: `tasks/a.md:4`. */
function isIn(where: string): (name: string) => boolean {
  return (name) => where === name || where.startsWith(`${name}:`);
}

/** The tasks, or the first problem as an error. */
export function tasksOf({ tasks, problems }: TaskReading): readonly Task[] {
  const [first] = problems;
  if (first === undefined) return tasks;
  const code = first.message.startsWith(CYCLE) ? "task-cycle" : "task-invalid";
  throw problemError(code, problems, "fix what is named", VALIDATE_HINT);
}

const CYCLE = "the tasks wait for each other";

/**
 * Throws OrchError only where there is nothing to read; whatever is wrong inside is a problem. Tasks
 * that were named wait for each other only: other dependencies must exist, and are taken as done.
 */
export function readTasks(source: RunSource, context: TaskContext): TaskReading {
  const reading =
    source.kind === "words" ? wordsOnly(source.text) : readTaskFiles(source, context.root);
  return resolved(reading, source, context);
}

function resolved(reading: FolderReading, source: RunSource, context: TaskContext): TaskReading {
  const isWords = source.kind === "words";
  const isPart = (id: TaskId): boolean =>
    source.kind === "folder" || reading.files.some((one) => one.id === id);
  const problems = [...reading.problems];
  const notes: string[] = [];
  const drafts = reading.files.map((read): TaskDraft => {
    const { dependencies, unknown } = dependenciesOf(read, reading.ids);
    for (const { message, suggestion } of unknown)
      problems.push(problem(read.name, message, suggestion));
    const others = dependencies.filter((id) => !isPart(id));
    if (others.length > 0)
      notes.push(
        `${read.id} depends on ${others.join(", ")}, not part of this run and taken as done`,
      );
    return {
      id: read.id,
      title: read.file.title ?? read.id,
      body: read.file.body,
      source: isWords ? { kind: "words" } : { kind: "file", path: read.name },
      context: reading.context,
      settings: read.file.settings,
      contest: null,
      dependsOn: dependencies.filter(isPart),
    };
  });
  const fileOf = (task: TaskId | undefined): string =>
    reading.files.find(({ id }) => id === task)?.name ?? "the tasks";
  const tasks = drafts.flatMap((draft) => {
    const candidates = resolveCandidates(draft, context);
    const bad = candidates.find((one) => !one.ok);
    if (bad === undefined) return candidates.flatMap((one) => (one.ok ? one.task : []));
    for (const { name, message } of bad.problems)
      problems.push(
        problem(fileOf(draft.id), message, name && suggestName(name.given, name.existing)),
      );
    return [];
  });
  const cycle = findCycle(drafts);
  const way = `${CYCLE}: ${cycle?.join(" → ")}`;
  if (cycle !== null)
    problems.push(problem(fileOf(cycle[0]), way, "remove one of these dependencies"));
  return { tasks: linkedToCandidates(tasks, reading.ids), problems, notes };
}

/** Who depends on a task depends on all candidates for it: only they have a dot in their ids. */
function linkedToCandidates(tasks: readonly Task[], others: readonly TaskId[]): readonly Task[] {
  const ids = new Set([...tasks.map(({ id }) => id), ...others]);
  const candidates = (id: TaskId): readonly TaskId[] => {
    const all = [...ids].filter((one) => one.startsWith(`${id}.`));
    return all.length === 0 ? [id] : all;
  };
  return tasks.map((one) => ({ ...one, dependsOn: one.dependsOn.flatMap(candidates) }));
}

/** Words as the text of a file without settings of its own. */
function wordsOnly(text: string): FolderReading {
  const title = titleOf(text) ?? "task";
  const file = { title, body: text, settings: NO_TASK_SETTINGS, fields: {} };
  const read = { id: idOf<TaskId>(slug(text)), name: "the task", file };
  return { files: [read], context: [], ids: [], problems: [] };
}

function dependenciesOf({ id, file }: ReadFile, ids: readonly TaskId[]) {
  const matches = file.settings.dependsOn.map((written) => ({
    id: matchDependency(written, ids),
    message: `dependsOn: there is no task ${JSON.stringify(written)} in this folder`,
    suggestion: suggestName(
      written,
      ids.filter((each) => each !== id),
    ),
  }));
  return {
    dependencies: [...new Set(matches.flatMap(({ id }) => id ?? []))],
    unknown: matches.filter(({ id }) => id === null),
  };
}

/** The task meant by what was written, its id or its file name; null: there is none. */
export function matchDependency(written: string, ids: readonly TaskId[]): TaskId | null {
  const wanted = taskName(written.trim()).normalize("NFC").toLowerCase();
  return ids.find((id) => id === wanted) ?? null;
}

interface Dependent {
  readonly id: TaskId;
  readonly dependsOn: readonly TaskId[];
}

/** A cycle as a path that ends where it begins (a, b, a), or null. Finds the same one every time. */
export function findCycle(tasks: readonly Dependent[]): readonly TaskId[] | null {
  const left = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
  const nextOf = (id: TaskId): TaskId | undefined => left.get(id)?.find((on) => left.has(on));
  // What depends on nothing that is left is in no cycle.
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const id of [...left.keys()].reverse()) if (nextOf(id) === undefined) left.delete(id);
  }
  const path: TaskId[] = [];
  let [at] = left.keys();
  for (; at !== undefined && !path.includes(at); at = nextOf(at)) path.push(at);
  return at === undefined ? null : [...path.slice(path.indexOf(at)), at];
}
