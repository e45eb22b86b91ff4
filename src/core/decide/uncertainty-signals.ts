// Which signals of uncertainty does an attempt give?

import type { Impact, ReportStatus } from "../model/report.ts";
import type { GateSum } from "../model/verdict.ts";
import type { Signal } from "../model/signals.ts";

/** What the signals are read from; `Facts` and the history hold all of it. */
export interface SignalSource {
  readonly report: {
    readonly status: ReportStatus;
    readonly questions: readonly { readonly question: string; readonly impact: Impact }[];
    readonly confidence: number | null;
  } | null;
  readonly gates: GateSum;
  /** Unknown verdicts in a row, this attempt's included. */
  readonly unknownInRow: number;
  /** Other sources that contradict each other, in words. */
  readonly contradictions: readonly string[];
  readonly timedOut: boolean;
  /** Did the session leave anything: a changed file, a report, a resume point? */
  readonly leftSomething: boolean;
  /** Sessions in a row without a tool call or a changed file, this one included. */
  readonly idleInRow: number;
  /** null: nothing failed. */
  readonly failure: { readonly fp: string } | null;
  /** How often this failure was seen in the task, this time included. */
  readonly seenEver: number;
  /** Turns in a row without progress, this one included. */
  readonly withoutProgress: number;
  /** Integrity alarms, each with an id that stays the same from turn to turn. */
  readonly alarms: readonly { readonly id: string; readonly detail: string }[];
  /** Words of doubt in the session's last words; they weigh nothing by default. */
  readonly doubts: readonly string[];
}

const CONFIDENCE_LOW = 0.5;
const UNKNOWN_AGAIN = 2;
const IDLE_SESSIONS = 2;
const SAME_FAILURES = 3;
const TURNS_WITHOUT_PROGRESS = 3;

/** In the order of the policy's table. Every reading is of structure, but for the last. */
export function signalsOf(source: SignalSource): readonly Signal[] {
  return [
    ...declared(source),
    ...conflicts(source),
    ...unknownVerdict(source),
    ...stuck(source),
    ...source.alarms.map(({ id, detail }) => signal("integrity_alarm", id, detail)),
    ...hesitation(source.doubts),
  ];
}

function declared({ report }: SignalSource): readonly Signal[] {
  if (report === null) return [];
  const questions = report.questions.map(({ question, impact }) =>
    isMajor(impact)
      ? signal("declared_open_question_major", question, question)
      : signal("declared_open_question_minor", question, question),
  );
  const { confidence } = report;
  if (confidence === null || !(confidence < CONFIDENCE_LOW)) return questions;
  return [...questions, signal("declared_low_confidence", "report", `confidence ${confidence}`)];
}

function isMajor(impact: Impact): boolean {
  return impact !== "minor" && impact !== "taste";
}

/** A claim of failure beside green gates is as odd as a claim of success beside red ones. */
function conflicts({ report, gates, contradictions }: SignalSource): readonly Signal[] {
  const others = contradictions.map((one) => signal("conflicting_signals", one, one));
  if (report?.status === "completed" && gates === "failed") {
    const detail = "the report says completed, the gates are red";
    return [signal("conflicting_signals", "claim", detail), ...others];
  }
  if (report?.status === "failed" && gates === "passed") {
    const detail = "the report says failed, the gates are green";
    return [signal("conflicting_signals", "claim", detail), ...others];
  }
  return others;
}

function unknownVerdict({ gates, unknownInRow }: SignalSource): readonly Signal[] {
  if (gates !== "unknown") return [];
  return unknownInRow >= UNKNOWN_AGAIN
    ? [signal("verification_inconclusive_again", "gates", `${unknownInRow} times in a row`)]
    : [signal("verification_inconclusive", "gates", "once")];
}

function stuck(source: SignalSource): readonly Signal[] {
  const { failure, seenEver, idleInRow, withoutProgress } = source;
  const signals: Signal[] = [];
  if (source.timedOut && !source.leftSomething) {
    signals.push(signal("timeout_unclear", "session", "timed out and left nothing"));
  }
  if (idleInRow >= IDLE_SESSIONS) {
    signals.push(signal("no_tool_calls", "sessions", `${idleInRow} sessions in a row`));
  }
  if (failure !== null && seenEver >= SAME_FAILURES) {
    signals.push(signal("repeated_failure", failure.fp, `seen ${seenEver} times`));
  }
  if (withoutProgress >= TURNS_WITHOUT_PROGRESS) {
    signals.push(signal("no_progress", "turns", `${withoutProgress} attempts in a row`));
  }
  return signals;
}

function hesitation(doubts: readonly string[]): readonly Signal[] {
  return doubts.length === 0 ? [] : [signal("hesitation_words", "prose", doubts.join(", "))];
}

function signal(id: Signal["signal"], subject: string, detail: string): Signal {
  return { signal: id, subject, detail };
}
