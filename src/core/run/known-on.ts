// What does a run know already of a gate on a tree?

import type { TaskId } from "../model/ids.ts";
import { checksOf, resultOf, specOf } from "../model/measurement.ts";
import type { MeasuredOn, Measurement, NamedBy, Taken } from "../model/measurement.ts";
import type { RunState } from "../model/state.ts";
import type { GateSpec } from "../model/task.ts";
import type { GateResult } from "../model/verdict.ts";
import { isGreen, isNamedRed } from "./wanted.ts";

/** It took no time of its own. */
export interface Known extends NamedBy {
  readonly result: GateResult;
  /** The task that began with what was measured; null: it is some task's work. */
  readonly baseOf: TaskId | null;
}

/**
 * What the run knows of the gate on the same tree, by any task: the same again would say the same. null: it
 * knows nothing. Red work is measured again, for it may be flaky; a red base only where it names no check.
 */
export function knownOn(
  state: RunState,
  of: MeasuredOn,
  gate: GateSpec,
  { tree }: Taken,
): Known | null {
  const spec = specOf(gate);
  const isSame = (one: Measurement): boolean =>
    one.taken?.tree === tree &&
    one.spec === spec &&
    !one.flaky &&
    one.stale === null &&
    one.checks.kind !== "forgotten";
  for (const { baseline, steps, landed, task } of state.tasks) {
    const base = baseline.find((one) => isSame(one) && (isGreen(one) || isNamedRed(one)));
    const attempts = steps.flatMap((step) => step.attempts);
    const works = [...attempts.flatMap(({ gates }) => gates), ...landed];
    const isUsable = base !== undefined && (of === "base" || isGreen(base));
    const measurement = isUsable ? base : works.find((one) => isSame(one) && isGreen(one));
    if (measurement === undefined) continue;
    const before = baseline.find(({ name }) => name === gate.name)?.checks ?? null;
    const result = { ...resultOf(measurement), elapsedMs: 0 };
    const { by } = measurement.checks;
    const checks = checksOf(measurement.checks, before);
    return { result, by, checks, baseOf: measurement === base ? task.id : null };
  }
  return null;
}
