// What does the agent's report say, however carelessly it was written?

import type { AgentReport, ReportStatus } from "../core/model/report.ts";
import {
  fieldsOf,
  flag,
  given,
  items,
  kindOf,
  newNotes,
  noted,
  numberWithin,
  text,
  wordOf,
  type Fields,
  type Notes,
  type Place,
} from "./claims.ts";
import type { Parsed } from "./parsed.ts";
import {
  LINE_CHARS_MAX,
  SUMMARY_CHARS_MAX,
  readArtifact,
  readAssumption,
  readBlocker,
  readCriterion,
  readGates,
  readLine,
  readNextSteps,
  readProgress,
  readQuestion,
} from "./report-items.ts";

export type ReportReading =
  | { readonly kind: "read"; readonly report: AgentReport; readonly notes: readonly string[] }
  | { readonly kind: "in-progress" };

export const REPORT_BYTES_MAX = 256 * 1024;

const STATUSES = ["completed", "partial", "failed", "blocked"] as const;

/** Words seen in the wild for the four; anything else claims nothing. */
const SYNONYMS: ReadonlyMap<string, ReportStatus> = new Map<string, ReportStatus>([
  ...STATUSES.map((status) => [status, status] as const),
  ["complete", "completed"],
  ["done", "completed"],
  ["implemented", "completed"],
  ["success", "completed"],
  ["succeeded", "completed"],
  ["partially_completed", "partial"],
  ["error", "failed"],
  ["failure", "failed"],
]);

const IN_PROGRESS = new Set(["in_progress", "inprogress"]);

/**
 * Reads a report. Only a text that is no JSON object is refused: every other mistake costs the
 * field it is in, with a note, because the rest still tells what the agent claims.
 */
export function parseReport(source: string): Parsed<ReportReading> {
  const notes = newNotes();
  const raw = parseJson(source, notes);
  if (!raw.ok) return raw;
  const fields = fieldsOf(raw.value);
  if (fields === null) return refuse(`expected a JSON object, found ${kindOf(raw.value)}`);
  const word = wordOf(fields.get("status"));
  if (word !== null && IN_PROGRESS.has(word)) return { ok: true, value: { kind: "in-progress" } };
  const report = readReport(fields, notes);
  return { ok: true, value: { kind: "read", report, notes: notes.all } };
}

/**
 * What an agent must still fix before it may stop; empty: nothing. Stricter than the parser,
 * because here the author can still be asked, and each sentence is written to the agent.
 */
export function reportProblems(source: string): string[] {
  const parsed = parseReport(source);
  if (!parsed.ok) return [...parsed.problems];
  const fields = fieldsOf(JSON.parse(bare(source)));
  if (fields === null || parsed.value.kind === "in-progress") {
    return [`"status" must say how the work ended: ${STATUSES.join(", ")}`];
  }
  const { report } = parsed.value;
  const problems: string[] = [];
  if (!STATUSES.some((status) => status === fields.get("status"))) {
    problems.push(
      `"status" must be one of ${STATUSES.join(", ")}; found ${kindOf(fields.get("status"))}`,
    );
  }
  if (report.summary === "") problems.push('"summary" must say in a few sentences what was done');
  if (report.review !== null && report.review.reason === null) {
    problems.push(
      '"review_reason" must say what a person should look at, because requires_user_review is true',
    );
  }
  if (report.status === "blocked" && report.blockers.length === 0) {
    problems.push('"blockers" must name what blocks the work, because the status is blocked');
  }
  return problems;
}

function parseJson(source: string, notes: Notes): Parsed<unknown> {
  const bytes = Buffer.byteLength(source, "utf8");
  if (bytes > REPORT_BYTES_MAX) {
    return refuse(`the report is ${bytes} bytes long; at most ${REPORT_BYTES_MAX} are read`);
  }
  const text = bare(source);
  if (text === "") return refuse("the report is empty");
  if (text !== source.trim().replace(/^\uFEFF/, ""))
    notes.add("the JSON was wrapped in a code fence");
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    // Also a RangeError, where something is nested deeper than the parser's stack.
    return refuse(`not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : "?"}`);
  }
}

/** Without a byte order mark and without the code fence that agents like to put around JSON. */
function bare(source: string): string {
  const trimmed = source.replace(/^\uFEFF/, "").trim();
  if (!trimmed.startsWith("```") || !trimmed.endsWith("```")) return trimmed;
  const firstLineEnd = trimmed.indexOf("\n");
  return firstLineEnd < 0 ? trimmed : trimmed.slice(firstLineEnd + 1, -3).trim();
}

function refuse(message: string): Parsed<never> {
  return { ok: false, problems: [message] };
}

function readReport(fields: Fields, notes: Notes): AgentReport {
  const at = (where: string): Place => ({ where, notes });
  return {
    status: readStatus(fields, notes),
    summary:
      text(given(fields, "summary"), at("summary"), SUMMARY_CHARS_MAX) ??
      noted("", "summary: not given", notes),
    review: readReview(fields, notes),
    blockers: [
      ...items(given(fields, "blockers", "blocker"), at("blockers"), readBlocker),
      ...items(readErrors(fields, notes), at("errors"), readBlocker),
    ],
    progress: readProgress(given(fields, "partial_progress", "progress"), at("partial_progress")),
    assumptions: items(given(fields, "assumptions"), at("assumptions"), readAssumption),
    questions: items(given(fields, "questions", "open_questions"), at("questions"), readQuestion),
    criteria: items(
      given(fields, "criteria", "acceptance_criteria"),
      at("criteria"),
      readCriterion,
    ),
    approachesTried: items(given(fields, "approaches_tried"), at("approaches_tried"), readLine),
    artifacts: items(given(fields, "artifacts"), at("artifacts"), readArtifact),
    claimedGates: readGates(given(fields, "quality_gates"), at("quality_gates")),
    confidence: numberWithin(given(fields, "confidence"), at("confidence"), 1),
    nextSteps: readNextSteps(given(fields, "next_steps"), at("next_steps")),
  };
}

function readStatus(fields: Fields, notes: Notes): ReportStatus {
  const raw = fields.get("status");
  const word = wordOf(raw);
  if (word === null)
    return noted(
      "unstated",
      `status: expected ${STATUSES.join(", ")}, found ${kindOf(raw)}`,
      notes,
    );
  const status = SYNONYMS.get(word);
  if (status === undefined) {
    return noted("unstated", `status: ${kindOf(raw)} is not a state; it claims nothing`, notes);
  }
  return status === raw
    ? status
    : noted(status, `status: ${kindOf(raw)} is read as "${status}"`, notes);
}

function readReview(fields: Fields, notes: Notes): AgentReport["review"] {
  const wanted = flag(given(fields, "requires_user_review"), {
    where: "requires_user_review",
    notes,
  });
  if (wanted !== true) return null;
  const reason = text(
    given(fields, "review_reason"),
    { where: "review_reason", notes },
    LINE_CHARS_MAX,
  );
  return reason === null
    ? noted({ reason }, "requires_user_review is set without a review_reason", notes)
    : { reason };
}

function readErrors(fields: Fields, notes: Notes): unknown {
  const errors = given(fields, "errors");
  return Array.isArray(errors) && errors.length > 0
    ? noted(errors, "errors are read as blockers", notes)
    : null;
}
