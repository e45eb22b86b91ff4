// What do the arguments of `orch run` name: files, a folder, or the work itself?

import { statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { pathInside } from "../files/inside.ts";
import { namesIn, readFileBounded } from "../files/small-file.ts";
import { closest } from "../../schema/suggest.ts";
import { TASK_BYTES_MAX } from "../../schema/task-file.ts";

export interface ArgumentPlace {
  /** What a relative argument is relative to. */
  readonly cwd: string;
  /** What a stored path is relative to: the repository's root. */
  readonly root: string;
  /** Absolute; where a task is looked for by its bare name. */
  readonly taskFolder: string;
  /** The command that a word names or means. */
  readonly commandMeant: (word: string) => string | null;
}

/**
 * Reads the arguments. Words are work only where it is plain that they are meant to be: as one
 * argument with a space in it, or after `--words`. A mistyped name would become a paid session.
 */
export function runSourceOf(
  args: readonly string[],
  place: ArgumentPlace,
  isWords = false,
): RunSource {
  const words = args.join(" ").trim();
  if (words === "" || words.includes("\0")) {
    throw new OrchError(
      "usage",
      "the task is empty",
      'name a task file or a folder, or say the task in words: orch run "…"',
    );
  }
  const isSentence = args.length === 1 && /\s/.test(words) && !isMarkdown(words);
  const found = isWords ? [] : args.map((each) => pathNamed(each.trim(), place));
  const paths = found.filter((path) => path !== null);
  if (!isWords && paths.length === args.length) return sourceAt(paths, place.root);
  if (!isWords && !isSentence) throw noTask(args, found, place);
  if (Buffer.byteLength(words, "utf8") > TASK_BYTES_MAX) {
    throw new OrchError("usage", "the task given as words is too long", "write it into a file");
  }
  return { kind: "words", text: words };
}

/** What lies under this name, in the folder of the person or among the tasks; null: nothing does. */
function pathNamed(word: string, { cwd, taskFolder }: ArgumentPlace): string | null {
  if (word === "") return null;
  const paths = [resolve(cwd, word), resolve(taskFolder, `${word}.md`)];
  const found = paths.find((path) => existing(path) !== null);
  if (found === undefined && (!/\s/.test(word) || isMarkdown(word))) refuseOdd(word, paths);
  return found ?? null;
}

/** Why nothing can be run by these, with what was probably meant. */
function noTask(
  args: readonly string[],
  found: readonly (string | null)[],
  place: ArgumentPlace,
): OrchError {
  const words = args.map((word, at) => {
    const path = found[at] ?? null;
    const near = path === null ? nearTask(word, place) : null;
    const isName = path === null ? near !== null || looksLikePath(word) : isTaskPath(path);
    return { word, near, isName, isMissing: path === null };
  });
  const wrong = words.find(({ isMissing, isName }) => isMissing && isName) ?? null;
  const names = words.filter(({ isName }) => isName).length;
  const missing = wrong ?? words.find(({ isMissing }) => isMissing);
  // One path among plain words is what the words are about.
  if (missing !== undefined && names > 0 && names * 2 >= args.length)
    return missingTask(missing.word, missing.near);
  const [first = ""] = args;
  const command = args.length > COMMAND_WORDS_MAX ? null : place.commandMeant(first);
  const said = excerpt(args.join(" "), SAID_CHARS_MAX);
  const asWords = `orch run ${args.length > 1 ? "" : "--words "}${JSON.stringify(said)}`;
  return new OrchError(
    "task-missing",
    args.length > 1
      ? "a task in words must be one argument, in quotes"
      : `there is no task ${JSON.stringify(said)}`,
    command === null || command === "run"
      ? `if these words are the task: ${asWords}${known(place)}`
      : `did you mean \`orch ${[command, ...args.slice(1)].join(" ")}\`? If these words are the task: ${asWords}`,
  );
}

/** A command with the run it is about; more words are a sentence that begins like one. */
const COMMAND_WORDS_MAX = 2;
const SAID_CHARS_MAX = 120;
const TASKS_SHOWN_MAX = 6;

function known(place: ArgumentPlace): string {
  const names = taskNames(place).filter((name) => !name.startsWith("_"));
  if (names.length === 0) return "";
  const more = names.length > TASKS_SHOWN_MAX ? ", …" : "";
  return `; the tasks are ${names.slice(0, TASKS_SHOWN_MAX).join(", ")}${more}`;
}

/** A stored path as an absolute one. */
export function sourcePath(path: string, root: string): string {
  return isAbsolute(path) ? path : join(root, ...path.split("/"));
}

/** Relative to the root where it is inside, so that a repository can be moved; else absolute. */
export function storedPath(path: string, root: string): string {
  const inside = pathInside(root, path);
  if (inside === "") return ".";
  return inside === null ? path : inside.split(sep).join("/");
}

/** Words are asked about too: a sentence can be too long for a path, or lead through a file. */
export function existing(path: string): "file" | "folder" | null {
  try {
    const found = statSync(path);
    return found.isDirectory() ? "folder" : found.isFile() ? "file" : null;
  } catch {
    return null;
  }
}

/** What lies at the path and cannot be read would otherwise be said to be missing. */
function refuseOdd(words: string, paths: readonly string[]): void {
  for (const path of paths) {
    const found = readFileBounded(path, 0, "followed");
    if (found.kind !== "refused") continue;
    throw new OrchError(
      "task-invalid",
      `${JSON.stringify(words)} ${found.why}`,
      "a task is a regular file that ends in .md, or a folder of such files",
    );
  }
}

/** Files of one folder, or one folder: dependencies and context are a folder's. */
function sourceAt(paths: readonly string[], root: string): RunSource {
  const [first = root] = paths;
  if (paths.length === 1 && existing(first) === "folder")
    return { kind: "folder", path: storedPath(first, root) };
  for (const path of paths) requireTask(path, paths.length);
  // What a shell makes of `tasks/*.md` has the context in it, which every task is given anyway.
  const tasks = paths.filter((path) => !basename(path).startsWith("_"));
  const names = [...new Set((tasks.length === 0 ? paths : tasks).map((path) => basename(path)))];
  const [only = basename(first)] = names;
  const folder = dirname(first);
  if (names.length === 1) return { kind: "file", path: storedPath(join(folder, only), root) };
  if (paths.some((path) => dirname(path) !== folder))
    throw new OrchError(
      "usage",
      "the tasks of one run must lie in one folder",
      "run each folder's tasks on their own",
    );
  return { kind: "files", path: storedPath(folder, root), names };
}

function requireTask(path: string, count: number): void {
  if (existing(path) === "folder")
    throw new OrchError(
      "usage",
      `${basename(path)} is a folder, and ${count} arguments were given`,
      "name one folder, or task files of one",
    );
  if (isMarkdown(path)) return;
  throw new OrchError(
    "task-invalid",
    `${basename(path)} is not a Markdown file`,
    "a task is a file that ends in .md; see templates with `orch init`",
  );
}

function isTaskPath(path: string): boolean {
  return isMarkdown(path) || existing(path) === "folder";
}

function isMarkdown(path: string): boolean {
  return /\.md$/i.test(path);
}

/** Sentences may hold slashes; a path seldom holds spaces, unless it ends like a task file. */
function looksLikePath(words: string): boolean {
  return isMarkdown(words) || (!/\s/.test(words) && /[/\\]/.test(words));
}

export function missingTask(words: string, near: string | null): OrchError {
  return new OrchError(
    "task-missing",
    `there is no task file or folder ${JSON.stringify(words)}`,
    near === null
      ? "check the path; words are taken as a task only if they do not look like a path"
      : `did you mean ${near}?`,
  );
}

/** The task file that was meant: by its path, or one word that is nearly its name. */
function nearTask(words: string, place: ArgumentPlace): string | null {
  const { cwd, taskFolder } = place;
  const names = taskNames(place);
  const pathOf = (name: string): string => relative(cwd, join(taskFolder, `${name}.md`));
  const byName = closest(basename(words).replace(/\.md$/i, ""), names);
  if (byName !== null || !looksLikePath(words)) return byName === null ? null : pathOf(byName);
  return closest(words, names.map(pathOf));
}

function taskNames({ taskFolder }: Pick<ArgumentPlace, "taskFolder">): readonly string[] {
  return namesIn(taskFolder).flatMap((name) => /^(.*)\.md$/i.exec(name)?.[1] ?? []);
}
