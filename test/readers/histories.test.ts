import {
  array,
  assert,
  boolean,
  constantFrom,
  nat,
  option,
  property,
  record,
  string,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";

import { assessHistory } from "../../src/readers/loops/assess.ts";
import type { Plan, Turn } from "../../src/readers/loops/task-history.ts";

const turn = (over: Partial<Turn> = {}): Turn => ({
  gate: "failed",
  verdict: "sent-back",
  feedback: "cart.test.ts: expected 3 to be 4",
  worker: "ended",
  summary: "edits",
  hasChanged: true,
  criteria: null,
  ...over,
});
const unjudged = (over: Partial<Turn> = {}): Turn =>
  turn({ gate: "unknown", feedback: "the gate did not run", ...over });
const fault = (summary: string): Turn => unjudged({ worker: "failed", summary, feedback: "" });
const met = (verified: number, over: Partial<Turn> = {}): Turn =>
  turn({
    gate: "passed",
    feedback: "not all criteria are met",
    criteria: { verified, total: 6 },
    ...over,
  });
const saying = (...feedbacks: readonly string[]): readonly Turn[] =>
  feedbacks.map((feedback) => turn({ feedback }));
const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const MOVING = { stuck: false, rule: "moving", evidence: "" };

function check(turns: readonly Turn[], rule: string): void {
  expect(assessHistory({ kind: "turns", turns })).toMatchObject({ stuck: rule !== "moving", rule });
}

describe("the same feedback", () => {
  test.each<[string, readonly Turn[], string]>([
    ["once is a beginning", [turn()], "moving"],
    ["twice is feedback", times(2, () => turn()), "moving"],
    ["three times is a stall", times(3, () => turn()), "same-feedback"],
    [
      "with other lines and durations is the same",
      saying("a.ts:3:1 is bad (12ms)", "a.ts:9:4 is bad (8ms)", "a.ts:1:1 is bad (2s)"),
      "same-feedback",
    ],
    [
      "with other durations behind expected values is the same",
      saying(
        "expected 3 to be 4 (12ms)",
        "expected 3 to be 4 (18 ms)",
        "expected 3 to be 4 (1.2s)",
      ),
      "same-feedback",
    ],
    ["about another check is not", saying("cart fails", "cart fails", "price fails"), "moving"],
    ["is a stall for a passed gate too", times(3, () => turn({ gate: "passed" })), "same-feedback"],
    [
      "with more criteria met each time is none",
      [met(0), met(1), met(2), met(3), met(4)],
      "moving",
    ],
    [
      "with criteria that were met once before is allowed two more",
      [met(1), met(3), met(3)],
      "moving",
    ],
    [
      "after five turns is a stall although criteria were met",
      [met(1), met(3), met(3), met(3), met(3)],
      "same-feedback",
    ],
    [
      "after five turns of which the last but one was better is none",
      [met(1), met(1), met(1), met(3), met(3)],
      "moving",
    ],
    ["with fewer criteria than before is no progress", [met(3), met(2), met(2)], "same-feedback"],
    [
      "is over when the work is accepted",
      [...times(3, () => turn()), turn({ verdict: "accepted" })],
      "moving",
    ],
    ["is not hidden by an unjudged turn", [turn(), turn(), unjudged(), turn()], "same-feedback"],
    [
      "does not grow by an unjudged turn in the same words",
      [turn(), unjudged({ feedback: turn().feedback }), turn()],
      "moving",
    ],
    [
      "stays a stall when the next turn is not judged",
      [turn(), turn(), turn(), unjudged()],
      "same-feedback",
    ],
    [
      "of turns whose criteria were counted counts without a gate",
      [met(0, { gate: "unknown" }), met(0), met(0, { gate: "unknown" })],
      "same-feedback",
    ],
  ])("%s", (_name, turns, rule) => check(turns, rule));
});

describe("a gate that cannot be judged", () => {
  test.each<[string, readonly Turn[], string]>([
    ["twice is allowed", times(2, () => unjudged()), "moving"],
    ["three times is a stall", times(3, () => unjudged()), "unknown-gate"],
    [
      "three times for other reasons too",
      times(3, (i) => unjudged({ feedback: `reason ${"abc"[i]}` })),
      "unknown-gate",
    ],
    [
      "three time-outs are a stall",
      times(3, () => unjudged({ worker: "failed", summary: "timed out after 900s" })),
      "unknown-gate",
    ],
    ["begins anew after a judged turn", [unjudged(), unjudged(), turn(), unjudged()], "moving"],
    [
      "is allowed five turns where reviewers find something new",
      times(4, (i) =>
        unjudged({ feedback: `point ${"abcd"[i]}`, criteria: { verified: 0, total: 0 } }),
      ),
      "moving",
    ],
    [
      "and not more",
      times(5, (i) =>
        unjudged({ feedback: `point ${"abcde"[i]}`, criteria: { verified: 0, total: 0 } }),
      ),
      "unknown-gate",
    ],
  ])("%s", (_name, turns, rule) => check(turns, rule));
});

describe("a provider that fails", () => {
  test.each([
    "API Error: 529 Overloaded",
    "HTTP 503 Service Unavailable",
    "429 Too Many Requests",
    "You've hit your limit, it resets at 3pm",
    "rate limit reached",
    "read ECONNRESET",
    "socket hang up",
    "connection reset by peer",
  ])("makes no turn that counts: %s", (summary) => {
    check(
      times(5, () => fault(summary)),
      "moving",
    );
    check([turn(), fault(summary), turn(), fault(summary), fault(summary)], "moving");
    check([turn(), fault(summary), turn(), fault(summary), turn()], "same-feedback");
  });

  test.each([
    "worker crashed: unknown message rate_limit_event",
    "exceeded 600s timeout",
    "exit code 1",
  ])("is not what failed here: %s", (summary) =>
    check(
      times(3, () => fault(summary)),
      "unknown-gate",
    ),
  );

  test("is no excuse for a session that ended by itself", () => {
    check(
      times(3, () => turn({ summary: "handled 503 Service Unavailable" })),
      "same-feedback",
    );
  });
});

describe("going to and fro", () => {
  test.each<[string, readonly Turn[], string]>([
    ["two states in turn", saying("slow", "big", "slow", "big"), "oscillation"],
    ["an old failure that came back once", saying("slow", "big", "slow"), "moving"],
    ["and was left behind", saying("slow", "big", "slow", "docs"), "moving"],
    ["three states in turn", saying("slow", "big", "ugly", "slow", "big"), "oscillation"],
    [
      "one failure that comes back between others",
      saying("slow", "big", "slow", "ugly", "slow"),
      "oscillation",
    ],
    [
      "with criteria that rise and fall",
      [
        met(3, { feedback: "slow" }),
        met(4, { feedback: "big" }),
        met(3, { feedback: "slow" }),
        met(4, { feedback: "big" }),
      ],
      "oscillation",
    ],
    [
      "with criteria that only rise",
      [
        met(1, { feedback: "slow" }),
        met(2, { feedback: "big" }),
        met(3, { feedback: "slow" }),
        met(4, { feedback: "big" }),
      ],
      "moving",
    ],
    [
      "between states that nobody judged",
      [
        turn({ feedback: "a" }),
        unjudged(),
        turn({ feedback: "b" }),
        unjudged(),
        turn({ feedback: "c" }),
        unjudged(),
      ],
      "moving",
    ],
  ])("%s", (_name, turns, rule) => check(turns, rule));
});

describe("turns that change nothing", () => {
  const idle = (feedback: string): Turn => turn({ hasChanged: false, feedback });

  test.each<[string, readonly Turn[], string]>([
    ["three, and nothing new is said", [idle("a"), idle("b"), idle("a")], "no-change"],
    ["three, and something new is said", [idle("a"), idle("a"), idle("b")], "moving"],
    ["four, whatever is said", [idle("a"), idle("a"), idle("a"), idle("b")], "no-change"],
    ["one among others", [idle("a"), turn({ feedback: "b" }), idle("a")], "moving"],
    [
      "where more criteria are met all the same",
      [
        idle("a"),
        { ...met(1), hasChanged: false },
        { ...met(2), hasChanged: false },
        { ...met(3), hasChanged: false },
      ],
      "moving",
    ],
    [
      "that were not measured",
      times(3, (i) => turn({ hasChanged: null, feedback: `${"abc"[i]}` })),
      "moving",
    ],
  ])("%s", (_name, turns, rule) => check(turns, rule));
});

describe("criteria that stand still", () => {
  const flat = (...feedbacks: readonly string[]): readonly Turn[] =>
    feedbacks.map((feedback) => met(4, { feedback }));

  test.each<[string, readonly Turn[], string]>([
    ["four turns that end in an old complaint", flat("a", "a", "b", "b"), "plateau"],
    ["four turns that end in a new one", flat("a", "a", "b", "c"), "moving"],
    ["five turns", flat("a", "b", "c", "d", "e"), "plateau"],
    [
      "five turns in which a number moves",
      flat("61% of 80%", "65% of 80%", "70% of 80%", "74% of 80%", "78% of 80%"),
      "moving",
    ],
    [
      "five turns in which fewer checks fail",
      flat(
        "9 tests fail",
        "7 tests fail in all",
        "4 tests failed",
        "2 tests fail now",
        "1 test fails",
      ),
      "moving",
    ],
    [
      "all of them met",
      flat("a", "b", "c", "d", "e").map((one) => ({ ...one, criteria: { verified: 6, total: 6 } })),
      "moving",
    ],
    ["that nobody counted", saying("a", "b", "c", "d", "e"), "moving"],
  ])("%s", (_name, turns, rule) => check(turns, rule));
});

describe("new plans", () => {
  const plans = (...texts: readonly string[]): readonly Plan[] =>
    texts.map((text) => ({ text, isSatisfied: false }));

  test.each<[string, readonly Plan[], string]>([
    ["none", [], "moving"],
    ["a first one", plans("search the archive"), "moving"],
    ["a second one that differs", plans("search the archive", "ask the registry"), "moving"],
    [
      "a second one that is the first",
      plans("Search the archive.", "search the  archive"),
      "plan-repeated",
    ],
    [
      "one that was left before",
      plans("search the archive", "ask the registry", "Search the archive!"),
      "plan-repeated",
    ],
    [
      "a third one",
      plans("search the archive", "ask the registry", "write a letter"),
      "replans-spent",
    ],
    [
      "a third one that did it",
      [...plans("search", "ask"), { text: "write", isSatisfied: true }],
      "moving",
    ],
    ["without any words", plans("", "..."), "moving"],
  ])("%s", (_name, list, rule) => {
    expect(assessHistory({ kind: "replans", plans: list })).toMatchObject({
      stuck: rule !== "moving",
      rule,
    });
  });
});

describe("what a history is stuck in", () => {
  test("is said in one line", () => {
    expect(assessHistory({ kind: "turns", turns: times(3, () => turn()) })).toEqual({
      stuck: true,
      rule: "same-feedback",
      evidence: "the same feedback 3 times, and nothing got better",
    });
    expect(
      assessHistory({
        kind: "turns",
        turns: times(5, (i) => met(4, { feedback: `${"abcde"[i]}` })),
      }).evidence,
    ).toBe("4 of 6 criteria met, unchanged over 5 turns");
  });

  test("is nothing where nothing was done", () => {
    expect(assessHistory({ kind: "turns", turns: [] })).toEqual(MOVING);
    expect(assessHistory({ kind: "steps", mode: "headless", steps: [] })).toEqual(MOVING);
  });
});

describe("any turns", () => {
  const any = record({
    gate: constantFrom("passed" as const, "failed" as const, "unknown" as const),
    verdict: constantFrom("sent-back" as const),
    feedback: constantFrom("a", "b", "3 tests fail", "2 tests fail", ""),
    worker: constantFrom("ended" as const, "failed" as const),
    summary: string(),
    hasChanged: option(boolean()),
    criteria: option(tuple(nat(4), nat(4)).map(([verified, total]) => ({ verified, total }))),
  });

  test("end in a stall when nothing but the same comes after them", () => {
    assert(
      property(array(any, { maxLength: 12 }), (turns) => {
        expect(
          assessHistory({
            kind: "turns",
            turns: [...turns, ...times(6, () => turn({ hasChanged: false }))],
          }).stuck,
        ).toBe(true);
      }),
    );
  });

  test("are never a stall when the last is accepted", () => {
    assert(
      property(array(any, { maxLength: 12 }), (turns) => {
        expect(
          assessHistory({ kind: "turns", turns: [...turns, turn({ verdict: "accepted" })] }),
        ).toEqual(MOVING);
      }),
    );
  });

  test("are bounded in what is looked at", () => {
    const feedback = "0f ".repeat(400_000);
    expect(
      assessHistory({
        kind: "turns",
        turns: times(3, () => turn({ feedback, summary: feedback, worker: "failed" })),
      }).stuck,
    ).toBe(true);
  });
});
