import { describe, expect, test } from "vitest";

import { planIdentity } from "../../src/core/model/report.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";

const PLAN = `Approach: keep sessions in a table

**Why the last one failed**: \`src/store.ts\` is loaded before the config.

1. Add \`src/session-table.ts:12\` and change \`./src/store.ts\`.
2. Run \`npm test\`; \`rowCount\` must grow.
`;

describe("a plan", () => {
  test("names its approach and the files it touches, and nothing else that stands in code", () => {
    expect(planFrom(PLAN)).toEqual({
      text: PLAN,
      approach: "keep-sessions-in-a-table",
      paths: ["src/session-table.ts", "src/store.ts"],
    });
  });

  test.each([
    ["a bold label", "**Approach:** Use a queue", "use-a-queue"],
    ["a list item", "- approach: Use a queue.", "use-a-queue"],
    ["a heading where no approach is named", "# Use a queue\n\nSteps", "use-a-queue"],
    ["nothing", "just words", ""],
    ["letters of any script", "Approach: Очередь №2", "очередь-no2"],
  ])("says what it calls its approach: %s", (_name, text, approach) => {
    expect(planFrom(text).approach).toBe(approach);
  });

  test.each([
    ["other words around the same approach and files", `${PLAN}\nTake care.`, true],
    ["other case and punctuation of the approach", PLAN.replace("keep", "Keep: "), true],
    ["another approach to the same files", PLAN.replace("table", "cookie"), false],
    ["the same approach to other files", PLAN.replace("src/store.ts", "src/shop.ts"), false],
  ])("%s", (_name, other, isSame) => {
    expect(planIdentity(planFrom(other)) === planIdentity(planFrom(PLAN))).toBe(isSame);
  });

  test("is bounded, whatever was written", () => {
    const endless = planFrom(`Approach: ${"x".repeat(1_000_000)}\n${"`a/b` ".repeat(200_000)}`);
    expect(endless.text.length).toBe(16_000);
    expect(endless.approach.length).toBeLessThanOrEqual(120);
    expect(
      planFrom(Array.from({ length: 900 }, (_, n) => `\`a/${n}\``).join(" ")).paths,
    ).toHaveLength(200);
  });
});
