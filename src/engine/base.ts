// Did what fails now fail before the task began?

import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import type { Ports } from "./ports.ts";
import type { Place } from "./place.ts";

/** Once for each gate of a task: the tree it started from does not change. null: nothing to record. */
export async function checkBase(
  { task, workspace, at }: Place,
  { gate, result }: { readonly gate: GateSpec; readonly result: GateResult },
  { gates, workspaces, files, stop }: Ports,
): Promise<GateResult | null> {
  const isRed = result.required && result.verdict.kind === "failed";
  if (!isRed || gate.kind !== "command" || gate.expect === "fail") return null;
  if (task.baseline.some(({ name }) => name === gate.name)) return null;
  const copy = await workspaces.baseCopy(workspace);
  if (copy === null) return null;
  try {
    const logPath = `${files.attemptDir(at)}/gates/${gate.name}.base.log`;
    return await gates.checkBase(gate, { cwd: workspace.root, copy, logPath }, stop.signal);
  } finally {
    await copy.remove();
  }
}
