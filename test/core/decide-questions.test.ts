import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import { NO_ONE_AVAILABLE } from "../../src/core/decide/asking.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { Level } from "../../src/core/model/policy.ts";
import type { Impact } from "../../src/core/model/report.ts";
import { evidence } from "../support/builders.ts";
import {
  asked,
  atLevel,
  declared,
  history,
  interaction,
  kindOf,
  limits,
  noReport,
  policy,
  read,
} from "./builders.ts";
import { red } from "./decision-table.ts";

const LEVELS: readonly Level[] = [0, 1, 2, 3, 4, 5];
const ASKED_FROM: readonly (readonly [Impact, Level])[] = [
  ["blocking", 1],
  ["contradiction", 2],
  ["major", 3],
  ["minor", 4],
  ["taste", 5],
];
const MATRIX = ASKED_FROM.flatMap(([impact, from]) =>
  LEVELS.map((level) => [impact, level, level >= from ? "reaches a person" : "does not"] as const),
);

const put = (impact: Impact) => evidence({ ending: asked(impact), report: noReport, gates: [] });
const listed = (...impacts: readonly Impact[]) =>
  evidence({ report: read({ questions: impacts.map((i) => declared(i, `How about ${i}?`)) }) });

describe("a question the agent waits on", () => {
  test.each(MATRIX)("of impact %s at level %i %s", (impact, level, outcome) => {
    const decision = decide(put(impact), history(), atLevel(level));
    const expected =
      outcome === "reaches a person"
        ? ["pause/question", "agent-asked"]
        : ["continue/feedback", "agent-asked-alone"];
    expect([kindOf(decision), decision.rule]).toEqual(expected);
  });

  test("is put as the agent put it", () => {
    const ending = asked("major", {
      options: ["80", "8080"],
      default: "80",
      context: "nginx has 80",
    });
    const seen = evidence({ ending, report: noReport, gates: [] });
    expect(decide(seen, history(), atLevel(3))).toEqual<Decision>({
      rule: "agent-asked",
      kind: "pause",
      ask: {
        kind: "question",
        question: "Which port?",
        options: ["80", "8080"],
        default: "80",
        impact: "major",
        context: ["nginx has 80"],
        toolUseId: "tool-1",
      },
    });
  });

  test("gets the conservative answer where nobody is asked", () => {
    expect(decide(put("blocking"), history(), policy())).toMatchObject({
      how: { feedback: NO_ONE_AVAILABLE },
    });
  });

  test("that a person answered before gets the same answer, at every level", () => {
    const past = history({ interactions: [interaction({ question: "which  PORT" }, "8080")] });
    for (const level of LEVELS)
      expect(decide(put("blocking"), past, atLevel(level))).toEqual<Decision>({
        rule: "agent-asked-alone",
        kind: "continue",
        how: { kind: "feedback", feedback: "8080" },
      });
  });

  test.each([
    ["the last of three is asked", { questionsAsked: 2 }, "agent-asked"],
    ["the fourth of three is not", { questionsAsked: 3 }, "agent-asked-alone"],
    ["the last that the run may ask is asked", { runQuestionsAsked: 19 }, "agent-asked"],
    ["one more than the run may ask is not", { runQuestionsAsked: 20 }, "agent-asked-alone"],
  ])("%s", (_name, over, rule) => {
    expect(decide(put("blocking"), history(over), atLevel(5)).rule).toBe(rule);
  });
});

describe("a question listed in the report", () => {
  test.each(MATRIX)("of impact %s at level %i %s", (impact, level, outcome) => {
    const decision = decide(listed(impact), history(), atLevel(level));
    const expected =
      outcome === "reaches a person"
        ? ["pause/question", "declared-question"]
        : ["continue/advance", "gate-green"];
    expect([kindOf(decision), decision.rule]).toEqual(expected);
  });

  test("comes with the others that are open at this level, and without those that are not", () => {
    expect(decide(listed("taste", "major", "blocking"), history(), atLevel(3))).toEqual<Decision>({
      rule: "declared-question",
      kind: "pause",
      ask: {
        kind: "question",
        question: "How about major?",
        options: ["80", "8080"],
        default: "8080",
        impact: "major",
        context: ["also open: How about blocking?"],
        toolUseId: null,
      },
    });
  });

  test("is not asked again after it was answered; the next one is", () => {
    const past = history({ interactions: [interaction({ question: "How about major?" })] });
    const decision = decide(listed("major", "blocking"), past, atLevel(3));
    expect(decision).toMatchObject({ ask: { question: "How about blocking?", context: [] } });
  });
});

test("what a report asks below the level is answered in the words that follow", () => {
  const listing = evidence({
    report: read({ status: "blocked", questions: [declared("minor", "which PORT")] }),
    gates: red,
  });
  expect(decide(listing, history(), policy())).toMatchObject({
    rule: "gate-red",
    how: { feedback: expect.stringContaining(`- which PORT ${NO_ONE_AVAILABLE}`) },
  });
});

test("an agent that stops to ask in every attempt has no more of them than any other", () => {
  const rules = [0, 1, 2, 3].map((counted) => {
    const under = policy({ limits: limits({ attempts: 3, attemptsWithProgress: 3 }) });
    return decide(put("minor"), history({ counted }), under).rule;
  });
  const alone = "agent-asked-alone";
  expect(rules).toEqual([alone, alone, alone, "attempts-spent"]);
});
