// Which tasks will be run, with everything about them resolved?

import { dirname, basename } from "node:path";
import { assertNever } from "../../core/model/assert.ts";
import { findCycle, matchDependency } from "../../core/run/dependencies.ts";
import type { RunSource } from "../../core/model/event.ts";
import { idOf, slug, type TaskId } from "../../core/model/ids.ts";
import {
  resolveTask,
  type Layers,
  type TaskDraft,
  type Unresolved,
} from "../../core/run/resolve.ts";
import { NO_TASK_SETTINGS } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import type { TaskSource } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { suggestName } from "../../schema/suggest.ts";
import { titleOf } from "../../schema/task-file.ts";
import { sourcePath } from "./task-argument.ts";
import { readTaskFolder, type FolderReading, type ReadFile } from "./task-files.ts";

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
  readonly where: (task: TaskId, path: readonly (string | number)[]) => string;
}

/** The tasks of a run, read anew on every call; rejects with OrchError where one cannot be run. */
export function taskSource(source: RunSource, context: TaskContext): TaskSource {
  return { read: async () => tasksOf(readTasks(source, context)) };
}

/** The tasks, or the first problem as an error. */
export function tasksOf({ tasks, problems }: TaskReading): readonly Task[] {
  const [first, ...more] = problems;
  if (first === undefined) return tasks;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  throw new OrchError(
    first.message.startsWith(CYCLE) ? "task-cycle" : "task-invalid",
    `${first.where}: ${first.message}${rest}`,
    `${first.suggestion ?? "fix the task"}; \`orch validate\` lists everything`,
  );
}

/** Throws OrchError only where there is nothing to read; whatever is wrong inside is a problem. */
export function readTasks(source: RunSource, context: TaskContext): TaskReading {
  switch (source.kind) {
    case "words":
      return readWords(source.text, context);
    case "file": {
      const path = sourcePath(source.path, context.root);
      return resolved(
        readTaskFolder(dirname(path), context.root, basename(path)),
        context,
        "alone",
      );
    }
    case "folder":
      return resolved(
        readTaskFolder(sourcePath(source.path, context.root), context.root, null),
        context,
        "together",
      );
    default:
      return assertNever(source, "source");
  }
}

const CYCLE = "the tasks wait for each other";

function readWords(text: string, context: TaskContext): TaskReading {
  const draft: TaskDraft = {
    id: idOf<TaskId>(slug(text)),
    title: titleOf(text) ?? "task",
    body: text,
    source: { kind: "words" },
    context: [],
    settings: NO_TASK_SETTINGS,
    dependsOn: [],
  };
  const resolution = resolveTask(draft, context);
  const where = () => "the task";
  if (resolution.ok) return { tasks: [resolution.task], problems: [], notes: [], where };
  const problems = resolution.problems.map((each) => unresolvedProblem(each, where()));
  return { tasks: [], problems, notes: [], where };
}

/**
 * A task that runs alone waits for nobody else: its dependencies must exist, and are taken as done.
 */
type Company = "alone" | "together";

function resolved(reading: FolderReading, context: TaskContext, company: Company): TaskReading {
  const found = reading.files.map((read) => ({
    read,
    dependsOn: dependenciesOf(read, reading.ids),
  }));
  const drafts = found.map(({ read, dependsOn }) => ({
    read,
    draft: draftOf(
      read,
      reading,
      dependsOn.ids.filter((id) => company === "together" || id === read.id),
    ),
  }));
  const resolutions = drafts.map(({ read, draft }) => ({
    read,
    resolution: resolveTask(draft, context),
  }));
  const tasks = resolutions.flatMap(({ resolution }) => (resolution.ok ? [resolution.task] : []));
  const unresolved = resolutions.flatMap(({ read, resolution }) =>
    resolution.ok ? [] : resolution.problems.map((each) => unresolvedProblem(each, read)),
  );
  const missing = found.flatMap(({ dependsOn }) => dependsOn.problems);
  const cycles = cycleProblem(
    drafts.map(({ draft }) => draft),
    reading.files,
  );
  return {
    tasks,
    problems: [...reading.problems, ...missing, ...unresolved, ...cycles],
    notes:
      company === "alone"
        ? found.flatMap(({ read, dependsOn }) => aloneNote(read, dependsOn.ids))
        : [],
    where: (task, path) => {
      const read = reading.files.find((each) => each.id === task);
      return read === undefined ? task : `${read.name}:${read.file.lineOf(path)}`;
    },
  };
}

function draftOf(read: ReadFile, reading: FolderReading, dependsOn: readonly TaskId[]): TaskDraft {
  return {
    id: read.id,
    title: read.file.title ?? read.id,
    body: read.file.body,
    source: { kind: "file", path: read.name },
    context: reading.context,
    settings: read.file.settings,
    dependsOn,
  };
}

function dependenciesOf(read: ReadFile, ids: readonly TaskId[]) {
  const matches = read.file.settings.dependsOn.map((written, index) => ({
    written,
    index,
    id: matchDependency(written, ids),
  }));
  return {
    ids: [...new Set(matches.flatMap(({ id }) => (id === null ? [] : [id])))],
    problems: matches.flatMap(({ written, index, id }) =>
      id !== null
        ? []
        : [
            problem(
              `${read.name}:${read.file.lineOf(["dependsOn", index])}`,
              `dependsOn: there is no task ${JSON.stringify(written)} in this folder`,
              suggestName(
                written,
                ids.filter((each) => each !== read.id),
              ),
            ),
          ],
    ),
  };
}

function cycleProblem(
  drafts: readonly TaskDraft[],
  files: readonly ReadFile[],
): readonly Problem[] {
  const cycle = findCycle(drafts);
  const first = files.find((read) => read.id === cycle?.[0]);
  if (cycle === null || first === undefined) return [];
  const where = `${first.name}:${first.file.lineOf(["dependsOn"])}`;
  return [problem(where, `${CYCLE}: ${cycle.join(" → ")}`, "remove one of these dependencies")];
}

function aloneNote(read: ReadFile, dependsOn: readonly TaskId[]): readonly string[] {
  if (dependsOn.length === 0) return [];
  return [`${read.id} depends on ${dependsOn.join(", ")}, not part of this run and taken as done`];
}

function unresolvedProblem(unresolved: Unresolved, at: ReadFile | string): Problem {
  const { name, message, path } = unresolved;
  const where = typeof at === "string" ? at : `${at.name}:${at.file.lineOf(path)}`;
  return problem(where, message, name === null ? null : suggestName(name.given, name.known));
}
