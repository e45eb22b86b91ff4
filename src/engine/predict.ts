// With which tasks at work can this one's work not be joined, as both stand?

import type { Checkpoint, Conflict, RunEvent } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { lastCheckpointOf, taskOf } from "../core/run/select.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";

/** Nothing where it is as it was. What cannot be compared is left to the merge. */
export async function conflictsOf(
  id: TaskId,
  own: Checkpoint | null,
  { state }: Log,
  { workspaces }: Ports,
): Promise<readonly RunEvent[]> {
  const { workspace, conflicts: known } = taskOf(state, id);
  if (workspace?.kind !== "worktree" || own === null) return [];
  const conflicts: Conflict[] = [];
  for (const other of state.tasks) {
    const theirs = lastCheckpointOf(other);
    if (other.task.id === id || other.cursor.at === "ended" || theirs === null) continue;
    const paths = await workspaces.conflicts(workspace, own, theirs);
    if (paths.length > 0) conflicts.push({ with: other.task.id, paths });
  }
  return JSON.stringify(conflicts) === JSON.stringify(known)
    ? []
    : [{ type: "conflicts-predicted", task: id, conflicts }];
}
