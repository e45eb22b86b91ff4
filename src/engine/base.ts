// What do the gates say of the tree that a task begins with?

import { needsPersonBefore } from "../core/decide/asking.ts";
import { type Comparison, staysUnknown, type GateResult } from "../core/model/verdict.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { GateSpec } from "../core/model/task.ts";
import { currentStep } from "../core/run/select.ts";
import { put, questionOf } from "./answer.ts";
import { endTask } from "./begin-and-end.ts";
import { type Log, basePath, treeOf, variablesOf, type Place } from "./log.ts";
import type { Ports, TreeCopy } from "./ports.ts";

/**
 * Once for each gate of a task, before its first attempt. In a copy, one for all of them, so that
 * nothing that checks leave behind is taken for the agent's work; where a gate is not green there, in
 * the tree itself, too, which may have what no copy has. A gate that can prove nothing is
 * said before a session is paid for.
 */
export async function checkBase(
  id: TaskId,
  gates: readonly GateSpec[],
  log: Log,
  ports: Ports,
): Promise<void> {
  const copy = await ports.workspaces.baseCopy(treeOf(log, id).workspace);
  try {
    for (const gate of gates) {
      const measurement = await measured(treeOf(log, id), gate, copy, ports);
      if (ports.stop.signal.aborted) return;
      await keep(id, measurement, log, ports);
      if (staysUnknown(measurement.result)) return;
    }
  } finally {
    await copy.remove();
  }
}

async function keep(
  id: TaskId,
  measurement: BaseMeasurement,
  log: Log,
  ports: Ports,
): Promise<void> {
  const { task, workspace } = treeOf(log, id);
  const { result } = measurement;
  const { step } = currentStep(task);
  const at = { task: id, step: step.id, attempt: 0 };
  const isFirst = task.baseline.length === 0;
  const programs = isFirst ? await ports.workspaces.programs(workspace) : {};
  const checked: RunEvent = { type: "base-checked", ...at, ...measurement, programs };
  if (!staysUnknown(result)) return log.append(checked);
  const action = needsPersonBefore(result.name, result, step.level);
  if (action.kind === "ask") {
    const question = questionOf(action.ask, at, log.state, ports.clock.nowMs());
    return put(question, log, ports, checked);
  }
  const end = { kind: "blocked", reason: action.reason, gatesFailing: false } as const;
  return endTask(id, { end, before: [checked] }, log, ports);
}

interface BaseMeasurement {
  readonly result: GateResult;
  readonly where: "copy" | "tree";
}

async function measured(
  { task, workspace }: Pick<Place, "task" | "workspace">,
  gate: GateSpec,
  copy: TreeCopy,
  { gates, files, stop }: Ports,
): Promise<BaseMeasurement> {
  const at = (where: BaseMeasurement["where"]) => ({
    cwd: workspace.root,
    logPath: basePath(files, task, gate.name, where),
    variables: variablesOf(workspace),
    isBase: true,
  });
  const asked = { ...at("copy"), copy };
  const once = await gates.checkBase(gate, asked, stop.signal);
  const isOver = ({ verdict }: GateResult) => verdict.kind === "passed" || stop.signal.aborted;
  if (isOver(once)) return { result: once, where: "copy" };
  const twice = async (): Promise<GateResult> =>
    once.verdict.kind === "failed" ? gates.checkBaseAgain(gate, asked, stop.signal) : once;
  // Later the tree is no longer the one the task began with.
  if (task.steps.some(({ attempts }) => attempts.length > 0))
    return { result: await twice(), where: "copy" };
  const inTree = await gates.checkBegun(gate, { ...at("tree"), copy }, stop.signal);
  const beside = (result: GateResult): Comparison =>
    gates.compare(
      { result, logPath: at("copy").logPath },
      { result: inTree, logPath: at("tree").logPath },
    );
  // Two runs that agree in all they say are as good as two in the copy.
  if (stop.signal.aborted || isSteady(once, inTree, beside(once)))
    return { result: once, where: "copy" };
  const inCopy = await twice();
  return isOver(inCopy) || isAlike(inCopy, inTree, beside(inCopy))
    ? { result: inCopy, where: "copy" }
    : { result: inTree, where: "tree" };
}

function isSteady(inCopy: GateResult, inTree: GateResult, difference: Comparison): boolean {
  const isLess =
    difference.kind === "compared" &&
    difference.gone.count + difference.skipped.count + difference.broken.count > 0;
  return !isLess && isAlike(inCopy, inTree, difference);
}

function isAlike(inCopy: GateResult, inTree: GateResult, difference: Comparison): boolean {
  const [there, here] = [inCopy.verdict, inTree.verdict];
  if (there.kind === "unknown")
    return here.kind === "unknown" && here.why === there.why && here.why !== "not-run";
  if (there.kind !== here.kind) return false;
  if (difference.kind === "compared") return difference.mended.count + difference.added.count === 0;
  // Without counts, the failure itself has to be the same.
  return String(inTree.faults) === String(inCopy.faults);
}
