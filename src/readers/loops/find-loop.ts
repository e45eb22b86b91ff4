// Which rule of repetition fires on what is remembered of a session?

import { excerpt } from "../../core/model/excerpt.ts";
import { markText } from "./mark.ts";
import type { CallMark, LoopState } from "./memory.ts";
import { haveCountsMoved, isClockRunning } from "./reading.ts";
import { CYCLE_CALLS_MAX, LOOP_LIMITS, type LoopFinding, type LoopRuleId } from "./step.ts";

export const SHOWN_CHARS_MAX = 80;

type Found = Omit<LoopFinding, "rule">;

/** In this order: the plainest words for what happens come first. */
const RULES: readonly (readonly [LoopRuleId, (state: LoopState) => Found | null])[] = [
  ["same-call", sameCall],
  ["failing-call", failingCall],
  ["cycle", cycle],
  ["monologue", monologue],
  ["condensation", condensation],
  ["chanting", chanting],
];

/** The first rule that fires now; a loop that was left is none. */
export function loopIn(state: LoopState): LoopFinding | null {
  for (const [rule, find] of RULES) {
    const found = find(state);
    if (found !== null) return { rule, ...found };
  }
  return null;
}

function sameCall({ calls }: LoopState): Found | null {
  const [run, answers] = runAtEnd(calls, LOOP_LIMITS["same-call"], isSameStep);
  const last = run.at(-1);
  if (last === undefined || isClockRunning(answers)) return null;
  const { length } = run;
  return { evidence: `ran \`${last.shown}\` ${length} times with the same result`, length };
}

/** The words of the errors may differ: what is tried is the same, and it does not work. */
function failingCall({ calls }: LoopState): Found | null {
  const [run, answers] = runAtEnd(
    calls,
    LOOP_LIMITS["failing-call"],
    (one, other) => one.action === other.action && one.isError && other.isError,
  );
  const last = run.at(-1);
  if (last === undefined || haveCountsMoved(answers) || isClockRunning(answers)) return null;
  const { length } = run;
  return { evidence: `ran \`${last.shown}\` ${length} times and it failed each time`, length };
}

function cycle({ calls }: LoopState): Found | null {
  const turns = cycleAtEnd(calls, LOOP_LIMITS.cycle, isSameStep);
  const size = turns.length / LOOP_LIMITS.cycle;
  // One call again and again is told above. A job that is waited for with two calls in turn still runs.
  const answersAt = (from: number) =>
    turns.filter((_, at) => at % size === from).map(({ answer }) => answer);
  if (size < 2 || turns.slice(0, size).some((_, at) => isClockRunning(answersAt(at)))) return null;
  const shown = turns.slice(-size).map((call) => `\`${call.shown}\``);
  return {
    evidence: `repeated ${size} calls ${LOOP_LIMITS.cycle} times with equal results: ${shown.join(", ")}`,
    length: turns.length,
  };
}

function monologue({ messages }: LoopState): Found | null {
  const same = (one: string, other: string) => one === other;
  const { length } = cycleAtEnd(
    messages.map(({ words }) => markText(words)),
    LOOP_LIMITS.monologue,
    same,
  );
  if (length === 0) return null;
  const shown = excerpt(messages.at(-1)?.begins ?? "", SHOWN_CHARS_MAX);
  return {
    evidence: `said the same ${LOOP_LIMITS.monologue} times and did nothing between: "${shown}"`,
    length,
  };
}

function condensation({ condensations: length }: LoopState): Found | null {
  if (length < LOOP_LIMITS.condensation) return null;
  return { evidence: `shortened the conversation ${length} times with nothing between`, length };
}

function chanting({ speech: { chant } }: LoopState): Found | null {
  if (chant === null) return null;
  const { passage, times } = chant;
  return { evidence: `repeated one passage ${times} times: "${passage}"`, length: times };
}

function isSameStep(one: CallMark, other: CallMark): boolean {
  return (
    one.isComparable &&
    other.isComparable &&
    one.action === other.action &&
    one.answer.said === other.answer.said
  );
}

type IsSame<T> = (one: T, other: T) => boolean;

/** Oldest first: the last calls, each the same as the last one, and what the newest of them answered. */
function runAtEnd(calls: readonly CallMark[], atLeast: number, isSame: IsSame<CallMark>) {
  const last = calls.at(-1);
  const before = calls.findLastIndex((call) => last === undefined || !isSame(call, last));
  const run = calls.length - before > atLeast ? calls.slice(before + 1) : [];
  return [run, run.slice(-atLeast).map(({ answer }) => answer)] as const;
}

/** The last items that are so many turns of one cycle, the shortest; empty: there is none. */
function cycleAtEnd<T>(list: readonly T[], turns: number, isSame: IsSame<T>): readonly T[] {
  for (let size = 1; size <= CYCLE_CALLS_MAX && size * turns <= list.length; size++) {
    const items = list.slice(-size * turns);
    const isPeriodic = items.slice(size).every((item, at) => {
      const before = items[at];
      return before !== undefined && isSame(item, before);
    });
    if (isPeriodic) return items;
  }
  return [];
}
