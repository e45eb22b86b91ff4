// What is there to tell of a task besides its end: its gates before and now, what was refused, and what people allowed?

import { isActionQuestion, verdictBy } from "../decide/action-verdict.ts";
import { allowRules } from "../decide/allow.ts";
import { alarmsOf } from "../decide/facts.ts";
import { outOfScope } from "../decide/out-of-scope.ts";
import { proofOf } from "../decide/proof.ts";
import { excerpt } from "../model/excerpt.ts";
import type { Interaction } from "../model/question.ts";
import type { AttemptState, TaskState } from "../model/state.ts";
import type { Task } from "../model/task.ts";
import type { GateResult } from "../model/verdict.ts";
import { extensionOf, extensionWords } from "../run/extension.ts";
import { isRefusedClaim, variantOf } from "./projection-attempt.ts";
import type { GateProof, Permission, Refusal, TaskView } from "./run-view.ts";

const LISTED_MAX = 20;
const ACT_CHARS_MAX = 200;

export function accountOf(state: TaskState): Pick<TaskView, "proof" | "refusals" | "permissions"> {
  return {
    proof: proofIn(state).slice(0, LISTED_MAX),
    refusals: refusalsIn(state),
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

/** What stood against the same thing in several attempts counts once. */
function refusalsIn({ steps, task }: TaskState): readonly Refusal[] {
  const seen = new Set<string>();
  const counts = new Map<Refusal["what"], number>();
  const attempts = steps.flatMap((step) => step.attempts);
  attempts.forEach((attempt, at) => {
    for (const [what, of] of refusedIn(attempt, task)) {
      const key = `${what}\n${of ?? at}`;
      if (seen.has(key)) continue;
      seen.add(key);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  });
  return [...counts].map(([what, count]) => ({ what, count }));
}

type Refused = readonly [what: Refusal["what"], of: string | null];

function refusedIn({ outcome }: AttemptState, { allow }: Task): readonly Refused[] {
  if (outcome === null) return [];
  const { decision, evidence } = outcome;
  const report = evidence.report.kind === "read" ? evidence.report.report : null;
  const named = { kind: decision.kind, how: variantOf(decision) };
  const isClaim = isRefusedClaim(named, report?.status ?? null);
  const claim: readonly Refused[] = isClaim ? [["completion", null]] : [];
  if (decision.rule !== "disputed") return claim;
  const rules = allowRules(allow);
  const outside = evidence.tree.kind === "measured" ? evidence.tree.outside : [];
  const strayed = outOfScope(evidence).filter(({ reason }) => reason === null);
  return [
    ...claim,
    ...alarmsOf(evidence, rules).map(({ kind, path }): Refused => [kind, path ?? ""]),
    ...proofOf(evidence, report, rules)
      .changed.filter(({ reason }) => reason === null)
      .map(({ how, gate, check }): Refused => [how, `${gate}: ${check}`]),
    ...[...outside, ...strayed.map(({ path }) => path)].map((path): Refused => ["outside", path]),
  ];
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
