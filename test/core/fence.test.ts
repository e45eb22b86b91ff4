import { describe, expect, test } from "vitest";

import { fenceTest, fenceWords, NO_FENCE } from "../../src/core/model/fence.ts";
import type { Fence, FenceSide } from "../../src/core/model/fence.ts";

const both: Fence = { allowWrite: ["src/**", "*.json"], scope: ["src/api/**"], conflicts: [] };

describe("a path", () => {
  test.each<[string, string, Partial<Fence>, FenceSide | null]>([
    ["may be anything without a fence", "a/b.ts", NO_FENCE, null],
    [
      "may be nothing where the step may write nothing",
      "a.ts",
      { ...NO_FENCE, allowWrite: [] },
      "allowWrite",
    ],
    ["may be where both sides allow it", "src/api/x.ts", both, null],
    ["is first told that it is outside the step's", "docs/x.md", both, "allowWrite"],
    ["may be the step's and not the task's", "package.json", both, "scope"],
    ["of the task's alone", "docs/x.md", { ...NO_FENCE, scope: ["src/**"] }, "scope"],
    [
      "in which a merge left both sides may be resolved",
      "docs/x.md",
      { ...both, conflicts: ["docs/x.md"] },
      null,
    ],
  ])("%s", (_sentence, path, fence, side) => {
    expect(fenceTest({ ...NO_FENCE, ...fence })(path)).toBe(side);
  });
});

describe("a fence in words", () => {
  test.each<[string, Fence, string | null]>([
    ["none", NO_FENCE, null],
    ["nothing", { ...both, allowWrite: [] }, "no file at all"],
    ["a scope", { ...NO_FENCE, scope: ["src/**", "test/**"] }, "only `src/**`, `test/**`"],
    ["both", both, "only `src/**`, `*.json`, and of these only `src/api/**`"],
    [
      "many patterns",
      { ...NO_FENCE, scope: Array.from({ length: 22 }, (_, n) => `${n}/**`) },
      `only ${Array.from({ length: 20 }, (_, n) => `\`${n}/**\``).join(", ")}, 2 more`,
    ],
  ])("%s", (_name, fence, words) => {
    expect(fenceWords(fence)).toBe(words);
  });
});
