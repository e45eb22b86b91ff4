// Which events end a task?

import type { RunEvent, TaskEnd, Workspace } from "../core/model/event.ts";
import type { Task } from "../core/model/task.ts";
import type { Workspaces } from "./ports.ts";

/** Its tree is left as that of any task that ended; what was set aside stands before the end. */
export async function endingOf(
  task: Task,
  workspace: Workspace | null,
  end: TaskEnd,
  workspaces: Workspaces,
): Promise<readonly RunEvent[]> {
  const rescues = workspace === null ? [] : await workspaces.cleanUp(workspace, task, end);
  const rescued = rescues.map(({ ref, why }): RunEvent => ({
    type: "rescued",
    task: task.id,
    ref,
    why,
  }));
  return [...rescued, { type: "task-ended", task: task.id, end }];
}
