// How is a decision put into words?

import { firstOf } from "../../core/model/excerpt.ts";
import { RULES, type Continuation, type Decision, type RuleId } from "../../core/model/decision.ts";
import type { Evidence } from "../../core/model/evidence.ts";
import type { ReportStatus } from "../../core/model/report.ts";
import { isRefusedClaim, variantOf } from "../../core/views/projection-attempt.ts";
import type { AttemptView, DecisionView, GateView } from "../../core/views/run-view.ts";
import { dayAndTime, duration, kindWords } from "./text.ts";

type Named = Pick<DecisionView, "kind" | "how" | "rule">;

/** For who wants to know which rule it was: "continue (feedback): a required gate failed … (gate-red)". */
export function decisionWords(decision: Named): string {
  return `${decisionName(decision)}: ${ruleSentence(decision.rule)} (${decision.rule})`;
}

/** A decision as the log has it, named like those of a view. */
export function named(decision: Decision): Named {
  return { kind: decision.kind, how: variantOf(decision), rule: decision.rule };
}

/** The rule's own sentence; a rule of a newer orch is named by its id. */
export function ruleSentence(rule: string): string {
  return isRule(rule) ? RULES[rule] : rule;
}

/** The decision and its variant: "continue (feedback)". */
export function decisionName(decision: Pick<DecisionView, "kind" | "how">): string {
  return decision.how === null ? decision.kind : `${decision.kind} (${kindWords(decision.how)})`;
}

function isRule(rule: string): rule is RuleId {
  return Object.hasOwn(RULES, rule);
}

/** What speaks for and against an attempt's work, as the log and the views have it. */
interface Seen {
  readonly claim: ReportStatus | null;
  readonly gates: readonly SeenGate[];
  /** The facts that fired the rule. */
  readonly sentences: readonly string[];
  /** How long, or until when, it waits; "" where that is over. */
  readonly when: string;
}

type SeenGate = Pick<GateView, "name" | "required" | "verdict" | "counts">;

/**
 * For who follows the work: what happened, why that was not enough, and what happens next. Which rule
 * it was is for `orch explain`.
 */
export function courseWords(
  decision: Decision,
  evidence: Evidence,
  sentences: readonly string[] = [],
): string {
  const { report, gates } = evidence;
  const claim = report.kind === "read" ? report.report.status : null;
  const verdicts = gates.map((gate) => ({ ...gate, verdict: gate.verdict.kind }));
  const seen = { claim, gates: verdicts, sentences, when: whenWords(decision) };
  return course(named(decision), seen);
}

/** The same of an attempt that is looked back at; null: nothing was decided. */
export function courseOf({ decision, report, gates }: AttemptView): string | null {
  if (decision === null) return null;
  const seen = { claim: report?.status ?? null, gates, sentences: decision.evidence };
  return course(decision, { ...seen, when: "" });
}

function course(decision: Named, seen: Seen): string {
  const { rule } = decision;
  const ruleId = isRule(rule) ? rule : null;
  // Behind a colon or a semicolon it tells what follows.
  const [sentence = ""] = ruleSentence(rule).split(/[:;]/);
  const isIn = (rules: ReadonlySet<RuleId>): boolean => ruleId !== null && rules.has(ruleId);
  const facts = firstOf(seen.sentences, FACTS_SHOWN, { between: "; " });
  const why = isIn(FACTS_FIRST) ? facts : isIn(SILENT) ? "" : sentence;
  const work = workWords(rule, seen);
  const words = isIn(ENDINGS) ? [seen.sentences[0] ?? why, work] : [work, why];
  const reasons = words.filter((part) => part !== "").join("; ");
  return `${verdictOf(decision, seen.claim)}${reasons} → ${nextWords(decision, seen.when)}`;
}

/** Here the facts say more than the rule. */
const FACTS_FIRST: ReadonlySet<RuleId> = new Set<RuleId>(["disputed", "checks-changed"]);
/** Here the first fact says how the session ended, before all that the gates say. */
const ENDINGS: ReadonlySet<RuleId> = new Set<RuleId>([
  "agent-never-ran",
  "ending-again",
  "hard-blocker-said",
  "session-looped",
  "hook-refused",
  "session-crashed",
  "agent-fails-over",
]);
const FACTS_SHOWN = 2;

function whenWords(decision: Decision): string {
  if (decision.kind !== "continue") return "";
  const { how } = decision;
  if (how.kind === "fail-over") return `: ${how.to}`;
  if (how.kind === "wait") return ` until ${dayAndTime(how.untilMs)}`;
  return how.kind === "backoff" && how.delayMs > 0 ? ` in ${duration(how.delayMs)}` : "";
}

/** What the work's own words say already. */
const SILENT: ReadonlySet<RuleId> = new Set(["gate-unknown", "gate-red-before", "gate-red"]);

const CLAIMS: Readonly<Record<ReportStatus, string>> = {
  completed: "the agent says it is done",
  partial: "the agent says that work is left",
  failed: "the agent says it failed",
  blocked: "the agent says it is blocked",
  unstated: "",
};

/** "the agent says it is done, and 1 of 3 tests still fails"; "" where no gate speaks against it. */
function workWords(rule: string, { claim, gates }: Seen): string {
  const red = gates.filter(({ required, verdict }) => required && verdict === "failed");
  const [open] = gates.filter(({ required, verdict }) => required && verdict === "unknown");
  const [gate, ...others] = red;
  const claimed = claim === null ? "" : CLAIMS[claim];
  const and = claimed === "" ? "" : `${claimed}, and `;
  if (gate === undefined)
    return open === undefined ? "" : `${and}the gate ${open.name} gave no verdict`;
  const isOld = ["gate-red-before", "failed-before", "repaired-meanwhile"].includes(rule);
  if (others.length > 0) {
    const before = isOld ? " (as before the task)" : "";
    return `${and}${red.length} gates fail: ${red.map(({ name }) => name).join(", ")}${before}`;
  }
  const { failed = 0, passed = 0 } = gate.counts ?? {};
  const before = isOld ? ` (${failed > 1 ? "they" : "it"} failed before the task, too)` : "";
  if (failed === 0) return `${and}the gate ${gate.name} fails${before}`;
  const all = failed + passed;
  const verb = failed === 1 ? "fails" : "fail";
  return `${and}${failed} of ${all} ${all === 1 ? "test" : "tests"} still ${verb}${before}`;
}

/** Only of work that is said to be done there is something to accept. */
function verdictOf(decision: Named, claim: ReportStatus | null): string {
  if (decision.how === "advance") return "accepted: ";
  return isRefusedClaim(decision, claim) ? "not accepted: " : "";
}

function nextWords({ kind, how }: Named, when: string): string {
  if (kind === "continue") return `${GOES_ON[how ?? ""] ?? "it continues"}${when}`;
  if (kind === "pause") return how === "plan" ? "a person must accept it" : "a person is asked";
  if (kind === "stall")
    return how === "deferred"
      ? "the task is deferred"
      : `the task ends: ${kindWords(how ?? "stalled")}`;
  const back = how === null ? "" : "the tree goes back to what last passed, and ";
  return `${back}a new plan is made`;
}

const GOES_ON: Readonly<Partial<Record<string, string>>> = {
  advance: "the step is complete",
  feedback: "the agent gets the findings and tries again",
  "bring-up": "it is joined with that, and measured again",
  "carry-out": "the plan is carried out",
  handoff: "a fresh session continues",
  backoff: "tries again",
  wait: "waits",
  "fail-over": "another agent takes over",
} satisfies Record<Continuation["kind"], string>;
