// How does an agent leave its report through a tool, and learn at once what is wrong with it?

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { callOrch } from "./channel.ts";

/** What orch says of a report; `text` is for the agent. */
export interface ReportReply {
  /** Where it is to be left; null: nowhere, as it is. */
  readonly path: string | null;
  readonly text: string;
}

/** orch looks at the report; the agent's side leaves it, with no more rights than the agent has. */
export async function leaveReport(
  folder: string,
  report: unknown,
  signal: AbortSignal,
): Promise<ReportReply> {
  const reply = await callOrch(folder, { verb: "report", report }, signal);
  if (reply === null)
    return refused(["orch cannot be reached; write it to the path in ORCH_REPORT"]);
  const said: ReportReply = JSON.parse(reply);
  if (said.path !== null) writeFileAtomic(said.path, reportText(report));
  return said;
}

export function reportText(report: unknown): string {
  return `${JSON.stringify(report ?? null, null, 2)}\n`;
}

export function refused(problems: readonly string[]): ReportReply {
  const lines = problems.map((problem) => `- ${problem}`);
  return {
    path: null,
    text: ["The report was not left; nothing was written:", ...lines].join("\n"),
  };
}
