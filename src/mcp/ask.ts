// What is an agent told that puts a question, by whatever way?

import type { UnaskedQuestion } from "../core/model/session.ts";
import type { AgentRequest, CallOrch, OrchSide } from "./channel.ts";

/**
 * "unasked": orch answered by itself. "pending": a person did not answer in time. "busy": another
 * question waits. "wordless": there is none. "closed": nobody can be reached.
 */
export interface AskReply {
  readonly kind: "answered" | "unasked" | keyof typeof SAID;
  /** The answer, or what the agent is told in its place. */
  readonly text: string;
  /** Why orch answered; null where it did not. */
  readonly why: UnaskedQuestion["why"] | null;
}

const SAID = {
  pending:
    "pending: the question was put to a person, who has not answered yet. Save your state (and " +
    'leave a report with status "partial"), then end your turn; you will be started again with ' +
    "the answer.",
  busy: "One question at a time: another one is waiting. Ask this again after its answer.",
  wordless: 'Give the question as text in "question".',
  closed:
    "The question could not be put to a person now. Take the most conservative reading, " +
    "record it under assumptions, and list the question in your report.",
} as const;

/** What an agent is told in place of an answer. */
export function instead(kind: keyof typeof SAID): AskReply {
  return { kind, text: SAID[kind], why: null };
}

/** Never rejects. `signal` ends the wait; the question stays. */
export async function askOrch(
  call: CallOrch,
  asked: Omit<Extract<AgentRequest, { verb: "ask" }>, "verb">,
  signal: AbortSignal,
): Promise<AskReply> {
  const reply = await call({ verb: "ask", ...asked }, signal);
  return reply === null ? instead("closed") : JSON.parse(reply);
}

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
