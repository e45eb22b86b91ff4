// What does the argument of `orch run` name: a file, a folder, or the work itself?

import { statSync } from "node:fs";
import { basename, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
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
  const paths = [resolve(place.cwd, words), resolve(place.taskFolder, `${words}.md`)];
  const named = paths.find((path) => existing(path) !== null);
  if (named !== undefined) return sourceAt(named, place.root);
  const isSentence = /\s/.test(words) && !/\.md$/i.test(words);
  const near = isSentence ? null : nearTask(words, place);
  if (!isSentence) refuseOdd(words, paths);
  if (near !== null || looksLikePath(words)) throw missingTask(words, near);
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

function sourceAt(path: string, root: string): RunSource {
  const kind = existing(path) ?? "file";
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
  return /\.md$/i.test(words) || (!/\s/.test(words) && /[/\\]/.test(words));
}

export function missingTask(words: string, near: string | null): OrchError {
  return new OrchError(
    "task-missing",
    `there is no task file or folder ${JSON.stringify(words)}`,
    near === null
      ? "check the path; words are taken as a task only where they do not look like a path"
      : `did you mean ${near}?`,
  );
}

/** The task file that was meant: by its path, or one word that is nearly its name. */
function nearTask(words: string, { cwd, taskFolder }: ArgumentPlace): string | null {
  const names = namesIn(taskFolder).flatMap((name) => /^(.*)\.md$/i.exec(name)?.[1] ?? []);
  const pathOf = (name: string): string => relative(cwd, join(taskFolder, `${name}.md`));
  const byName = closest(basename(words).replace(/\.md$/i, ""), names);
  if (byName !== null || !looksLikePath(words)) return byName === null ? null : pathOf(byName);
  return closest(words, names.map(pathOf));
}
