// What do the texts of an attempt say?

import type { CrashCause, ClosingQuestion, Evidence, Readings } from "../core/model/evidence.ts";
import type { Recorded } from "../core/model/event.ts";
import { asksAt, type Level } from "../core/model/level.ts";
import { IMPACTS } from "../core/model/report.ts";
import { sumGates } from "../core/model/verdict.ts";
import { assessClosing } from "./closings/assess.ts";
import { classifyEnding } from "./endings/classify-ending.ts";
import { NO_CONTEXT } from "./endings/ending-context.ts";
import { failureIdentity } from "./failure/identity.ts";
import { blame } from "./failure/blame.ts";

/** What is gathered before the readers run. */
export type Unread = Omit<Evidence, "readings">;

/** Total. The texts stay in the evidence, so that a replay can read them again with today's readers. */
export function readEvidence(evidence: Unread): Readings {
  const { gates, baseline } = evidence;
  const failure = sumGates(gates) === "failed" ? failureIdentity(gates) : null;
  return {
    failure,
    failedBefore: failure !== null && blame(gates, baseline) === "pre-existing",
    crash: classifyCrashOutput(evidence),
    closing: closingQuestion(evidence),
  };
}

/** The same line as today's readers read its texts. */
export function readAgain(line: Recorded): Recorded {
  const { event } = line;
  if (event.type !== "decided") return line;
  const evidence = { ...event.evidence, readings: readEvidence(event.evidence) };
  return { ...line, event: { ...event, evidence } };
}

/**
 * Words count only of a program that died, and where neither a report nor a typed event says how it
 * stands (policy section 2).
 */
function classifyCrashOutput({ ending, report, trace, at }: Unread): CrashCause | null {
  if (ending.kind !== "crashed" || report.kind === "read") return null;
  const { exitCode, signal, detail } = ending;
  // Without a word on its error output, what the program printed last is all it said.
  const text = detail.trim() === "" ? trace.closing : detail;
  const context = { ...NO_CONTEXT, exitCode, signal };
  const { nowMs, zone } = at;
  const { decision: _decision, ...cause } = classifyEnding({ text, context, nowMs, zone });
  return cause;
}

const MOST_ASKING: Level = 5;

/** Only of a session that ended in order and left no report. */
function closingQuestion(evidence: Unread): ClosingQuestion | null {
  const { ending, report, trace, gates } = evidence;
  if (ending.kind !== "finished" || report.kind === "read" || trace.closing === "") return null;
  // Green gates turn many a sentence that sounds like trouble into a description.
  const proven = sumGates(gates) === "passed";
  const closing = { text: trace.closing, proven, level: MOST_ASKING };
  const { minLevel, evidence: lines } = assessClosing(closing);
  if (minLevel === null) return null;
  const impact = IMPACTS.findLast((one) => asksAt(minLevel, one)) ?? "blocking";
  return { question: lines[0] ?? trace.closing.slice(0, 200), impact, fromLevel: minLevel };
}
