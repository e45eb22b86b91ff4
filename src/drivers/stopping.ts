// May an agent stop, or does it owe a report?

import { readSmallFile } from "../adapters/files/small-file.ts";
import { unaskedAnswer } from "../core/decide/asking.ts";
import { textAt, type JsonObject } from "../core/model/json.ts";
import type { OpenQuestions } from "../mcp/open-questions.ts";
import { questionIn } from "../readers/read-evidence.ts";
import { REPORT_BYTES_MAX, reportProblems } from "../schema/report-file.ts";

const PROBLEMS_SHOWN_MAX = 10;

/** A person is to answer what the agent asks in words. */
export function isWorthAsking(input: JsonObject, { asking }: OpenQuestions): boolean {
  const question = questionIn(textAt(input, "last_assistant_message") ?? "");
  return question !== null && unaskedAnswer(asking, { question, impact: "major" }) === null;
}

/** Holds the agent until its report is in order; null: it is. */
export function refusalToStop(reportPath: string) {
  // Somewhat more than a report may have, so that one that is too long is told its size.
  const text = readSmallFile(reportPath, 2 * REPORT_BYTES_MAX);
  const problems = text === null ? ["there is no report file there yet"] : reportProblems(text);
  if (problems.length === 0) return null;
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map((problem) => `- ${problem}`);
  const reason = [
    "Your report is not in order yet:",
    ...shown,
    `Write it as one JSON object to ${reportPath}, then stop. At least:`,
    '{"version": 1, "status": "completed | partial | failed | blocked", "summary": "what you did and what is left"}',
  ].join("\n");
  return { decision: "block", reason };
}
