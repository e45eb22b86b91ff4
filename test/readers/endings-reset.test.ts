import { describe, expect, test } from "vitest";

import { resetIn } from "../../src/readers/endings/reset-time.ts";

const NOON = Date.UTC(2026, 5, 10, 12);

function at(text: string, zone = "UTC", nowMs = NOON): string | null {
  const reset = resetIn(text.toLowerCase(), { nowMs, zone });
  return reset === null ? null : isoOf(reset.atMs);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

describe("a stated reset is read", () => {
  test.each([
    ["epoch seconds after a bar", "limit reached|1760000400", "2025-10-09T09:00:00Z"],
    ["epoch milliseconds after a bar", "limit reached|1760000400000", "2025-10-09T09:00:00Z"],
    ["epoch after a header", "x-ratelimit-reset: 1781100000", "2026-06-10T14:00:00Z"],
    ["epoch in JSON", '{"resets_at":1781100000}', "2026-06-10T14:00:00Z"],
    ["ISO", "will reset at 2026-06-11T01:02:03Z", "2026-06-11T01:02:03Z"],
    ["ISO with an offset", "resets 2026-06-11T01:00+05:30", "2026-06-10T19:30:00Z"],
    [
      "a date, a clock and a zone",
      "You will regain access on 2026-07-01 at 00:00 UTC.",
      "2026-07-01T00:00:00Z",
    ],
    ["a clock with minutes", "resets 3:20pm", "2026-06-10T15:20:00Z"],
    ["a clock without", "Resets at 5pm.", "2026-06-10T17:00:00Z"],
    ["a clock with dots", "resets 5 p.m.", "2026-06-10T17:00:00Z"],
    ["a clock of 24 hours", "try again at 18:45", "2026-06-10T18:45:00Z"],
    ["twelve at night", "resets 12am", "2026-06-11T00:00:00Z"],
    ["midnight in a word", "resets at midnight", "2026-06-11T00:00:00Z"],
    ["twelve at noon, which is now", "resets 12pm", "2026-06-10T12:00:00Z"],
    ["a clock that has passed as tomorrow's", "resets 11:59am", "2026-06-11T11:59:00Z"],
    ["a zone in summer", "resets 7pm (America/Los_Angeles)", "2026-06-11T02:00:00Z"],
    ["a zone of half hours", "resets 11pm (Asia/Kolkata)", "2026-06-10T17:30:00Z"],
    ["a zone whose sign is turned round", "reset at 1pm (Etc/GMT+5)", "2026-06-10T18:00:00Z"],
    ["an offset from UTC", "resets 5pm (UTC+2)", "2026-06-10T15:00:00Z"],
    ["a month and a day", "will reset at Oct 6, 6pm", "2026-10-06T18:00:00Z"],
    ["a day and a month", "try again after 6 October 2026, 18:00", "2026-10-06T18:00:00Z"],
    ["an ordinal and a year", "try again at May 11th, 2026 1:36 PM", "2026-05-11T13:36:00Z"],
    ["a month that has passed as next year's", "resets Jan 2 at 9am", "2027-01-02T09:00:00Z"],
    ["yesterday without a year as late news", "resets Jun 10, 9am", "2026-06-10T09:00:00Z"],
    ["a weekday as the next one", "resets Mon 12:00am", "2026-06-15T00:00:00Z"],
    ["this weekday later today", "resets Wed 1pm", "2026-06-10T13:00:00Z"],
    ["this weekday earlier as next week's", "resets Wed 11am", "2026-06-17T11:00:00Z"],
    ["tomorrow", "resets tomorrow at 9am", "2026-06-11T09:00:00Z"],
    ["days", "Limit resets in 3 days.", "2026-06-13T12:00:00Z"],
    ["days, hours and minutes", "try again in 1 day 2 hours and 3 minutes", "2026-06-11T14:03:00Z"],
    ["a compact duration", "will reset after 8h44m7s.", "2026-06-10T20:44:07Z"],
    ["seconds", "try again in 4 seconds", "2026-06-10T12:00:04Z"],
    ["milliseconds", 'quotaresetdelay": "4000ms"', "2026-06-10T12:00:04Z"],
    ["minutes by one letter", "try again in 5m", "2026-06-10T12:05:00Z"],
    ["zero", "will reset after 0s", "2026-06-10T12:00:00Z"],
    ["the bare seconds of a header", "Retry-After: 60", "2026-06-10T12:01:00Z"],
    ["the first of several", "resets in 2 hours. Please wait 5 days.", "2026-06-10T14:00:00Z"],
  ])("%s", (_what, text, expected) => {
    expect(at(text)).toBe(expected);
  });

  test("in the reader's zone where none is named, in winter and in summer", () => {
    expect(at("resets 5pm", "Europe/Berlin")).toBe("2026-06-10T15:00:00Z");
    expect(at("resets 5pm", "Europe/Berlin", Date.UTC(2026, 0, 10, 12))).toBe(
      "2026-01-10T16:00:00Z",
    );
  });

  test("by the calendar of the zone, where tomorrow may begin earlier", () => {
    // In Tokyo it is 21:00 already, so 8 in the evening is tomorrow's.
    expect(at("resets 8pm (Asia/Tokyo)")).toBe("2026-06-11T11:00:00Z");
  });

  test("across the night in which clocks change", () => {
    const before = Date.UTC(2026, 2, 29, 0);
    expect(at("resets 9am (Europe/Berlin)", "UTC", before)).toBe("2026-03-29T07:00:00Z");
  });
});

describe("nothing is invented", () => {
  test.each([
    ["nothing", ""],
    ["no time", "Your limit will reset later."],
    ["only a day", "resets Oct 12"],
    ["only a weekday", "resets Monday"],
    ["a zone that does not exist", "resets 9pm (Nowhere/Zone)"],
    ["a zone that means several", "resets 9pm IST"],
    ["an area that means several", "resets 9pm Pacific"],
    ["an hour that does not exist", "resets 13pm"],
    ["a clock that does not exist", "try again at 25:00"],
    ["a day that does not exist", "resets Feb 30, 9am"],
    ["a date that does not exist", "resets 2026-13-01T00:00:00Z"],
    ["the program's own next try", "stream closed; retrying 1/5 in 209ms"],
    ["a number with no unit", "try again 5"],
    ["a duration with an unknown unit", "try again in 2 fortnights"],
    ["a count", "reset 3 counters"],
    ["a time that is not a reset", "at 12:30 the build failed, limit 5 per minute"],
  ])("from %s", (_what, text) => {
    expect(at(text)).toBeNull();
  });

  test("where the reader's own zone is unknown", () => {
    expect(at("resets 5pm", "Not/AZone")).toBeNull();
    expect(at("resets in 5 minutes", "Not/AZone")).toBe("2026-06-10T12:05:00Z");
  });
});
