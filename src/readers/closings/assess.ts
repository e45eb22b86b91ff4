// Does a session's closing need a person, and is its claim of completion backed by the evidence?

import { BLOCKERS, isBlockerType } from "../../core/model/blocker.ts";
import { clip } from "../../core/model/excerpt.ts";
import { asksAt } from "../../core/model/level.ts";
import type { Level } from "../../core/model/level.ts";
import type { Impact } from "../../core/model/report.ts";
import { claimsOf } from "./claims.ts";
import type { ClosingInput, ClosingRuleId, ClosingVerdict, DeclaredClosing } from "./closing.ts";
import { honestyOf } from "./honesty.ts";
import type { Honesty } from "./honesty.ts";
import { irreversibleOf } from "./irreversible.ts";
import { isSoftCause, personNeeded } from "./person-needed.ts";
import { proseOf } from "./prose.ts";
import type { Prose } from "./prose.ts";
import { questionOf } from "./questions.ts";

/**
 * Declared state comes first, then what was measured, then the words of the ending. A later one
 * fills a gap and never overturns: where a usable state was declared, prose cannot pause, and
 * where a blocker was declared, no cheerful sentence takes it back.
 */
export function assessClosing(input: ClosingInput): ClosingVerdict {
  const prose = proseOf(input.text);
  const honesty = honestyOf(input, prose, claimsOf(prose));
  const reasons = [
    ...declaredReasons(input.declared, prose),
    ...alarmReasons(honesty),
    ...(hasState(input.declared) ? [] : proseReasons(prose, input.evidence?.gates === "passed")),
  ];
  const first = reasons.reduce<Reason | null>(
    (top, one) => (top === null || one.from < top.from ? one : top),
    null,
  );
  const quiet = quietRule(input, honesty);
  return {
    needsHuman: first !== null && input.level >= first.from,
    minLevel: first?.from ?? null,
    honest: honesty.honest,
    rule: first?.rule ?? quiet,
    evidence: [...new Set([...(first?.details ?? []), ...honesty.evidence])],
  };
}

interface Reason {
  readonly rule: ClosingRuleId;
  /** The lowest level at which it pauses. */
  readonly from: Level;
  /** The decisive words first, then the row of a table that read them. */
  readonly details: readonly string[];
}

function declaredReasons(declared: DeclaredClosing | null, prose: Prose): readonly Reason[] {
  if (declared === null) return [];
  const hard = declared.blockers.find((blocker) => isHard(blocker, prose));
  const reasons: Reason[] = [];
  if (hard !== undefined) reasons.push(from(1, "declared-blocker", hard.type));
  if (declared.review !== null) {
    reasons.push(from(1, "review-flag", declared.review.reason ?? "no reason was given"));
  }
  if (declared.status === "blocked" && declared.blockers.length === 0 && !isSoftCause(prose)) {
    reasons.push(from(1, "blocked-unexplained", "blocked, without a named blocker"));
  }
  return [
    ...reasons,
    ...declared.questions.map(({ question, impact }) =>
      from(levelOf(impact), "declared-question", question),
    ),
  ];
}

/** A dependency is the one known type that the table alone cannot class; then the words may. */
function isHard(blocker: DeclaredClosing["blockers"][number], prose: Prose): boolean {
  if (!isBlockerType(blocker.type)) return blocker.recoverable === false;
  if (blocker.type !== "missing_dependency") return BLOCKERS[blocker.type] === "hard";
  return blocker.recoverable === false || (blocker.recoverable === null && isOutOfReach(prose));
}

function isOutOfReach(prose: Prose): boolean {
  return personNeeded(prose, false) !== null;
}

function alarmReasons(honesty: Honesty): readonly Reason[] {
  return honesty.alarm === null ? [] : [from(1, "evidence-alarm", honesty.alarm)];
}

/** From this level on a person would rather be asked once too often than see a run go nowhere. */
const REFUSAL_FROM = 3;

function proseReasons(prose: Prose, proven: boolean): readonly Reason[] {
  const act = irreversibleOf(prose);
  if (act !== null) return [from(1, "prose-irreversible", act)];
  const reasons: Reason[] = [];
  const blocker = personNeeded(prose, proven);
  if (blocker?.certain === true) reasons.push(from(1, "prose-blocker", blocker.words, blocker.row));
  if (blocker?.certain === false) {
    reasons.push(from(REFUSAL_FROM, "prose-refusal", blocker.words, blocker.row));
  }
  const asked = questionOf(prose);
  if (asked !== null) {
    reasons.push(from(levelOf(asked.impact), "prose-question", asked.question, asked.row));
  }
  return reasons;
}

/** An unknown status is no state, though the fields beside it count. */
function hasState(declared: DeclaredClosing | null): boolean {
  return declared !== null && declared.status !== "unstated";
}

function quietRule(input: ClosingInput, honesty: Honesty): ClosingRuleId {
  if (honesty.rule !== null) return honesty.rule;
  return hasState(input.declared) ? "declared-state" : "prose-silent";
}

const LEVELS = [1, 2, 3, 4, 5] as const;

function levelOf(impact: Impact): Level {
  return LEVELS.find((level) => asksAt(level, impact)) ?? 5;
}

const DETAIL_CHARS_MAX = 500;

function from(level: Level, rule: ClosingRuleId, ...details: readonly string[]): Reason {
  return { rule, from: level, details: details.map((one) => clip(one, DETAIL_CHARS_MAX)) };
}
