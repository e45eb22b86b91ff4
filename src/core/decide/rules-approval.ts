// Is the work proven done, and is the proof sound?

import type { Facts } from "./facts.ts";
import { claimsDone } from "./facts.ts";
import { failureLines, fenced } from "./feedback.ts";
import { RESULT_RULES } from "./rules-plan.ts";
import { feedBack, continueWith, needsPerson, rule } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

/** Approval stands before every stall rule: work that is proven done is done, whatever came before. */
export const APPROVAL_RULES: readonly Rule[] = [
  rule("disputed", disputed),
  rule("failed-before", failedBefore),
  ...RESULT_RULES,
  rule("gate-green", (f) => f.sum === "passed" && advance(f, true, "every required gate passed")),
  rule(
    "report-complete",
    (f) => f.sum === "ungated" && advance(f, false, "the step has no required gate"),
  ),
];

function advance(f: Facts, verified: boolean, why: string): Fired | false {
  const how = { kind: "advance", verified } as const;
  return claimsDone(f) && continueWith(how, why, "the report says completed");
}

function disputed(f: Facts): Fired | null {
  const disputes = [...outside(f), ...f.alarms.map(alarmLine)];
  if (disputes.length === 0 || !claimsDone(f)) return null;
  const [first = "", ...others] = disputes;
  if (f.history.previousRule === "disputed") return needsPerson(f, first, others);
  const words = [
    "The work is reported complete, but what proves it was changed on the way:",
    ...fenced(disputes),
    "",
    "Undo this, or, where the step cannot be done without it, declare a blocker that says why: `invalid_specification` for a check that contradicts the task, `permission_policy` for files outside what the step may write.",
  ];
  return feedBack(words.join("\n"), ...disputes);
}

function outside({ evidence: { tree } }: Facts): readonly string[] {
  if (tree.kind !== "measured" || tree.outside.length === 0) return [];
  const paths = tree.outside.slice(0, 5).join(", ");
  return [`files outside what this step may write were changed: ${paths}`];
}

function alarmLine({ kind, path, line, detail }: Facts["alarms"][number]): string {
  const place = path === null ? "" : ` in ${path}${line === null ? "" : `:${line}`}`;
  return `${kind}${place}: ${detail}`;
}

/**
 * Orch cannot know whether fixing what was broken before is part of the task. So the agent is asked
 * once. Where it then says again that the work is done, its word counts only beside a proof: checks
 * that pass now and were not there, or failed, when the task began.
 */
function failedBefore(f: Facts): Fired | null {
  if (!f.failedBefore || !f.provesMore || !claimsDone(f)) return null;
  if (f.history.previousRule !== "gate-red-before") return null;
  const why = "every failing check failed on the task's base in the same way";
  // Something new is proven; the whole is not, and the summary says so.
  return continueWith({ kind: "advance", verified: false }, why, ...failureLines(f));
}
