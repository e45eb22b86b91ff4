// How is finished work carried into the run?

import { invariant } from "../core/model/assert.ts";
import type { MergeResult, RunBase, Worktree } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { isProvenJoined, otherSide, type MergeStep } from "../core/run/merging.ts";
import { taskOf } from "../core/run/select.ts";
import { type Log, gatePath, placeOf, variablesOf } from "./log.ts";
import type { Ports } from "./ports.ts";
import { commitMessage } from "./settle.ts";

export async function merge(id: TaskId, step: MergeStep, log: Log, ports: Ports): Promise<void> {
  switch (step.kind) {
    case "join":
      return join(id, step.begun, log, ports);
    case "gate": {
      const { at } = placeOf(log, id);
      const { workspace } = treeToMerge(log, id);
      const logPath = gatePath(ports.files, at, `${step.gate.name}.merged`);
      const request = {
        cwd: workspace.root,
        logPath,
        variables: variablesOf(workspace),
        isBase: false,
      };
      const result = await ports.gates.check(step.gate, request, ports.stop.signal);
      if (!ports.stop.signal.aborted)
        await log.append({ type: "merge-gate-ended", task: id, result });
      return;
    }
    case "conclude":
      return conclude(id, step.result, log, ports);
  }
}

/** What the run goes on from now. */
function treeToMerge(log: Log, id: TaskId): { workspace: Worktree; base: RunBase; tip: string } {
  const { workspace } = taskOf(log.state, id);
  const base = log.state.run?.base ?? null;
  invariant(workspace?.kind === "worktree" && base !== null, `${id} has a tree of its own`);
  return { workspace, base, tip: log.state.merged.at(-1)?.commit ?? base.commit };
}

/** What was begun before orch died is done again with the same sides: the tree may hold half of both. */
async function join(
  id: TaskId,
  begun: Extract<MergeStep, { kind: "join" }>["begun"],
  log: Log,
  ports: Ports,
): Promise<void> {
  const { workspaces } = ports;
  const { workspace, tip: onto } = treeToMerge(log, id);
  const task = taskOf(log.state, id);
  const commit =
    begun?.commit ?? (await workspaces.workOf(workspace, id, commitMessage(placeOf(log, id))));
  if (begun === null) await log.append({ type: "merge-started", task: id, commit, onto });
  const message = `Merge ${task.task.title} (${id})`;
  const { mergeTrouble: trouble } = task;
  const marked = trouble?.kind === "conflict" ? trouble.paths : [];
  const { signal } = ports.stop;
  const sides = { commit, onto, message, marked, signal };
  const joined = await workspaces.join(workspace, id, sides);
  if (signal.aborted) return;
  switch (joined.kind) {
    case "contained": {
      if (isProvenJoined(task)) return conclude(id, { kind: "merged", commit }, log, ports);
      const result = { kind: "to-prove", commit, onto } as const;
      return log.append({ type: "merge-ended", task: id, result });
    }
    case "joined": {
      const result = { kind: "to-prove", commit: joined.commit, onto } as const;
      return log.append({ type: "merge-ended", task: id, result });
    }
    case "conflict": {
      const words = otherSide(log.state, task, onto);
      const { tree, paths } = joined;
      const result = { kind: "conflict", onto, tree, paths, words } as const;
      return log.append({ type: "merge-ended", task: id, result });
    }
  }
}

/** Where orch dies in between, the same commit becomes the end of the merged work once more. */
async function conclude(id: TaskId, result: MergeResult, log: Log, ports: Ports): Promise<void> {
  const { base, tip } = treeToMerge(log, id);
  if (result.kind === "merged" && result.commit !== tip)
    await ports.workspaces.advance(base, { from: tip, commit: result.commit });
  await log.append({ type: "merge-ended", task: id, result });
}
