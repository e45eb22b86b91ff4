// What does a decision change in the counters of a task?

import { deriveFacts } from "../decide/facts.ts";
import { afterVisit } from "../decide/streaks.ts";
import { tallyOf } from "../decide/tally.ts";
import type { Decision } from "../model/decision.ts";
import type { RunEvent } from "../model/event.ts";
import type { RunState, StepState, TaskState } from "../model/state.ts";
import type { Tally } from "../model/tally.ts";
import { historyOf } from "./history-of.ts";
import { changeStep, policyOf } from "./select.ts";

type Decided = Extract<RunEvent, { type: "decided" }>;

/** Records the outcome and copies what the decision added up to, as the event says it. */
export function afterDecision(state: RunState, task: TaskState, event: Decided): TaskState {
  const { evidence, decision, explanation } = event;
  const { plan } = evidence;
  // Lines of an older orch have no tally: the same facts that `decide` saw are derived again.
  const tally =
    event.tally ??
    tallyOf(deriveFacts(evidence, historyOf(state, task), policyOf(state, task)), decision);
  const { counted } = tally;
  const outcome = { evidence, decision, explanation, counted };
  const decided = changeStep(task, (at) => ({
    ...at,
    attempts: at.attempts.map((a, i) => (i === at.attempts.length - 1 ? { ...a, outcome } : a)),
    ...(counted ? countedStep(at, tally, decision) : {}),
    streaks: tally.streaks,
  }));
  return {
    ...decided,
    ledger: counted ? withFailure(task.ledger, tally) : task.ledger,
    visited: afterVisit(task.visited, tally.visited),
    score: tally.score,
    plans:
      decision.rule === "plan-made" && plan.kind === "written"
        ? [...task.plans, plan.plan]
        : task.plans,
    cursor: { at: "decided" },
    ...(decision.kind === "replan" ? { plan: task.plan + 1, replans: task.replans + 1 } : {}),
    ...(isHandoff(decision) ? { handoffs: task.handoffs + 1 } : {}),
  };
}

function countedStep(at: StepState, tally: Tally, decision: Decision): Partial<StepState> {
  if (decision.kind === "replan") return { counted: 0, progressed: false, attemptsSinceReplan: 0 };
  return {
    counted: at.counted + 1,
    progressed: at.progressed || tally.progressed,
    attemptsSinceReplan: at.attemptsSinceReplan + 1,
  };
}

function withFailure(ledger: TaskState["ledger"], { fingerprint }: Tally): TaskState["ledger"] {
  return fingerprint === null
    ? ledger
    : { ...ledger, [fingerprint]: (ledger[fingerprint] ?? 0) + 1 };
}

function isHandoff(decision: Decision): boolean {
  return decision.kind === "continue" && decision.how.kind === "handoff";
}
