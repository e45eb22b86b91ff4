// Does what is asked of the model reach every agent in its own words?

import { expect, test } from "vitest";

import { modelChoice } from "../../src/drivers/stream-agent.ts";

test.each([
  [null, { model: null, effort: null }],
  ["sonnet", { model: "sonnet", effort: null }],
  ["sonnet@high", { model: "sonnet", effort: "high" }],
  ["@low", { model: null, effort: "low" }],
  ["claude-opus-5@20260724", { model: "claude-opus-5@20260724", effort: null }],
  ["claude-opus-5@20260724@max", { model: "claude-opus-5@20260724", effort: "max" }],
])("%s", (written, choice) => {
  expect(modelChoice(written)).toEqual(choice);
});
