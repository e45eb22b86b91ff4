// What stands in the task files of a folder, before anything is resolved?

import { createHash } from "node:crypto";
import { readdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
import { idOf, slug, type TaskId } from "../../core/model/ids.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { parseTaskFile, TASK_BYTES_MAX, type TaskFile } from "../../schema/task-file.ts";
import { entryKind, readFileBounded } from "../files/small-file.ts";
import { sourcePath, storedPath } from "./task-argument.ts";

const TASKS_MAX = 2_000;
const CONTEXT_BYTES_MAX = 256 * 1024;
const ID_CHARS_MAX = 60;

/** On ext4 times advance in steps of 4 ms, elsewhere in steps of up to 2 s: later changes show. */
const SETTLED_MS = 2_000;

export type FileSource = Exclude<RunSource, { readonly kind: "words" }>;

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
 * Reads the task files of a folder in name order, numbers by their value. Of a single file, the
 * neighbours are known by id, and the folder's context is the same. What is known already is not read.
 */
export function readTaskFiles(
  source: FileSource,
  root: string,
  known: readonly TaskId[] = [],
): FolderReading {
  const path = sourcePath(source.path, root);
  const isFolder = source.kind === "folder";
  const folder = folderOf(source, root);
  const names = markdownNames(folder);
  const tasks = newNames(names, known);
  const wanted = isFolder ? tasks : [basename(path)];
  if (wanted.length === 0 && known.length === 0) {
    throw new OrchError(
      "task-missing",
      `there is no task in ${storedPath(folder, root)}: no *.md file whose name does not begin with "_"`,
      "write one; `orch init` leaves an example in tasks/",
    );
  }
  const reader = readerOf(folder, root);
  const files = wanted.slice(0, TASKS_MAX).flatMap(reader.task);
  const others = names.filter((name) => name.startsWith("_") && !wanted.includes(name));
  const context = others.flatMap((name) =>
    reader.text(name).map((text) => ({ name, text: text.trim() })),
  );
  const bytes = context.reduce((sum, { text }) => sum + Buffer.byteLength(text, "utf8"), 0);
  if (bytes > CONTEXT_BYTES_MAX)
    reader.complain(
      ".",
      `the context files (_*.md) are ${bytes} bytes together, at most ${CONTEXT_BYTES_MAX} are given to a session`,
    );
  if (wanted.length > TASKS_MAX) reader.complain(".", `more than ${TASKS_MAX} tasks in one folder`);
  const first = new Map<TaskId, string>();
  for (const name of isFolder ? wanted : []) {
    const id = taskIdOf(name);
    const other = first.get(id);
    if (other === undefined) first.set(id, name);
    else reader.complain(name, `has the same id "${id}" as ${other}`, "rename one of the files");
  }
  const { problems } = reader;
  return { files, context, ids: tasks.map(taskIdOf), problems };
}

/**
 * Equal for two readings in which the same would be read, at the cost of a look at each file; null
 * where a file is so new that one more change to it might not show. What was written in the tree
 * counts by its text, because each tree has files of its own.
 */
export function stampOf(
  source: FileSource,
  {
    root,
    tree,
    nowMs,
  }: { readonly root: string; readonly tree: string | null; readonly nowMs: number },
): string | null {
  const folder = folderOf(source, root);
  const names = markdownNames(folder);
  const stamp = createHash("sha256");
  for (const name of names) {
    const found = statsOf(join(folder, name));
    if (found === null || nowMs - found.ctimeMs < SETTLED_MS) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = found;
    stamp.update(JSON.stringify([name, dev, ino, size, mtimeMs, ctimeMs]));
  }
  const own = newNames(names, []).map(taskIdOf);
  const written = tree === null ? null : readTaskFiles(source, tree, own);
  for (const { name, file } of written?.files ?? [])
    stamp.update(JSON.stringify([name, file.fields, file.body]));
  return stamp.digest("hex");
}

/** null: there is nothing that could be read. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** Where tasks are written while the run goes on, absolute. */
export function folderOf({ kind, path }: FileSource, root: string): string {
  const at = sourcePath(path, root);
  return kind === "folder" ? at : dirname(at);
}

/** Of tasks that are not among the known ones. */
function newNames(names: readonly string[], known: readonly TaskId[]): readonly string[] {
  const ids = new Set(known);
  return names.filter((name) => !name.startsWith("_") && !ids.has(taskIdOf(name)));
}

/** `Add Login.md` is "add-login". */
function taskIdOf(file: string): TaskId {
  return idOf<TaskId>(slug(basename(file).replace(/\.md$/i, ""), ID_CHARS_MAX));
}

export function markdownNames(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    const message = `the task folder ${folder} cannot be read`;
    throw new OrchError("task-missing", message, "check the path", { cause });
  }
  const { compare } = new Intl.Collator("en", { numeric: true });
  return names
    .filter((name) => /\.md$/i.test(name) && !name.startsWith("."))
    .toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

/** Reads the files of a folder one by one, and collects what is wrong with them. */
function readerOf(folder: string, root: string) {
  const problems: Problem[] = [];
  const nameOf = (name: string): string => storedPath(join(folder, name), root);
  const complain = (name: string, message: string, fix: string | null = null): void =>
    void problems.push(problem(nameOf(name), message, fix));
  const text = (name: string): readonly string[] => {
    const found = readText(join(folder, name), root);
    if ("text" in found) return [found.text];
    complain(name, found.why);
    return [];
  };
  const task = (name: string): readonly ReadFile[] =>
    text(name).flatMap((written) => {
      const file = parseTaskFile(written, nameOf(name));
      if (file.ok) return [{ id: taskIdOf(name), name: nameOf(name), file: file.value }];
      problems.push(...file.problems);
      return [];
    });
  return { problems, complain, text, task };
}

/** The file's text, or why it is not taken. Links are not followed out of the root. */
function readText(
  path: string,
  root: string,
): { readonly text: string } | { readonly why: string } {
  const found = readFileBounded(path, TASK_BYTES_MAX, "followed");
  if (found.kind === "absent") return { why: "does not exist" };
  if (found.kind === "refused") return found;
  if (
    entryKind(path) === "a link" &&
    isAbsolute(storedPath(realpathSync(path), realpathSync(root)))
  )
    return { why: "a link that leads out of the repository; tasks are not read from there" };
  return found.isUtf8 ? found : { why: "cannot be read: it is not UTF-8 text" };
}
