// What does orch say of a report that an agent would leave through a tool?

import { parseReport, reportProblems } from "../schema/report-file.ts";
import { refused, reportText, type ReportReply } from "./report.ts";

/** `path` is where the session's report belongs. */
export function judgeReport(report: unknown, path: string): ReportReply {
  const written = reportText(report);
  const problems = reportProblems(written);
  if (problems.length > 0) return refused(problems);
  return { path, text: ["The report is in order and left.", ...notesOn(written)].join("\n") };
}

/** What the reader will pass over or read otherwise than written. */
function notesOn(report: string): readonly string[] {
  const parsed = parseReport(report);
  if (!parsed.ok || parsed.value.kind !== "read" || parsed.value.notes.length === 0) return [];
  const notes = parsed.value.notes.map((note) => `- ${note}`);
  return ["Call report again if this is not what you meant:", ...notes];
}
