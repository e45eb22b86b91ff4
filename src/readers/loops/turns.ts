// Do more sessions of the same kind still get a task any further?

import { normalise } from "../failure/fingerprint.ts";
import { PROVIDER_FAULT } from "./provider-fault.ts";
import { haveCountsMoved, readingOf, type Reading } from "./reading.ts";
import type { Turn } from "./task-history.ts";

/** How often is too often (policy section 5); with progress, two turns more, up to five. */
export const TURN_LIMITS = {
  /** The same feedback, and nothing got better. */
  "same-feedback": 3,
  /** The gates could not be judged. */
  "unknown-gate": 3,
  /** Turns that went back to an earlier state. */
  oscillation: 2,
  /** Nothing in the tree changed. */
  "no-change": 3,
  /** Criteria stand still although the feedback changes its words. */
  plateau: 4,
} as const;

export type TurnRuleId = keyof typeof TURN_LIMITS;

export interface TurnFinding {
  readonly rule: TurnRuleId;
  /** One line for a person. */
  readonly evidence: string;
}

const EXTENDED = 5;
const FEEDBACK_CHARS_MAX = 4_000;
const TURNS_MAX = 100;
/** How long a check took, as runners put it behind its name, whatever else the line holds. */
const TOOK = /\(\d{1,9}(?:\.\d{1,9})? ?(?:ms|s)\)/g;

/** A turn that counts, with what comparing it needs. */
interface Judged {
  readonly turn: Turn;
  readonly feedback: string;
  readonly reading: Reading;
  readonly verified: number | null;
  readonly failing: number | null;
  /** Somebody looked at the work; a session that died before is another matter. */
  readonly isJudged: boolean;
  /** Better than every turn before. */
  readonly isBetter: boolean;
  /** The first turn with these words, and not the first turn. */
  readonly isNews: boolean;
}

type Find = (turns: readonly Judged[]) => string | null;

/** In this order: the plainest words for what happens come first. */
const RULES: readonly (readonly [TurnRuleId, Find])[] = [
  ["same-feedback", sameFeedback],
  ["unknown-gate", unknownGate],
  ["oscillation", oscillation],
  ["no-change", noChange],
  ["plateau", plateau],
];

/** Whether the task is stuck after its last turn. Turns that the provider failed do not count. */
export function stuckTurns(turns: readonly Turn[]): TurnFinding | null {
  // Approval is tested before any stall.
  if (turns.at(-1)?.verdict === "accepted") return null;
  const counted = turns.slice(-TURNS_MAX).filter((turn) => !isProviderFault(turn));
  const judged = counted.reduce(withTurn, []);
  for (const [rule, find] of RULES) {
    const evidence = find(judged);
    if (evidence !== null) return { rule, evidence };
  }
  return null;
}

function isProviderFault(turn: Turn): boolean {
  if (turn.worker !== "failed") return false;
  const told = `${turn.summary.slice(0, 1_000)}\n${turn.feedback.slice(0, 1_000)}`;
  return PROVIDER_FAULT.some((pattern) => pattern.test(told));
}

function withTurn(before: readonly Judged[], turn: Turn): readonly Judged[] {
  const text = turn.feedback.slice(0, FEEDBACK_CHARS_MAX);
  const feedback = normalise(text.replace(TOOK, ""));
  const verified = turn.criteria?.verified ?? null;
  const failing = failingIn(text);
  const isJudged = turn.gate !== "unknown" || (turn.criteria !== null && turn.worker === "ended");
  const isBetter =
    isAbove(
      verified,
      before.map((other) => other.verified),
    ) ||
    isAbove(
      negative(failing),
      before.map((other) => negative(other.failing)),
    );
  const isNews = before.length > 0 && before.every((other) => other.feedback !== feedback);
  const reading = readingOf(text);
  return [...before, { turn, feedback, reading, verified, failing, isJudged, isBetter, isNews }];
}

function sameFeedback(turns: readonly Judged[]): string | null {
  // A gate that could not be judged neither adds to the streak nor ends it.
  const judged = turns.filter((turn) => turn.isJudged);
  const last = judged.at(-1);
  if (last === undefined) return null;
  const run = runAtEnd(judged, (turn) => turn.feedback === last.feedback);
  const limit = run.slice(1).some((turn) => turn.isBetter)
    ? EXTENDED
    : TURN_LIMITS["same-feedback"];
  // A turn that was better deserves the plain limit from there on, whatever came before it.
  const flat = sinceLastBetter(run);
  if (run.length < limit || flat.length < TURN_LIMITS["same-feedback"]) return null;
  return `the same feedback ${run.length} times, and nothing got better`;
}

function unknownGate(turns: readonly Judged[]): string | null {
  const run = runAtEnd(turns, ({ turn }) => turn.gate === "unknown");
  // Other words for not having looked are no progress.
  const isExtended = run.slice(1).some((turn) => turn.isBetter || (turn.isJudged && turn.isNews));
  if (run.length < (isExtended ? EXTENDED : TURN_LIMITS["unknown-gate"])) return null;
  if (run.at(-1)?.isBetter === true) return null;
  return `the gates could not be judged ${run.length} times in a row`;
}

function oscillation(turns: readonly Judged[]): string | null {
  const judged = turns.filter((turn) => turn.isJudged);
  // A rise that the next turn undoes is one half of going to and fro.
  const better = judged.findLastIndex((turn) => turn.isBetter);
  const states = judged
    .slice(Math.max(0, better - 1))
    .map(({ turn, feedback, verified }) => `${turn.gate} ${verified} ${feedback}`);
  const returns = states.map(
    (state, at) => at > 1 && state !== states[at - 1] && states.slice(0, at - 1).includes(state),
  );
  const count = returns.filter(Boolean).length;
  if (returns.at(-1) !== true || count < TURN_LIMITS.oscillation) return null;
  return `went back to an earlier state ${count} times`;
}

function noChange(turns: readonly Judged[]): string | null {
  const run = runAtEnd(turns, ({ turn }) => turn.hasChanged === false);
  if (run.some((turn, at) => at > 0 && turn.isBetter)) return null;
  // What is said of an unchanged tree may be new once; after that it is other words.
  const limit = TURN_LIMITS["no-change"] + (run.at(-1)?.isNews === true ? 1 : 0);
  if (run.length < limit) return null;
  return `nothing in the tree changed over ${run.length} turns`;
}

function plateau(turns: readonly Judged[]): string | null {
  const run = runAtEnd(
    turns,
    ({ turn, verified }) => verified !== null && verified < (turn.criteria?.total ?? 0),
  );
  const flat = sinceLastBetter(run);
  // A complaint that was never heard before may be a task that gets on where nobody counts.
  const limit = flat.at(-1)?.isNews === true ? EXTENDED : TURN_LIMITS.plateau;
  if (flat.length < limit || haveCountsMoved(flat.map((turn) => turn.reading))) return null;
  const last = flat.at(-1)?.turn.criteria;
  return `${last?.verified ?? 0} of ${last?.total ?? 0} criteria met, unchanged over ${flat.length} turns`;
}

/** Turns from the last one that was better, itself included; all where none was. */
function sinceLastBetter(turns: readonly Judged[]): readonly Judged[] {
  return turns.slice(
    Math.max(
      0,
      turns.findLastIndex((turn) => turn.isBetter),
    ),
  );
}

function runAtEnd(turns: readonly Judged[], belongs: (turn: Judged) => boolean): readonly Judged[] {
  return turns.slice(turns.findLastIndex((turn) => !belongs(turn)) + 1);
}

/** How many checks fail, where the feedback says so in figures. */
const FAILING: readonly RegExp[] = [
  /\b(\d{1,6}) (?:\w{1,20} ){0,2}(?:fail(?:s|ed|ing|ures?)?|errors?|problems?|violations?|broken|red)\b/i,
  /\b(?:fail(?:s|ed|ing|ures?)?|errors?|problems?|violations?)\s?[:=]\s?(\d{1,6})\b/i,
];

function failingIn(feedback: string): number | null {
  for (const pattern of FAILING) {
    const count = pattern.exec(feedback)?.[1];
    if (count !== undefined) return Number(count);
  }
  return null;
}

function isAbove(value: number | null, others: readonly (number | null)[]): boolean {
  const known = others.filter((other) => other !== null);
  return value !== null && known.length > 0 && known.every((other) => value > other);
}

function negative(value: number | null): number | null {
  return value === null ? null : -value;
}
