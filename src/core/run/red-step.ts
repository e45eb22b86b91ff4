// What did an earlier step leave red, as it was to do?

import type { Measurement, Taken } from "../model/measurement.ts";
import type { TaskState } from "../model/state.ts";
import type { CommandGate, Step } from "../model/task.ts";
import { currentStep, lastAttempt } from "./select.ts";

/** What the same command said there; null: no step left it red. */
export function leftRed(task: TaskState, gate: string): Measurement | null {
  const red = redStep(task);
  const now = commandsIn(currentStep(task).step).find(({ name }) => name === gate);
  const before = red?.gates.find(({ run }) => run === now?.run);
  return red?.attempt.gates.find(({ name }) => name === before?.name) ?? null;
}
/** The work of the last step before this one that was to leave checks red; null: there is none. */
export function redWork(task: TaskState): Taken | null {
  const work = redStep(task)?.attempt.work ?? null;
  return work === "not-taken" ? null : work;
}

function redStep({ task, steps, stepIndex }: TaskState) {
  const all = task.steps.slice(0, stepIndex).map((step, at) => {
    const gates = commandsIn(step).filter(({ expect }) => expect === "fail");
    const attempt = steps[at] === undefined ? null : lastAttempt(steps[at]);
    return gates.length === 0 || attempt === null ? null : { gates, attempt };
  });
  return all.findLast((one) => one !== null) ?? null;
}

function commandsIn({ gates }: Step): readonly CommandGate[] {
  const all = gates.kind === "none" ? [] : gates.gates;
  return all.flatMap((gate) => (gate.kind === "command" ? [gate] : []));
}
