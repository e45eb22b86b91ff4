// Which rule of repetition fires on what is remembered of a session?

import type { CallMark, LoopState } from "./memory.ts";
import { haveCountsMoved, isClockRunning } from "./reading.ts";
import { CYCLE_CALLS_MAX, LOOP_LIMITS, type LoopFinding, type LoopRuleId } from "./step.ts";

type Found = Omit<LoopFinding, "rule">;
type Find = (state: LoopState) => Found | null;

/** In this order: the plainest words for what happens come first. */
const RULES: readonly (readonly [LoopRuleId, Find])[] = [
  ["same-call", sameCall],
  ["failing-call", failingCall],
  ["same-account", sameAccount],
  ["cycle", cycle],
  ["monologue", monologue],
  ["condensation", condensation],
  ["chanting", chanting],
];

export function findLoop(state: LoopState): LoopFinding | null {
  for (const [rule, find] of RULES) {
    const found = find(state);
    if (found !== null) return { rule, ...found };
  }
  return null;
}

function sameCall({ calls }: LoopState): Found | null {
  const run = runAtEnd(calls, "tool", (one, other) => isSameStep(one, other));
  const last = run.at(-1);
  if (last === undefined || run.length < LOOP_LIMITS["same-call"]) return null;
  if (isClockRunning(answersOf(run.slice(-LOOP_LIMITS["same-call"])))) return null;
  return {
    evidence: `ran \`${last.shown}\` ${run.length} times with the same result`,
    length: run.length,
  };
}

/** The words of the errors may differ: what is tried is the same, and it does not work. */
function failingCall({ calls }: LoopState): Found | null {
  const run = runAtEnd(
    calls,
    "tool",
    (one, other) => one.action === other.action && one.isError && other.isError,
  );
  const last = run.at(-1);
  const tries = answersOf(run.slice(-LOOP_LIMITS["failing-call"]));
  if (last === undefined || !last.isError || tries.length < LOOP_LIMITS["failing-call"])
    return null;
  if (haveCountsMoved(tries) || isClockRunning(tries)) return null;
  return {
    evidence: `ran \`${last.shown}\` ${run.length} times and it failed each time`,
    length: run.length,
  };
}

function sameAccount({ calls }: LoopState): Found | null {
  const run = runAtEnd(calls, "account", (one, other) => isSameStep(one, other));
  const last = run.at(-1);
  if (last === undefined || run.length < LOOP_LIMITS["same-account"]) return null;
  return {
    evidence: `came to the same result ${run.length} times: ${last.shown}`,
    length: run.length,
  };
}

function cycle({ calls }: LoopState): Found | null {
  for (let size = 2; size <= CYCLE_CALLS_MAX; size++) {
    const length = size * LOOP_LIMITS.cycle;
    const turns = calls.slice(-length);
    if (turns.length < length || !isPeriodic(turns, size, isSameStep)) continue;
    // A job that is waited for with two calls in turn is still a job that runs.
    if (turns.slice(0, size).some((_, at) => isClockRunning(answersOf(every(turns, size, at))))) {
      continue;
    }
    const shown = turns.slice(-size).map((call) => `\`${call.shown}\``);
    return {
      evidence: `repeated ${size} calls ${LOOP_LIMITS.cycle} times with equal results: ${shown.join(", ")}`,
      length,
    };
  }
  return null;
}

function monologue({ messages }: LoopState): Found | null {
  for (let size = 1; size <= CYCLE_CALLS_MAX; size++) {
    const length = size * LOOP_LIMITS.monologue;
    const turns = messages.slice(-length);
    const last = turns.at(-1);
    if (last === undefined || turns.length < length) return null;
    if (!isPeriodic(turns, size, (one, other) => one.words === other.words)) continue;
    return {
      evidence: `said the same ${LOOP_LIMITS.monologue} times and did nothing between: "${last.shown}"`,
      length,
    };
  }
  return null;
}

function condensation({ condensations }: LoopState): Found | null {
  if (condensations < LOOP_LIMITS.condensation) return null;
  return {
    evidence: `shortened the conversation ${condensations} times with nothing between`,
    length: condensations,
  };
}

function chanting({ speech }: LoopState): Found | null {
  if (speech.chant === null) return null;
  const { passage, times } = speech.chant;
  return { evidence: `repeated one passage ${times} times: "${passage}"`, length: times };
}

function isSameStep(one: CallMark, other: CallMark): boolean {
  return (
    one.isComparable &&
    other.isComparable &&
    one.by === other.by &&
    one.action === other.action &&
    one.answer.said === other.answer.said
  );
}

/** Oldest first: the last calls of a kind, each the same as the last one. */
function runAtEnd(
  calls: readonly CallMark[],
  by: CallMark["by"],
  isSame: (one: CallMark, other: CallMark) => boolean,
): readonly CallMark[] {
  const last = calls.at(-1);
  if (last === undefined || last.by !== by) return [];
  const before = calls.findLastIndex((call) => call !== last && !isSame(call, last));
  return calls.slice(before + 1);
}

function isPeriodic<T>(
  list: readonly T[],
  size: number,
  isSame: (one: T, other: T) => boolean,
): boolean {
  return list.slice(size).every((item, at) => {
    const before = list[at];
    return before !== undefined && isSame(item, before);
  });
}

function every<T>(list: readonly T[], size: number, from: number): readonly T[] {
  return list.filter((_, at) => at % size === from);
}

function answersOf(calls: readonly CallMark[]) {
  return calls.map((call) => call.answer);
}
