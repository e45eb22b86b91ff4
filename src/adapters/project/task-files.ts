// What stands in the task files of a folder, before anything is resolved?

import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
import { idOf, slug, TASK_ID_CHARS_MAX, type TaskId } from "../../core/model/ids.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { parseTaskFile, TASK_BYTES_MAX, type TaskFile } from "../../schema/task-file.ts";
import { entryKind, readFileBounded } from "../files/small-file.ts";
import type { Redact } from "../redact.ts";
import { readTemplate } from "./templates.ts";
import { existing, isMarkdown, storedPath, taskName } from "./task-argument.ts";
import { oneLine } from "../../core/model/excerpt.ts";

const TASKS_MAX = 2_000;
const CONTEXT_BYTES_MAX = 256 * 1024;

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
 * Reads the task files of a folder in name order, numbers by their value. Where some were named, in
 * that order: their neighbours are known by id, and the folder's context is the same.
 */
export function readTaskFiles(source: FileSource, root: string): FolderReading {
  const folder = folderOf(source, root);
  const names = markdownNames(folder);
  const tasks = names.filter((name) => !name.startsWith("_"));
  const wanted = chosenNames(source) ?? tasks;
  if (wanted.length === 0) {
    throw new OrchError(
      "task-missing",
      `there is no task in ${storedPath(folder, root)}: no *.md file whose name does not begin with "_"`,
      'write one with `orch new "Add login"`, or let `orch init` write an example',
    );
  }
  const idAs = idsOf(tasks);
  const reader = readerOf(folder, root, idAs);
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
  refuseTwins(wanted, reader);
  const { problems } = reader;
  return { files, context, ids: tasks.map(idAs), problems };
}

/**
 * Task files whose ids are not known; of the others, and of the context, nothing is looked at. Secrets in
 * their names and texts are left out before any of it becomes an id or a title.
 */
export function readNewTaskFiles(
  source: FileSource,
  root: string,
  { takenIds, redact }: { readonly takenIds: readonly TaskId[]; readonly redact: Redact },
): Omit<FolderReading, "context"> {
  const folder = folderOf(source, root);
  const ids = new Set(takenIds);
  const names = existing(folder) === "folder" ? markdownNames(folder) : [];
  const tasks = names.filter((name) => !name.startsWith("_"));
  const idAs = idsOf(tasks, redact);
  const wanted = tasks.filter((name) => !ids.has(idAs(name)));
  const reader = readerOf(folder, root, idAs, redact);
  const most = Math.max(0, TASKS_MAX - ids.size);
  if (wanted.length > most) reader.complain(".", `more than ${TASKS_MAX} tasks in one run`);
  const files = wanted.slice(0, most).flatMap(reader.task);
  refuseTwins(wanted, reader);
  return { files, ids: wanted.map(idAs), problems: reader.problems };
}

function refuseTwins(
  names: readonly string[],
  { complain, idAs }: ReturnType<typeof readerOf>,
): void {
  const first = new Map<TaskId, string>();
  for (const name of names) {
    const id = idAs(name);
    const other = first.get(id);
    if (other === undefined) first.set(id, name);
    else complain(name, `has the same id "${id}" as ${other}`, "rename one of the files");
  }
}

/** Where tasks are written while the run goes on, absolute. */
export function folderOf({ kind, path }: FileSource, root: string): string {
  const at = resolve(root, path);
  return kind === "file" ? dirname(at) : at;
}

/** Names of the files that were asked for; null: all that the folder has. */
export function chosenNames(source: FileSource): readonly string[] | null {
  if (source.kind === "folder") return null;
  return source.kind === "file" ? [basename(source.path)] : source.names;
}

/** `Add Login.md` is "add-login"; what has no letter and no digit goes by its place in the sequence. */
function idsOf(sequence: readonly string[], redact: Redact = (text) => text) {
  return (name: string): TaskId => {
    const place = `task-${sequence.indexOf(name) + 1}`;
    return idOf<TaskId>(slug(taskName(redact(name)), TASK_ID_CHARS_MAX, place));
  };
}

export function markdownNames(folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    const message = `the task folder ${folder} cannot be read`;
    throw new OrchError("task-missing", message, "check the path", { cause });
  }
  const chosen = names.filter((name) => isMarkdown(name) && !name.startsWith("."));
  // What compares takes milliseconds to load.
  if (chosen.length < 2) return chosen;
  const { compare } = new Intl.Collator("en", { numeric: true });
  return chosen.toSorted((a, b) => compare(a, b) || (a < b ? -1 : 1));
}

/** Reads the files of a folder one by one, and collects what is wrong with them. */
function readerOf(
  folder: string,
  root: string,
  idAs: ReturnType<typeof idsOf>,
  redact: Redact = (text) => text,
) {
  const problems: Problem[] = [];
  const untouched = belowTitle(readTemplate("task.md"));
  const nameOf = (name: string): string => redact(storedPath(join(folder, name), root));
  const complain = (name: string, message: string, fix: string | null = null): void =>
    void problems.push(problem(nameOf(name), message, fix));
  const text = (name: string): readonly string[] => {
    const reading = readText(join(folder, name), root);
    if ("text" in reading) return [redact(reading.text)];
    complain(name, reading.why);
    return [];
  };
  const task = (name: string): readonly ReadFile[] =>
    text(name).flatMap((written) => {
      const file = parseTaskFile(written, nameOf(name));
      if (file.ok && belowTitle(written) === untouched) complain(name, UNTOUCHED, FILL_IN);
      else if (file.ok) return [{ id: idAs(name), name: nameOf(name), file: file.value }];
      if (!file.ok) problems.push(...file.problems);
      return [];
    });
  return { problems, complain, text, task, idAs };
}

const UNTOUCHED = "this task is still empty: nothing was written below its title";
const FILL_IN = "say what must be true when it is done, or delete the file";

/** Whatever its front matter is, and however its lines end. */
function belowTitle(text: string): string {
  return oneLine(text).split(" ## ").slice(1).join(" ## ");
}

/** The file's text, or why it is not taken. Links are not followed out of the root. */
function readText(
  path: string,
  root: string,
): { readonly text: string } | { readonly why: string } {
  const file = readFileBounded(path, TASK_BYTES_MAX, "followed");
  if (file.kind === "absent") return { why: "does not exist" };
  if (file.kind === "refused") return file;
  if (
    entryKind(path) === "a link" &&
    isAbsolute(storedPath(realpathSync(path), realpathSync(root)))
  )
    return { why: "a link out of the repository; tasks are not read through it" };
  return file.isUtf8 ? file : { why: "cannot be read: it is not UTF-8 text" };
}
