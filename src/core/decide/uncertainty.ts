// How uncertain is a task, and what should be done about it?

import type { Level } from "../model/level.ts";
import { SIGNALS } from "../model/signals.ts";
import type {
  Score,
  ScoreLimits,
  ScorePart,
  Signal,
  SignalId,
  UncertaintyPolicy,
  Weights,
} from "../model/signals.ts";

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

export type ScoreAction =
  | { readonly kind: "nothing" }
  | { readonly kind: "ask" | "replan" | "skip"; readonly threshold: number };

const NOTHING: ScoreAction = { kind: "nothing" };

/**
 * A person is asked where one can be. Where none can, a high score earns one new plan, then the
 * task goes on as it is, until the score says that going on would be guessing.
 */
export function scoreAction(score: Score, policy: UncertaintyPolicy, level: Level): ScoreAction {
  const { asksFrom, skipsFrom, replansFrom } = scoreLimits(policy, level);
  const isReached = (from: number | null): from is number => from !== null && total(score) >= from;
  if (isReached(asksFrom)) return { kind: "ask", threshold: asksFrom };
  if (isReached(skipsFrom)) return { kind: "skip", threshold: skipsFrom };
  const replans = isReached(replansFrom) && !score.replanned;
  return replans ? { kind: "replan", threshold: replansFrom } : NOTHING;
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
  const before = parts.find((part) => part.signal === replaced && part.subject === subject);
  // A weight set below the one it replaces must not make a second unknown verdict count for less.
  const weight = Math.max(weightOf(signal.signal, weights), before?.weight ?? 0);
  return [...others, { signal: signal.signal, subject, weight, detail }];
}

function weightOf(signal: SignalId, weights: Weights): number {
  const weight = weights[signal];
  // Also for NaN: a weight that is no number adds nothing, rather than making the sum none.
  return weight > 0 ? weight : 0;
}

function halved(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.map((part) => ({ ...part, weight: Math.floor(part.weight / 2) }));
}
