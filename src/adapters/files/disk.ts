// Which operations change the disk, and how does a test stand in their way?

import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";

import { OrchError, THEN_RESUME } from "../../errors.ts";

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/**
 * Every operation that durability rests on, and nothing else. Synchronous on purpose: a protocol
 * whose steps must not interleave is written as steps that cannot. Tests inject full disks, failed
 * flushes and deaths here.
 */
export const systemDisk = {
  open: (path: string, flags: string): number => openSync(path, flags, PRIVATE_FILE),
  /** One call; returns how many bytes it took. */
  write: (fd: number, bytes: Uint8Array): number => writeSync(fd, bytes),
  /** Content, and what is needed to find it again. */
  flushContent: (fd: number): void => fdatasyncSync(fd),
  /** Content and all attributes; a folder's entries. */
  flush: (fd: number): void => fsyncSync(fd),
  truncate: (fd: number, bytes: number): void => ftruncateSync(fd, bytes),
  close: (fd: number): void => closeSync(fd),
  rename: (from: string, to: string): void => renameSync(from, to),
  /** Fails where `to` exists. */
  link: (from: string, to: string): void => linkSync(from, to),
  remove: (path: string): void => unlinkSync(path),
  /** Fails where it exists. */
  makeFolder: (path: string): void => mkdirSync(path, PRIVATE_FOLDER),
};

export type Disk = typeof systemDisk;

/** What `work` makes of the open file, which is closed then. Throws where the file cannot be opened. */
export function withFile<T>(path: string, flags: string | number, work: (fd: number) => T): T {
  const fd = openSync(path, flags, PRIVATE_FILE);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;

/** As `withFile`, to read. A pipe in the file's place is refused: it would stop orch for good. */
export function readingFile<T>(path: string, work: (fd: number, bytes: number) => T): T {
  return withFile(path, O_RDONLY | O_NONBLOCK, (fd) => {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    return work(fd, stats.size);
  });
}

/** What a regular file holds from there on; fewer bytes where it ends before. */
export function bytesAt(fd: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  return buffer.subarray(0, readSync(fd, buffer, 0, bytes, at));
}

/** To open a file at its end. An agent can put a link or a pipe there: neither leads away or blocks. */
export const APPEND = O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY;

/** The system's name for what went wrong ("ENOENT"); "" for other errors. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/**
 * "ECONNREFUSED", else "TypeError": the innermost cause that says something. For errors whose words
 * may quote a secret.
 */
export function causeCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if (systemCode(error) !== "") return systemCode(error);
  return error.cause instanceof Error ? causeCode(error.cause) : error.name;
}

/** A regular file takes less than it is given only where there is no room for the rest. */
export function noRoom(writtenBytes: number, bytes: number): Error {
  return Object.assign(new Error(`${writtenBytes} of ${bytes} bytes were written`), {
    code: "ENOSPC",
  });
}

/** A failed write as a sentence for the user; errors that are sentences already pass unchanged. */
export function writeFailure(path: string, error: unknown): Error {
  if (error instanceof OrchError) return error;
  const code = systemCode(error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new OrchError(
      "disk-full",
      `no space left to write ${JSON.stringify(path)} (${code})`,
      `free some space, ${THEN_RESUME}`,
      { cause: error },
    );
  const why = error instanceof Error ? error.message : String(error);
  return new OrchError(
    "log-write-failed",
    `could not write ${JSON.stringify(path)}: ${why}`,
    `check the disk and the folder's permissions, ${THEN_RESUME}`,
    { cause: error },
  );
}
