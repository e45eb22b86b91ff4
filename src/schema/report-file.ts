// What does the agent's report say, however carelessly it was written?

import type { AgentReport, ReportFinding, ReportStatus } from "../core/model/report.ts";
import {
  canonical,
  claimOf,
  flag,
  given,
  items,
  kindOf,
  note,
  numberWithin,
  part,
  text,
  type Claim,
} from "./claims.ts";
import { parsed, parseJson, unparsed, type Parsed } from "./parsed.ts";
import {
  LINE_CHARS_MAX,
  SUMMARY_CHARS_MAX,
  readArtifact,
  readAssumption,
  readBlocker,
  readChangedCheck,
  readCriterion,
  readGates,
  readLine,
  readProgress,
  readQuestion,
} from "./report-items.ts";

export type ReportReading = Extract<ReportFinding, { kind: "read" | "in-progress" }>;

export const REPORT_BYTES_MAX = 256 * 1024;
/** A plan is handed to the next step this way. */
const NEXT_STEPS_CHARS_MAX = 16_000;

const STATUSES = ["completed", "partial", "failed", "blocked"] as const;

/** Words seen in the wild for the four; anything else claims nothing. */
const STATUS_WORDS: ReadonlyMap<string, ReportStatus> = new Map<string, ReportStatus>([
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

/**
 * Reads a report. Only a text that is no JSON object is refused: every other mistake costs the
 * field it is in, with a note, because the rest still tells what the agent claims.
 */
export function parseReport(source: string): Parsed<ReportReading> {
  const claim = claimIn(source);
  return claim.ok ? parsed(readingOf(claim.value)) : claim;
}

/**
 * What an agent must still fix before it may stop; empty: nothing. Stricter than the parser,
 * because here the author can still be asked, and each sentence is written to the agent.
 */
export function reportProblems(source: string): string[] {
  const claim = claimIn(source);
  if (!claim.ok) return [...claim.problems];
  const reading = readingOf(claim.value);
  if (reading.kind === "in-progress")
    return [`"status" must say how the work ended: ${STATUSES.join(", ")}`];
  const { status, summary, review, blockers } = reading.report;
  const word = claim.value.fields.get("status");
  const flaws: readonly (readonly [boolean, string])[] = [
    [status !== word, `"status" must be one of ${STATUSES.join(", ")}; found ${kindOf(word)}`],
    [summary === "", '"summary" must say in a few sentences what was done'],
    [
      review?.reason === null,
      '"review_reason" must say what a person should look at, because requires_user_review is true',
    ],
    [
      status === "blocked" && blockers.length === 0,
      '"blockers" must name what blocks the work, because the status is blocked',
    ],
  ];
  return flaws.flatMap(([isThere, sentence]) => (isThere ? [sentence] : []));
}

function claimIn(source: string): Parsed<Claim> {
  const bytes = Buffer.byteLength(source, "utf8");
  if (bytes > REPORT_BYTES_MAX)
    return unparsed(`the report is ${bytes} bytes long; at most ${REPORT_BYTES_MAX} are read`);
  // Without a byte order mark and the code fence that agents like to put around JSON.
  const trimmed = source.replace(/^\uFEFF/, "").trim();
  const fenced = /^```[^\n]*\n([^]*)```$/.exec(trimmed)?.[1];
  const json = fenced?.trim() ?? trimmed;
  if (json === "") return unparsed("the report is empty");
  const raw = parseJson(json);
  if (!raw.ok) return raw;
  const notes = fenced === undefined ? [] : ["the JSON was wrapped in a code fence"];
  const claim = claimOf(raw.value, "", notes);
  if (claim === null) return unparsed(`expected a JSON object, found ${kindOf(raw.value)}`);
  return parsed(claim);
}

function readingOf(of: Claim): ReportReading {
  if (canonical(of.fields.get("status")) === "in_progress") return { kind: "in-progress" };
  return { kind: "read", report: readReport(of), notes: of.notes };
}

function readReport(of: Claim): AgentReport {
  const reason = text(of, LINE_CHARS_MAX, "review_reason");
  const progress = part(of, "partial_progress", "progress");
  const gates = part(of, "quality_gates");
  return {
    status: readStatus(of),
    summary: text(of, SUMMARY_CHARS_MAX, "summary") ?? "",
    review: flag(of, "requires_user_review") === true ? { reason } : null,
    blockers: [
      ...items(of, ["message", readBlocker], "blockers", "blocker"),
      ...items(of, ["message", readBlocker], "errors"),
    ],
    progress: progress === null ? null : readProgress(progress),
    assumptions: items(of, ["decision", readAssumption], "assumptions"),
    questions: items(of, ["question", readQuestion], "questions", "open_questions"),
    criteria: items(of, ["text", readCriterion], "criteria", "acceptance_criteria"),
    approachesTried: items(of, ["label", readLine], "approaches_tried"),
    artifacts: items(of, ["path", readArtifact], "artifacts"),
    claimedGates: gates === null ? null : readGates(gates),
    changedChecks: items(of, ["check", readChangedCheck], "changed_checks"),
    confidence: numberWithin(of, 1, "confidence"),
    nextSteps: readNextSteps(of),
  };
}

function readStatus(of: Claim): ReportStatus {
  const word = of.fields.get("status");
  const status = STATUS_WORDS.get(canonical(word)) ?? "unstated";
  if (status !== word) note(of, "status", `${kindOf(word)} is read as "${status}"`);
  return status;
}

function readNextSteps(of: Claim): string | null {
  if (!Array.isArray(given(of, "next_steps"))) return text(of, NEXT_STEPS_CHARS_MAX, "next_steps");
  return items(of, ["label", readLine], "next_steps").join("\n").slice(0, NEXT_STEPS_CHARS_MAX);
}
