import { anything, assert, constantFrom, array, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { BLOCKERS } from "../../src/core/model/blocker.ts";
import { classifyEnding } from "../../src/readers/endings/classify-ending.ts";
import { contextFrom, NO_CONTEXT } from "../../src/readers/endings/ending-context.ts";
import type { EndingContext } from "../../src/readers/endings/ending-context.ts";

const NOON = Date.UTC(2026, 5, 10, 12);
const RUNS = { numRuns: 400 };

function ending(text: string, context: EndingContext = NO_CONTEXT) {
  return classifyEnding({ text, context, nowMs: NOON, zone: "UTC" });
}

/** Pieces of messages, so that most texts nearly are one. */
const piece = constantFrom(
  "usage limit reached",
  "resets",
  "5pm",
  "in",
  "3 days",
  "(Europe/Paris)",
  "Oct 6,",
  "|1760000400",
  "\n",
  "rate limit exceeded",
  "Permission denied",
  "error:",
  "401",
  "timed out",
  "npm error",
  "not found",
  "✓",
  "FAIL a.test.ts",
  "1 failed",
  "{",
  "}",
  '"status":"blocked"',
  "counterexample",
  "```",
  "\u001b[31m",
  "\u0000",
  "\ud800",
  "+ ",
  "> ",
  "Added",
  "try again at",
  "retry after",
  "60",
  "lock",
  "cannot",
  "both hold",
  "criteria",
);
const anyText = array(piece, { maxLength: 30 }).map((pieces) => pieces.join(" "));
const anyContext = anything().map(contextFrom);

describe("whatever the ending", () => {
  test("there is one verdict, the same each time, and its parts agree", () => {
    assert(
      property(tuple(anyText, anyContext), ([text, context]) => {
        const verdict = ending(text, context);
        expect(ending(text, context)).toEqual(verdict);
        expect(verdict.class === "none").toBe(verdict.type === "none");
        expect(verdict.class === "hard").toBe(verdict.decision === "pause_human");
        if (verdict.type !== "none" && BLOCKERS[verdict.type] === "hard")
          expect(verdict.decision).toBe("pause_human");
        expect(verdict.evidence.length).toBeLessThanOrEqual(200);
        expect(verdict.evidence).not.toMatch(/\n/);
      }),
      RUNS,
    );
  });

  test("no reset is told that no digit states", () => {
    assert(
      property(anyText, (text) => {
        const verdict = ending(text.replace(/\d/g, "x"));
        expect(verdict).toMatchObject({ resetAtMs: null, retryAfterMs: null });
      }),
      RUNS,
    );
  });

  test("only limits and full servers have a reset", () => {
    assert(
      property(tuple(anyText, anyContext), ([text, context]) => {
        const { type, resetAtMs } = ending(text, context);
        const mayReset = ["usage_limit", "rate_limit", "overloaded"].includes(type);
        expect(resetAtMs === null || mayReset).toBe(true);
      }),
      RUNS,
    );
  });

  test("a delay is never in the past, and a clock never more than a day ahead", () => {
    const clock = tuple(
      constantFrom(1, 5, 11, 12),
      constantFrom("am", "pm"),
      constantFrom("", " (Asia/Tokyo)", " EST"),
    );
    assert(
      property(clock, ([hour, half, zone]) => {
        const { resetAtMs } = ending(`usage limit reached, resets ${hour}${half}${zone}`);
        expect(resetAtMs).toBeGreaterThanOrEqual(NOON);
        expect(resetAtMs).toBeLessThanOrEqual(NOON + 86_400_000);
      }),
    );
  });

  test("what was said before the last lines changes nothing", () => {
    const last = Array.from({ length: 30 }, (_, n) => `plain line ${n}`).join("\n");
    assert(
      property(anyText, (text) => {
        expect(ending(`${text.replaceAll("```", "")}\n${last}`)).toEqual(ending(last));
      }),
      RUNS,
    );
  });

  test("any text and any record are taken", () => {
    assert(
      property(tuple(string({ unit: "binary", maxLength: 300 }), anything()), ([text, record]) => {
        expect(Object.keys(ending(text, contextFrom(record)))).toHaveLength(7);
      }),
      RUNS,
    );
  });
});

test.each([
  ["spaces", " "],
  ["line breaks", "\n"],
  ["NUL bytes", "\u0000"],
  ["lone surrogates", "\ud800"],
  ["escapes", "\u001b["],
  ["titles of terminals", "\u001b]0;"],
  ["fences", "```\n"],
  ["braces", '{"a":'],
  ["digits", "1"],
  ["words", "a "],
  ["dots", "./a"],
  ["commas", "a, "],
  ["limits", "usage limit "],
  ["exceeding", "exceeded your exceeded "],
  ["throttling", "tokens per minute limit "],
  ["contexts", "exceeds context "],
  ["tokens", "api key token "],
  ["names", "a_a_a_"],
  ["permissions", "blocked by the the the "],
  ["criteria", "criteria task plan spec "],
  ["theorems", "theorem lemma goal is "],
  ["approaches", "all approaches of the "],
  ["connections", "connection was is has been "],
  ["locks", "cannot get lock "],
  ["servers", "mcp language server "],
  ["phases", "phases 1, 2 and 3 "],
  ["turns", "max turns reached max "],
  ["tools", "eslint: eslint: "],
  ["packages", "cannot find package ' "],
  ["libraries", "libaaaa."],
  ["errors", "aerror"],
  ["reports", "1 failed, "],
  ["failed tests", "FAIL a::"],
  ["stack frames", "    at a ("],
  ["logs", "2026-06-10T12:00:00Z [a] "],
  ["requests", '"GET /'],
  ["resets", "resets resets "],
  ["durations", "try again in 1 day 1 day "],
  ["dates", "resets Oct 6, "],
  ["zones", "resets 5pm (a/a/a/"],
  ["fillers", "resets at at at on in · "],
  ["epochs", "|1760000"],
  ["retries", "retrying attempt 1 failed "],
])("a megabyte of %s is classified to its end", (_what, part) => {
  const text = part.repeat(Math.ceil(1_048_576 / part.length));
  expect(Object.keys(BLOCKERS).concat("none")).toContain(ending(text).type);
  expect(Object.keys(BLOCKERS).concat("none")).toContain(ending(`${text}\nerror`).type);
});
