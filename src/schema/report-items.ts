// What does each part of a report say: one blocker, one question, one assumption?

import { isBlockerType } from "../core/model/blocker.ts";
import { excerpt } from "../core/model/excerpt.ts";
import {
  IMPACTS,
  type AgentReport,
  type Assumption,
  type DeclaredBlocker,
  type DeclaredQuestion,
  type PartialProgress,
} from "../core/model/report.ts";
import {
  canonical,
  count,
  flag,
  given,
  items,
  kindOf,
  note,
  numberWithin,
  text,
  type Claim,
} from "./claims.ts";

export const SUMMARY_CHARS_MAX = 4_000;
export const LINE_CHARS_MAX = 2_000;
const PATH_CHARS_MAX = 500;
const TYPE_CHARS_MAX = 60;

export function readBlocker(of: Claim): DeclaredBlocker | null {
  const type = text(of, TYPE_CHARS_MAX, "type", "kind", "category", "code");
  const message = line(of, "message", "description", "details", "error", "reason");
  if (type === null && message === null) return incomplete(of, "a blocker with type and message");
  return {
    type: blockerType(type ?? "unspecified"),
    message: message ?? "",
    recoverable: flag(of, "recoverable"),
    recommendation: line(of, "recommendation", "suggestion"),
  };
}

/** Known types in any spelling; others as the agent wrote them, so that the list can grow. */
function blockerType(written: string): string {
  const folded = canonical(written);
  return isBlockerType(folded) ? folded : written.toLowerCase();
}

export function readProgress(of: Claim): PartialProgress {
  return {
    stage: line(of, "stage"),
    details: text(of, SUMMARY_CHARS_MAX, "details"),
    phasesCompleted: count(of, "phases_completed"),
    phasesTotal: count(of, "phases_total"),
    handoffPath: pathInside(of, "handoff_path"),
  };
}

export function readAssumption(of: Claim): Assumption | null {
  const decision = line(of, "decision", "assumption", "text");
  if (decision === null) return incomplete(of, "an assumption with decision and reason");
  return { decision, reason: line(of, "reason", "rationale") };
}

/** Without a reason it says nothing that is not measured anyway. */
export function readChangedCheck(of: Claim): AgentReport["changedChecks"][number] | null {
  const check = line(of, "check", "name", "path", "file", "label");
  const reason = line(of, "reason", "rationale", "why");
  if (check === null || reason === null) return incomplete(of, "a check with its reason");
  // Both stand in lists of lines.
  return { check: excerpt(check, LINE_CHARS_MAX), reason: excerpt(reason, LINE_CHARS_MAX) };
}

export function readQuestion(of: Claim): DeclaredQuestion | null {
  const question = line(of, "question", "text");
  if (question === null) return incomplete(of, "a question");
  const standard = line(of, "default");
  // Not stated: with a default the agent could go on by it; without one it says that it cannot.
  const fallback = standard === null ? "blocking" : "major";
  const word = given(of, "impact");
  const impact = IMPACTS.find((known) => known === canonical(word));
  if (word !== null && impact === undefined)
    note(of, "impact", `${kindOf(word)} is read as "${fallback}"`);
  const options = items(of, ["label", readLine], "options");
  return { question, options, default: standard, impact: impact ?? fallback };
}

export function readCriterion(of: Claim): AgentReport["criteria"][number] | null {
  const criterion = line(of, "text", "criterion", "name");
  if (criterion === null) return incomplete(of, "a criterion with text and met");
  return { text: criterion, met: flag(of, "met") };
}

export function readArtifact(of: Claim): AgentReport["artifacts"][number] | null {
  const path = pathInside(of, "path");
  return path === null ? null : { path, summary: line(of, "summary", "description") };
}

export function readGates(of: Claim): NonNullable<AgentReport["claimedGates"]> {
  return {
    allPassed: flag(of, "all_passed"),
    testsPassed: count(of, "tests_passed"),
    testsFailed: count(of, "tests_failed"),
    coverage: numberWithin(of, 100, "coverage"),
  };
}

export function readLine(of: Claim): string | null {
  const value = given(of, "label", "text", "approach", "description");
  return typeof value === "number"
    ? String(value)
    : line(of, "label", "text", "approach", "description");
}

function line(of: Claim, ...names: readonly [string, ...string[]]): string | null {
  return text(of, LINE_CHARS_MAX, ...names);
}

/** A report cannot name files outside the tree: no absolute paths, no way up. */
function pathInside(of: Claim, name: string): string | null {
  const path = text(of, PATH_CHARS_MAX, name);
  if (path === null) return null;
  const leaves = /^(?:[/\\~]|[a-z]:)|\0|(?:^|[/\\])\.\.(?:[/\\]|$)/i.test(path);
  if (leaves) note(of, name, `dropped, expected a path inside the working tree`);
  return leaves ? null : path;
}

function incomplete(of: Claim, expected: string): null {
  note(of, "", `dropped, expected ${expected}`);
  return null;
}
