// What do the gates say of the tree that a task begins with?

import { needsPersonBefore } from "../core/decide/opening.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { currentStep } from "../core/run/select.ts";
import type { Log } from "./log.ts";
import { basePath, treeOf } from "./place.ts";
import type { Ports } from "./ports.ts";
import { questionOf } from "./question.ts";

/**
 * Once for each gate of a task, before its first attempt. In a copy, so that nothing that checks
 * leave behind is taken for the agent's work; in the tree itself where no copy can be made, or where
 * the gate's program is missing in it. Missing there too, it is said before a session is paid for.
 */
export async function checkBase(id: TaskId, gate: GateSpec, log: Log, ports: Ports): Promise<void> {
  const { task, workspace } = treeOf(log, id);
  const { step } = currentStep(task);
  const at = { task: id, step: step.id, attempt: 0 };
  const request = { cwd: workspace.root, logPath: basePath(ports.files, task, gate.name) };
  const inCopy = await checkInCopy();
  const { signal } = ports.stop;
  // Later the tree is no longer the one the task began with.
  const isUntouched = task.steps.every(({ attempts }) => attempts.length === 0);
  const looksInTree = isUntouched && (inCopy === null || isMissing(inCopy));
  const result = looksInTree
    ? await ports.gates.check(gate, request, signal)
    : (inCopy ?? notRun(gate));
  if (signal.aborted) return;
  const checked: RunEvent = { type: "base-checked", ...at, result };
  if (!isMissing(result)) return log.append(checked);
  const action = needsPersonBefore(gate.name, result, step.level);
  if (action.kind === "ask") {
    const question = questionOf(action.ask, at, log.state, ports.clock.nowMs());
    await log.append(checked, { type: "question-asked", question });
    return ports.store.publishQuestion(question, null);
  }
  const end = { kind: "blocked", reason: action.reason, gatesFailing: false } as const;
  const rescues = await ports.workspaces.cleanUp(workspace, task.task, end);
  const rescued = rescues.map((rescue): RunEvent => ({ type: "rescued", task: id, ...rescue }));
  return log.append(checked, ...rescued, { type: "task-ended", task: id, end });

  async function checkInCopy(): Promise<GateResult | null> {
    const copy = await ports.workspaces.baseCopy(workspace);
    try {
      const { gates, stop } = ports;
      return copy && (await gates.checkBase(gate, { ...request, copy }, stop.signal));
    } finally {
      await copy?.remove();
    }
  }
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
