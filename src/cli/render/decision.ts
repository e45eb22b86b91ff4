// How is a decision put into words?

import { assertNever } from "../../core/model/assert.ts";
import { RULES, type Decision, type RuleId } from "../../core/model/decision.ts";
import type { DecisionView } from "../../core/views/run-view.ts";
import { dayAndTime, duration, kindWords } from "./text.ts";

/** "continue with feedback, because a required gate failed; … (gate-red)" */
export function decisionWords(decision: Decision): string {
  return `${variantWords(decision)}: ${ruleSentence(decision.rule)} (${decision.rule})`;
}

/** The rule's own sentence; a rule of a newer orch is named by its id. */
export function ruleSentence(rule: string): string {
  return isRule(rule) ? RULES[rule] : rule;
}

/** The decision and its variant: "continue: feedback". */
export function decisionName(decision: Pick<DecisionView, "kind" | "how">): string {
  return decision.how === null ? decision.kind : `${decision.kind}: ${kindWords(decision.how)}`;
}

function isRule(rule: string): rule is RuleId {
  return Object.hasOwn(RULES, rule);
}

function variantWords(decision: Decision): string {
  switch (decision.kind) {
    case "continue": {
      const { how } = decision;
      if (how.kind === "backoff") return `continue after ${duration(how.delayMs)}`;
      if (how.kind === "wait") return `wait until ${dayAndTime(how.untilMs)}`;
      return how.kind === "advance" ? "step complete" : `continue with ${how.kind}`;
    }
    case "replan":
      return "replan";
    case "pause":
      return `pause for a person (${decision.ask.kind})`;
    case "stall":
      return `end the task as ${kindWords(decision.end)}`;
    default:
      return assertNever(decision, "decision");
  }
}
