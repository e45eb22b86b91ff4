import { expect, test } from "vitest";

import { actionQuestion, canBeShown } from "../../src/core/decide/action-verdict.ts";
import { irreversibleIn } from "../../src/readers/acts/rules.ts";
import { renderAsked, renderQuestion } from "../../src/cli/render/question.ts";
import { question } from "../support/builders.ts";

const notes = Array.from({ length: 120 }, (_, at) => `word${at}`).join(" ");
const CALL = `set -e\n\tcp -r "new" dist && echo \u001b[2J\u202e\rhidden\ngit push origin HEAD:main -o "${notes}"`;

test.each([80, 40])("at %i columns nothing of a call is left out or hidden", (columns) => {
  const where = { root: "/r", cwd: "/r", home: "/home/ann" };
  const [first, ...others] = irreversibleIn(CALL, where) ?? [];
  if (first === undefined) throw new Error("the push was not found");
  const { context, ...asked } = actionQuestion([first, ...others], CALL);
  const one = question({ ...asked, context: [context ?? ""] });
  const shown = renderQuestion(one, { columns, color: false, wraps: true });
  const words = shown.replace(/\s*│?\s+/g, " ");
  for (const part of CALL.replace("\u001b[2J\u202e\r", "\\u001b[2J\\u202e\\u000d").split(/\s+/))
    expect(words).toContain(part);
  expect(shown.split("\n").filter((line) => line.length > columns)).toEqual([]);
  expect(shown).toContain("The whole call:\n");
});

test("a call that is too long to be read before one says yes is not put to a person", () => {
  expect([canBeShown("x".repeat(12_000)), canBeShown("\u001b".repeat(12_000))]).toEqual([
    true,
    false,
  ]);
});

test("/help leaves nothing out, and says how the work so far is seen", () => {
  const one = question({ context: [`${"a ".repeat(2_000)}end`] });
  const style = { columns: 80, color: false, wraps: true };
  expect(renderQuestion(one, style)).not.toContain(" end");
  expect(renderAsked(one, true, style)).toMatch(/ end\n[^]*orch diff add-login\n/);
});
