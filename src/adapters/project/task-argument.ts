// What do the arguments of `orch run` name: files, a folder, or the work itself?

import { statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import type { RunSource } from "../../core/model/event.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { pathInside } from "../files/small-file.ts";
import { TASK_BYTES_MAX } from "../../schema/task-file.ts";

export interface ArgumentPlace {
  /** What a relative argument is relative to. */
  readonly cwd: string;
  /** What a stored path is relative to: the repository's root. */
  readonly root: string;
  /** Absolute; where a task is looked for by its bare name. */
  readonly taskFolder: string;
}

/**
 * Reads the arguments. Words are work only where it is plain that they are meant to be: as one
 * argument with a space in it. A mistyped name would become a paid session.
 */
export function runSourceOf(args: readonly string[], place: ArgumentPlace): RunSource {
  const words = args.join(" ").trim();
  if (words === "" || words.includes("\0"))
    throw new OrchError(
      "usage",
      "the task is empty",
      'name a task file or a folder, or say the task in words: orch run "…"',
    );
  const paths = args.map((each) => pathNamed(each.trim(), place));
  const named = paths.filter((path) => path !== null);
  if (named.length === args.length) return sourceAt(named, place.root);
  const isSentence = args.length === 1 && /\s/.test(words) && !isMarkdown(words);
  if (!isSentence) throw missingTask(args[paths.indexOf(null)] ?? "");
  if (Buffer.byteLength(words, "utf8") > TASK_BYTES_MAX)
    throw new OrchError("usage", "the task given as words is too long", "write it into a file");
  return { kind: "words", text: words };
}

/**
 * What lies under this name, in the folder of the person or among the tasks; null: nothing does.
 * A single word that stands for both is an error: each of the two would be a session that was paid for.
 */
function pathNamed(word: string, { cwd, taskFolder }: ArgumentPlace): string | null {
  if (word === "") return null;
  const path = resolve(cwd, word);
  const is = existing(path);
  const bare = resolve(taskFolder, `${word}.md`);
  const task = existing(bare) === null ? null : bare;
  if (is === null || task === null || task === path || /[/\\]/.test(word)) return is ? path : task;
  throw new OrchError(
    "usage",
    `${JSON.stringify(word)} is a task and a ${is}`,
    `name the task \`${relative(cwd, task)}\`, or the ${is} \`./${word}\``,
  );
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
    const stats = statSync(path);
    return stats.isDirectory() ? "folder" : stats.isFile() ? "file" : null;
  } catch {
    return null;
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

export function isMarkdown(path: string): boolean {
  return path.toLowerCase().endsWith(".md");
}

/** The last part of a path, without the ending of a task file. */
export function taskName(path: string): string {
  const name = basename(path);
  return isMarkdown(name) ? name.slice(0, -".md".length) : name;
}

export function missingTask(words: string): OrchError {
  return new OrchError(
    "task-missing",
    `there is no task file or folder ${JSON.stringify(excerpt(words, WORDS_CHARS_MAX))}`,
    "check the path; a task in words is one argument in quotes",
  );
}

const WORDS_CHARS_MAX = 120;
