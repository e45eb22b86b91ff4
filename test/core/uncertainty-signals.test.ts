import { describe, expect, test } from "vitest";

import { signalsOf, type SignalSource } from "../../src/core/decide/uncertainty.ts";
import type { AgentReport, ReportStatus } from "../../src/core/model/report.ts";
import { evidence, report as agentReport } from "../support/builders.ts";
import { noReport, streaks, unchanged } from "./builders.ts";

const report = (status: ReportStatus, confidence: number | null = null): AgentReport =>
  agentReport({ status, confidence });

const calm: SignalSource = {
  evidence: evidence(),
  report: report("completed", 0.9),
  sum: "passed",
  failure: null,
  streaks: streaks(),
  planning: false,
  seenEver: 0,
  alarms: [],
};

function seen(over: Partial<SignalSource>): readonly string[] {
  return signalsOf({ ...calm, ...over }).map(({ signal, subject }) => `${signal} ${subject}`);
}

const failure = { fp: "f1", failing: ["a"], failingCount: 1 };
const timedOut = { ending: { kind: "timed-out", limit: "session" } } as const;

describe("an attempt gives", () => {
  const unsure = (count: number): Partial<SignalSource> => ({
    sum: "unknown",
    streaks: streaks({ unknownGate: count }),
  });

  test.each<[string, Partial<SignalSource>, readonly string[]]>([
    ["nothing where all is well", {}, []],
    ["nothing without a report", { report: null }, []],
    [
      "low confidence below 0.5",
      { report: report("completed", 0.49) },
      ["declared_low_confidence report"],
    ],
    ["nothing at 0.5", { report: report("completed", 0.5) }, []],
    ["a conflict: done and red", { sum: "failed" }, ["conflicting_signals claim"]],
    ["a conflict: failed and green", { report: report("failed") }, ["conflicting_signals claim"]],
    ["no conflict: failed and red", { report: report("failed"), sum: "failed" }, []],
    ["no conflict: partial and green", { report: report("partial") }, []],
    ["no conflict: done and ungated", { sum: "ungated" }, []],
    ["an unknown verdict", unsure(1), ["verification_inconclusive gates"]],
    ["a second unknown verdict", unsure(2), ["verification_inconclusive_again gates"]],
    ["a third unknown verdict", unsure(3), ["verification_inconclusive_again gates"]],
    ["nothing for unknown verdicts of before", { ...unsure(2), sum: "passed" }, []],
    [
      "a time-out that left nothing",
      { report: null, evidence: evidence({ ...timedOut, report: noReport, tree: unchanged }) },
      ["timeout_unclear session"],
    ],
    ["nothing for one that left work", { evidence: evidence(timedOut) }, []],
    ["nothing for one idle session", { streaks: streaks({ toolless: 1 }) }, []],
    ["two idle sessions", { streaks: streaks({ toolless: 2 }) }, ["no_tool_calls sessions"]],
    ["nothing for a failure seen twice", { failure, seenEver: 2 }, []],
    ["a failure seen three times", { failure, seenEver: 3 }, ["repeated_failure f1"]],
    ["nothing for two turns without progress", { streaks: streaks({ noProgress: 2 }) }, []],
    [
      "three turns without progress",
      { streaks: streaks({ noProgress: 3 }) },
      ["no_progress turns"],
    ],
    [
      "an alarm",
      { alarms: [{ kind: "checks-lost", path: "a.test.ts", detail: "1 of 2", line: null }] },
      ["integrity_alarm checks-lost: a.test.ts"],
    ],
  ])("%s", (_what, over, expected) => {
    expect(seen(over)).toEqual(expected);
  });

  test.each([
    ["blocking", "major"],
    ["contradiction", "major"],
    ["major", "major"],
    ["minor", "minor"],
    ["taste", "minor"],
  ] as const)("for a question whose impact is %s a %s one", (impact, counted) => {
    const questions = [{ question: "Keep it?", options: [], default: null, impact }];
    const asking = agentReport({ status: "partial", questions });
    expect(seen({ report: asking })).toEqual([`declared_open_question_${counted} Keep it?`]);
  });
});
