import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/schema/config.ts";
import { lineOfKey } from "../../src/schema/locate.ts";

const FILE = ".orchestrator.config.js";

describe("the line of a key", () => {
  const text = [
    "// budget: { costUsd: 1 }", // 1
    "const other = { budget: 1 };", // 2
    "export default defineConfig({", // 3
    '  "agent": "a: {", // agents:', // 4
    "  budget: {", // 5
    "    run: { costUsd: 3 },", // 6
    "    costUsd: 2,", // 7
    "  },", // 8
    "  pipelines: {", // 9
    "    p: [", // 10
    "      { name: 'a', prompt: 'x' },", // 11
    "      {", // 12
    "        name: 'b',", // 13
    "        agent: 'nobody' },", // 14
    "    ],", // 15
    "  },", // 16
    "});", // 17
  ].join("\n");

  test.each<[readonly (string | number)[], number | null]>([
    [["agent"], 4],
    [["budget"], 5],
    [["budget", "costUsd"], 7],
    [["budget", "run", "costUsd"], 6],
    [["pipelines", "p", 0, "name"], 11],
    [["pipelines", "p", 1], 12],
    [["pipelines", "p", 1, "agent"], 14],
    [["pipelines", "p", 1, "model"], 12],
    [["missing"], null],
    [[], null],
  ])("%j is %s", (path, line) => {
    expect(lineOfKey(text, path)).toBe(line);
  });

  test("is part of the problem", () => {
    const parsed = parseConfig({ budget: { costUsd: -1 } }, { file: FILE, text });
    expect(parsed).toEqual({
      ok: false,
      problems: [
        {
          where: `${FILE}:7`,
          message: "budget.costUsd: expected an amount above 0, or null for no limit, found -1",
          suggestion: null,
        },
      ],
    });
  });

  test("is left out where the config is not written as a literal", () => {
    expect(lineOfKey("export default makeConfig();", ["budget"])).toBeNull();
    expect(lineOfKey("", ["budget"])).toBeNull();
    expect(lineOfKey("export default { ...(", ["budget"])).toBeNull();
  });
});
