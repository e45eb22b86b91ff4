import fc from "fast-check";
import { expect, test } from "vitest";

import { eventLine, LINE_VERSION, parseEventLine } from "../../src/schema/event-line.ts";
import { at, LOG_RUN, note, runStarted } from "../support/log-fixtures.ts";

const good = JSON.parse(eventLine(LOG_RUN, at(2, 1, note("cost"))));

test("a line gives back the event that was written, the first one included", () => {
  for (const recorded of [at(1, 1, runStarted), at(2, 1, note("ü 🚀 \u2028 \n"))])
    expect(parseEventLine(JSON.parse(eventLine(LOG_RUN, recorded)))).toEqual({
      ok: true,
      value: { run: LOG_RUN, recorded },
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

test.each([LINE_VERSION + 1, LINE_VERSION - 1])("a line of version %i is not damage", (version) => {
  expect(parseEventLine({ ...good, v: version, seq: "whatever stands there" })).toEqual({
    ok: "unknown",
    version,
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
