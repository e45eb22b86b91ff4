// What is shown of a task besides its course: proof, refused claims, permissions, and the cause of its end?

import { verdictBy } from "../decide/action-verdict.ts";
import { isActionQuestion } from "../model/irreversible.ts";
import { allowRules, disputed } from "../model/alarm.ts";
import { outOfScope, type OutOfScope } from "../model/fence.ts";
import { excerpt } from "../model/excerpt.ts";
import { type Interaction, isSameQuestion } from "../model/question.ts";
import type { TaskState } from "../model/state.ts";
import { isPlanning } from "../model/task.ts";
import type { GateResult } from "../model/verdict.ts";
import { extensionOf, extensionWords } from "../run/extension.ts";
import { isRefusedClaim, variantOf } from "./projection-attempt.ts";
import type { GateProof, Permission, TaskView } from "./run-view.ts";
import type { DeclaredQuestion } from "../model/report.ts";
import type { UnaskedQuestion } from "../model/session.ts";
import { allSessions, endOf } from "../run/select.ts";
import { NOT_COACHED } from "../model/coach.ts";
import { judgedCriteria } from "../run/coach.ts";
import { adviceOf, causeOf } from "../run/outcome.ts";
import { advanceOf, gradedBy } from "../run/transitions.ts";

const LISTED_MAX = 20;
const ACT_CHARS_MAX = 200;

export function accountOf(
  state: TaskState,
): Pick<TaskView, "proof" | "refusedClaims" | "permissions" | "acceptedBy" | "criteria"> {
  const coached = state.steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ coach }) => (coach?.kind === "over" ? coach.verdict : [])),
  );
  const taken = state.interactionHistory.findLast(
    ({ question, answer }) => question.kind === "dispute" && answer.action === "accept",
  );
  return {
    criteria: judgedCriteria(state.task.body, coached.at(-1) ?? NOT_COACHED),
    acceptedBy: taken?.answer.by ?? null,
    proof: proofIn(state).slice(0, LISTED_MAX),
    refusedClaims: refusedClaimsIn(state),
    permissions: state.interactionHistory.flatMap(permissionIn).slice(-LISTED_MAX),
  };
}

/** Required gates as they last ran, each with what it said before the work. */
function proofIn({ steps, baseline }: TaskState): readonly GateProof[] {
  const last = steps.flatMap(({ attempts }) => attempts.findLast(({ gates }) => gates.length > 0));
  const results = last.flatMap((attempt) => attempt?.gates ?? []);
  const now = new Map(results.map((result) => [result.name, result]));
  return [...now.values()].flatMap((result) => {
    const before = baseline.find(({ name }) => name === result.name);
    const { name: gate } = result;
    const was = before === undefined ? null : verdictOf(before);
    return result.required ? [{ gate, before: was, now: verdictOf(result) }] : [];
  });
}

function verdictOf({ verdict, counts }: GateResult): GateProof["now"] {
  return { verdict: verdict.kind, counts };
}

function refusedClaimsIn({ steps }: TaskState): number {
  const outcomes = steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ outcome }) => outcome ?? []),
  );
  return outcomes.filter(({ decision, evidence: { report } }) => {
    const named = { ...decision, how: variantOf(decision) };
    return isRefusedClaim(named, report.kind === "read" ? report.report.status : null);
  }).length;
}

/** An act that an agent asked for, or more room under a limit. */
function permissionIn({ question, answer }: Interaction): readonly Permission[] {
  const { by, action, text } = answer;
  if (isActionQuestion(question)) {
    const act = question.question.slice(question.question.indexOf("? ") + 2);
    const allowed = action === "answer" && verdictBy(text).kind === "allow";
    return [{ act: excerpt(act, ACT_CHARS_MAX), allowed, by }];
  }
  if (question.budget === null || action !== "extend") return [];
  const { limit } = question.budget;
  const more = extensionOf(question.budget, text);
  const act = more.ok ? `${extensionWords(limit, more.by)} more (${limit})` : null;
  return act === null ? [] : [{ act, allowed: true, by }];
}

/**
 * Those that orch answered by itself, those that reports and last words put below the level, and plans
 * that were to be confirmed where nobody was there to do it. Each once, in the order in which they came up.
 */
export function unaskedOf(task: TaskState): readonly UnaskedQuestion[] {
  const ended = allSessions(task).flatMap((one) => one.ended ?? []);
  const all = [
    ...unconfirmed(task),
    ...closingQuestionsOf(task),
    ...ended.flatMap(({ ending, unasked, report }) => [
      ...unasked,
      ...(ending.kind === "asked" ? [leftToAgent(ending.asked)] : []),
      // One that stopped to ask has not handed its report in yet.
      ...(report.kind === "read" && ending.kind !== "asked" ? report.report.questions : []).map(
        leftToAgent,
      ),
    ]),
  ];
  const attempts = task.steps.flatMap((step) => step.attempts);
  const asked = [
    ...task.interactionHistory.map((pair) => pair.question.question),
    ...(task.pendingQuestion === null ? [] : [task.pendingQuestion.question]),
    // The task may have ended before anybody answered.
    ...attempts.flatMap(({ outcome }) =>
      outcome?.decision.kind === "pause" ? [outcome.decision.ask.question] : [],
    ),
  ];
  return all.filter(
    ({ question }, index) =>
      !asked.some((one) => isSameQuestion(one, question)) &&
      all.findIndex((one) => isSameQuestion(one.question, question)) === index,
  );
}

function leftToAgent(one: Omit<DeclaredQuestion, "options">): UnaskedQuestion {
  const { question, impact } = one;
  return { question, impact, why: "level", answer: one.default ?? "left to the agent" };
}

/** What a session asked in its last words, without a report, below the level at which they count. */
function closingQuestionsOf(task: TaskState): readonly UnaskedQuestion[] {
  return task.steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ outcome }) => {
      const closing = outcome?.evidence.readings.closing ?? null;
      return closing === null ? [] : [leftToAgent({ ...closing, default: null })];
    }),
  );
}

function unconfirmed({ task, steps }: TaskState): readonly UnaskedQuestion[] {
  return task.steps.flatMap((step, index) => {
    const isBegun = (steps[index]?.attempts.length ?? 0) > 0;
    if (!step.confirms || step.level > 0 || !isBegun) return [];
    const question = isPlanning(step)
      ? `May the plan of step ${step.id} be carried out?`
      : `May step ${step.id} be carried out as planned?`;
    return [{ question, impact: "blocking", why: "level", answer: "yes, unseen: level 0" }];
  });
}

/** That of its weakest step. */
export function gradeOf(
  state: TaskState,
): Pick<TaskView, "grade" | "changedChecks" | "unproven" | "notes"> {
  const end = endOf(state);
  if (end?.kind !== "done") return { grade: null, changedChecks: [], unproven: null, notes: [] };
  const notes = state.steps.flatMap((step) => {
    const integrity = step.attempts.at(-1)?.outcome?.evidence.integrity;
    if (integrity?.kind !== "checked") return [];
    return disputed(integrity.notes, allowRules(state.task.allow));
  });
  const advances = state.steps.flatMap((step) => advanceOf(step) ?? []);
  const changedChecks = advances.flatMap(({ changed }) => changed);
  const unproven = gradedBy(state)?.unproven ?? null;
  return { grade: end.grade, changedChecks, unproven, notes: notes.slice(0, LISTED_MAX) };
}

/** What its last accepted attempts left there. */
function outOfScopeIn(state: TaskState): readonly OutOfScope[] {
  if (endOf(state)?.kind !== "done") return [];
  const last = state.steps.flatMap(({ attempts }) => attempts.at(-1)?.outcome ?? []);
  const outside = last.flatMap(({ evidence }) => outOfScope(evidence));
  return [...new Map(outside.map((one) => [one.path, one])).values()];
}

export function scopeOf(
  state: TaskState,
): Pick<TaskView, "crossings" | "outOfScope" | "by" | "notHeeded" | "refused" | "unusable"> {
  const { by, notHeeded, refused, unusable } = state;
  return {
    by,
    notHeeded: notHeeded.slice(0, LISTED_MAX),
    refused: refused.slice(0, LISTED_MAX),
    unusable: unusable.slice(0, LISTED_MAX),
    crossings: state.crossings
      .slice(-LISTED_MAX)
      .map((one) => ({ ...one, paths: one.paths.slice(0, LISTED_MAX) })),
    outOfScope: outOfScopeIn(state).slice(0, LISTED_MAX),
  };
}

export function causeView(state: TaskState): Pick<TaskView, "cause" | "advice"> {
  return { cause: causeOf(state), advice: adviceOf(state) };
}
