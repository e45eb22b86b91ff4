// Is the file there that the step had to produce?

import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";

import type { FileGate } from "../core/model/task.ts";
import type { Verdict } from "../core/model/verdict.ts";

/** Looks at the path itself; a link counts only where it leads to something inside the tree. */
export async function checkFile(gate: FileGate, cwd: string): Promise<Verdict> {
  const path = resolve(cwd, gate.path);
  if (isAbsolute(gate.path) || !isInside(path, cwd))
    return missing(gate, "lies outside the working tree");
  try {
    const root = await realpath(cwd);
    return await checkReal(gate, path, root);
  } catch (error) {
    return unreadable(gate, error);
  }
}

async function checkReal(gate: FileGate, path: string, root: string): Promise<Verdict> {
  try {
    const real = await realpath(path);
    if (!isInside(real, root)) return missing(gate, "leads out of the working tree");
    const found = await lstat(real);
    if (found.isFile() || found.isDirectory()) return { kind: "passed" };
    return missing(gate, "is neither a file nor a folder");
  } catch (error) {
    if (ABSENT.includes(codeOf(error))) return missing(gate, "does not exist");
    return unreadable(gate, error);
  }
}

const ABSENT = ["ENOENT", "ENOTDIR"];

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function missing(gate: FileGate, what: string): Verdict {
  return { kind: "failed", findings: [{ check: gate.path, message: `${gate.path} ${what}` }] };
}

function unreadable(gate: FileGate, error: unknown): Verdict {
  const detail = `${gate.path} could not be looked at (${codeOf(error)})`;
  return { kind: "unknown", why: "output-unreadable", detail };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
