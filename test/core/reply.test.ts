import { assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { actionsFor, type Question, type QuestionKind } from "../../src/core/model/question.ts";
import {
  answerProblem,
  choicesOf,
  replyAtPrompt,
  replyTo,
  wordsFor,
  type Reply,
} from "../../src/core/run/reply.ts";
import { question } from "../support/builders.ts";

const KINDS: readonly QuestionKind[] = [
  "question",
  "blocker",
  "guidance",
  "plan",
  "dispute",
  "budget",
];
const NO_OPTIONS = { options: [], default: null } as const;
const COST = { limit: "cost", used: 10, most: 10, more: 5 } as const;

const asked = question();
const free = question(NO_OPTIONS);
const blocker = question({ kind: "blocker", ...NO_OPTIONS });
const guidance = question({ kind: "guidance", ...NO_OPTIONS });
const plan = question({ kind: "plan", ...NO_OPTIONS });
const dispute = question({ kind: "dispute", ...NO_OPTIONS });
const mended = question({ kind: "blocker", options: [], default: "retry" });
const other = question({ default: "sqlite" });
const budget = question({ kind: "budget", ...NO_OPTIONS, budget: COST });
const time = { limit: "time", used: 1, most: 3_600_000, more: 1_800_000 } as const;

function of(kind: QuestionKind): Question {
  return { question: asked, blocker, guidance, plan, dispute, budget }[kind];
}

const actionReply = (action: string, text = "") => ({ kind: "answer", action, text });
const again = { kind: "again", hint: expect.any(String) };
const words = (action: string) => ({ kind: "words-next", action, ask: expect.any(String) });

describe("a line typed at", () => {
  test.each<[string, Question, string, unknown]>([
    ["a question picks by number", asked, "2", actionReply("answer", "memory")],
    ["a question takes the default on Enter", asked, "", actionReply("answer", "redis")],
    ["a question without a default asks again on Enter", free, "", again],
    ["a question takes words", asked, "  the table ", actionReply("answer", "the table")],
    ["a question without options takes a number as words", free, "2", actionReply("answer", "2")],
    ["a question refuses a number beyond its options", asked, "3", again],
    ["a question is skipped with a stroke", asked, "/skip", actionReply("skip")],
    ["a question is stopped with a stroke", asked, "/stop", actionReply("skip")],
    ["a question aborts with a stroke", asked, "/abort", actionReply("abort")],
    ["a question takes the bare word as its answer", asked, "skip", actionReply("answer", "skip")],
    ["a blocker asks for words after 1", blocker, "1", words("guidance")],
    [
      "a blocker takes a sentence",
      blocker,
      "use port 5433",
      actionReply("guidance", "use port 5433"),
    ],
    ["disputed work is taken by number", dispute, "1", actionReply("accept")],
    ["disputed work is taken by word", dispute, "yes", actionReply("accept")],
    ["or by several", dispute, "OK, accept the work as it is.", actionReply("accept")],
    [
      "but with no condition",
      dispute,
      "ok, but rename it",
      actionReply("guidance", "ok, but rename it"),
    ],
    [
      "a blocker has no yes",
      blocker,
      "ok, accept",
      { ...again, hint: expect.stringContaining("no yes") },
    ],
    ["a limit's yes extends it", budget, "yes please", actionReply("extend")],
    ["what a person mends first is tried again on Enter", mended, "", actionReply("retry")],
    ["a default in other words is one more option", other, "3", actionReply("answer", "sqlite")],
    ["guidance is skipped by number", guidance, "2", actionReply("skip")],
    ["guidance is stopped by word", guidance, "stop", actionReply("skip")],
    ["guidance retries by word", guidance, "RETRY", actionReply("retry")],
    ["guidance aborts with a stroke", guidance, "/abort", actionReply("abort")],
    ["guidance takes a label for its choice", guidance, "Retry as is", actionReply("retry")],
    ["guidance may be one word", guidance, "postgres", actionReply("guidance", "postgres")],
    ["guidance refuses a number beyond its choices", guidance, "7", again],
    ["guidance does nothing on Enter", guidance, "", again],
    ["a plan is accepted by number", plan, "1", actionReply("accept")],
    ["a plan is accepted by yes", plan, "Yes", actionReply("accept")],
    ["a plan asks what to change after 2", plan, "2", words("amend")],
    ["a plan asks what to change after its word", plan, "amend", words("amend")],
    ["a plan is rejected by number", plan, "3", actionReply("reject")],
    ["a plan is rejected by stop", plan, "stop", actionReply("reject")],
    ["a plan aborts by number", plan, "4", actionReply("abort")],
    [
      "a plan is amended by a sentence",
      plan,
      "leave the cookie",
      actionReply("amend", "leave the cookie"),
    ],
    ["a plan does nothing on Enter", plan, "", again],
    ["a plan asks again after a slip", plan, "acept", again],
    ["a limit is extended by what is offered", budget, "1", actionReply("extend")],
    ["a limit is extended by its word", budget, "extend", actionReply("extend")],
    ["a limit stops the task by number", budget, "2", actionReply("skip")],
    ["a limit stops the task by word", budget, "stop", actionReply("skip")],
    ["a limit aborts by number, whatever its unit", budget, "3", actionReply("abort")],
    ["a limit takes an amount", budget, "7.50", actionReply("extend", "7.50")],
    ["a limit takes an amount with its unit", budget, "3 USD", actionReply("extend", "3 USD")],
    ["a limit takes a marked amount", budget, "+3", actionReply("extend", "+3")],
    ["a limit takes an amount after the word", budget, "extend by $3", actionReply("extend", "$3")],
    ["a limit does nothing on Enter", budget, "", again],
    ["a limit refuses another unit", budget, "30m", again],
  ])("%s", (_name, one, line, expected) => {
    expect(replyTo(one, line)).toEqual(expected);
  });

  test.each<[string, Question, string, unknown]>([
    ["shows help", asked, "/HELP", { kind: "help" }],
    ["passes words on", plan, "/tell Use\nit ", { kind: "tell", text: "Use\nit" }],
    ["asks for the words that are missing", asked, "/tell", again],
    ["passes on no more than is kept", asked, `/tell ${"a".repeat(2_001)}`, again],
    ["skips", asked, "/skip", actionReply("skip")],
    ["stops", budget, "/stop", actionReply("skip")],
    ["rejects a plan that is skipped", plan, "/skip", actionReply("reject")],
    ["tries a blocker again", blocker, "/retry", actionReply("retry")],
    ["refuses to try an agent's question again", asked, "/retry", again],
    ["refuses an unknown order", free, "/sikp", again],
    ["refuses an unknown order at a blocker", blocker, "/sikp", again],
    ["takes a path", free, "/usr/local", actionReply("answer", "/usr/local")],
    ["takes what any channel takes", asked, "2", actionReply("answer", "memory")],
  ])("a prompt %s", (...[, one, line, expected]) => {
    expect(replyAtPrompt(one, line)).toEqual(expected);
  });

  test.each(KINDS)("a %s may be 20,000 characters long and no longer", (kind) => {
    const one = { ...of(kind), options: [] };
    expect(replyTo(one, "a ".repeat(10_001).trim())).toEqual({
      kind: "again",
      hint: "that is 20001 characters; at most 20000 are taken",
    });
  });
});

test("what a choice means is shown with its number", () => {
  const labels = (one: Question): readonly string[] => choicesOf(one).map(({ label }) => label);
  expect(labels(asked)).toEqual([]);
  expect(labels(blocker)).toEqual(labels(guidance));
  expect(labels(plan)).toEqual([
    "accept the plan",
    "amend it (say what to change)",
    "reject it: end the task",
    "abort the run",
  ]);
  expect(labels(budget)).toEqual([
    "extend by 5 USD (to 15 USD)",
    "stop this task here",
    "abort the run",
  ]);
  expect(labels({ ...budget, budget: time })[0]).toBe("extend by 30m (to 1h30m)");
});

test("words that come after their choice are taken as they are", () => {
  expect(wordsFor("amend", " yes ")).toEqual(actionReply("amend", "yes"));
  expect(wordsFor("guidance", "2")).toEqual(actionReply("guidance", "2"));
  expect(wordsFor("guidance", "  ")).toEqual(again);
  expect(wordsFor("amend", "x".repeat(20_001))).toEqual(again);
});

describe("an answer from anywhere", () => {
  test.each<[string, Question, Parameters<typeof answerProblem>[1], string | null]>([
    ["fits its kind", plan, { action: "accept", text: "" }, null],
    [
      "of another kind does not",
      plan,
      { action: "retry", text: "" },
      '"retry" does not answer a plan',
    ],
    [
      "is never orch's own",
      guidance,
      { action: "expire", text: "" },
      '"expire" does not answer a guidance',
    ],
    [
      "needs words where it is words",
      asked,
      { action: "answer", text: " \n" },
      "the answer is empty",
    ],
    ["needs words to amend", plan, { action: "amend", text: "" }, "the answer is empty"],
    ["extends by what was offered", budget, { action: "extend", text: "" }, null],
    ["extends by an amount", budget, { action: "extend", text: "$5" }, null],
  ])("%s", (_name, one, given, problem) => {
    expect(answerProblem(one, given)).toBe(problem);
  });

  test("does not extend by what is no amount", () => {
    expect(answerProblem(budget, { action: "extend", text: "a lot" })).toContain("5 USD");
  });
});

test("whatever is typed, an answer is one that its kind allows, and can be used", () => {
  const line = string({ maxLength: 40 });
  const allowed = (one: Question, reply: Reply): boolean =>
    reply.kind !== "answer" ||
    (actionsFor(one.kind).includes(reply.action) && answerProblem(one, reply) === null);
  assert(
    property(tuple(constantFrom(...KINDS), line), ([kind, text]) => {
      const one = of(kind);
      expect(allowed(one, replyTo(one, text))).toBe(true);
    }),
  );
});
