// What does each part of a report say: one blocker, one question, one assumption?

import { isBlockerType } from "../core/model/blocker.ts";
import type {
  AgentReport,
  Assumption,
  DeclaredBlocker,
  DeclaredQuestion,
  Impact,
  PartialProgress,
} from "../core/model/report.ts";
import {
  count,
  dropped,
  fieldsOf,
  flag,
  given,
  items,
  kindOf,
  noted,
  numberWithin,
  text,
  wordOf,
  type Place,
} from "./claims.ts";

export const SUMMARY_CHARS_MAX = 4_000;
export const LINE_CHARS_MAX = 2_000;
/** A plan is handed to the next step this way. */
const NEXT_STEPS_CHARS_MAX = 16_000;
const PATH_CHARS_MAX = 500;
const TYPE_CHARS_MAX = 60;

/** From most to least; also the words a report may use. */
export const IMPACTS = [
  "blocking",
  "contradiction",
  "major",
  "minor",
  "taste",
] as const satisfies readonly Impact[];

export function readBlocker(item: unknown, place: Place): DeclaredBlocker | null {
  const fields = fieldsOf(item) ?? new Map<string, unknown>([["message", item]]);
  const type = text(given(fields, "type", "kind", "category", "code"), place, TYPE_CHARS_MAX);
  const message = text(
    given(fields, "message", "description", "details", "error", "reason"),
    place,
    LINE_CHARS_MAX,
  );
  if (type === null && message === null)
    return dropped(item, "a blocker with type and message", place);
  return {
    type: type === null ? "unspecified" : blockerType(type),
    message: message ?? "",
    recoverable: flag(given(fields, "recoverable"), place),
    recommendation: text(given(fields, "recommendation", "suggestion"), place, LINE_CHARS_MAX),
  };
}

/** Known types in any spelling; others as the agent wrote them, so that the list can grow. */
function blockerType(written: string): string {
  const folded = written.toLowerCase().replace(/[\s-]+/g, "_");
  return isBlockerType(folded) ? folded : written.toLowerCase();
}

export function readProgress(raw: unknown, place: Place): PartialProgress | null {
  if (raw === null) return null;
  const fields = fieldsOf(raw);
  if (fields === null) return dropped(raw, "an object", place);
  return {
    stage: text(given(fields, "stage"), place, LINE_CHARS_MAX),
    details: text(given(fields, "details"), place, SUMMARY_CHARS_MAX),
    phasesCompleted: count(given(fields, "phases_completed"), place),
    phasesTotal: count(given(fields, "phases_total"), place),
    handoffPath: pathInside(given(fields, "handoff_path"), place),
  };
}

export function readAssumption(item: unknown, place: Place): Assumption | null {
  const fields = fieldsOf(item) ?? new Map<string, unknown>([["decision", item]]);
  const decision = text(given(fields, "decision", "assumption", "text"), place, LINE_CHARS_MAX);
  if (decision === null) return dropped(item, "an assumption with decision and reason", place);
  return { decision, reason: text(given(fields, "reason", "rationale"), place, LINE_CHARS_MAX) };
}

export function readQuestion(item: unknown, place: Place): DeclaredQuestion | null {
  const fields = fieldsOf(item) ?? new Map<string, unknown>([["question", item]]);
  const question = text(given(fields, "question", "text"), place, LINE_CHARS_MAX);
  if (question === null) return dropped(item, "a question", place);
  const standard = text(given(fields, "default"), place, LINE_CHARS_MAX);
  return {
    question,
    options: items(given(fields, "options"), place, readLine),
    default: standard,
    impact: readImpact(given(fields, "impact"), standard, place),
  };
}

/** Not stated: with a default the agent could go on by it; without one it says that it cannot. */
function readImpact(raw: unknown, standard: string | null, place: Place): Impact {
  const fallback = standard === null ? "blocking" : "major";
  if (raw === null) return fallback;
  const word = wordOf(raw);
  const impact = IMPACTS.find((known) => known === word);
  return (
    impact ??
    noted(
      fallback,
      `${place.where}: the impact ${kindOf(raw)} is read as "${fallback}"`,
      place.notes,
    )
  );
}

export function readCriterion(item: unknown, place: Place): AgentReport["criteria"][number] | null {
  const fields = fieldsOf(item) ?? new Map<string, unknown>([["text", item]]);
  const criterion = text(given(fields, "text", "criterion", "name"), place, LINE_CHARS_MAX);
  if (criterion === null) return dropped(item, "a criterion with text and met", place);
  return { text: criterion, met: flag(given(fields, "met"), place) };
}

export function readArtifact(item: unknown, place: Place): AgentReport["artifacts"][number] | null {
  const fields = fieldsOf(item) ?? new Map<string, unknown>([["path", item]]);
  const path = pathInside(given(fields, "path"), place);
  if (path === null) return null;
  return { path, summary: text(given(fields, "summary", "description"), place, LINE_CHARS_MAX) };
}

export function readGates(raw: unknown, place: Place): AgentReport["claimedGates"] {
  if (raw === null) return null;
  const fields = fieldsOf(raw);
  if (fields === null) return dropped(raw, "an object", place);
  return {
    allPassed: flag(given(fields, "all_passed"), place),
    testsPassed: count(given(fields, "tests_passed"), place),
    testsFailed: count(given(fields, "tests_failed"), place),
    coverage: numberWithin(given(fields, "coverage"), place, 100),
  };
}

export function readNextSteps(raw: unknown, place: Place): string | null {
  const lines = Array.isArray(raw) ? items(raw, place, readLine).join("\n") : raw;
  return text(lines, place, NEXT_STEPS_CHARS_MAX);
}

export function readLine(item: unknown, place: Place): string | null {
  const fields = fieldsOf(item);
  const value = fields === null ? item : given(fields, "label", "text", "approach", "description");
  return text(typeof value === "number" ? String(value) : value, place, LINE_CHARS_MAX);
}

/** A report cannot name files outside the tree: no absolute paths, no way up. */
function pathInside(raw: unknown, place: Place): string | null {
  const path = text(raw, place, PATH_CHARS_MAX);
  if (path === null) return null;
  const leaves =
    /^(?:[/\\~]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes("..") || path.includes("\0");
  return leaves ? dropped(path, "a path inside the working tree", place) : path;
}
