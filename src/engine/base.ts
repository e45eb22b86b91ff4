// What do the gates say of the tree that a task begins with?

import type { RunEvent } from "../core/model/event.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { Log } from "./log.ts";
import { basePath, placeOf } from "./place.ts";
import type { Ports } from "./ports.ts";
import type { TaskId } from "../core/model/ids.ts";

/**
 * Once for each gate of a task: the tree it starts from does not change. In a copy, so that nothing
 * that checks leave behind is taken for the agent's work; in the tree itself outside git.
 */
export async function checkBase(
  id: TaskId,
  gate: GateSpec,
  log: Log,
  { gates, workspaces, files, stop }: Ports,
): Promise<void> {
  const { workspace, task, at } = placeOf(log, id);
  const logPath = basePath(files, task, gate.name);
  const copy = await workspaces.baseCopy(workspace);
  try {
    const request = { cwd: workspace.root, logPath };
    const result =
      copy === null
        ? await gates.check(gate, request, stop.signal)
        : await gates.checkBase(gate, { ...request, copy }, stop.signal);
    const checked: RunEvent = { type: "base-checked", ...at, result };
    if (!stop.signal.aborted) await log.append(checked);
  } finally {
    await copy?.remove();
  }
}
