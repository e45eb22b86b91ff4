// What does a task look like after one more measurement?

import { assertNever } from "../model/assert.ts";
import type { RunEvent } from "../model/event.ts";
import type { Measurement, NamedChecks } from "../model/measurement.ts";
import type { AttemptState, RunState, TaskState } from "../model/state.ts";
import { changeAttempt } from "./select.ts";

type Measured = Extract<RunEvent, { type: "measured" }>;

/** Each gate has one result for each commit; that of the base stays what it was. */
export function afterMeasured(state: RunState, task: TaskState, event: Measured): TaskState {
  const { of, result, spec, taken, stale, from } = event;
  const checks = checksIn(state, event);
  const one: Measurement = { ...result, spec, taken, stale, checks };
  const ms = from === null ? result.elapsedMs : 0;
  const { workMs, gatesMs } = task.spent;
  const next = { ...task, spent: { ...task.spent, workMs: workMs + ms, gatesMs: gatesMs + ms } };
  const added = (before: readonly Measurement[]): readonly Measurement[] => [
    ...before.filter(({ name }) => name !== one.name),
    one,
  ];
  const withGate = (mixed: AttemptState["original"]): AttemptState["original"] =>
    mixed?.kind === "made" ? { ...mixed, gates: added(mixed.gates) } : mixed;
  const { cursor } = task;
  switch (of) {
    case "base":
      return { ...next, baseline: added(task.baseline) };
    case "trial":
      return { ...next, trials: added(task.trials) };
    case "work":
      return changeAttempt(next, (a) => ({ ...a, gates: added(a.gates) }));
    case "again":
    case "beside":
    case "canary":
      return changeAttempt(next, (a) => ({ ...a, [of]: added(a[of]) }));
    case "original":
    case "control":
      return changeAttempt(next, (a) => ({ ...a, [of]: withGate(a[of]) }));
    case "merged": {
      const proof = cursor.at === "merging" ? cursor.proof : null;
      if (cursor.at !== "merging" || proof === null) return next;
      return { ...next, cursor: { ...cursor, proof: { ...proof, gates: added(proof.gates) } } };
    }
    case "landed":
      return { ...next, landed: added(task.landed) };
    default:
      return assertNever(of, "commit");
  }
}

/** Tasks that begin with the same commit have the same list in memory, too. */
function checksIn({ tasks }: RunState, { checks, result }: Measured): NamedChecks {
  if (checks.kind !== "as-in") return checks;
  const other = tasks.find(({ task }) => task.id === checks.task)?.baseline;
  const base = other?.find(({ name }) => name === result.name);
  return base?.checks ?? { kind: "none", by: "" };
}
