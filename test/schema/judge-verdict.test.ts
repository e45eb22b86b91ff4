import { describe, expect, test } from "vitest";

import { JUDGE_ANSWERS } from "../../src/core/model/judge.ts";
import {
  JUDGE_VERDICT_SCHEMA,
  parseJudgeMessage,
  parseJudgeVerdict,
} from "../../src/schema/judge-verdict.ts";

const good = { reason: "attempts 2 and 3 fail alike", answer: "needs-new-plan", confidence: 0.95 };
const json = (over: object = {}) => JSON.stringify({ ...good, ...over });

describe("a verdict", () => {
  test.each(JUDGE_ANSWERS)("may be %s", (answer) => {
    expect(parseJudgeVerdict(json({ answer }))).toEqual({ ok: true, value: { ...good, answer } });
  });

  test.each([
    ["a confidence of 0", json({ confidence: 0 })],
    ["a confidence of 1", json({ confidence: 1 })],
    ["white space around it", `\n ${json()}\n`],
  ])("may have %s", (_what, source) => {
    expect(parseJudgeVerdict(source)).toMatchObject({ ok: true });
  });

  test("keeps its reason on one line, without what a terminal obeys, and short", () => {
    const reason = `\u001b[31mfirst\n second\u0000 ${"x".repeat(1_000)}`;
    const reading = parseJudgeVerdict(json({ reason }));
    const said = reading.ok ? reading.value.reason : "";
    expect(said).toMatch(/^first second x+…$/);
    expect(said).toHaveLength(300);
  });

  test.each([
    ["an answer nobody offered", json({ answer: "complete" }), /answer/],
    ["an answer in another spelling", json({ answer: "Needs-New-Plan" }), /answer/],
    ["an answer that every object has", json({ answer: "constructor" }), /answer/],
    ["no answer", JSON.stringify({ reason: "x", confidence: 1 }), /answer/],
    ["a confidence above 1", json({ confidence: 1.01 }), /confidence/],
    ["a confidence below 0", json({ confidence: -0.01 }), /confidence/],
    ["a confidence in percent", json({ confidence: 95 }), /confidence/],
    ["a confidence in words", json({ confidence: "0.95" }), /confidence/],
    ["a confidence without end", json().replace("0.95", "1e999"), /confidence/],
    ["no confidence", json({ confidence: undefined }), /confidence/],
    ["an empty reason", json({ reason: " \n\u001b[0m" }), /reason: expected some text/],
    ["no reason", json({ reason: null }), /reason/],
    ["a key nobody asked for", json({ complete: true }), /complete/],
    ["a key that hides", json().replace("{", '{"__proto__":{"a":1},'), /__proto__/],
    ["a list", `[${json()}]`, /expected object/],
    ["null in its place", "null", /expected object/],
    ["a fence around it", `\`\`\`json\n${json()}\n\`\`\``, /not valid JSON/],
    ["words before it", `Here it is: ${json()}`, /not valid JSON/],
    ["its end cut off", json().slice(0, -2), /not valid JSON/],
    ["nothing", "", /not valid JSON/],
    ["nesting without end", "[".repeat(10_000), /not valid JSON/],
    ["a flood", json({ reason: "x".repeat(20_000) }), /at most 16000 characters/],
  ])("is none with %s", (_what, source, problem) => {
    const reading = parseJudgeVerdict(source);
    expect(reading.ok ? [] : reading.problems.join("; ")).toMatch(problem);
  });
});

describe("what the model is told about a verdict", () => {
  test("names the keys that are read, all of them required, and no others", () => {
    expect(JUDGE_VERDICT_SCHEMA.additionalProperties).toBe(false);
    expect(JUDGE_VERDICT_SCHEMA.required).toEqual(Object.keys(JUDGE_VERDICT_SCHEMA.properties));
    expect([...JUDGE_VERDICT_SCHEMA.required].sort()).toEqual(Object.keys(good).sort());
  });

  test("offers the answers that are read", () => {
    expect(JUDGE_VERDICT_SCHEMA.properties.answer.enum).toEqual(JUDGE_ANSWERS);
  });
});

describe("a message", () => {
  const usage = {
    input_tokens: 900,
    output_tokens: 60,
    cache_read_input_tokens: 5,
    cache_creation_input_tokens: 7,
  };
  const message = (over: object = {}) => ({
    type: "message",
    content: [{ type: "text", text: "yes" }],
    stop_reason: "end_turn",
    usage,
    ...over,
  });

  test("gives its words, why it ended and what it cost", () => {
    expect(parseJudgeMessage(message())).toEqual({
      ok: true,
      value: {
        text: "yes",
        stopReason: "end_turn",
        usage: { input: 900, output: 60, cacheRead: 5, cacheWrite: 7 },
      },
    });
  });

  test("is read past thinking, and in as many pieces as it comes in", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "c2ln" },
      { type: "text", text: '{"a"' },
      { type: "something-new", text: "no" },
      { type: "text", text: ":1}" },
    ];
    expect(parseJudgeMessage(message({ content }))).toMatchObject({ value: { text: '{"a":1}' } });
  });

  test.each([
    ["no counts", { usage: undefined }, { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }],
    [
      "counts that are no numbers",
      { usage: { input_tokens: "9", output_tokens: -1, cache_read_input_tokens: null } },
      { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      "some counts",
      { usage: { input_tokens: 9, output_tokens: 2 } },
      { input: 9, output: 2, cacheRead: 0, cacheWrite: 0 },
    ],
  ])("is read with %s", (_what, over, counted) => {
    expect(parseJudgeMessage(message(over))).toMatchObject({ ok: true, value: { usage: counted } });
  });

  test.each([
    ["null", null],
    ["a page of HTML", "<html>"],
    ["an object of another kind", { choices: [] }],
    ["a message without content", message({ content: undefined })],
    ["content that is no list", message({ content: "yes" })],
    ["a message that does not say why it ended", message({ stop_reason: null })],
  ])("%s is none", (_what, raw) => {
    expect(parseJudgeMessage(raw)).toMatchObject({ ok: false });
  });
});
