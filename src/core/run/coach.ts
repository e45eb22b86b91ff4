// What is a coach told, and what may it cost?

import type { CoachVerdict } from "../model/coach.ts";
import type { AttemptState, TaskState } from "../model/state.ts";
import { fenced } from "../decide/feedback.ts";
import { claimOf, currentStep, limitsOf } from "./select.ts";

/** Why the coach is not asked; null: it is. */
export function coachRefusal(task: TaskState): string | null {
  const { share, before } = coachUse(task);
  const isLeft = coachMoneyLeft(task) !== 0 && before.length < share * limitsOf(task).sessions;
  return isLeft ? null : "its share of the budget is used up";
}

/** Of the task's money what its coaches may still spend; null: no limit. */
export function coachMoneyLeft(task: TaskState): number | null {
  const { costUsd } = limitsOf(task);
  const { share, before } = coachUse(task);
  const paid = before.map((one) => (one.kind === "over" ? (one.usage.costUsd ?? 0) : 0));
  return costUsd === null ? null : Math.max(0, share * costUsd - paid.reduce((a, b) => a + b, 0));
}

function coachUse(task: TaskState) {
  const before = task.steps.flatMap(({ attempts }) => attempts.flatMap(({ coach }) => coach ?? []));
  return { share: currentStep(task).step.coach?.share ?? 0, before };
}

const HEADING = /^#{1,6}\s+(?:acceptance(?:\s+criteria)?|done\s+when)\s*:?\s*$/i;
const CRITERIA_MAX = 40;

/** List items and check boxes below such a heading of the task. */
export function criteriaIn(body: string): readonly string[] {
  const lines = body.split("\n");
  const first = lines.findIndex((line) => HEADING.test(line));
  if (first < 0) return [];
  const below = lines.slice(first + 1);
  const end = below.findIndex((line) => /^#{1,6}\s/.test(line));
  return (end < 0 ? below : below.slice(0, end))
    .flatMap((line) => /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/.exec(line)?.[1] ?? [])
    .slice(0, CRITERIA_MAX);
}

/** What the template of a coach may name besides what all templates may. */
export function coachValues(
  { task }: TaskState,
  attempt: AttemptState,
  diff: string,
): Readonly<Record<string, string>> {
  const criteria = criteriaIn(task.body);
  const gates = attempt.gates.map(({ name, verdict }) => `- ${name}: ${verdict.kind}`);
  return {
    criteria:
      criteria.length === 0
        ? "The task names none."
        : criteria.map((text) => `- ${text}`).join("\n"),
    claim: fenced([claimOf(attempt)?.summary ?? ""]).join("\n"),
    results: gates.length === 0 ? "This step has no checks." : gates.join("\n"),
    diff: diff === "" ? "Nothing was changed." : fenced([diff]).join("\n"),
  };
}

/** Of the task's criteria, with what the coach says of each; what it does not speak of is unknown. */
export function judgedCriteria(body: string, coach: CoachVerdict) {
  const judged = coach.kind === "given" ? coach.criteria : [];
  return criteriaIn(body).map((text) => {
    const one = judged.find((each) => each.text.trim() === text.trim());
    return { text, met: one?.met ?? null, evidence: one?.evidence ?? null };
  });
}
