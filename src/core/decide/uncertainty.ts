// How uncertain is a task, and what should be done about it?

import type { Level } from "../model/policy.ts";
import {
  SIGNALS,
  type Score,
  type ScoreLimits,
  type ScorePart,
  type Signal,
  type SignalId,
  type UncertaintyPolicy,
  type Weights,
} from "../model/signals.ts";
import type { Alarm } from "../model/alarm.ts";
import type { Evidence } from "../model/evidence.ts";
import type { AgentReport } from "../model/report.ts";
import type { FailureIdentity, GateSum } from "../model/verdict.ts";
import type { Streaks } from "../model/tally.ts";

/** Level 0 never asks; what is done instead begins where level 3 would ask. */
const ASK_FROM = { 0: null, 1: 10, 2: 8, 3: 5, 4: 4, 5: 3 } as const satisfies Record<
  Level,
  number | null
>;
const ACT_FROM = 5;

/** A second unknown verdict in a row counts instead of the first, not beside it. */
const REPLACES: Partial<Readonly<Record<SignalId, SignalId>>> = {
  verification_inconclusive_again: "verification_inconclusive",
};

const PARTS_MAX = 200;
const SUBJECT_CHARS_MAX = 200;
const DETAIL_CHARS_MAX = 300;

export function total(score: Score): number {
  return score.parts.reduce((sum, part) => sum + part.weight, 0);
}

/** What a person reads of a score: its causes, heaviest first. The weights stand in `explain`. */
export function scoreCauses(parts: readonly ScorePart[]): readonly string[] {
  return heaviestFirst(parts).map(causeOf);
}

/** The same with what each adds, for `explain`. */
export function scoreLines(parts: readonly ScorePart[]): readonly string[] {
  return heaviestFirst(parts).map((part) => `${part.weight}  ${causeOf(part)}`);
}

function heaviestFirst(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
}

function causeOf({ signal, detail }: ScorePart): string {
  return `${SIGNALS[signal]}: ${detail}`;
}

/** "too much is uncertain (the same failure: seen 3 times; and 2 more causes)" */
export function uncertainWords(parts: readonly ScorePart[]): string {
  const [first, ...others] = scoreCauses(parts);
  const more = others.length === 1 ? "; and 1 more cause" : `; and ${others.length} more causes`;
  return `too much is uncertain (${first}${others.length > 0 ? more : ""})`;
}

/** Each pair of signal and subject counts once in a task, at the weight it had when it was new. */
export function addSignals(
  score: Score,
  signals: readonly Signal[],
  policy: UncertaintyPolicy,
): Score {
  if (!policy.enabled) return score;
  const parts = signals.reduce(
    (sum, signal) => withSignal(sum, signal, policy.weights),
    score.parts,
  );
  return { ...score, parts };
}

export function afterProgress(score: Score): Score {
  return { ...score, parts: halved(score.parts) };
}

/** A person spoke: whatever was unclear until then is settled. */
export function afterAnswer(score: Score): Score {
  return { ...score, parts: score.parts.map((part) => ({ ...part, weight: 0 })) };
}

export function afterReplan(score: Score): Score {
  return { parts: halved(score.parts), replanned: true };
}

export type ScoreAction = "nothing" | "ask" | "replan" | "skip";

/**
 * A person is asked where one can be. Where none can, a high score earns one new plan, then the
 * task goes on as it is, until the score says that going on would be guessing.
 */
export function scoreAction(score: Score, policy: UncertaintyPolicy, level: Level): ScoreAction {
  const { asksFrom, skipsFrom, replansFrom } = scoreLimits(policy, level);
  const isReached = (from: number | null): boolean => from !== null && total(score) >= from;
  if (isReached(asksFrom)) return "ask";
  if (isReached(skipsFrom)) return "skip";
  return isReached(replansFrom) && !score.replanned ? "replan" : "nothing";
}

/** Where `scoreAction` acts at this level; null: it does not, in this way. */
export function scoreLimits(policy: UncertaintyPolicy, level: Level): ScoreLimits {
  if (!policy.enabled) return { asksFrom: null, replansFrom: null, skipsFrom: null };
  const threshold = policy.threshold ?? ASK_FROM[level] ?? ACT_FROM;
  if (level === 0 || !policy.interactive)
    return { asksFrom: null, replansFrom: threshold, skipsFrom: policy.autoSkipThreshold };
  return { asksFrom: threshold, replansFrom: null, skipsFrom: null };
}

function withSignal(
  parts: readonly ScorePart[],
  signal: Signal,
  weights: Weights,
): readonly ScorePart[] {
  const subject = signal.subject.slice(0, SUBJECT_CHARS_MAX);
  const isKnown = parts.some(
    (part) =>
      part.subject === subject &&
      (part.signal === signal.signal || REPLACES[part.signal] === signal.signal),
  );
  if (isKnown) return parts;
  const replaced = REPLACES[signal.signal];
  const others = parts.filter((part) => part.signal !== replaced || part.subject !== subject);
  if (others.length >= PARTS_MAX) return parts;
  const detail = signal.detail.slice(0, DETAIL_CHARS_MAX);
  const weight = weights[signal.signal];
  return [...others, { signal: signal.signal, subject, weight, detail }];
}

function halved(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.map((part) => ({ ...part, weight: Math.floor(part.weight / 2) }));
}

/** The part of an attempt's facts that its signals are read from. */
export interface SignalSource {
  readonly evidence: Evidence;
  /** null: no usable report. */
  readonly report: AgentReport | null;
  readonly sum: GateSum;
  readonly failure: FailureIdentity | null;
  /** As they stand if this attempt counts. */
  readonly streaks: Streaks;
  /** The attempt was one of planning: nothing was to be proved. */
  readonly planning: boolean;
  /** How often this failure was seen in the task, this time included. */
  readonly seenEver: number;
  /** Integrity alarms that the task does not allow. */
  readonly alarms: readonly Alarm[];
}

const CONFIDENCE_LOW = 0.5;
const UNKNOWN_AGAIN = 2;
const IDLE_SESSIONS = 2;
const SAME_FAILURES = 3;
const TURNS_WITHOUT_PROGRESS = 3;

/** In the order of the policy's table. Every reading is of structure. */
export function signalsOf(source: SignalSource): readonly Signal[] {
  const { failure, seenEver, alarms, report } = source;
  const { ending, tree } = source.evidence;
  const leftNothing = report === null && tree.kind === "measured" && tree.changedCount === 0;
  const timedOutIdly = ending.kind === "timed-out" && leftNothing;
  const { toolless, noProgress } = source.streaks;
  const seenWords = `seen ${seenEver} times`;
  return [
    ...declared(source),
    ...ofGates(source),
    ...given(timedOutIdly, "timeout_unclear", "session", "timed out and left nothing"),
    ...given(toolless >= IDLE_SESSIONS, "no_tool_calls", "sessions", inRow(toolless, "sessions")),
    ...given(seenEver >= SAME_FAILURES, "repeated_failure", failure?.fp ?? "", seenWords),
    ...given(
      noProgress >= TURNS_WITHOUT_PROGRESS,
      "no_progress",
      "turns",
      inRow(noProgress, "attempts"),
    ),
    ...alarms.flatMap(({ kind, path, detail }) =>
      given(true, "integrity_alarm", path === null ? kind : `${kind}: ${path}`, detail),
    ),
  ];
}

function declared({ report }: SignalSource): readonly Signal[] {
  if (report === null) return [];
  const { questions, confidence } = report;
  const isLow = confidence !== null && confidence < CONFIDENCE_LOW;
  return [
    ...questions.flatMap(({ question, impact }) => {
      const weight = impact === "minor" || impact === "taste" ? "minor" : "major";
      return given(true, `declared_open_question_${weight}`, question, question);
    }),
    ...given(isLow, "declared_low_confidence", "report", `confidence ${confidence}`),
  ];
}

/** A claim of failure beside green gates is as odd as a claim of success beside red ones. */
function ofGates({ report, planning, sum, streaks }: SignalSource): readonly Signal[] {
  const gates = planning ? "ungated" : sum;
  const unknown = streaks.unknownGate;
  const again = unknown >= UNKNOWN_AGAIN;
  const isOdd =
    (report?.status === "completed" && gates === "failed") ||
    (report?.status === "failed" && gates === "passed");
  const colour = gates === "failed" ? "red" : "green";
  const words = `the report says ${report?.status}, the gates are ${colour}`;
  return [
    ...given(isOdd, "conflicting_signals", "claim", words),
    ...given(
      gates === "unknown",
      again ? "verification_inconclusive_again" : "verification_inconclusive",
      "gates",
      again ? `${unknown} times in a row` : "once",
    ),
  ];
}

function inRow(count: number, what: string): string {
  return `${count} ${what} in a row`;
}

function given(is: boolean, signal: SignalId, subject: string, detail: string): readonly Signal[] {
  return is ? [{ signal, subject, detail }] : [];
}
