// How does what a session left outlive the machine that it ran on?

import type { RunEvent } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import { currentAttempt, taskOf } from "../../core/run/select.ts";
import { placeOf, type Log } from "../../engine/log.ts";
import type { Ports } from "../../engine/ports.ts";
import type { Git } from "../../workspace/git/git.ts";
import { lastOf } from "../../workspace/git/refs.ts";

/** Makes a checkpoint of it, for others to find, before the session's end is on record. */
export async function keepWork(
  added: readonly RunEvent[],
  log: Log,
  { workspaces }: Pick<Ports, "workspaces">,
): Promise<void> {
  for (const event of added) {
    if (event.type !== "session-ended") continue;
    const { at, workspace } = placeOf(log, event.task);
    const label = { ...at, when: "after", tree: null, verdict: "unknown" } as const;
    if (workspaces.isThere(workspace)) await workspaces.checkpoint(workspace, label);
  }
}

/** Whoever makes the tree anew begins with that, as long as it is not taken as the task's work. */
export function withKeptWork(
  { workspaces }: Pick<Ports, "workspaces">,
  { git, log, run }: { readonly git: Git; readonly log: Log; readonly run: RunId },
): Ports["workspaces"] {
  return {
    ...workspaces,
    make: async (workspace, task, tree, signal) => {
      const state = taskOf(log.state, task);
      const isKept = state.cursor.at === "proof" && currentAttempt(state)?.work === "not-taken";
      const kept = isKept ? await lastOf(git, "checkpoints", { run, task }) : null;
      return workspaces.make(workspace, task, kept?.commit ?? tree, signal);
    },
  };
}
