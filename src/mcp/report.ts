// How does an agent leave its report through a tool, and learn at once what is wrong with it?

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { parseReport, reportProblems } from "../schema/report-file.ts";
import { readHold } from "./ask-files.ts";

/** The text is for the agent. Throws where the disk does; then nothing was left. */
export function leaveReport(folder: string, input: unknown) {
  const path = readHold(folder)?.reportPath ?? null;
  if (path === null)
    return refused(["orch does not say where it belongs; write it to the path in ORCH_REPORT"]);
  const report = `${JSON.stringify(input ?? null, null, 2)}\n`;
  const problems = reportProblems(report);
  if (problems.length > 0) return refused(problems);
  writeFileAtomic(path, report);
  const text = ["The report is in order and left.", ...notesOn(report)].join("\n");
  return { isLeft: true, text };
}

function refused(problems: readonly string[]) {
  const lines = problems.map((problem) => `- ${problem}`);
  const text = ["The report was not left; nothing was written:", ...lines].join("\n");
  return { isLeft: false, text };
}

/** What the reader will pass over or read otherwise than written. */
function notesOn(report: string): readonly string[] {
  const parsed = parseReport(report);
  if (!parsed.ok || parsed.value.kind !== "read" || parsed.value.notes.length === 0) return [];
  const notes = parsed.value.notes.map((note) => `- ${note}`);
  return ["Call report again if this is not what you meant:", ...notes];
}
