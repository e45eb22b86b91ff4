// Is this the same trouble as before, did the attempt get any further, and was the task here already?

import type { Evidence } from "../model/evidence.ts";
import { endingFact } from "./endings.ts";
import { shortHash } from "../model/ids.ts";
import type { Streaks, Visited } from "../model/tally.ts";
import type { FailureIdentity, GateSum } from "../model/verdict.ts";
import type { SignalSource } from "./uncertainty.ts";

/** Also where a person spoke, or a new plan begins: everything may be different now. */
export const NO_STREAKS: Streaks = {
  sameFailure: 0,
  lastFingerprint: null,
  lastFailing: null,
  fewestFailing: null,
  noFewer: 0,
  anyFailure: 0,
  unknownGate: 0,
  noChange: 0,
  noProgress: 0,
  toolless: 0,
  timedOut: 0,
  ending: null,
  endings: 0,
  crashed: 0,
  providerTries: 0,
  providerCause: null,
  stuckHandoffs: 0,
  lastResumePoint: null,
};

/**
 * The streaks after an attempt that counts. A passed gate ends every failure streak; an unknown
 * one neither extends nor ends the streak of failures.
 */
export function afterWork(before: Streaks, evidence: Evidence, seen: Seen): Streaks {
  const { sum, failure, progress } = seen;
  const { tree, ending, trace } = evidence;
  // A driver that does not report tool calls raises no suspicion.
  const isToolless = trace.toolCalls === 0 && tree.kind === "measured" && tree.changedCount === 0;
  return {
    ...before,
    ...failureStreak(before, sum, failure),
    anyFailure: anyFailureStreak(before, sum, failure),
    unknownGate: sum === "unknown" ? before.unknownGate + 1 : 0,
    noChange: noChangeStreak(before, tree),
    noProgress: progress || sum === "passed" ? 0 : before.noProgress + 1,
    toolless: isToolless ? before.toolless + 1 : 0,
    timedOut: ending.kind === "timed-out" ? before.timedOut + 1 : 0,
    crashed: ending.kind === "crashed" ? before.crashed + 1 : 0,
    ...endingStreak(before, endingFact(evidence)?.id ?? null),
    providerTries: 0,
    providerCause: null,
  };
}

function endingStreak(before: Streaks, ending: string | null): Pick<Streaks, "ending" | "endings"> {
  if (ending === null) return { ending, endings: 0 };
  return { ending, endings: before.ending === ending ? before.endings + 1 : 1 };
}

/** What the evidence of an attempt comes to. */
export type Seen = Pick<SignalSource, "sum" | "failure"> & { readonly progress: boolean };

/** The streaks after the world failed: only the count of retries for this cause moves. */
export function afterFault(before: Streaks, cause: string): Streaks {
  const again = before.providerCause === cause;
  return { ...before, providerCause: cause, providerTries: again ? before.providerTries + 1 : 1 };
}

/** The streaks after a handoff: one that does not move the resume point is a stuck one. */
export function afterHandoff(before: Streaks, resumePoint: string): Streaks {
  const stuck = before.lastResumePoint === resumePoint;
  return {
    ...before,
    stuckHandoffs: stuck ? before.stuckHandoffs + 1 : 0,
    lastResumePoint: resumePoint,
  };
}

/**
 * Progress: fewer failing checks than the attempt before, or a failure never
 * seen in this task. A first failure has nothing to be compared with and is no progress; going
 * back to an old failure is none either.
 */
export function hasProgressed(
  before: Streaks,
  failure: FailureIdentity | null,
  ledger: Readonly<Record<string, number>>,
): boolean {
  if (failure === null || before.lastFingerprint === null) return false;
  if (before.lastFailing !== null && failure.failingCount < before.lastFailing) return true;
  return !Object.hasOwn(ledger, failure.fp);
}

function failureStreak(
  before: Streaks,
  sum: GateSum,
  failure: FailureIdentity | null,
): Partial<Streaks> {
  if (failure === null && sum === "unknown") return {};
  if (failure === null) {
    const { sameFailure, lastFingerprint, lastFailing, fewestFailing, noFewer } = NO_STREAKS;
    return { sameFailure, lastFingerprint, lastFailing, fewestFailing, noFewer };
  }
  const same = before.lastFingerprint === failure.fp;
  const fewer = failure.failingCount < (before.fewestFailing ?? 0);
  return {
    // With progress the limits extend: what is better than ever begins a streak of its own.
    sameFailure: same && !fewer ? before.sameFailure + 1 : 1,
    lastFingerprint: failure.fp,
    lastFailing: failure.failingCount,
    fewestFailing: Math.min(before.fewestFailing ?? Infinity, failure.failingCount),
    noFewer: fewer ? 1 : before.noFewer + 1,
  };
}

/** Nothing that is not known counts: an unknown verdict ends it. So does getting nearer than ever. */
function anyFailureStreak(before: Streaks, sum: GateSum, failure: FailureIdentity | null): number {
  if (sum !== "failed") return 0;
  const isNearer = failure !== null && failure.failingCount < (before.fewestFailing ?? 0);
  return isNearer ? 1 : before.anyFailure + 1;
}

function noChangeStreak(before: Streaks, tree: Evidence["tree"]): number {
  // Not measured is not the same as not changed.
  if (tree.kind === "not-measured") return before.noChange;
  return tree.changedCount === 0 ? before.noChange + 1 : 0;
}

export const NOWHERE: Visited = { states: [], last: null, returns: 0 };

const STATES_MAX = 200;

/**
 * Where checks fail, what fails is where the task is: two changes that undo each
 * other lead back to it, though each leaves another tree. Else it is the verdicts and the tree. null:
 * the tree was not measured, and it is unknown where the task is.
 */
export function stateIdentity(
  { gates, tree }: Pick<Evidence, "gates" | "tree">,
  failure: FailureIdentity | null,
): string | null {
  const verdicts = gates.map(({ name, verdict }) => [name, verdict.kind]);
  if (failure !== null) return shortHash(JSON.stringify([verdicts, failure.fp]));
  return tree.kind === "measured" ? shortHash(JSON.stringify([verdicts, tree.tree])) : null;
}

/** To stay where one is is no return; the streaks of no change see to that. */
export function afterVisit(before: Visited, state: string | null): Visited {
  if (state === null || state === before.last) return before;
  const isReturn = before.states.includes(state);
  return {
    states: isReturn ? before.states : [...before.states, state].slice(-STATES_MAX),
    last: state,
    returns: before.returns + (isReturn ? 1 : 0),
  };
}
