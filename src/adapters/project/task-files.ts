// What stands in the task files of a folder, before anything is resolved?

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { idOf, slug, type TaskId } from "../../core/model/ids.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { parseTaskFile, TASK_BYTES_MAX, type TaskFile } from "../../schema/task-file.ts";
import { storedPath } from "./task-argument.ts";

const TASKS_MAX = 500;
const CONTEXT_BYTES_MAX = 256 * 1024;
const ID_CHARS_MAX = 60;

/** A task file that could be read. */
export interface ReadFile {
  readonly id: TaskId;
  /** Relative to the root where it is inside. */
  readonly name: string;
  readonly file: TaskFile;
}

export interface FolderReading {
  readonly files: readonly ReadFile[];
  readonly context: Task["context"];
  /** Ids of every task file of the folder, readable or not. */
  readonly ids: readonly TaskId[];
  readonly problems: readonly Problem[];
}

/**
 * Reads the task files of a folder in name order, numbers by their value. With `chosen`, only that
 * file is read; its neighbours are known by id, and the folder's context is the same.
 */
export function readTaskFolder(folder: string, root: string, chosen: string | null): FolderReading {
  const names = markdownNames(folder);
  const tasks = names.filter((name) => !name.startsWith("_"));
  const wanted = chosen === null ? tasks : [chosen];
  if (wanted.length === 0) {
    throw new OrchError(
      "task-missing",
      `there is no task in ${storedPath(folder, root)}: no *.md file whose name does not begin with "_"`,
      "write one; `orch init` leaves an example in tasks/",
    );
  }
  const reads = wanted.slice(0, TASKS_MAX).map((name) => readTask(join(folder, name), root));
  const context = readContext(
    folder,
    names.filter((name) => name.startsWith("_") && name !== chosen),
    root,
  );
  const many = problem(storedPath(folder, root), `more than ${TASKS_MAX} tasks in one folder`);
  return {
    files: reads.flatMap((read) => ("file" in read ? [read] : [])),
    context: context.texts,
    ids: tasks.map(taskIdOf),
    problems: [
      ...reads.flatMap((read) => ("file" in read ? [] : read.problems)),
      ...context.problems,
      ...(chosen === null ? repeatedIds(tasks, folder, root) : []),
      ...(wanted.length > TASKS_MAX ? [many] : []),
    ],
  };
}

/** `Add Login.md` is "add-login". */
export function taskIdOf(file: string): TaskId {
  return idOf<TaskId>(slug(basename(file).replace(/\.md$/i, ""), ID_CHARS_MAX));
}

function markdownNames(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    throw new OrchError(
      "task-missing",
      `the task folder ${folder} cannot be read`,
      "check the path",
      {
        cause: error,
      },
    );
  }
  const { compare } = new Intl.Collator("en", { numeric: true });
  return names
    .filter((name) => /\.md$/i.test(name) && !name.startsWith("."))
    .toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

function readTask(
  path: string,
  root: string,
): ReadFile | { readonly problems: readonly Problem[] } {
  const name = storedPath(path, root);
  const text = readText(path, root);
  if (typeof text !== "string") return { problems: [problem(name, text.problem)] };
  const file = parseTaskFile(text, name);
  return file.ok ? { id: taskIdOf(path), name, file: file.value } : { problems: file.problems };
}

/** The file's text, or in a sentence why it is not read. Links are not followed out of the root. */
function readText(path: string, root: string): string | { readonly problem: string } {
  try {
    if (lstatSync(path).isSymbolicLink() && !isInside(realpathSync(path), realpathSync(root))) {
      return { problem: "a link that leads out of the repository; tasks are not read from there" };
    }
    const found = statSync(path);
    if (!found.isFile()) return { problem: "expected a file" };
    if (found.size > TASK_BYTES_MAX) {
      return {
        problem: `the file is ${found.size} bytes long, at most ${TASK_BYTES_MAX} are read`,
      };
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const words = error instanceof TypeError ? "it is not UTF-8 text" : String(error);
    return { problem: `cannot be read: ${words}` };
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function readContext(folder: string, names: readonly string[], root: string) {
  const reads = names.map((name) => ({ name, text: readText(join(folder, name), root) }));
  const texts = reads.flatMap(({ name, text }) =>
    typeof text === "string" ? [{ name, text: text.trim() }] : [],
  );
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text, "utf8"), 0);
  const problems = reads.flatMap(({ name, text }) =>
    typeof text === "string" ? [] : [problem(storedPath(join(folder, name), root), text.problem)],
  );
  if (bytes <= CONTEXT_BYTES_MAX) return { texts, problems };
  const large = `the context files (_*.md) are ${bytes} bytes together, at most ${CONTEXT_BYTES_MAX} are given to a session`;
  return { texts: [], problems: [...problems, problem(storedPath(folder, root), large)] };
}

function repeatedIds(names: readonly string[], folder: string, root: string): readonly Problem[] {
  const first = new Map<TaskId, string>();
  return names.flatMap((name) => {
    const id = taskIdOf(name);
    const other = first.get(id);
    if (other === undefined) {
      first.set(id, name);
      return [];
    }
    const where = storedPath(join(folder, name), root);
    return [problem(where, `has the same id "${id}" as ${other}`, "rename one of the files")];
  });
}
