// What does a decision change in the counters of a task?

import { assertNever } from "../model/assert.ts";
import { look } from "../decide/facts.ts";
import type { Facts } from "../decide/facts.ts";
import { counts } from "../decide/rules-world.ts";
import { afterFault, afterHandoff, clearedStreaks } from "../decide/streaks.ts";
import { afterReplan } from "../decide/uncertainty.ts";
import type { Decision } from "../model/decision.ts";
import type { RunEvent } from "../model/event.ts";
import type { Evidence } from "../model/evidence.ts";
import { addUsage } from "./spent.ts";
import { currentStep, historyOf, policyOf } from "./select.ts";
import type { RunState, StepState, Streaks, TaskState } from "../model/state.ts";

/**
 * Records the outcome and moves the counters. Evidence is in the event, so the same facts that
 * `decide` saw are computed again here rather than trusted from anywhere else.
 */
export function afterDecision(
  state: RunState,
  task: TaskState,
  event: Extract<RunEvent, { type: "decided" }>,
): TaskState {
  const { evidence, decision, explanation } = event;
  const facts = look(evidence, historyOf(state, task), policyOf(state, task));
  const counted = counts(decision);
  const outcome = { evidence, decision, explanation, counted };
  const { at } = currentStep(task);
  const step: StepState = {
    ...at,
    attempts: at.attempts.map((a, i) => (i === at.attempts.length - 1 ? { ...a, outcome } : a)),
    ...(counted
      ? countedStep(at, facts, decision)
      : { streaks: freeStreaks(at.streaks, decision, facts) }),
  };
  return {
    ...task,
    steps: task.steps.map((s, i) => (i === task.stepIndex ? step : s)),
    ledger: counted ? withFailure(task.ledger, facts) : task.ledger,
    visited: counted ? facts.visited : task.visited,
    spent: withJudge(task.spent, evidence),
    score: counted ? scoreAfter(facts, decision) : task.score,
    plans: decision.rule === "plan-made" ? withPlan(task.plans, evidence) : task.plans,
    cursor: { at: "decided" },
    ...(decision.kind === "replan" ? { plan: task.plan + 1, replans: task.replans + 1 } : {}),
    ...(isHandoff(decision) ? { handoffs: task.handoffs + 1 } : {}),
  };
}

function countedStep(at: StepState, facts: Facts, decision: Decision): Partial<StepState> {
  if (decision.kind === "replan")
    return { counted: 0, progressed: false, attemptsSinceReplan: 0, streaks: clearedStreaks() };
  return {
    counted: at.counted + 1,
    progressed: at.progressed || facts.progress,
    attemptsSinceReplan: at.attemptsSinceReplan + 1,
    streaks: facts.streaks,
  };
}

function freeStreaks(before: Streaks, decision: Decision, facts: Facts): Streaks {
  if (decision.kind !== "continue") return before;
  const { how } = decision;
  switch (how.kind) {
    case "backoff":
      // A stop or a crash of orch itself says nothing about the provider.
      return decision.rule === "provider-backoff"
        ? afterFault(before, how.cause, how.delayMs)
        : before;
    case "wait":
      return afterFault(before, how.cause, Math.max(0, how.untilMs - facts.evidence.at.nowMs));
    case "handoff":
      return afterHandoff(before, how.resumePoint);
    case "advance":
    case "carry-out":
    case "feedback":
      return before;
    default:
      return assertNever(how, "continuation");
  }
}

function withFailure(ledger: TaskState["ledger"], facts: Facts): TaskState["ledger"] {
  const { failure } = facts;
  return failure === null ? ledger : { ...ledger, [failure.fp]: facts.seenEver };
}

function scoreAfter(facts: Facts, decision: Decision): TaskState["score"] {
  return decision.kind === "replan" ? afterReplan(facts.score) : facts.score;
}

/** What the judge used is the task's to pay for; what that is in money nobody says. */
function withJudge(
  spent: TaskState["spent"],
  { judge, judgeTokens }: Evidence,
): TaskState["spent"] {
  if (judge.kind === "not-asked") return spent;
  return addUsage(spent, { byModel: judgeTokens, costUsd: null, turns: null }, 0);
}

function withPlan(plans: TaskState["plans"], { plan }: Evidence): TaskState["plans"] {
  return plan.kind === "written" ? [...plans, plan.plan] : plans;
}

function isHandoff(decision: Decision): boolean {
  return decision.kind === "continue" && decision.how.kind === "handoff";
}
