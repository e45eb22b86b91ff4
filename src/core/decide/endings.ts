// How did a session end, where that is a fact beside the work: the program, a hook or the model stopped it?

import type { Evidence } from "../model/evidence.ts";
import type { ReportStatus } from "../model/report.ts";

/** What a session that ended so is told to come from. */
export const ENDING_CAUSES = {
  killed: "environment",
  hooked: "environment",
  "no-call": "environment",
  idle: "environment",
  refused: "provider",
  turns: "context-pollution",
  unreadable: "agent",
  looped: "agent",
} as const;

export type EndingId = keyof typeof ENDING_CAUSES;

export interface EndingFact {
  readonly id: EndingId;
  /** One sentence. */
  readonly words: string;
}

/** What helps where a session ended so; for others the cause says it. */
export const ADVICE: Readonly<Partial<Record<EndingId, string>>> = {
  killed:
    "see what ended the agent's program (was the machine out of memory?), then run the task again",
  hooked: "change the hook that is named above, or do what it asks, then run the task again",
  "no-call": "start the agent by hand in this repository to see what keeps it, then run it again",
  idle: "start the agent by hand in this repository to see what it does, then run the task again",
  refused: "put the task in other words, or name another model, then run it again",
  turns: "raise `budget.turns`, or split the task, then run it again",
};

type Ended = Pick<Evidence, "ending" | "report" | "trace" | "usage" | "tree">;

/** null: it ended in order, or in a way that rules of the world or of time have words for. */
export function endingFact(evidence: Ended): EndingFact | null {
  const { ending, trace, report, tree } = evidence;
  if (isThrough(evidence)) return null;
  const isInOrder = ending.kind === "finished";
  const signal = ending.kind === "crashed" ? (ending.signal ?? signalOf(ending.exitCode)) : null;
  if (signal !== null) return { id: "killed", words: `the agent's program was killed (${signal})` };
  if (trace.hook !== null && report.kind !== "read" && (isInOrder || ending.kind === "looped"))
    return { id: "hooked", words: trace.hook };
  if (madeNoCall(evidence))
    return { id: "no-call", words: `the agent made no call to its model${exitWords(evidence)}` };
  if (isInOrder && report.kind === "unreadable")
    return { id: "unreadable", words: `the report cannot be read: ${report.problems[0] ?? ""}` };
  const isUnchanged = tree.kind === "measured" && tree.changedCount === 0;
  if (isInOrder && report.kind === "missing" && isUnchanged && !trace.toolCalls)
    return {
      id: "idle",
      words: `the agent ${trace.toolCalls === 0 ? "called no tool, " : ""}left no report and changed nothing`,
    };
  if (ending.kind === "looped")
    return { id: "looped", words: `the agent looped: ${ending.detail}` };
  if (ending.kind === "limit" && ending.limit === "turns")
    return { id: "turns", words: "the session used up its turns" };
  if (ending.kind === "fault" && ending.fault.kind === "refusal")
    return { id: "refused", words: `the model refused: ${ending.fault.message}` };
  return null;
}

/** Shells, and programs that catch a signal, end with its number above 128. */
function signalOf(exitCode: number | null): string | null {
  return exitCode === 137 ? "SIGKILL" : exitCode === 143 ? "SIGTERM" : null;
}

const THROUGH: ReadonlySet<ReportStatus> = new Set(["completed", "failed", "blocked"]);

/** The agent was through with its attempt, one way or the other: then the work counts, not the ending. */
export function isThrough({ report }: Pick<Evidence, "report">): boolean {
  return report.kind === "read" && THROUGH.has(report.report.status);
}

/** "the agent's program was killed (SIGKILL), 3 sessions in a row". */
export function inARow(words: string, times: number): string {
  return times < 2 ? words : `${words}, ${times} sessions in a row`;
}

/** No model was called, where the driver tells of calls, and nothing was done. */
export function madeNoCall({ ending, report, usage, tree }: Ended): boolean {
  const isAtEnd = ending.kind === "finished" || ending.kind === "crashed";
  const isUnchanged = tree.kind !== "measured" || tree.changedCount === 0;
  return isAtEnd && usage.turns === 0 && report.kind !== "read" && isUnchanged;
}

function exitWords({ ending }: Ended): string {
  if (ending.kind !== "crashed") return "";
  const code = ending.exitCode === null ? "" : ` (exit code ${ending.exitCode})`;
  return ending.detail === "" ? code : `${code}: ${ending.detail}`;
}
