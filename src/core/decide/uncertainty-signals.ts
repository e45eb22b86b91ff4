// Which signals of uncertainty does an attempt give?

import type { Alarm } from "../model/alarm.ts";
import type { Evidence } from "../model/evidence.ts";
import type { AgentReport } from "../model/report.ts";
import type { FailureIdentity, GateSum } from "../model/verdict.ts";
import type { Signal, SignalId } from "../model/signals.ts";
import type { Streaks } from "../model/tally.ts";

/** The part of an attempt's facts that its signals are read from. */
export interface SignalSource {
  readonly evidence: Evidence;
  /** null: no usable report. */
  readonly report: AgentReport | null;
  readonly sum: GateSum;
  readonly failure: FailureIdentity | null;
  /** As they stand if this attempt counts. */
  readonly streaks: Streaks;
  /** The attempt was one of planning: nothing was to be proved. */
  readonly planning: boolean;
  /** How often this failure was seen in the task, this time included. */
  readonly seenEver: number;
  /** Integrity alarms that the task does not allow. */
  readonly alarms: readonly Alarm[];
}

const CONFIDENCE_LOW = 0.5;
const UNKNOWN_AGAIN = 2;
const IDLE_SESSIONS = 2;
const SAME_FAILURES = 3;
const TURNS_WITHOUT_PROGRESS = 3;

/** In the order of the policy's table. Every reading is of structure. */
export function signalsOf(source: SignalSource): readonly Signal[] {
  const { failure, seenEver, alarms } = source;
  const { toolless, noProgress } = source.streaks;
  return [
    ...declared(source),
    ...ofGates(source),
    ...given(timedOutIdly(source), "timeout_unclear", "session", "timed out and left nothing"),
    ...given(toolless >= IDLE_SESSIONS, "no_tool_calls", "sessions", inRow(toolless, "sessions")),
    ...(failure === null || seenEver < SAME_FAILURES
      ? []
      : given(true, "repeated_failure", failure.fp, `seen ${seenEver} times`)),
    ...given(
      noProgress >= TURNS_WITHOUT_PROGRESS,
      "no_progress",
      "turns",
      inRow(noProgress, "attempts"),
    ),
    ...alarms.flatMap(({ kind, path, detail }) =>
      given(true, "integrity_alarm", path === null ? kind : `${kind}: ${path}`, detail),
    ),
  ];
}

function declared({ report }: SignalSource): readonly Signal[] {
  if (report === null) return [];
  const { questions, confidence } = report;
  const isLow = confidence !== null && confidence < CONFIDENCE_LOW;
  return [
    ...questions.flatMap(({ question, impact }) => {
      const weight = impact === "minor" || impact === "taste" ? "minor" : "major";
      return given(true, `declared_open_question_${weight}`, question, question);
    }),
    ...given(isLow, "declared_low_confidence", "report", `confidence ${confidence}`),
  ];
}

/** A claim of failure beside green gates is as odd as a claim of success beside red ones. */
function ofGates({ report, planning, sum, streaks }: SignalSource): readonly Signal[] {
  const gates = planning ? "ungated" : sum;
  const unknown = streaks.unknownGate;
  const again = unknown >= UNKNOWN_AGAIN;
  const isOdd =
    (report?.status === "completed" && gates === "failed") ||
    (report?.status === "failed" && gates === "passed");
  const colour = gates === "failed" ? "red" : "green";
  const words = `the report says ${report?.status}, the gates are ${colour}`;
  return [
    ...given(isOdd, "conflicting_signals", "claim", words),
    ...given(
      gates === "unknown",
      again ? "verification_inconclusive_again" : "verification_inconclusive",
      "gates",
      again ? `${unknown} times in a row` : "once",
    ),
  ];
}

function timedOutIdly({ evidence: { ending, tree }, report }: SignalSource): boolean {
  const leftNothing = report === null && tree.kind === "measured" && tree.changedCount === 0;
  return ending.kind === "timed-out" && leftNothing;
}

function inRow(count: number, what: string): string {
  return `${count} ${what} in a row`;
}

function given(is: boolean, signal: SignalId, subject: string, detail: string): readonly Signal[] {
  return is ? [{ signal, subject, detail }] : [];
}
