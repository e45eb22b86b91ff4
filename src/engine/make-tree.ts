// How does a planned tree come to stand?

import type { Workspace } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";

export interface PlannedTree {
  readonly workspace: Workspace;
  /** What is to stand there; null: the files of the task's last commit. */
  readonly tree: string | null;
}

/** The plan is on record; the tree is again made from nothing where a stop cut this off. */
export async function makeTree(
  id: TaskId,
  { workspace, tree }: PlannedTree,
  log: Log,
  { workspaces, stop }: Ports,
): Promise<void> {
  try {
    const made = await workspaces.make(workspace, id, tree, stop.signal);
    if (workspace.kind === "worktree" && !stop.signal.aborted)
      await log.append({ type: "tree-made", task: id, ...made });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}
