import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import type { Policy } from "../../src/core/model/policy.ts";
import { choiceFromWords, policyUnder, type PolicyChoice } from "../../src/schema/policy-keys.ts";
import type { ConfigPolicy } from "../../src/schema/policy-values.ts";
import type { Checked, Problem } from "../../src/schema/parsed.ts";
import { HOUR, MINUTE, policy } from "../core/builders.ts";

function valueOf<T>(checked: Checked<T>): T {
  if (!checked.ok) throw new Error(checked.problems.map(({ message }) => message).join("; "));
  return checked.value;
}

function problemOf(checked: Checked<unknown>): Problem | null {
  return checked.ok ? null : (checked.problems[0] ?? null);
}

const words = (...all: readonly string[]): PolicyChoice => valueOf(choiceFromWords(all));
const under = (choice: PolicyChoice, base: Policy = policy()): Policy => policyUnder(choice, base);

describe("words become values of the policy", () => {
  test.each<[string, (of: ConfigPolicy) => unknown, unknown]>([
    ["interactionThreshold=4", ({ level }) => level, 4],
    ["budget.time=2h", ({ limits }) => limits.timeMs, 2 * HOUR],
    ['budget.time="90m"', ({ limits }) => limits.timeMs, 90 * MINUTE],
    ["budget.costUsd=null", ({ limits }) => limits.costUsd, null],
    ["budget.costUsd=2.5", ({ limits }) => limits.costUsd, 2.5],
    ["replans=0", ({ limits }) => limits.replans, 0],
    ["budget.run.questions=1", ({ run }) => run.questions, 1],
    ["stall.sameFailure.stall=7", ({ stall }) => stall.sameFailure.stall, 7],
    ['stall.noChange={"stall":2}', ({ stall }) => stall.noChange.stall, 2],
    ["waitForRateLimitReset=false", ({ reset }) => reset.waits, false],
    ["waitForRateLimitReset.maxWait=1h", ({ reset }) => reset.maxWaitMs, HOUR],
    [" uncertainty.threshold = 4 ", ({ uncertainty }) => uncertainty.threshold, 4],
    ["uncertainty.weights.no_progress=0", (of) => of.uncertainty.weights.no_progress, 0],
  ])("%s", (word, value, expected) => {
    expect(value(under(words(word)))).toEqual(expected);
  });
});

describe("words are refused", () => {
  test.each<[string, string, string, string]>([
    [
      "a slip of the fingers",
      "budgit.attempts=3",
      'unknown key "budgit" (did you mean "budget"?)',
      "",
    ],
    ["a slip deeper down", "budget.atempts=3", 'budget: unknown key "atempts"', ""],
    ["no such key", "nonsense=3", 'unknown key "nonsense" (known: ', ""],
    ["a value that cannot be", "interactionThreshold=9", "from 0 to 5", ""],
    ["a bare number for a time", "budget.time=5", "a time with its unit", ""],
    ["a key no decision looks at", "agent=x", 'no decision depends on "agent"', ""],
    ["a key of a session", "timeouts.idle=5m", 'no decision depends on "timeouts.idle"', ""],
    ["one in a group", 'budget={"turns":5}', 'no decision depends on "budget.turns"', ""],
    ["no value", "replans", "expected key=value", "--set interactionThreshold=4"],
    ["no key", "=3", "expected key=value", "--set interactionThreshold=4"],
    ["an empty part", "budget..time=3", "expected key=value", ""],
    ["a prototype", "__proto__.level=3", 'unknown key "__proto__"', ""],
  ])("for %s: %s", (_name, word, message, suggestion) => {
    const problem = problemOf(choiceFromWords([word]));
    expect(problem?.where).toBe("--set");
    expect(problem?.message).toContain(message);
    expect(problem?.suggestion ?? "").toContain(suggestion);
  });

  test("or read, whatever they are: nothing is ever thrown", () => {
    assert(
      property(
        string({ maxLength: 60, unit: "binary" }),
        string({ maxLength: 20 }),
        (key, value) => {
          const choice = choiceFromWords([`${key}=${value}`]);
          expect(choice.ok || choice.problems.length > 0).toBe(true);
        },
      ),
    );
  });
});

describe("a policy laid over another", () => {
  test("replaces what is named and nothing else", () => {
    const base = policy({ level: 1, limits: { ...policy().limits, turns: 9 } });
    expect(under(words("stall.noChange.stall=9"), base)).toEqual({
      ...base,
      stall: { ...base.stall, noChange: { stall: 9 } },
    });
  });

  test("a number of attempts of one's own is not extended by what was recorded", () => {
    expect(under(words("budget.attempts=2")).limits).toMatchObject({
      attempts: 2,
      attemptsWithProgress: 2,
    });
  });

  test.each([
    ["raises the run's with it", ["budget.costUsd=100", "budget.time=48h"], 100, 48 * HOUR],
    [
      "leaves the run's where that is named too",
      ["budget.costUsd=100", "budget.run.costUsd=60"],
      60,
      24 * HOUR,
    ],
  ])("a task's limit %s", (_name, named, costUsd, timeMs) => {
    expect(under(words(...named)).run).toMatchObject({ costUsd, timeMs });
  });

  test("a run without a limit keeps none", () => {
    const base = policy({ run: { ...policy().run, costUsd: null } });
    expect(under(words("budget.costUsd=100"), base).run.costUsd).toBeNull();
  });
});
