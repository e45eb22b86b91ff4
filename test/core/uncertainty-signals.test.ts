import { describe, expect, test } from "vitest";

import { signalsOf } from "../../src/core/decide/uncertainty-signals.ts";
import type { SignalSource } from "../../src/core/decide/uncertainty-signals.ts";
import type { ReportStatus } from "../../src/core/model/report.ts";

const calm: SignalSource = {
  report: { status: "completed", questions: [], confidence: 0.9 },
  gates: "passed",
  unknownInRow: 0,
  contradictions: [],
  timedOut: false,
  leftSomething: true,
  idleInRow: 0,
  failure: null,
  seenEver: 0,
  withoutProgress: 0,
  alarms: [],
  doubts: [],
};

function seen(over: Partial<SignalSource>): readonly string[] {
  return signalsOf({ ...calm, ...over }).map(({ signal, subject }) => `${signal} ${subject}`);
}

const report = (status: ReportStatus, confidence: number | null = null) => ({
  status,
  confidence,
  questions: [],
});

describe("an attempt gives", () => {
  const asks = (impact: "blocking" | "contradiction" | "major" | "minor" | "taste") => ({
    report: { ...report("partial"), questions: [{ question: "Keep it?", impact }] },
    gates: "passed" as const,
  });

  test.each<[string, Partial<SignalSource>, readonly string[]]>([
    ["nothing where all is well", {}, []],
    ["nothing without a report", { report: null }, []],
    [
      "a major question, for one that blocks",
      asks("blocking"),
      ["declared_open_question_major Keep it?"],
    ],
    [
      "a major question, for a contradiction",
      asks("contradiction"),
      ["declared_open_question_major Keep it?"],
    ],
    ["a major question", asks("major"), ["declared_open_question_major Keep it?"]],
    ["a minor question", asks("minor"), ["declared_open_question_minor Keep it?"]],
    [
      "a minor question, for one of taste",
      asks("taste"),
      ["declared_open_question_minor Keep it?"],
    ],
    [
      "low confidence below 0.5",
      { report: report("completed", 0.49) },
      ["declared_low_confidence report"],
    ],
    ["nothing at 0.5", { report: report("completed", 0.5) }, []],
    ["nothing where confidence is no number", { report: report("completed", Number.NaN) }, []],
    ["a conflict: done and red", { gates: "failed" }, ["conflicting_signals claim"]],
    ["a conflict: failed and green", { report: report("failed") }, ["conflicting_signals claim"]],
    ["no conflict: failed and red", { report: report("failed"), gates: "failed" }, []],
    ["no conflict: partial and green", { report: report("partial") }, []],
    ["no conflict: done and ungated", { gates: "ungated" }, []],
    ["a conflict of two sources", { contradictions: ["README"] }, ["conflicting_signals README"]],
    [
      "an unknown verdict",
      { gates: "unknown", unknownInRow: 1 },
      ["verification_inconclusive gates"],
    ],
    [
      "a second unknown verdict",
      { gates: "unknown", unknownInRow: 2 },
      ["verification_inconclusive_again gates"],
    ],
    [
      "a third unknown verdict",
      { gates: "unknown", unknownInRow: 3 },
      ["verification_inconclusive_again gates"],
    ],
    ["nothing for unknown verdicts of before", { gates: "passed", unknownInRow: 2 }, []],
    [
      "a time-out that left nothing",
      { timedOut: true, leftSomething: false },
      ["timeout_unclear session"],
    ],
    ["nothing for one that left work", { timedOut: true }, []],
    ["nothing for one idle session", { idleInRow: 1 }, []],
    ["two idle sessions", { idleInRow: 2 }, ["no_tool_calls sessions"]],
    ["nothing for a failure seen twice", { failure: { fp: "f1" }, seenEver: 2 }, []],
    ["a failure seen three times", { failure: { fp: "f1" }, seenEver: 3 }, ["repeated_failure f1"]],
    ["nothing for two turns without progress", { withoutProgress: 2 }, []],
    ["three turns without progress", { withoutProgress: 3 }, ["no_progress turns"]],
    [
      "an alarm",
      { alarms: [{ id: "tests-removed", detail: "a.test.ts" }] },
      ["integrity_alarm tests-removed"],
    ],
    ["doubt words", { doubts: ["maybe"] }, ["hesitation_words prose"]],
  ])("%s", (_what, over, expected) => {
    expect(seen(over)).toEqual(expected);
  });

  test("words that are logged with it", () => {
    const [signal] = signalsOf({ ...calm, doubts: ["not sure", "maybe"] });
    expect(signal?.detail).toBe("not sure, maybe");
  });
});
