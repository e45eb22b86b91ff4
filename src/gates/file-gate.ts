// Is the file there that the step had to produce?

import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";

import { pathInside } from "../adapters/files/inside.ts";
import type { FileGate } from "../core/model/task.ts";
import type { Verdict } from "../core/model/verdict.ts";

/**
 * Looks at the path itself; a link counts only where it leads to something inside the tree. Rejects
 * where it cannot be looked at: that is not known to be missing.
 */
export async function checkFile(gate: FileGate, cwd: string): Promise<Verdict> {
  const path = resolve(cwd, gate.path);
  if (isAbsolute(gate.path) || pathInside(cwd, path) === null)
    return missing(gate, "is outside the working tree");
  const root = await realpath(cwd);
  const real = await realpath(path).catch(nullIfAbsent);
  if (real === null) return missing(gate, "does not exist");
  if (pathInside(root, real) === null) return missing(gate, "leads out of the working tree");
  const found = await lstat(real);
  if (found.isFile() || found.isDirectory()) return { kind: "passed" };
  return missing(gate, "is neither a file nor a folder");
}

function nullIfAbsent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

function missing(gate: FileGate, what: string): Verdict {
  return { kind: "failed", findings: [{ check: gate.path, message: `${gate.path} ${what}` }] };
}
