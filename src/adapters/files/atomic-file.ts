// How is a file replaced so that every reader finds the old or the new one, whole?

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

import { OrchError } from "../../errors.ts";
import { noRoom, systemCode, systemDisk, writeFailure, type Disk } from "./disk.ts";
import { isRealFolder } from "./small-file.ts";

/** Also what strays are recognised by; no file of orch's own ends like this. */
const TEMPORARY = /^\..+\.[0-9a-f]{16}\.tmp$/;

type Content = string | Uint8Array;

/**
 * Writes beside, flushes, renames over, flushes the folder. The file is private to the user.
 * Throws OrchError; the old file is then untouched.
 */
export function writeFileAtomic(path: string, content: Content, disk: Disk = systemDisk): void {
  replaceFile(path, content, disk, "durable");
}

/**
 * As `writeFileAtomic`, without waiting for the disk: for copies that people read, of what the log
 * says too. Readers still find the old or the new file; after a power cut it may be empty or gone.
 */
export function writeCopyAtomic(path: string, content: string, disk: Disk = systemDisk): void {
  replaceFile(path, content, disk, "copy");
}

function replaceFile(path: string, content: Content, disk: Disk, kind: "durable" | "copy"): void {
  const beside = temporaryBeside(path);
  try {
    writeNewFile(beside, content, disk, kind);
    disk.rename(beside, path);
    if (kind === "durable") flushFolder(dirname(path), disk);
  } catch (error) {
    removeIfPresent(beside, disk);
    throw writeFailure(path, error);
  }
}

/** Creates the file atomically; returns its identity, or null if the name exists. */
export function createFileAtomic(
  path: string,
  content: string,
  disk: Disk = systemDisk,
): Stats | null {
  const beside = temporaryBeside(path);
  let identity: Stats;
  try {
    writeNewFile(beside, content, disk, "durable");
    identity = lstatSync(beside);
    disk.link(beside, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return null;
    throw writeFailure(path, error);
  } finally {
    removeIfPresent(beside, disk);
  }
  flushFolder(dirname(path), disk);
  return identity;
}

/** Creates the file, writes all of it and, where it is durable, flushes it; not its folder. */
function writeNewFile(path: string, content: Content, disk: Disk, kind: "durable" | "copy"): void {
  const fd = disk.open(path, "wx");
  try {
    const bytes = Buffer.from(content);
    for (let written = 0; written < bytes.length;) {
      const taken = disk.write(fd, bytes.subarray(written));
      if (taken === 0) throw noRoom(written, bytes.length);
      written += taken;
    }
    if (kind === "durable") disk.flush(fd);
  } finally {
    disk.close(fd);
  }
}

/** Makes the names in a folder durable. */
export function flushFolder(path: string, disk: Disk): void {
  const fd = disk.open(path, "r");
  try {
    disk.flush(fd);
  } catch (error) {
    // Some file systems cannot flush a folder and say so; there is nothing to retry.
    if (systemCode(error) !== "EINVAL" && systemCode(error) !== "ENOTSUP") throw error;
  } finally {
    disk.close(fd);
  }
}

/** Creates a private folder and makes its name durable; true when it was not there before. */
export function makeFolderDurable(path: string, disk: Disk = systemDisk): boolean {
  try {
    disk.makeFolder(path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw writeFailure(path, error);
  }
  flushFolder(dirname(path), disk);
  return true;
}

/** Throws OrchError for a link, which could lead orch's files anywhere, and for a file. */
export function requireFolder(path: string): void {
  if (isRealFolder(path)) return;
  throw new OrchError(
    "unsafe-folder",
    `${JSON.stringify(path)} is a link or a file, and must be a folder`,
    "remove it; orch creates the folder itself",
  );
}

/** 64 random bits. What makes them is loaded with the first: commands that only look need none. */
export function randomHex(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(8).toString("hex");
}

export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomHex()}.tmp`);
}

/** Removes what a dead writer left; only the owner of the folder may do this. */
export function removeStrays(folder: string, disk: Disk = systemDisk): void {
  for (const name of readdirSync(folder))
    if (isTemporary(name)) removeIfPresent(join(folder, name), disk);
}

export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

export function removeIfPresent(path: string, disk: Disk = systemDisk): void {
  try {
    disk.remove(path);
  } catch {
    // Already gone, or not removable: the next owner tries again, and nobody reads the file.
  }
}
