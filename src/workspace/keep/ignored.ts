// What did git ignore when a task began, and so belongs to nobody's work?

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { shortHash } from "../../core/model/ids.ts";
import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { bytesIn } from "../../adapters/files/small-file.ts";
import type { Git } from "../git/git.ts";

/**
 * Settings with secrets and installed dependencies stand in the tree because git ignores them. An
 * agent can change what is ignored; whose they are does not change by that. They are in nothing that
 * orch records, and never removed. Kept for the whole run, because unfinished work of one task must
 * not uncover them for the next.
 */
export interface Ignored {
  /** Adds what git ignores as a task begins; a folder that is ignored as such ends in "/". */
  remember(git: Git, paths: readonly string[]): void;
  /** What was ignored and is or holds this path, `.orch` among it; null: nothing. */
  holderOf(git: Git, path: string): string | null;
  /** All of it. */
  pathsIn(git: Git): readonly string[];
}

export const WAS_IGNORED = "ignored when the task began";

export function createIgnored(runDir: string): Ignored {
  const remembered = new Map<string, Set<string>>();
  const pathsAt = ({ root }: Git): Set<string> => {
    const paths = remembered.get(root) ?? read(fileFor(runDir, root));
    remembered.set(root, paths);
    return paths;
  };
  return {
    remember: (git, paths) => {
      const all = pathsAt(git);
      const before = all.size;
      for (const path of paths)
        if (!isOwn(path)) all.add(path.endsWith("/") ? path.slice(0, -1) : path);
      if (all.size > before) write(fileFor(runDir, git.root), all);
    },
    holderOf: (git, path) => holderIn(pathsAt(git), path),
    pathsIn: (git) => [...pathsAt(git)],
  };
}

function holderIn(paths: ReadonlySet<string>, path: string): string | null {
  if (isOwn(path)) return ".orch";
  if (paths.size === 0) return null;
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at);
    if (paths.has(folder)) return folder;
  }
  return paths.has(path) ? path : null;
}

function isOwn(path: string): boolean {
  return path === ".orch" || path.startsWith(".orch/");
}

/** In the folder of the run, so that it goes when the run goes. */
function fileFor(runDir: string, root: string): string {
  return join(runDir, "ignored", shortHash(root));
}

function read(file: string): Set<string> {
  try {
    const names = bytesIn(file).toString("utf8").split("\0");
    return new Set(names.filter((name) => name !== ""));
  } catch (error) {
    // No task began yet, or an older orch began it.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Set();
    throw error;
  }
}

/** Before anything else happens for the task: afterwards nobody could tell any more. */
function write(file: string, paths: ReadonlySet<string>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomic(file, [...paths, ""].join("\0"));
}
