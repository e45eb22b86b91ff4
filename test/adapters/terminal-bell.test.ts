import { PassThrough } from "node:stream";

import { describe, expect, test } from "vitest";

import { createBell, type BellOptions } from "../../src/adapters/terminal/bell.ts";

const KEEP = "\u001b[22;0t";
const BACK = "\u001b[23;0t";
const title = (text: string): string => `\u001b]0;${text}\u001b\\`;
const QUESTION = { task: "add-login" };
const CALL = `\u0007${KEEP}${title("orch: add-login waits for you")}`;
const REST = `${title("")}${BACK}`;

function bell(over: Partial<BellOptions> = {}) {
  const output = new PassThrough().setEncoding("utf8");
  let written = "";
  output.on("data", (text: string) => {
    written += text;
  });
  const made = createBell({
    output,
    isTerminal: true,
    term: "xterm-256color",
    ...over,
  });
  return { made, output, written: () => written };
}

const HOSTILE = { task: `a\u001b\\\u0007b\n${"x".repeat(500)}` };

test.each<[string, Partial<BellOptions>, readonly (typeof QUESTION | "rest")[], string]>([
  [
    "a question rings once and is named in the title, which comes back",
    {},
    [QUESTION, "rest"],
    `${CALL}${REST}`,
  ],
  [
    "the old title is kept once, however often a person is called",
    {},
    [QUESTION, { task: "add-logout" }, "rest", "rest"],
    `${CALL}\u0007${title("orch: add-logout waits for you")}${REST}`,
  ],
  ["nobody who was not called is let rest", {}, ["rest"], ""],
  [
    "a task's name ends no title and fills no window",
    {},
    [HOSTILE],
    `\u0007${KEEP}${title(`orch: ab ${"x".repeat(56)}… waits for you`)}`,
  ],
  ["the console of Linux has a bell and no title", { term: "linux" }, [QUESTION, "rest"], "\u0007"],
])("%s", (_name, options, acts, expected) => {
  const { made, written } = bell(options);
  for (const act of acts) {
    if (typeof act === "string") made.rest();
    else made.ring(act);
  }
  expect(written()).toBe(expected);
});

describe("nothing is written", () => {
  test.each<[string, Partial<BellOptions>]>([
    ["without a terminal", { isTerminal: false }],
    ["to a terminal that obeys nothing", { term: "dumb" }],
    ["to a terminal that nobody names", { term: undefined }],
    ["to a terminal without a name", { term: "" }],
  ])("%s", (_name, over) => {
    const { made, written } = bell(over);
    made.ring(QUESTION);
    made.rest();
    expect(written()).toBe("");
  });

  test("once the terminal is closed", () => {
    const { made, output, written } = bell();
    made.ring(QUESTION);
    output.destroy();
    expect(() => {
      made.rest();
      made.ring(QUESTION);
      made.rest();
    }).not.toThrow();
    expect(written()).toBe(CALL);
  });
});
