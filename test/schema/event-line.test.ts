import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { DEFAULT_ASKING } from "../../src/core/model/question.ts";
import { completed } from "../../src/schema/event-upgrades.ts";
import { eventLine, LINE_VERSION, parseEventLine } from "../../src/schema/event-line.ts";
import { at, LOG_RUN, note, runStarted } from "../support/log-fixtures.ts";

const good = JSON.parse(eventLine(LOG_RUN, at(2, 1, note("cost"))));

test("a line gives back the event that was written, the first one included", () => {
  for (const recorded of [at(1, 1, runStarted), at(2, 1, note("ü 🚀 \u2028 \n"))])
    expect(parseEventLine(JSON.parse(eventLine(LOG_RUN, recorded)))).toEqual({
      ok: true,
      value: { version: LINE_VERSION, run: LOG_RUN, recorded },
    });
});

test("a line reads as an object whose envelope comes first", () => {
  expect(eventLine(LOG_RUN, at(2, 1, note("cost")))).toBe(
    `{"v":${LINE_VERSION},"seq":2,"epoch":1,"at":"2026-11-20T12:00:02.000Z","run":"${LOG_RUN}","type":"budget-warned","task":"write","limit":"cost"}`,
  );
});

test.each<[string, object, string]>([
  ["no version", { v: undefined }, "v: "],
  ["no number", { seq: undefined }, "seq: "],
  ["half a number", { seq: 1.5 }, "seq: "],
  ["no epoch", { epoch: undefined }, "epoch: "],
  ["a time without milliseconds", { at: "2026-11-20T12:00:02Z" }, "at: "],
  ["a time that is none", { at: "2026-99-99T12:00:02.000Z" }, "at: "],
  ["no run", { run: "" }, "run: "],
  ["an event nobody knows", { type: "budget-guessed" }, "type: "],
  ["an event named like a method", { type: "constructor" }, "type: "],
  ["a word named like a method", { type: "run-interrupted", signal: "toString" }, "signal: "],
])("%s is damage, and the place is named", (_name, change, place) => {
  expect(parseEventLine({ ...good, ...change })).toEqual({
    ok: false,
    problems: [expect.stringMatching(`^${place}`)],
  });
});

test("a line of a newer orch is not damage", () => {
  expect(parseEventLine({ ...good, v: LINE_VERSION + 1, seq: "whatever comes then" })).toEqual({
    ok: "newer",
    version: LINE_VERSION + 1,
  });
});

test("no JSON at all makes the parser throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (whole, field) => {
      parseEventLine(whole);
      for (const key of Object.keys(good)) parseEventLine({ ...good, [key]: field });
    }),
  );
});

describe("a line of version 2, which knew no deadlines, budgets to extend and plans to confirm", () => {
  const ask = { kind: "question", question: "Which port?" };
  test.each<[string, Readonly<Record<string, unknown>>, object]>([
    [
      "a step confirms nothing and asks as by default",
      { type: "task-defined", task: { steps: [{ id: "implement" }] } },
      { task: { steps: [{ id: "implement", confirms: false, asking: DEFAULT_ASKING }] } },
    ],
    [
      "a question waits for ever",
      { type: "question-asked", question: ask },
      { question: { ...ask, whenExpired: "wait", budget: null } },
    ],
    [
      "a pause has the deadline of its step",
      {
        type: "decided",
        task: "a",
        step: "b",
        attempt: 1,
        evidence: { ending: { kind: "asked", asked: ask } },
        decision: { kind: "pause", ask },
        explanation: {},
      },
      {
        evidence: { ending: { asked: { ...ask, expiresInMs: null } } },
        decision: { ask: { ...ask, expiresInMs: null } },
      },
    ],
  ])("%s", (_name, event, expected) => {
    expect(completed(event)).toMatchObject(expected);
  });
});

test("a line of version 3 had no words where a notice arrived", () => {
  const notified = { type: "notified", question: "q1", channel: "url" };
  for (const [words, trouble] of [
    ["", null],
    ["no route", "no route"],
  ])
    expect(parseEventLine({ ...good, v: 3, ...notified, trouble: words })).toMatchObject({
      value: { recorded: { event: { trouble } } },
    });
});

test("a replan of version 5 left the tree as it was", () => {
  const made = { type: "decided", evidence: {}, tally: { streaks: { sameFailure: 3 } } };
  const replan = { kind: "replan", rule: "plateau", feedback: "" };
  expect(completed({ ...made, decision: replan })).toMatchObject({
    decision: { ...replan, rollback: null },
    tally: { streaks: { sameFailure: 3, anyFailure: 0 } },
  });
});

test.each([
  ["judge-ask", "uncertain-ask"],
  ["judge-replan", "uncertain-replan"],
])("%s, by which version 9 decided, is %s", (gone, rule) => {
  const line = { type: "decided", decision: { rule: gone }, explanation: { rule: gone } };
  expect(completed(line)).toMatchObject({ decision: { rule }, explanation: { rule } });
});

test("words of doubt, a signal of version 9, are left out", () => {
  const signals = ["hesitation_words", "missing_files"].map((signal) => ({
    signal,
    weight: 1,
  }));
  const left = [{ signal: "missing_files", weight: 1 }];
  expect(completed({ type: "task-weighed", signals })).toMatchObject({ signals: left });
  const score = { parts: signals };
  expect(completed({ type: "decided", tally: { score }, explanation: { score } })).toMatchObject({
    tally: { score: { parts: left } },
    explanation: { score: { parts: left } },
  });
});

test("a crash of version 9 whose cause was none has no cause", () => {
  const line = (crash: object | null) => ({ type: "decided", evidence: { readings: { crash } } });
  expect(completed(line({ type: "none", class: "none" }))).toMatchObject(line(null));
  expect(completed(line({ type: "rate_limit" }))).toMatchObject(line({ type: "rate_limit" }));
});

test("an alarm of version 9 has the name that it has today", () => {
  const kinds = (...all: readonly string[]) => ({
    alarms: all.map((kind) => ({ kind })),
    notes: all.map((kind) => ({ kind })),
  });
  const decided = (integrity: object) => ({ type: "decided", evidence: { integrity } });
  const old = decided(kinds("rules-loosened", "threshold-loosened", "test-removal", "empty-diff"));
  expect(completed(old)).toMatchObject(
    decided(kinds("checks-changed", "checks-changed", "checks-lost", "empty-diff")),
  );
});

test("what a line of version 4 had read is not on record", () => {
  const gate = { name: "test", required: true, counts: null };
  const verdict = { kind: "failed", findings: [{ check: "adds", message: "no" }] };
  const decided = {
    type: "decided",
    task: "write",
    step: "work",
    attempt: 1,
    explanation: { fingerprint: "f0" },
    decision: { kind: "continue", rule: "gate-red-before" },
    evidence: {
      gates: [
        { ...gate, verdict },
        { ...gate, required: false, verdict },
      ],
    },
  };
  expect(completed(decided)).toMatchObject({
    tally: null,
    evidence: { readings: { failure: null, failedBefore: false, closing: null } },
  });
});
