// Can a run begin in this tree at all?

import type { Isolation } from "../core/model/event.ts";
import { headOf, requireClean, requireIdle, statusOf } from "./branch.ts";
import { findRepository } from "./git.ts";

export const MAKE_CLEAN = "commit or stash them, or run with `--isolation none`";

/**
 * Asked before a run exists, so that a refusal leaves no trace of one. Throws the OrchError that the
 * first task would meet; where there is no repository nothing is in the way.
 */
export async function requireStartable(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  isolation: Isolation,
): Promise<void> {
  const git = await findRepository(cwd, env);
  if (git === null) return;
  await headOf(git);
  if (isolation === "none") return;
  await requireIdle(git);
  requireClean(git, (await statusOf(git)).dirty, MAKE_CLEAN);
}
