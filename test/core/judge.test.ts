import {
  assert,
  boolean,
  constantFrom,
  double,
  integer,
  option,
  property,
  record,
} from "fast-check";
import { describe, expect, test } from "vitest";

import {
  confirmed,
  DEFAULT_JUDGE,
  findingFrom,
  JUDGE_ANSWERS,
  mayAsk,
  needsConfirmation,
  type JudgeFinding,
  type JudgeMoment,
  type JudgeReply,
  type JudgeSettings,
  type JudgeVerdict,
} from "../../src/core/model/judge.ts";
import { NO_TOKENS } from "../../src/core/model/session.ts";

const ON: JudgeSettings = { ...DEFAULT_JUDGE, enabled: true };

const moment = (over: Partial<JudgeMoment> = {}): JudgeMoment => ({
  attempt: 3,
  steps: 10,
  last: null,
  ...over,
});
const after = (stepsSince: number | null, confidence: number | null, attempt = 2) => ({
  attempt,
  confidence,
  stepsSince,
});
const verdict = (
  answer: JudgeVerdict["answer"] = "needs-new-plan",
  confidence = 0.9,
  reason = "attempts 2 and 3 fail alike",
): JudgeVerdict => ({ answer, confidence, reason });
const judged = (of: JudgeVerdict): JudgeReply => ({
  kind: "judged",
  verdict: of,
  usage: NO_TOKENS,
});
const failure: JudgeReply = { kind: "failed", why: "no answer", usage: NO_TOKENS };
const asked = (first: JudgeVerdict, second: JudgeVerdict | null): JudgeFinding => ({
  kind: "asked",
  first,
  second,
});

test("it is off unless configured", () => {
  expect(DEFAULT_JUDGE.enabled).toBe(false);
});

describe("when it is asked", () => {
  test.each<[string, boolean, JudgeMoment]>([
    ["not before the third attempt", false, moment({ attempt: 2 })],
    ["from the third attempt", true, moment({ attempt: 3 })],
    ["after it", true, moment({ attempt: 4 })],
    ["not before the thirtieth step of an early attempt", false, moment({ attempt: 1, steps: 29 })],
    ["from the thirtieth step of an early attempt", true, moment({ attempt: 1, steps: 30 })],
    ["late, where steps are not told", true, moment({ steps: null })],
    ["not early, where steps are not told", false, moment({ attempt: 2, steps: null })],
    ["not twice for one attempt", false, moment({ last: after(100, 1, 3) })],
    ["not for an attempt of the past", false, moment({ last: after(100, 1, 4) })],
    ["not 4 steps after a certain answer", false, moment({ last: after(4, 1) })],
    ["5 steps after a certain answer", true, moment({ last: after(5, 1) })],
    ["not 9 steps after one half certain", false, moment({ last: after(9, 0.5) })],
    ["10 steps after one half certain", true, moment({ last: after(10, 0.5) })],
    ["not 14 steps after one worth nothing", false, moment({ last: after(14, 0) })],
    ["15 steps after one worth nothing", true, moment({ last: after(15, 0) })],
    ["not 14 steps after a look that failed", false, moment({ last: after(14, null) })],
    ["15 steps after a look that failed", true, moment({ last: after(15, null) })],
    ["in the next attempt, where steps are not told", true, moment({ last: after(null, 0) })],
    [
      "not early again because it was early before",
      false,
      moment({ attempt: 2, last: after(50, 1, 1) }),
    ],
    ["not where its last confidence is no number", false, moment({ last: after(99, NaN) })],
  ])("%s", (_name, expected, at) => {
    expect(mayAsk(at, ON)).toBe(expected);
    expect(mayAsk(at, DEFAULT_JUDGE)).toBe(false);
  });

  const few = (most: number) => integer({ min: 0, max: most });
  const confidence = option(double({ min: 0, max: 1, noNaN: true }), { nil: null });
  const anyMoment = record({
    attempt: few(9),
    steps: option(few(60), { nil: null }),
    last: option(
      record({ attempt: few(9), confidence, stepsSince: option(few(30), { nil: null }) }),
      { nil: null },
    ),
  });

  test("never before the third attempt without thirty steps, nor within five steps of the last look", () => {
    assert(
      property(anyMoment, (at) => {
        if (!mayAsk(at, ON)) return;
        expect(at.attempt >= 3 || (at.steps ?? 0) >= 30).toBe(true);
        expect(at.last?.stepsSince ?? 5).toBeGreaterThanOrEqual(5);
      }),
    );
  });

  test("a more confident answer never puts the next look off", () => {
    assert(
      property(
        few(30),
        double({ min: 0, max: 1, noNaN: true }),
        double({ min: 0, max: 1, noNaN: true }),
        (stepsSince, one, other) => {
          const [less, more] = one < other ? [one, other] : [other, one];
          const asksAfter = (sure: number) => mayAsk(moment({ last: after(stepsSince, sure) }), ON);
          expect(asksAfter(less) && !asksAfter(more)).toBe(false);
        },
      ),
    );
  });
});

describe("a second call", () => {
  test.each<[string, boolean, JudgeVerdict]>([
    ["confirms a new plan", true, verdict("needs-new-plan", 0.9)],
    ["confirms a person", true, verdict("needs-person", 1)],
    ["is not spent on going on", false, verdict("going-on-helps", 1)],
    ["is not spent on doubt", false, verdict("needs-new-plan", 0.89)],
    ["is not spent on a confidence that is none", false, verdict("needs-person", NaN)],
  ])("%s", (_name, expected, first) => {
    expect(needsConfirmation(first, ON)).toBe(expected);
  });
});

describe("what goes on record", () => {
  const first = verdict();
  const second = verdict("needs-person");
  test.each<[string, JudgeFinding, JudgeReply, JudgeReply | null]>([
    ["one answer", asked(first, null), judged(first), null],
    ["two answers, also where they differ", asked(first, second), judged(first), judged(second)],
    ["why there is no answer", { kind: "failed", why: "no answer" }, failure, null],
    [
      "why there is no confirmation",
      { kind: "failed", why: "not confirmed: no answer" },
      judged(first),
      failure,
    ],
  ])("%s", (_name, expected, one, two) => {
    expect(findingFrom(one, two)).toEqual(expected);
  });
});

describe("what it changes", () => {
  test.each<[string, ReturnType<typeof confirmed>, JudgeFinding]>([
    [
      "a new plan that both calls ask for, in the words of the first",
      { answer: "needs-new-plan", reason: "one" },
      asked(verdict("needs-new-plan", 0.9, "one"), verdict("needs-new-plan", 0.9, "two")),
    ],
    [
      "a person whom both calls ask for",
      { answer: "needs-person", reason: "one" },
      asked(verdict("needs-person", 1, "one"), verdict("needs-person", 0.95, "two")),
    ],
    ["nothing where it was not asked", null, { kind: "not-asked" }],
    ["nothing where it failed", null, { kind: "failed", why: "no answer" }],
    ["nothing without a second answer", null, asked(verdict(), null)],
    ["nothing where the answers differ", null, asked(verdict(), verdict("needs-person"))],
    ["nothing where the second sees hope", null, asked(verdict(), verdict("going-on-helps", 1))],
    [
      "nothing where both see hope",
      null,
      asked(verdict("going-on-helps", 1), verdict("going-on-helps", 1)),
    ],
    [
      "nothing where the first doubts",
      null,
      asked(verdict("needs-person", 0.89), verdict("needs-person", 1)),
    ],
    [
      "nothing where the second doubts",
      null,
      asked(verdict("needs-person", 1), verdict("needs-person", 0.89)),
    ],
    [
      "nothing where a confidence is none",
      null,
      asked(verdict("needs-person", 9), verdict("needs-person", 9)),
    ],
  ])("%s", (_name, expected, finding) => {
    expect(confirmed(finding, ON)).toEqual(expected);
  });

  test("nothing, once it is switched off, whatever is on record", () => {
    const finding = asked(verdict(), verdict());
    expect(confirmed(finding, ON)).not.toBeNull();
    expect(confirmed(finding, DEFAULT_JUDGE)).toBeNull();
  });

  const anyVerdict = record({
    answer: constantFrom(...JUDGE_ANSWERS),
    confidence: double({ min: -1, max: 2 }),
    reason: constantFrom("one", "two"),
  });

  test("nothing whenever a call failed", () => {
    assert(
      property(anyVerdict, boolean(), (verdict, isFirst) => {
        const finding = isFirst
          ? findingFrom(failure, judged(verdict))
          : findingFrom(judged(verdict), failure);
        expect(confirmed(finding, ON)).toBeNull();
      }),
    );
  });

  test("something only where two sure answers agree, and then never that work is done or may go on", () => {
    assert(
      property(
        anyVerdict,
        anyVerdict,
        double({ min: 0, max: 1, noNaN: true }),
        (one, two, confidenceMin) => {
          const settings = { ...ON, confidenceMin };
          const change = confirmed(findingFrom(judged(one), judged(two)), settings);
          const agree =
            one.answer === two.answer &&
            one.answer !== "going-on-helps" &&
            [one, two].every(({ confidence }) => confidence >= confidenceMin && confidence <= 1);
          expect(change).toEqual(agree ? { answer: one.answer, reason: one.reason } : null);
        },
      ),
      { numRuns: 500 },
    );
  });
});
