// Do the files exist that a report names?

import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";

import { pathInside } from "../adapters/files/inside.ts";
import type { ClaimedFile } from "../readers/tamper/find.ts";
import { describeObjects } from "./blobs.ts";
import type { Git } from "./git.ts";

export interface Claimed {
  /** The tree that the verdict is about. */
  readonly tree: string;
  /** As the report writes them. */
  readonly artifacts: readonly string[];
  /** Paths that the work deleted: they are rightly named and rightly gone. */
  readonly deleted: readonly string[];
}

const ARTIFACTS_MAX = 200;

export interface Found {
  readonly files: readonly ClaimedFile[];
  /** One of them is on the disk and not in the tree: work that no difference of trees can show. */
  readonly isIgnored: boolean;
}

/** Looks in the tree, and for what git ignores on the disk. Nothing outside the tree is looked at. */
export async function findClaimed(git: Git, claimed: Claimed): Promise<Found> {
  const named = claimed.artifacts
    .slice(0, ARTIFACTS_MAX)
    .map((text) => ({ text, path: pathWithin(git.root, text) }));
  const inside = named.flatMap(({ path }) => (path === null ? [] : [path]));
  const objects = await describeObjects(
    git,
    inside.map((path) => `${claimed.tree}:${path}`),
  );
  const present = new Set(inside.filter((_path, at) => objects[at] !== null));
  const files = await Promise.all(
    named.map(async ({ text, path }): Promise<ClaimedFile> => {
      if (path === null) return { path: text, presence: "elsewhere" };
      if (present.has(path)) return { path, presence: "present" };
      return { path, presence: await foundOnDisk(git.root, path, claimed.deleted) };
    }),
  );
  const isIgnored = files.some(
    ({ path, presence }) => presence === "present" && !present.has(path),
  );
  return { files, isIgnored };
}

/**
 * Relative to the root, without what agents write around a path: quotes, and the place in the file.
 * null: it leads out of the tree, or is none that a file could have.
 */
function pathWithin(root: string, text: string): string | null {
  const bare = text
    .trim()
    .replace(/^[`"'<]+|(?<![`"'>])[`"'>]+$/g, "")
    .replace(/(?::\d{1,7}){1,2}$|#L\d[\w-]{0,20}$/, "");
  // A line break would be two questions to git; the others name no file of the tree.
  if (/^~|^[a-z][a-z0-9+.-]*:|[\n\r\0]/i.test(bare)) return null;
  const path = pathInside(root, resolve(root, bare));
  return path === "" ? null : path;
}

async function foundOnDisk(
  root: string,
  path: string,
  deleted: readonly string[],
): Promise<ClaimedFile["presence"]> {
  const real = await realpath(join(root, path)).catch(() => null);
  if (real !== null) return pathInside(root, real) === null ? "elsewhere" : "present";
  if (deleted.some((gone) => gone === path || gone.startsWith(`${path}/`))) return "elsewhere";
  // A pattern, or words about files: no single path is claimed.
  return /[\s*?{}[\]<>|]|\.\.\./.test(path) ? "elsewhere" : "absent";
}
