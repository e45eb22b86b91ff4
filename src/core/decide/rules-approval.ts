// Is the work proven done, and is the proof sound?

import { firstOf } from "../model/excerpt.ts";
import { CHANGED_CHECKS_ASKED_FROM_LEVEL } from "../model/policy.ts";
import { coachFingerprint, coachWords, findingWords, objectionsOf } from "../model/coach.ts";
import type { Grade } from "../model/decision.ts";
import { type Facts, claimsDone } from "./facts.ts";
import { changedWords } from "./lost-checks.ts";
import { failureLines, fenced } from "./feedback.ts";
import { alarmLine } from "../model/alarm.ts";
import { outOfScope, outOfScopeWords } from "../model/fence.ts";
import { RESULT_RULES } from "./rules-plan.ts";
import { feedBack, continueWith, giveUp, needsPerson, rule } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

/** Approval stands before every stall rule: work that is proven done is done, whatever came before. */
export const APPROVAL_RULES: readonly Rule[] = [
  rule("repaired-meanwhile", repairedMeanwhile),
  rule("disputed", disputed),
  rule("checks-changed", checksChanged),
  rule("failed-before", failedBefore),
  rule("red-as-before", redAsBefore),
  ...RESULT_RULES,
  rule("coach-objects", coachObjects),
  rule("gate-green", (f) => f.sum === "passed" && advance(f, greenWords(f))),
  rule(
    "report-complete",
    (f) => f.sum === "ungated" && advance(f, ["the step has no required gate"], "not-verified"),
  ),
  rule("base-fails-now", baseFailsNow),
];

const CHANGED_MAX = 12;

function advance(f: Facts, why: readonly string[], given = f.proof.grade): Fired | false {
  const [against] = f.isTaken ? speaksAgainst(f) : [];
  const verified = given !== "not-verified" && against === undefined;
  const grade = verified ? given : "not-verified";
  const changed = verified ? f.proof.changed.slice(0, CHANGED_MAX) : [];
  const asBefore = f.sum === "failed" ? asBeforeWords(f) : null;
  const unproven = verified ? null : (f.proof.unproven ?? asBefore ?? against ?? null);
  const coach = coachWords(f.evidence.coach);
  const how = { kind: "advance", verified, grade, unproven, changed } as const;
  return claimsDone(f) && continueWith(how, ...why, coach, "the report says completed");
}

/** "1 check fails as before (adds two numbers)". */
function asBeforeWords({ failure }: Facts): string {
  const { failing, failingCount: count } = failure ?? { failing: [], failingCount: 0 };
  const checks = count === 1 ? "1 check fails" : `${count} checks fail`;
  return `${checks} as before (${firstOf(failing, AS_BEFORE_MAX, { count })})`;
}

const AS_BEFORE_MAX = 3;

function greenWords(f: Facts): readonly string[] {
  const { unproven } = f.proof;
  const strayed = outOfScope(f.evidence).slice(0, STRAYED_MAX).map(outOfScopeWords);
  const isBeside = f.evidence.unheld.length > 0;
  const passed = `every required gate passed${isBeside ? " with files that no commit holds" : ""}`;
  const turned = f.evidence.control.kind === "not-known" ? undefined : TURNED[f.proof.grade];
  const green = [passed, ...(turned ?? []), ...strayed];
  return unproven === null
    ? [...green, ...changedLines(f)]
    : [...green, `not verified: ${unproven}`];
}

const TURNED: Readonly<Partial<Record<Grade, readonly string[]>>> = {
  proven: ["a check that is red without the work is green with it"],
  "nothing-broke": ["no check turned with the work"],
};

const CHANGED = "checks that passed before the work were changed";

/** Asked once: the person who lets the run go on has seen them. */
function checksChanged(f: Facts): Fired | false {
  const { level, proof } = f.policy;
  const asks =
    (proof.changedChecks ?? (level >= CHANGED_CHECKS_ASKED_FROM_LEVEL ? "ask" : "list")) === "ask";
  if (!asks || f.sum !== "passed" || !claimsDone(f) || f.isTaken) return false;
  if (f.proof.changed.length === 0 || f.history.previousRule === "checks-changed") return false;
  return needsPerson(f, CHANGED, changedLines(f), "dispute");
}

function changedLines({ proof }: Facts): readonly string[] {
  return proof.changed.slice(0, CHANGED_MAX).map(changedWords);
}

/** Changed checks without a reason; none counts where the policy refuses them. */
function unexplained(f: Facts): readonly string[] {
  const refuses = f.policy.proof.changedChecks === "refuse";
  const isOpen = f.proof.changed.some(({ reason, how }) => reason === null && how !== "replaced");
  return isOpen || (refuses && f.proof.changed.length > 0) ? changedLines(f) : [];
}

const UNDO = "Undo this, or do what is missing, so that the checks pass as they were before.";

const WITH_REASON =
  "If the task itself makes a check wrong that passed before, change it and name it in your report under `changed_checks`, with its reason. Name there, too, a check that something else than source code rightly turned green, a file that the task names and that is rightly not there, or one that rightly asks for a runner of tests.";

const REASON_FOR_FILES =
  "If the task cannot be done without a change outside its scope, keep the change and name its path in your report under `changed_checks`, with its reason.";

const INTO_THE_COMMIT =
  "What counts is the commit of your work. Put files that it needs where git does not ignore them, add a dependency to the project's list of dependencies, remove the `.git` of a repository inside of this one, and leave what is in a submodule to its own project.";

/** The same commit in the same place passed before: neither the work nor the agent can be blamed. */
function baseFailsNow(facts: Facts): Fired | null {
  const { failAnyway: gates } = facts.evidence;
  if (gates.length === 0) return null;
  const why = `${gates.join(", ")} passed before the work, and fails now on the untouched commit, too`;
  return needsPerson(facts, why, failureLines(facts));
}

/** Said to be done, and nothing fails that passed before: a person may take it as it is. */
export function isAcceptable(f: Facts): boolean {
  const { failedBefore: isNoWorse } = f.evidence.readings;
  return claimsDone(f) && (f.sum === "passed" || f.sum === "ungated" || isNoWorse);
}

export function speaksAgainst(f: Facts): readonly string[] {
  const measured = f.sum === "passed" ? [...f.proof.refused, ...unexplained(f)] : [];
  // Checks may be lost beside those that were red before.
  if (f.failedBefore) measured.push(...unexplained(f));
  return [...outside(f), ...strayedWithout(f), ...f.alarms.map(alarmLine), ...measured];
}

/** What strict proof takes of the task is more than its grade; null: it is not. `byWork`: more work may raise it. */
function tooWeak(f: Facts): { readonly words: string; readonly byWork: boolean } | null {
  const { changedChecks, enough } = f.policy.proof;
  if (changedChecks !== "refuse" || enough === null) return null;
  const { grade, unproven } = f.proof;
  const isGreen = f.sum === "passed";
  if (isGreen && (grade === enough || VERIFIED_MORE.has(grade))) return null;
  if (isGreen && grade === "nothing-broke") return { words: NO_CHECK_TURNED, byWork: true };
  if (f.sum === "unknown" || (f.sum === "failed" && !f.failedBefore)) return null;
  const red = f.sum === "ungated" ? "it has no required gate" : asBeforeWords(f);
  const why = isGreen ? unproven : red;
  return { words: `strict proof takes no work that is not verified: ${why}`, byWork: false };
}

const VERIFIED_MORE: ReadonlySet<Grade> = new Set(["proven", "proven-checks-changed"]);
const NO_CHECK_TURNED =
  "no check is red without the work and green with it, which strict proof asks for: add one";

function disputed(f: Facts): Fired | null {
  if (!claimsDone(f)) return null;
  const strayed = strayedWithout(f);
  const weak = tooWeak(f);
  const disputes = [...speaksAgainst(f), ...(weak === null ? [] : [weak.words])];
  const [first = "", ...others] = disputes;
  if (disputes.length === 0 || f.isTaken) return null;
  const kind = isAcceptable(f) || f.evidence.unheld.length > 0 ? "dispute" : "blocker";
  if (f.history.previousRule === "disputed" || weak?.byWork === false)
    return needsPerson(f, first, others, kind);
  const words = [
    "You reported the work complete, and this speaks against it:",
    ...fenced(disputes),
    "",
    ...(speaksAgainst(f).length === 0 ? [] : [UNDO]),
    ...(f.policy.proof.changedChecks === "refuse" ? [] : [WITH_REASON]),
    ...(strayed.length === 0 ? [] : [REASON_FOR_FILES]),
    ...(f.alarms.some(({ kind }) => kind === "ignored") ? [INTO_THE_COMMIT] : []),
    "If the step cannot be done without it, declare a blocker that says why: `invalid_specification` for a check that contradicts the task, `permission_policy` for files outside what the step may write.",
  ];
  return feedBack(words.join("\n"), ...disputes);
}

function outside({ evidence: { tree } }: Facts): readonly string[] {
  if (tree.kind !== "measured" || tree.outside.length === 0) return [];
  const paths = tree.outside.slice(0, 5).join(", ");
  return [`files outside what this step may write were changed: ${paths}`];
}

const STRAYED_MAX = 5;

/** To name the reason is enough: a scope says what a task is expected to touch. */
function strayedWithout({ evidence }: Facts): readonly string[] {
  const all = outOfScope(evidence).filter(({ reason }) => reason === null);
  const more = all.length - STRAYED_MAX;
  const named = all.slice(0, STRAYED_MAX).map(outOfScopeWords);
  return more > 0 ? [...named, `and ${more} more files`] : named;
}

/**
 * Orch cannot know whether fixing what was broken before is part of the task; the prompt names it, and
 * asks. That the work is done counts only beside a proof (checks that pass now and were not there, or
 * failed, when the task began), or where the report says of each why it is no part of the task.
 */
function failedBefore(f: Facts): Fired | null {
  if (!f.failedBefore || !claimsDone(f)) return null;
  if (!f.provesMore && !f.oldExplained && !f.isTaken) return null;
  const why = "every failing check failed on the task's base in the same way";
  // Something new is proven; the whole is not, and the summary says so.
  return advance(f, [why, ...failureLines(f)], "not-verified") || null;
}

/** Before anybody is asked about it, for it costs no session. */
function repairedMeanwhile(f: Facts): Fired | null {
  const { repairedBy: by } = f.history;
  if (by === null || !f.failedBefore || !claimsDone(f) || f.isTaken) return null;
  const why = `${by} was merged meanwhile, and passes what fails here`;
  return continueWith({ kind: "bring-up" }, why, ...failureLines(f));
}

/** It was asked once, and more attempts would say the same. Of a gate that names no check less is certain. */
function redAsBefore(f: Facts): Fired | null {
  const isAsked = f.history.previousRule === "gate-red-before";
  const isNamed = f.evidence.gates.every(
    ({ verdict, counts }) => verdict.kind !== "failed" || counts !== null,
  );
  if (!isAsked || !isNamed || !f.failedBefore || !claimsDone(f)) return null;
  return giveUp(f, `${asBeforeWords(f)}, and the report does not say why`);
}

/** The second time with the same words, or where no attempt is left, a person decides. */
function coachObjects(f: Facts): Fired | null {
  const { coach } = f.evidence;
  const print = coachFingerprint(coach);
  if (print === null || f.isTaken || !claimsDone(f)) return null;
  const words = objectionsOf(coach).map(findingWords);
  const [first = "", ...others] = words;
  if (f.history.coached.includes(print))
    return needsPerson(f, `the coach asks for the same again: ${first}`, others, "dispute");
  if (f.history.counted + 1 >= f.attemptsMost)
    return needsPerson(f, `the coach does not approve: ${first}`, others, "dispute");
  const feedback = [
    "The checks pass, and a reviewer who looked at the finished work does not approve:",
    ...fenced(words),
    "",
    "Mend what is right in it. Where you disagree, leave it, and say why in your report's summary.",
  ];
  return feedBack(feedback.join("\n"), ...words);
}
