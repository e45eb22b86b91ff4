// Where does somebody look at finished work who must not change it?

import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Redact } from "../../adapters/redact.ts";
import type { SessionToken } from "../../core/model/ids.ts";
import type { Review, ReviewCopy } from "../../engine/ports.ts";
import { gitText, type Git } from "../git/git.ts";
import { unifiedDiff } from "./change.ts";

/** The files of `work` in a folder of their own, which goes when `use` is through, with all that was written there. */
export async function withReviewCopy<T>(
  git: Git,
  { base, work, token, left, redact }: Review & { readonly base: string; readonly redact: Redact },
  use: (copy: ReviewCopy) => Promise<T>,
): Promise<T> {
  const folder = folderOf(token);
  if (left !== null) rmSync(folderOf(left), { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  const root = join(folder, "work");
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await gitText(git, ["read-tree", work.commit], { env });
    await gitText(git, ["checkout-index", "--all", `--prefix=${root}/`], { env });
    return await use({ root, diff: redact(await unifiedDiff(git, base, work.commit)) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nobody else can know the name beforehand. */
function folderOf(token: SessionToken): string {
  return join(tmpdir(), `orch-review-${token}`);
}
