// How often did each gate of the run speak, and how often was it flaky?

import type { RunEvent } from "../model/event.ts";
import type { GateRuns, RunState } from "../model/state.ts";
import type { GateResult } from "../model/verdict.ts";

export function withGateRuns(state: RunState, event: RunEvent): RunState {
  const ran = resultsIn(event).filter(({ elapsedMs }) => elapsedMs > 0);
  return ran.length === 0 ? state : { ...state, gateRuns: ran.reduce(counted, state.gateRuns) };
}

/** Only what is known from an earlier run takes no time. */
function resultsIn(event: RunEvent): readonly GateResult[] {
  if (event.type === "decided") {
    const { originals } = event.evidence;
    return originals.kind === "made" ? originals.gates : [];
  }
  const isOne =
    event.type === "base-checked" ||
    event.type === "gate-ended" ||
    event.type === "merge-gate-ended";
  return isOne ? [event.result] : [];
}

function counted(all: readonly GateRuns[], { name, flaky }: GateResult): readonly GateRuns[] {
  const before = all.find(({ gate }) => gate === name) ?? { gate: name, runs: 0, flaky: 0 };
  const now = { ...before, runs: before.runs + 1, flaky: before.flaky + (flaky ? 1 : 0) };
  return all.includes(before) ? all.map((one) => (one === before ? now : one)) : [...all, now];
}
