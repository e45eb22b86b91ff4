// What does the argument of `orch run` name: a file, a folder, or the work itself?

import { lstatSync, readdirSync, statSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
import { OrchError } from "../../errors.ts";
import { systemCode } from "../files/disk.ts";
import { closest } from "../../schema/suggest.ts";
import { TASK_BYTES_MAX } from "../../schema/task-file.ts";
import { whyUnopened } from "./source-file.ts";

export interface ArgumentPlace {
  /** What a relative argument is relative to. */
  readonly cwd: string;
  /** What a stored path is relative to: the repository's root. */
  readonly root: string;
  /** Absolute; where a task is looked for by its bare name. */
  readonly taskFolder: string;
}

/**
 * Reads the argument. What looks like a path is never taken as words: a mistyped file name would
 * become a paid session with a file name for a task.
 */
export function runSourceOf(argument: string, place: ArgumentPlace): RunSource {
  const words = argument.trim();
  if (words === "" || words.includes("\0")) {
    throw new OrchError(
      "usage",
      "the task is empty",
      'name a task file or a folder, or say the task in words: orch run "…"',
    );
  }
  const named =
    existing(resolve(place.cwd, words)) ?? existing(resolve(place.taskFolder, `${words}.md`));
  if (named !== null) return sourceAt(named, place.root);
  refuseOdd(words, place);
  if (looksLikePath(words) || isAlmostName(words, place)) throw missing(words, place);
  if (Buffer.byteLength(words, "utf8") > TASK_BYTES_MAX) {
    throw new OrchError("usage", "the task given as words is too long", "write it into a file");
  }
  return { kind: "words", text: words };
}

/** Several paths, which is what a shell makes of `tasks/*.md`, are no sentence. */
export function refuseSeveral(args: readonly string[], { cwd }: ArgumentPlace): void {
  const isPath = (each: string) => looksLikePath(each) || existing(resolve(cwd, each)) !== null;
  if (args.length < 2 || !args.every(isPath)) return;
  throw new OrchError(
    "usage",
    `one task or one folder was expected, and ${args.length} paths were found: ${JSON.stringify(args[0])} and more`,
    "name the folder they are in, or run them one after another",
  );
}

/** A stored path as an absolute one. */
export function sourcePath(path: string, root: string): string {
  return isAbsolute(path) ? path : join(root, ...path.split("/"));
}

/** Relative to the root where it is inside, so that a repository can be moved; else absolute. */
export function storedPath(path: string, root: string): string {
  const inside = relative(root, path);
  if (inside === "") return ".";
  const leaves = inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leaves ? path : inside.split(sep).join("/");
}

interface Named {
  readonly kind: "file" | "folder";
  readonly path: string;
}

function existing(path: string): Named | null {
  const found = statOf(path);
  if (found === null) return null;
  if (found.isDirectory()) return { kind: "folder", path };
  return found.isFile() ? { kind: "file", path } : null;
}

/** Words are asked about too: a sentence can be too long for a path, or lead through a file. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/** What lies at the path and is neither a file nor a folder would otherwise be said to be missing. */
function refuseOdd(words: string, place: ArgumentPlace): void {
  const paths = [resolve(place.cwd, words), resolve(place.taskFolder, `${words}.md`)];
  const why = paths.map(oddityOf).find((each) => each !== null) ?? null;
  if (why === null) return;
  throw new OrchError(
    "task-invalid",
    `${JSON.stringify(words)} ${why}`,
    why.includes("link")
      ? "fix the link, or name the file or folder that was meant"
      : "a task is a regular file that ends in .md, or a folder of such files",
  );
}

/** Goes on with a sentence that begins with the path; null: nothing is there. */
function oddityOf(path: string): string | null {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  } catch {
    return null; // Words, or in a folder that this user may not look into.
  }
  try {
    statSync(path);
    return "is not a regular file";
  } catch (error) {
    return whyUnopened(path, systemCode(error));
  }
}

function sourceAt({ kind, path }: Named, root: string): RunSource {
  if (kind === "file" && !path.toLowerCase().endsWith(".md")) {
    throw new OrchError(
      "task-invalid",
      `${basename(path)} is not a Markdown file`,
      "a task is a file that ends in .md; see templates with `orch init`",
    );
  }
  return { kind, path: storedPath(path, root) };
}

/** Sentences may hold slashes; a path seldom holds spaces, unless it ends like a task file. */
function looksLikePath(words: string): boolean {
  if (/\.md$/i.test(words)) return true;
  return !/\s/.test(words) && /[/\\]/.test(words);
}

/** One word that is nearly the name of a task was meant to be that name. */
function isAlmostName(words: string, place: ArgumentPlace): boolean {
  return !/\s/.test(words) && closest(words, taskNames(place.taskFolder)) !== null;
}

function missing(words: string, place: ArgumentPlace): OrchError {
  const folder = dirname(resolve(place.cwd, words));
  const beside = namesIn(folder)
    .map((name) => join(dirname(words), name))
    // In a folder that may be listed and not entered, the very same path is there to be seen.
    .filter((path) => existing(resolve(place.cwd, path)) !== null);
  const near = closest(words, beside) ?? nearTask(words, place);
  return new OrchError(
    "task-missing",
    `there is no task file or folder ${JSON.stringify(words)}`,
    near === null
      ? "check the path; words are taken as a task only where they do not look like a path"
      : `did you mean ${near}?`,
  );
}

function nearTask(words: string, place: ArgumentPlace): string | null {
  const name = closest(basename(words).replace(/\.md$/i, ""), taskNames(place.taskFolder));
  const path = join(place.taskFolder, `${name}.md`);
  return name === null || existing(path) === null ? null : relative(place.cwd, path);
}

function taskNames(folder: string): readonly string[] {
  return namesIn(folder).flatMap((name) => (/\.md$/i.test(name) ? [name.slice(0, -3)] : []));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, 2_000);
  } catch {
    return []; // No folder, no names to suggest.
  }
}
