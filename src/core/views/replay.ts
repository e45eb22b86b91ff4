// What would have been decided on each recorded attempt under another policy, or by other rules?

import { decideExplained } from "../decide/decide.ts";
import type { Decision } from "../model/decision.ts";
import type { Recorded, RunEvent } from "../model/event.ts";
import type { TaskId } from "../model/ids.ts";
import type { Policy } from "../model/policy.ts";
import { INITIAL_STATE, reduce } from "../run/reduce.ts";
import { historyOf } from "../run/history-of.ts";
import { currentStep, policyOf } from "../run/select.ts";
import { variantOf } from "./projection-attempt.ts";
import type { RunState, TaskState } from "../model/state.ts";

/** A decision with the facts that fired its rule, one sentence each. */
export interface Reasoned {
  readonly decision: Decision;
  readonly evidence: readonly string[];
}

/** One recorded decision beside what is decided on the same evidence now. */
export interface Replayed extends Pick<Decided, "task" | "step" | "attempt"> {
  readonly seq: number;
  readonly plan: number;
  /** As the log has it. */
  readonly recorded: Reasoned;
  /** By the present rules, under the other policy where there is one. */
  readonly now: Reasoned;
  /** The present rules give the recorded decision under the recorded policy. */
  readonly isReproduced: boolean;
  /** The other policy gives another decision than the recorded policy does, by the present rules. */
  readonly isChanged: boolean;
}

type Decided = Extract<RunEvent, { type: "decided" }>;

/**
 * Decides every recorded attempt again; null: under the recorded policy alone. What led to an
 * attempt is as recorded: each decision is judged by itself, and what a different one would have led
 * to is not guessed.
 */
export function replay(
  events: readonly Recorded[],
  under: ((recorded: Policy) => Policy) | null,
): readonly Replayed[] {
  const decisions: Replayed[] = [];
  let state = INITIAL_STATE;
  for (const { event: recorded, ...at } of events) {
    // What was counted by other rules is counted by these: the fold computes it.
    const event = recorded.type === "decided" ? { ...recorded, tally: null } : recorded;
    const one = event.type === "decided" ? replayed(event, state, under) : null;
    if (one !== null) decisions.push({ ...one, seq: at.seq });
    state = reduce(state, { ...at, event });
  }
  return decisions;
}

/** null: the log decides on a task that it never defined; the reducer passes over that too. */
function replayed(
  event: Decided,
  state: RunState,
  under: ((recorded: Policy) => Policy) | null,
): Omit<Replayed, "seq"> | null {
  const { evidence, decision, explanation, step, attempt } = event;
  const task = taskNamed(state, event.task);
  if (task === null) return null;
  const [history, policy] = [historyOf(state, task), policyOf(state, task)];
  const reasoned = (by: Policy): Reasoned => {
    const { decision, explanation } = decideExplained(evidence, history, by);
    return { decision, evidence: explanation.evidence };
  };
  const again = reasoned(policy);
  const now = under === null ? again : reasoned(under(policy));
  return {
    task: event.task,
    step,
    attempt,
    plan: task.plan,
    recorded: { decision, evidence: explanation.evidence },
    now,
    isReproduced: isAlike(decision, again.decision),
    isChanged: !isAlike(again.decision, now.decision),
  };
}

function taskNamed(state: RunState, id: TaskId): TaskState | null {
  const task = state.tasks.find((one) => one.task.id === id);
  return task === undefined || currentStep(task).at.attempts.length === 0 ? null : task;
}

/** A decision that is only put into other words is the same. */
export function isAlike(a: Decision, b: Decision): boolean {
  return outcomeOf(a) === outcomeOf(b);
}

/** What happens because of the decision, without its words. */
function outcomeOf(decision: Decision): string {
  const { kind, rule } = decision;
  if (decision.kind !== "continue") return JSON.stringify([kind, rule, variantOf(decision)]);
  const how = { ...decision.how, feedback: "", resumePoint: "", cause: "" };
  // In whatever order their keys were written.
  const parts = Object.entries(how).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([kind, rule, parts]);
}
