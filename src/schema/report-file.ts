// What does the agent's report say, however carelessly it was written?

import { invariant } from "../core/model/assert.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { ReportFinding } from "../core/model/report.ts";
import { isObject, type JsonObject } from "../core/model/json.ts";
import { parsed, parseJson, unparsed, type Parsed, withoutByteOrderMark } from "./parsed.ts";
import { REPORT_SYNONYMS, reportSchema } from "./report-shape.ts";
import { canonical, normalised, readTolerantly, withSynonyms } from "./tolerant.ts";

export type ReportReading = Extract<ReportFinding, { kind: "read" | "in-progress" }>;

export const REPORT_BYTES_MAX = 256 * 1024;
const SHOWN_CHARS_MAX = 40;

const STATUSES = ["completed", "partial", "failed", "blocked"] as const;

/** Words seen in the wild for the four; anything else claims nothing. */
const STATUS_WORDS: Readonly<Record<(typeof STATUSES)[number], string>> = {
  completed: "completed complete done implemented success succeeded",
  partial: "partial partially_completed",
  failed: "failed error failure",
  blocked: "blocked",
};

/**
 * Reads a report. Only a text that is no JSON object is refused: every other mistake costs the
 * field it is in, with a note, because the rest still tells what the agent claims.
 */
export function parseReport(source: string): Parsed<ReportReading> {
  const fields = fieldsIn(source);
  return fields.ok ? parsed(readingOf(fields.value)) : fields;
}

/**
 * What an agent must still fix before it may stop; empty: nothing. Stricter than the parser,
 * because here the author can still be asked, and each sentence is written to the agent.
 */
export function reportProblems(source: string): string[] {
  const fields = fieldsIn(source);
  if (!fields.ok) return [...fields.problems];
  const reading = readingOf(fields.value);
  if (reading.kind === "in-progress")
    return [`"status" must say how the work ended: ${STATUSES.join(", ")}`];
  const { status, summary, review, blockers } = reading.report;
  const word = fields.value["status"];
  const flaws: readonly (readonly [boolean, string])[] = [
    [status !== word, `"status" must be one of ${STATUSES.join(", ")}; found ${shown(word)}`],
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

/** Under their documented names. */
function fieldsIn(source: string): Parsed<JsonObject> {
  const bytes = Buffer.byteLength(source, "utf8");
  if (bytes > REPORT_BYTES_MAX)
    return unparsed(`the report is ${bytes} bytes long; at most ${REPORT_BYTES_MAX} are read`);
  // Without a byte order mark and the code fence that agents like to put around JSON.
  const trimmed = withoutByteOrderMark(source).trim();
  const json = /^```[^\n]*\n([^]*)```$/.exec(trimmed)?.[1]?.trim() ?? trimmed;
  if (json === "") return unparsed("the report is empty");
  const raw = parseJson(json);
  const again = raw.ok ? raw : parseJson(withoutLastCommas(json));
  if (!again.ok) return raw.ok ? again : raw;
  const fields = normalised(again.value);
  if (!isObject(fields)) return unparsed("expected a JSON object");
  return parsed(withSynonyms(fields, REPORT_SYNONYMS));
}

/** As other languages allow them, before a closing bracket; strings stay as they are. */
function withoutLastCommas(json: string): string {
  return json.replace(/("(?:[^"\\]|\\[^])*")|,(?=\s*[}\]])/g, "$1");
}

function readingOf(fields: JsonObject): ReportReading {
  const word = fields["status"];
  if (canonical(word) === "in_progress") return { kind: "in-progress" };
  const { value, notes } = readTolerantly(reportSchema, fields);
  // Every field of a report may be left out.
  invariant(value !== null, "a report can be read of any object");
  const isMeant = (one: (typeof STATUSES)[number]): boolean =>
    STATUS_WORDS[one].split(" ").includes(canonical(word));
  const status = STATUSES.find(isMeant) ?? "unstated";
  const noted = status === word ? [] : [`status: ${shown(word)} is read as "${status}"`];
  return { kind: "read", report: { status, ...value }, notes: [...noted, ...notes] };
}

function shown(word: unknown): string {
  return typeof word === "string" ? JSON.stringify(excerpt(word, SHOWN_CHARS_MAX)) : "no word";
}
