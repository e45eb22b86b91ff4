// How does an agent leave its report through a tool, and learn at once what is wrong with it?

import type { OrchSide } from "./channel.ts";

/** What orch says of a report; `text` is for the agent. */
export interface ReportReply {
  /** Where it is to be left; null: nowhere, as it is. */
  readonly path: string | null;
  readonly text: string;
}

export async function leaveReport(
  { call, leave }: Pick<OrchSide, "call" | "leave">,
  report: unknown,
  signal: AbortSignal,
): Promise<ReportReply> {
  const reply = await call({ verb: "report", report }, signal);
  if (reply === null)
    return refused(["orch cannot be reached; write it to the path in ORCH_REPORT"]);
  const answer: ReportReply = JSON.parse(reply);
  if (answer.path !== null) leave(answer.path, reportText(report));
  return answer;
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
