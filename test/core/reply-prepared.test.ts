import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import { fitOf, type PreparedEntry, type PreparedWords } from "../../src/core/run/prepared.ts";
import { isSameQuestion, type Question } from "../../src/core/model/question.ts";
import { matchesQuestion } from "../../src/core/model/question-pattern.ts";
import { question } from "../support/builders.ts";

describe("the words of a question, written in advance,", () => {
  test.each<[string, string, string]>([
    [
      "are compared without case and spacing",
      "which  STORE should be used",
      "Which store should be used?",
    ],
    ["are compared without punctuation at the end", "Which store?!", "which store…"],
    ["are compared in their folded form", "Ｗhich store", "which store?"],
    ["stand for everything as a star", "*", "anything at all"],
    ["stand for nothing as a star too", "which store*", "Which store?"],
    ["may begin anywhere", "*should be used?", "Which store should be used?"],
    ["may end anywhere", "Which port*", "Which port shall the server have?"],
    ["may leave out the middle", "which * used", "Which store should be used?"],
    ["may leave out several parts", "*store*used*", "Which store should be used here?"],
    ["find a later end when an earlier one is not the end", "a*b", "abab"],
    ["may have stars side by side", "a**b", "a, then b"],
  ])("%s", (_name, pattern, asked) => {
    expect(matchesQuestion(pattern, asked)).toBe(true);
  });

  test.each<[string, string, string]>([
    ["are not another question", "Which store?", "Which port?"],
    ["are not a part of a question", "Which store", "Which store should be used?"],
    ["do not match in another order", "*used*store*", "Which store should be used?"],
    ["do not use one place twice", "aba*aba", "aba"],
    ["are no pattern of another kind", "Which .*", "Which store?"],
    ["are too many to be meant", "*".repeat(2_001), "Which store?"],
  ])("%s", (_name, pattern, asked) => {
    expect(matchesQuestion(pattern, asked)).toBe(false);
  });

  test("are compared as questions are, where there is no star", () => {
    const text = string({
      unit: constantFrom("a", "B", "ﬁ", " ", "\t", "?", ".", "…", "é"),
      maxLength: 12,
    });
    assert(
      property(text, text, (one, other) => {
        expect(matchesQuestion(one, other)).toBe(isSameQuestion(one, other));
      }),
    );
  });

  test("are compared in time that does not grow out of hand", () => {
    const hostile = `${"a*".repeat(900)}b`;
    expect(matchesQuestion(hostile, "a".repeat(100_000))).toBe(false);
    expect(matchesQuestion("*?", `${"?".repeat(100_000)}x`)).toBe(true);
  });
});

const typed = (text: string): PreparedWords => ({ kind: "typed", text });
const action = (name: "answer" | "accept" | "skip" | "extend", text = ""): PreparedWords => ({
  kind: "action",
  action: name,
  text,
});
const option = (number: number): PreparedWords => ({ kind: "option", number });

function entry(says: PreparedWords, over: Partial<PreparedEntry> = {}): PreparedEntry {
  return { id: null, pattern: "*", says, ...over };
}

const NO_OPTIONS = { options: [], default: null } as const;
const asked = question();
const guidance = question({ kind: "guidance", ...NO_OPTIONS });
const plan = question({ kind: "plan", ...NO_OPTIONS });
const budget = question({
  kind: "budget",
  ...NO_OPTIONS,
  budget: { limit: "cost", used: 10, most: 10, more: 5 },
});
const fits = (name: string, text = "") => ({ kind: "fits", action: name, text });
const misfit = { kind: "misfit", why: expect.any(String) };
const OTHER = { kind: "other" };

describe("an answer given in advance", () => {
  test.each<[string, PreparedEntry, Question, unknown]>([
    ["is read as if typed", entry(typed("2")), asked, fits("answer", "memory")],
    ["takes the default where it is empty", entry(typed("")), asked, fits("answer", "redis")],
    ["cannot take a default that is not there", entry(typed("")), guidance, misfit],
    [
      "may be one word of guidance",
      entry(typed("postgres")),
      guidance,
      fits("guidance", "postgres"),
    ],
    ["accepts a plan", entry(typed("accept")), plan, fits("accept")],
    ["amends a plan", entry(typed("leave the cookie")), plan, fits("amend", "leave the cookie")],
    ["extends a limit", entry(typed("$5")), budget, fits("extend", "$5")],
    ["may lack the words of its choice", entry(typed("amend")), plan, misfit],
    ["is literal beside its action", entry(action("answer", "2")), asked, fits("answer", "2")],
    [
      "is fitted to the kind",
      entry(action("answer", "as you like")),
      plan,
      fits("amend", "as you like"),
    ],
    ["that skips rejects a plan", entry(action("skip")), plan, fits("reject")],
    ["extends by what is offered", entry(action("extend")), budget, fits("extend")],
    ["does not extend by what is no amount", entry(action("extend", "30m")), budget, misfit],
    ["of another kind does not fit", entry(action("accept")), asked, misfit],
    ["picks an option", entry(option(1)), asked, fits("answer", "redis")],
    ["picks no option that is not there", entry(option(3)), asked, misfit],
    [
      "is for its id",
      entry(typed("1"), { id: idOf<QuestionId>("q1"), pattern: null }),
      asked,
      fits("answer", "redis"),
    ],
    ["is for no other id", entry(typed("1"), { id: idOf<QuestionId>("q2") }), asked, OTHER],
    [
      "is for its words",
      entry(typed("1"), { pattern: "which session store*" }),
      asked,
      fits("answer", "redis"),
    ],
    ["is for no other words", entry(typed("1"), { pattern: "which port*" }), asked, OTHER],
    [
      "is for both, where both are named",
      entry(typed("1"), { id: idOf<QuestionId>("q1"), pattern: "which port*" }),
      asked,
      OTHER,
    ],
  ])("%s", (_name, given, one, expected) => {
    expect(fitOf(given, one)).toEqual(expected);
  });
});
