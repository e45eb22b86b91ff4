import { describe, expect, test } from "vitest";

import { parseAnswersFile } from "../../src/schema/answers-file.ts";

describe("a file of answers", () => {
  test("is a table by question", () => {
    expect(parseAnswersFile('\uFEFF{ "Which port?": "5433", "plan": "" }')).toEqual({
      ok: true,
      value: { "Which port?": "5433", plan: "" },
    });
  });

  test.each<[string, string, string]>([
    ["is no JSON", '{\n"a": }', "not valid JSON"],
    ["is a list", '[{"id":"q1","text":"x"}]', "expected a table of answers by question"],
    ["answers with no text", '{"Which port?":5433}', "Which port?: Invalid input: expected string"],
    ["answers with too much", `{"a":"${"x".repeat(20_001)}"}`, "a: Too big"],
  ])("that %s is refused", (_name, text, problem) => {
    expect(parseAnswersFile(text)).toEqual({
      ok: false,
      problems: [expect.stringContaining(problem)],
    });
  });
});
