import {
  anything,
  array,
  assert,
  constantFrom,
  dictionary,
  json,
  jsonValue,
  property,
  record,
  string,
  uniqueArray,
  boolean,
  option,
  oneof,
  constant,
} from "fast-check";
import { describe, expect, test } from "vitest";

import { canonical, toolArguments, toolArgumentsOf } from "../../src/readers/loops/canonical.ts";
import { afterStep, detectLoop } from "../../src/readers/loops/detect-loop.ts";
import { loopIn } from "../../src/readers/loops/find-loop.ts";
import { afterPiece, markOf, markText, NO_MARK } from "../../src/readers/loops/mark.ts";
import { NO_LOOP } from "../../src/readers/loops/memory.ts";
import { haveCountsMoved, isClockRunning, readingOf } from "../../src/readers/loops/reading.ts";
import type { Step } from "../../src/readers/loops/step.ts";

const anyText = string({ unit: "binary", maxLength: 80 });
const step = oneof(
  record({
    kind: constant("tool" as const),
    tool: constantFrom("Bash", "Read"),
    args: constantFrom("{}", '{"a":1}'),
    result: option(record({ text: anyText, isError: boolean() })),
  }),
  record({
    kind: constantFrom("message" as const, "text" as const),
    text: anyText,
  }),
  record({
    kind: constantFrom("message-end" as const, "user-message" as const, "condensation" as const),
  }),
);
const mode = constantFrom("headless" as const, "interactive" as const);

describe("looking for loops", () => {
  test("takes any steps, one by one as well as at once, and remembers a bounded part", () => {
    assert(
      property(array(step, { maxLength: 60 }), mode, (steps, how) => {
        const state = steps.reduce((before, one) => afterStep(before, one, how), NO_LOOP);
        expect(detectLoop(steps, how)).toEqual(loopIn(state));
        expect(state.calls.length).toBeLessThanOrEqual(24);
      }),
    );
  });

  test("finds nothing where every call asks for something else", () => {
    assert(
      property(
        uniqueArray(string({ maxLength: 9 }), { maxLength: 40 }),
        boolean(),
        (all, isError) => {
          const steps = all.map(
            (args) => ({ kind: "tool", tool: "x", args, result: { text: "ok", isError } }) as const,
          );
          expect(detectLoop(steps, "headless")).toBeNull();
        },
      ),
    );
  });

  test("finds four equal calls behind whatever came before", () => {
    assert(
      property(array(step, { maxLength: 20 }), mode, (before, how) => {
        const same: Step = {
          kind: "tool",
          tool: "ls",
          args: "here",
          result: { text: "", isError: false },
        };
        expect(detectLoop([...before, same, same, same, same], how)?.rule).toBe("same-call");
      }),
    );
  });

  const huge = (part: string): string => part.repeat(Math.ceil(1_000_000 / part.length));
  const hostile = [
    "\u0000",
    "a",
    "- ",
    "|",
    "1",
    "0f",
    "\n",
    "`",
    "a. ",
    " ",
    "1:1:1",
    "\ud800",
    "9ms ",
    "[image]",
    "/tmp/",
  ];

  test.each(hostile)("is not slowed or stretched by a million characters of %j", (part) => {
    const text = huge(part);
    const steps: readonly Step[] = [
      { kind: "tool", tool: text, args: text, result: { text, isError: true } },
      { kind: "message", text },
      { kind: "text", text },
    ];
    const state = steps.reduce((before, one) => afterStep(before, one, "headless"), NO_LOOP);
    loopIn(state);
    expect(JSON.stringify(state).length).toBeLessThan(40_000);
  });

  test("remembers no more after ten thousand steps than after a hundred", () => {
    const run = (count: number): number => {
      let state = NO_LOOP;
      for (let at = 0; at < count; at++) {
        const text = `${at} `.padEnd(200, "words and more of them. ");
        state = afterStep(state, { kind: "message", text }, "headless");
        if (at % 50 === 0)
          state = afterStep(
            state,
            { kind: "tool", tool: "t", args: text, result: { text, isError: false } },
            "headless",
          );
      }
      return JSON.stringify(state).length;
    };
    expect(run(10_000)).toBeLessThan(run(100) * 2);
  });
});

describe("canonical arguments", () => {
  test("do not depend on the order of keys", () => {
    assert(
      property(dictionary(string(), jsonValue()), (args) => {
        const turned = Object.fromEntries(Object.entries(args).reverse());
        expect(canonical(turned)).toBe(canonical(args));
      }),
    );
  });

  test("are the same whether they arrive as JSON or as values", () => {
    assert(
      property(json(), (text) => {
        expect(toolArgumentsOf(text)).toBe(toolArguments(JSON.parse(text)));
      }),
    );
  });

  test("are a text for whatever there is", () => {
    assert(
      property(anything(), (value) => {
        expect(typeof canonical(value)).toBe("string");
      }),
    );
  });

  test("are bounded, and still tell long texts apart", () => {
    const long = (end: string): string => canonical({ text: "x".repeat(1_000_000) + end });
    expect(long("a").length).toBeLessThan(400);
    expect(long("a")).not.toBe(long("b"));
    let deep: unknown = 1;
    for (let at = 0; at < 50_000; at++) deep = [deep];
    expect(canonical(deep).length).toBeLessThan(100);
    expect(canonical(Array.from({ length: 1_000_000 }, () => 1)).length).toBeLessThan(20_000);
  });

  test.each([
    ["a list in another order", [1, 2], [2, 1]],
    ["a number and its text", 1, "1"],
    ["null and nothing", { a: null }, {}],
    ["null and an empty text", null, ""],
  ])("tell %s apart", (_name, one, other) => {
    expect(canonical(one)).not.toBe(canonical(other));
  });

  test("keep a key that has the name of what every object inherits", () => {
    expect(canonical(JSON.parse('{"__proto__":1,"b":2}'))).toBe('{"__proto__":1,"b":2}');
  });
});

describe("a mark", () => {
  test("does not depend on where a text is cut, and tells texts apart", () => {
    assert(
      property(anyText, anyText, (one, other) => {
        expect(markText(afterPiece(afterPiece(NO_MARK, one), other))).toBe(markOf(one + other));
        expect(markOf(one) === markOf(other)).toBe(one === other);
      }),
    );
  });
});

describe("a reading", () => {
  const readings = (...texts: readonly string[]) => texts.map(readingOf);

  test.each([
    ["colour", "\u001b[32mok\u001b[0m", "ok"],
    ["the time of day", "at 10:00:01 ok", "at 11:30:59 ok"],
    ["a date", "2026-01-02T03:04:05Z ok", "2025-11-12 13:14:15.123 ok"],
    ["a date in words", "Mon Jan  5 ok", "Tue Dec 24 ok"],
    ["a UUID", "3f0b1c52-7a1e-4c0d-9f55-0a1b2c3d4e5f", "99999999-7a1e-4c0d-9f55-0a1b2c3d4e5f"],
    ["an address", "at 0x7fa319361d10", "at 0x1"],
    ["a process", "pid 17", "pid=4242"],
    ["a temporary folder", "wrote /tmp/a1/x", "wrote /tmp/zz9/x"],
    ["a port", "at localhost:41013", "at localhost:5173"],
    ["a duration", "in 1.25s", "in 13 ms"],
  ])("leaves out %s", (_name, one, other) => {
    expect(readingOf(one).said).toBe(readingOf(other).said);
  });

  test.each([
    ["a count", "9 errors", "8 errors"],
    ["a line", "a.ts:12:1", "a.ts:13:1"],
    ["a share", "40% done", "50% done"],
    ["a name", "a.ts", "b.ts"],
    ["the name of a temporary file", "/tmp/x1/a.ts is bad", "/tmp/x1/b.ts is bad"],
    [
      "something in the middle of a long text",
      `${"a".repeat(40_000)}x${"a".repeat(40_000)}`,
      `${"a".repeat(40_000)}y${"a".repeat(40_000)}`,
    ],
  ])("keeps %s", (_name, one, other) => {
    expect(readingOf(one).said).not.toBe(readingOf(other).said);
  });

  test("tells a clock that runs from one that jumps or stands", () => {
    expect(isClockRunning(readings("up 1s", "up 5s", "up 2m"))).toBe(true);
    expect(isClockRunning(readings("up 9s", "up 5s", "up 2m"))).toBe(false);
    expect(isClockRunning(readings("up 9s", "up 9s", "up 9s"))).toBe(false);
    expect(isClockRunning(readings("up 9s"))).toBe(false);
  });

  test("tells counts that moved from other words and from the same", () => {
    expect(haveCountsMoved(readings("9 left", "9 left", "7 left"))).toBe(true);
    expect(haveCountsMoved(readings("9 left", "9 left"))).toBe(false);
    expect(haveCountsMoved(readings("9 left", "8 gone"))).toBe(false);
  });
});
