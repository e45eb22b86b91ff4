// What do the gates say of the tree that a task begins with?

import { needsPersonBefore } from "../core/decide/opening.ts";
import type { Comparison } from "../core/model/checks.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { currentStep } from "../core/run/select.ts";
import { endingOf } from "./end-task.ts";
import type { Log } from "./log.ts";
import { basePath, treeOf, type Place } from "./place.ts";
import type { Ports } from "./ports.ts";
import { questionOf } from "./question.ts";

/**
 * Once for each gate of a task, before its first attempt. In a copy, so that nothing that checks
 * leave behind is taken for the agent's work; where it is not green there, in the tree itself, too,
 * which may have what no copy has. A gate whose program is missing is said before a session is paid for.
 */
export async function checkBase(id: TaskId, gate: GateSpec, log: Log, ports: Ports): Promise<void> {
  const { task, workspace } = treeOf(log, id);
  const { step } = currentStep(task);
  const at = { task: id, step: step.id, attempt: 0 };
  const found = await measured({ task, workspace }, gate, ports);
  if (ports.stop.signal.aborted) return;
  const isFirst = task.baseline.length === 0;
  const programs = isFirst ? await ports.workspaces.programs(workspace) : {};
  const checked: RunEvent = { type: "base-checked", ...at, ...found, programs };
  if (!isMissing(found.result)) return log.append(checked);
  const action = needsPersonBefore(gate.name, found.result, step.level);
  if (action.kind === "ask") {
    const question = questionOf(action.ask, at, log.state, ports.clock.nowMs());
    await log.append(checked, { type: "question-asked", question });
    return ports.store.publishQuestion(question, null);
  }
  const end = { kind: "blocked", reason: action.reason, gatesFailing: false } as const;
  return log.append(checked, ...(await endingOf(task.task, workspace, end, ports.workspaces)));
}

interface BaseFound {
  readonly result: GateResult;
  readonly where: "copy" | "tree";
}

async function measured(
  { task, workspace }: Pick<Place, "task" | "workspace">,
  gate: GateSpec,
  { gates, workspaces, files, stop }: Ports,
): Promise<BaseFound> {
  const path = (where: BaseFound["where"]): string => basePath(files, task, gate.name, where);
  const request = { cwd: workspace.root, logPath: path("copy") };
  const copy = await workspaces.baseCopy(workspace);
  let inCopy: GateResult | null = null;
  try {
    if (copy !== null) inCopy = await gates.checkBase(gate, { ...request, copy }, stop.signal);
  } finally {
    await copy?.remove();
  }
  // Later the tree is no longer the one the task began with.
  const isUntouched = task.steps.every(({ attempts }) => attempts.length === 0);
  if (inCopy?.verdict.kind === "passed" || !isUntouched || stop.signal.aborted)
    return { result: inCopy ?? notRun(gate), where: "copy" };
  const inTree = { cwd: workspace.root, logPath: path("tree") };
  const result = await gates.check(gate, inTree, stop.signal);
  if (inCopy === null) return { result, where: "tree" };
  const difference = gates.compare(
    { result: inCopy, logPath: request.logPath },
    { result, logPath: inTree.logPath },
  );
  const isSame = result.verdict.kind === inCopy.verdict.kind && !tellsMore(difference);
  if (!isSame) return { result, where: "tree" };
  // Without counts, the failure itself has to be the same.
  const isAlike = difference.kind === "compared" || String(result.faults) === String(inCopy.faults);
  return isAlike ? { result: inCopy, where: "copy" } : { result, where: "tree" };
}

function tellsMore(difference: Comparison): boolean {
  return difference.kind === "compared" && difference.mended.count + difference.added.count > 0;
}

function notRun({ name, required }: GateSpec): GateResult {
  const detail = "no copy of the tree the task began with could be made";
  const calm = { counts: null, faults: null, excerpt: "", flaky: false, flakyFindings: [] };
  const verdict = { kind: "unknown", why: "not-run", detail } as const;
  return { name, required, ...calm, verdict, elapsedMs: 0 };
}

function isMissing({ verdict }: GateResult): boolean {
  return verdict.kind === "unknown" && verdict.why === "tool-missing";
}
