import { describe, expect, test } from "vitest";

import { parseAnswerLine, parseAnswersFile } from "../../src/schema/answers-file.ts";

const FILE = "answers.json";

describe("a file of answers", () => {
  test("is a table by question, in its order", () => {
    const text = '{ "Which port*": "5433", "*": "", "__proto__": "x" }';
    expect(parseAnswersFile(text, FILE)).toEqual({
      ok: true,
      value: [
        { id: null, pattern: "Which port*", says: { kind: "typed", text: "5433" } },
        { id: null, pattern: "*", says: { kind: "typed", text: "" } },
        { id: null, pattern: "__proto__", says: { kind: "typed", text: "x" } },
      ],
    });
  });

  test("is a list of entries", () => {
    const list = [
      { id: "q1", text: "left" },
      { question: "*plan*", action: "amend", text: "leave the cookie" },
      { id: "q3", question: "*", option: 2 },
      { question: "*", action: "skip" },
    ];
    expect(parseAnswersFile(`\uFEFF${JSON.stringify(list)}`, FILE)).toEqual({
      ok: true,
      value: [
        { id: "q1", pattern: null, says: { kind: "typed", text: "left" } },
        {
          id: null,
          pattern: "*plan*",
          says: { kind: "action", action: "amend", text: "leave the cookie" },
        },
        { id: "q3", pattern: "*", says: { kind: "option", number: 2 } },
        { id: null, pattern: "*", says: { kind: "action", action: "skip", text: "" } },
      ],
    });
  });

  test.each<[string, string, string, string]>([
    ["is empty", "", FILE, "not valid JSON"],
    ["lacks a comma", '{\n"a": "x"\n"b": "y"\n}', FILE, "(line 3)"],
    ["is cut off", '[{"id":"q1","text":"', FILE, "not valid JSON"],
    ["says a key twice", '{\n"a*": "b",\n"a\\u002a": "c"\n}', `${FILE}:3`, "a key is there twice"],
    ["says it in an entry", '[{"id":"q1","text":"x",\n"text":"y"}]', `${FILE}:2`, "a key is there"],
    ["is a text", '"x"', FILE, "a table of answers"],
    ["is nothing", "null", FILE, "a table of answers"],
    ["answers with a number", '{"a":1}', "answers.json: entry 1", "text: expected text"],
    ["answers no question", '{" ":"x"}', "answers.json: entry 1", "question: expected some text"],
    ["lists what is no entry", '[{"id":"q1","text":"x"},7]', "answers.json: entry 2", "an object"],
    ["has a key too many", '[{"id":"q1","txt":"x"}]', "answers.json: entry 1", '"txt"'],
    ["names a path as an id", '[{"id":"../x","text":"x"}]', "answers.json: entry 1", "id: not a"],
    ["names no question", '[{"text":"x"}]', "answers.json: entry 1", "one question"],
    ["says nothing", '[{"id":"q1"}]', "answers.json: entry 1", "one answer"],
    [
      "says two things",
      '[{"id":"q1","option":1,"text":"x"}]',
      "answers.json: entry 1",
      "one answer",
    ],
    ["picks no option", '[{"id":"q1","option":0}]', "answers.json: entry 1", "option"],
    [
      "does what only orch does",
      '[{"id":"q1","action":"expire"}]',
      "answers.json: entry 1",
      "action",
    ],
  ])("that %s is refused, and where is said", (_name, text, where, message) => {
    expect(parseAnswersFile(text, FILE)).toMatchObject({
      ok: false,
      problems: [{ where, message: expect.stringContaining(message) }],
    });
  });

  test("tells everything that is wrong", () => {
    const read = parseAnswersFile(
      '[{"text":"x"},{"id":"q1","txt":"x"},{"id":"q2","text":"x"}]',
      FILE,
    );
    expect(read).toMatchObject({
      ok: false,
      problems: [{ where: "answers.json: entry 1" }, { where: "answers.json: entry 2" }],
    });
  });

  test.each([
    [
      "in another object",
      [
        { question: "a", text: "a" },
        { question: "a", text: "text" },
      ],
    ],
    ["inside a text", { a: '{"a":1,"a":2}' }],
    ["named like a method", { toString: "a", constructor: "b" }],
    ["in a longer question", { ["x".repeat(1_500)]: "a", [`${"x".repeat(1_500)}*`]: "b" }],
  ])("what looks like a key that comes again is none: %s", (_name, raw) => {
    expect(parseAnswersFile(JSON.stringify(raw, null, "\t"), FILE)).toMatchObject({ ok: true });
  });

  test("may hold answers of 20,000 characters, and no longer ones", () => {
    const long = (chars: number): string => JSON.stringify({ a: "x".repeat(chars) });
    expect(parseAnswersFile(long(20_000), FILE)).toMatchObject({ ok: true });
    expect(parseAnswersFile(long(20_001), FILE)).toMatchObject({ ok: false });
  });
});

describe("a line of standard input", () => {
  const WHERE = "standard input, line 3";

  test("is one entry", () => {
    expect(parseAnswerLine('{"question":"*","text":"x"}', WHERE)).toEqual({
      ok: true,
      value: { id: null, pattern: "*", says: { kind: "typed", text: "x" } },
    });
  });

  test.each<[string, string]>([
    ["is no JSON", "yes"],
    ["is a list", '[{"id":"q1","text":"x"}]'],
    ["is a table", '{"Which port*":"5433"}'],
    ["says nothing", '{"id":"q1"}'],
    ["says a key twice", '{"id":"q1","text":"x","text":"y"}'],
  ])("that %s is refused", (_name, line) => {
    expect(parseAnswerLine(line, WHERE)).toMatchObject({ ok: false, problems: [{ where: WHERE }] });
  });
});
