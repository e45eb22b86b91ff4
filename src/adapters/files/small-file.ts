// How is a file that another process wrote read without trusting its kind, its size or its place?

import { isUtf8 } from "node:buffer";
import { constants, fstatSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { existsSync, realpathSync, statSync, type Dirent } from "node:fs";
import { basename, dirname, join, isAbsolute, relative, sep } from "node:path";

import { OrchError } from "../../errors.ts";
import { bytesAt, readingFile, systemCode, withFile } from "./disk.ts";

export type SmallFile =
  | { readonly kind: "absent" }
  /** `why` continues a sentence that begins with the file's name. */
  | { readonly kind: "refused"; readonly why: string }
  | {
      readonly kind: "read";
      readonly text: string;
      readonly mtimeMs: number;
      readonly isUtf8: boolean;
    };

/**
 * Only a regular file of at most `bytesMax` bytes is read. Links are followed only where a person
 * named the file. Never throws.
 */
export function readFileBounded(
  path: string,
  bytesMax: number,
  links: "refused" | "followed" = "refused",
): SmallFile {
  const kind = entryKind(path);
  if (kind === "absent") return { kind };
  const follows = kind === "a link" && links === "followed";
  if (kind !== "a file" && !follows) return refused(`is ${kind}, and must be a file`);
  try {
    // Neither a link nor a pipe that took the file's place a moment ago is followed or waited for.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const flags = O_RDONLY | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW);
    return withFile(path, flags, (fd) => readOpen(fd, bytesMax));
  } catch (error) {
    const code = systemCode(error);
    if (follows && code === "ENOENT") return refused("is a link that leads nowhere");
    if (follows && code === "ELOOP") return refused("is a link that leads in a circle");
    return refused(`cannot be read: ${code || String(error)}`);
  }
}

/** The text alone; null for everything that is not read. */
export function readSmallFile(path: string, bytesMax: number): string | null {
  const read = readFileBounded(path, bytesMax);
  return read.kind === "read" ? read.text : null;
}

/** All of a file of any size. Throws where there is none. */
export function bytesIn(path: string): Buffer {
  return readingFile(path, (fd) => readFileSync(fd));
}

/** What stands at the path itself, a link not followed. */
export function entryKind(
  path: string,
): "absent" | "a folder" | "a file" | "a link" | "not a regular file" {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "absent";
    if (stats.isSymbolicLink()) return "a link";
    if (stats.isDirectory()) return "a folder";
    return stats.isFile() ? "a file" : "not a regular file";
  } catch (error) {
    // Below a file there is nothing; anything else may not be looked at.
    return systemCode(error) === "ENOTDIR" ? "absent" : "not a regular file";
  }
}

/** False also for a link to one. */
export function isRealFolder(path: string): boolean {
  return entryKind(path) === "a folder";
}

/** What is in a folder; nothing where there is none. Throws where it cannot be read. */
export function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new OrchError(
      "unsafe-folder",
      `the folder ${JSON.stringify(folder)} cannot be read (${code})`,
      "check who may read it",
      { cause: error },
    );
  }
}

export function namesIn(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name);
}

/** Programs leave empty folders of that name behind, which are no repository to git either. */
export function hasDotGit(folder: string): boolean {
  const path = join(folder, ".git");
  return isRealFolder(path) ? namesIn(path).length > 0 : existsSync(path);
}

/** The nearest folder upwards that has one; like git, not beyond the disk. null: there is none. */
export function repositoryRoot(folder: string): string | null {
  if (hasDotGit(folder)) return folder;
  const parent = dirname(folder);
  const isTop = parent === folder || statSync(parent).dev !== statSync(folder).dev;
  return isTop ? null : repositoryRoot(parent);
}

const PATHS_MAX = 250_000;
/** What git, orch and package managers keep. */
export const NO_WORK: ReadonlySet<string> = new Set([".git", ".orch", "node_modules"]);

/**
 * Paths of what is no folder in a tree, without what git, orch and package managers keep there.
 * Links are not followed. Not whole: there are too many, or a folder cannot be read. Never throws.
 */
export function filesBelow(root: string) {
  const paths: string[] = [];
  const open = [""];
  let isWhole = true;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    try {
      for (const entry of entriesIn(join(root, folder)))
        if (entry.isDirectory() && !NO_WORK.has(entry.name)) open.push(`${folder}${entry.name}/`);
        else if (!NO_WORK.has(entry.name)) paths.push(`${folder}${entry.name}`);
    } catch {
      isWhole = false; // What stands in the others is worth as much.
    }
    if (paths.length + open.length > PATHS_MAX) return { paths, isWhole: false };
  }
  return { paths, isWhole };
}

function readOpen(fd: number, bytesMax: number): SmallFile {
  const stats = fstatSync(fd);
  const { size, mtimeMs } = stats;
  if (!stats.isFile()) return refused("must be a file");
  if (size > bytesMax) return refused(`is longer than ${bytesMax} bytes`);
  const read = bytesAt(fd, 0, size);
  return { kind: "read", text: textOf(read), mtimeMs, isUtf8: isUtf8(read) };
}

/** Some programs write UTF-16, with a mark before it; agents leave reports by them. */
function textOf(bytes: Buffer): string {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return isWide ? bytes.subarray(2).toString("utf16le") : bytes.toString("utf8");
}

function refused(why: string): SmallFile {
  return { kind: "refused", why };
}

/** The way from the folder to the path, "" to the folder itself; null: it leads out. Links are not followed. */
export function pathInside(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}

/** With every link followed, also of a file that is not there yet. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
