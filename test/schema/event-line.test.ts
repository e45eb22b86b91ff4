import fc from "fast-check";
import { expect, test } from "vitest";

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

const decided = (over: object) => ({ type: "decided", evidence: {}, explanation: {}, ...over });
const ask = { kind: "question", question: "Which port?" };
const verdict = { kind: "failed", findings: [{ check: "adds", message: "no" }] };
const gate = { name: "test", required: true, counts: null, verdict };
const scored = (...signals: readonly string[]) => ({
  parts: signals.map((signal) => ({ signal, weight: 1 })),
});
const alarms = (...kinds: readonly string[]) => ({
  evidence: { integrity: { alarms: kinds.map((kind) => ({ kind })), notes: [] } },
});

test.each<[string, Readonly<Record<string, unknown>>, object]>([
  [
    "2: a step confirms nothing and asks as by default",
    { type: "task-defined", task: { steps: [{ id: "implement" }] } },
    { task: { steps: [{ id: "implement", confirms: false, asking: DEFAULT_ASKING }] } },
  ],
  [
    "2: a question waits for ever",
    { type: "question-asked", question: ask },
    { question: { ...ask, whenExpired: "wait", budget: null } },
  ],
  [
    "2: a pause has the deadline of its step",
    decided({
      evidence: { ending: { kind: "asked", asked: ask } },
      decision: { kind: "pause", ask },
    }),
    {
      evidence: { ending: { asked: { ...ask, expiresInMs: null } } },
      decision: { ask: { ...ask, expiresInMs: null } },
    },
  ],
  [
    "4: what was read is not on record",
    decided({
      evidence: { gates: [gate, { ...gate, required: false }] },
      decision: { kind: "continue", rule: "gate-red-before" },
      explanation: { fingerprint: "f0" },
    }),
    {
      tally: null,
      evidence: { readings: { failure: null, failedBefore: false, closing: null } },
    },
  ],
  [
    "5: a replan left the tree as it was",
    decided({ decision: { kind: "replan" }, tally: { streaks: { sameFailure: 3 } } }),
    {
      decision: { kind: "replan", rollback: null },
      tally: { streaks: { sameFailure: 3, anyFailure: 0 } },
    },
  ],
  [
    "9: the rules of a second opinion",
    decided({ decision: { rule: "judge-ask" }, explanation: { rule: "judge-replan" } }),
    { decision: { rule: "uncertain-ask" }, explanation: { rule: "uncertain-replan" } },
  ],
  [
    "9: words of doubt are no signal",
    decided({ explanation: { score: scored("hesitation_words", "missing_files") } }),
    { explanation: { score: scored("missing_files") } },
  ],
  [
    "9: a crash whose cause was none has no cause",
    decided({ evidence: { readings: { crash: { type: "none", class: "none" } } } }),
    { evidence: { readings: { crash: null } } },
  ],
  [
    "9: an alarm has the name that it has today",
    decided(alarms("rules-loosened", "threshold-loosened", "test-removal", "empty-diff")),
    alarms("checks-changed", "checks-changed", "checks-lost", "empty-diff"),
  ],
])("a line of version %s", (_name, line, expected) => {
  expect(completed(line)).toMatchObject(expected);
});
