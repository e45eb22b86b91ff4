// What do the texts of an attempt say?

import type { CrashCause, ClosingQuestion, Evidence, Readings } from "../core/model/evidence.ts";
import type { Recorded } from "../core/model/event.ts";
import { sumGates } from "../core/model/verdict.ts";
import { questionIn } from "./closing-question.ts";
import { crashCause } from "./endings/crash-cause.ts";
import { recordIn } from "./endings/fault-record.ts";
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
    crash: causeOfCrash(evidence),
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
 * stands.
 */
function causeOfCrash({ ending, report, trace, at }: Unread): CrashCause | null {
  if (ending.kind !== "crashed" || report.kind === "read") return null;
  const { exitCode, signal, detail } = ending;
  // Without a word on its error output, what the program printed last is all it said.
  const text = detail.trim() === "" ? trace.closing : detail;
  const { nowMs, zone } = at;
  return crashCause({ text, record: recordIn(text), exitCode, signal, nowMs, zone });
}

/** Only of a session that ended in order and left no report. Prose does not tell what hangs on it. */
function closingQuestion({ ending, report, trace }: Unread): ClosingQuestion | null {
  if (ending.kind !== "finished" || report.kind === "read") return null;
  const question = questionIn(trace.closing);
  return question === null ? null : { question, impact: "major" };
}
