// Which of these tasks has an earlier run finished, whose work is still on a branch of its own?

import { findRuns, openRun } from "../../adapters/log/run-reader.ts";
import { shortener, type RunId } from "../../core/model/ids.ts";
import type { Task } from "../../core/model/task.ts";
import { nullIfWorded } from "../../errors.ts";
import { branchRef } from "../../workspace/git/branch.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { isAncestor } from "../../workspace/git/refs.ts";
import type { RunPlace } from "./context.ts";

const RUNS_MAX = 10;

/** A note for each, by the newest run. `head`: the commit that `beginning`, the new run, starts from. */
export async function doneBefore(
  tasks: readonly Task[],
  { head, beginning }: { readonly head: string | null; readonly beginning: RunId },
  { root, env, pinnedGit }: Pick<RunPlace, "root" | "env" | "pinnedGit">,
): Promise<readonly string[]> {
  const { runs } = findRuns(root);
  const git = await findRepository(root, env, pinnedGit.repositories);
  if (git === null || head === null) return [];
  const [judged, notes] = [new Set<string>(), [] as string[]];
  for (const run of runs.filter((one) => one !== beginning).slice(0, RUNS_MAX)) {
    const view = (await openRun(root, run).catch(nullIfWorded))?.view;
    for (const { id, end, merged } of view?.tasks ?? []) {
      const isMeant = end?.kind === "done" && tasks.some((task) => task.id === id);
      if (!isMeant || merged === null || view?.into == null || judged.has(id)) continue;
      judged.add(id);
      const into = branchRef(view.into);
      if (pinnedGit.first.refs?.every(({ ref }) => ref !== into) !== false) continue;
      // Where nothing came to the branch since, it was not merged: git need not be asked.
      if (view.base?.commit !== head && (await isAncestor(git, merged, head))) continue;
      const take = `orch merge ${shortener(runs)(run)}`;
      notes.push(`${id} is done already, on branch ${view.into}: \`${take}\` takes it`);
    }
  }
  return notes;
}
