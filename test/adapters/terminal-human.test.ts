import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";

import type { Question } from "../../src/core/question.ts";
import { bundle } from "../support/bundle.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";

let program = "";
beforeAll(async () => {
  program = await bundle("test/support/human-entry.ts");
});

interface Asked extends Terminal {
  /** What the program printed on stdout: the answer, or null. */
  answer(): Promise<unknown>;
}

function ask(over: Partial<Question> = {}): Asked {
  const out = join(mkdtempSync(join(tmpdir(), "orch-human-")), "answer.json");
  const question = JSON.stringify(over).replaceAll("'", "'\\''");
  const terminal = openTerminal(`'${process.execPath}' '${program}' '${question}' > '${out}'`);
  return {
    ...terminal,
    async answer() {
      await terminal.ended;
      return JSON.parse(readFileSync(out, "utf8"));
    },
  };
}

const answered = (action: string, text: string) => ({
  id: "q1",
  action,
  text,
  by: "prompt",
  at: "2026-11-20T12:20:00.000Z",
});

test("a number picks the option", async () => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.type("2\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
});

test("a bare Enter takes the default", async () => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.type("\r");
  expect(await terminal.answer()).toEqual(answered("answer", "redis"));
});

test("own words are an answer, in any script", async () => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.type("die Tabelle für Sitzungen 🙂\r");
  expect(await terminal.answer()).toEqual(answered("answer", "die Tabelle für Sitzungen 🙂"));
});

test("without a default, a bare Enter is asked again with a hint", async () => {
  const terminal = ask({ default: null });
  await terminal.until("> ");
  terminal.type("\r");
  await terminal.until("there is no default: write an answer");
  await terminal.until("> ");
  terminal.type("7\r");
  await terminal.until("there is no option 7: choose 1 to 2, or answer in words");
  await terminal.until("> ");
  terminal.type("1\r");
  expect(await terminal.answer()).toEqual(answered("answer", "redis"));
});

test("at a blocker, guidance is asked for after its number", async () => {
  const terminal = ask({ kind: "blocker", options: [], default: null });
  await terminal.until("[4] abort");
  await terminal.until("> ");
  terminal.type("1\r");
  await terminal.until("what should the agent know or do?");
  await terminal.until("> ");
  terminal.type("use port 5433\r");
  expect(await terminal.answer()).toEqual(answered("guidance", "use port 5433"));
});

test.each<[string, string]>([
  ["2", "skip"],
  ["3", "retry"],
  ["4", "abort"],
])("at a blocker, %s means %s", async (typed, action) => {
  const terminal = ask({ kind: "guidance", options: [], default: null });
  await terminal.until("> ");
  terminal.type(`${typed}\r`);
  expect(await terminal.answer()).toEqual(answered(action, ""));
});

test("at a blocker, a slip of one word is asked again", async () => {
  const terminal = ask({ kind: "blocker", options: [], default: null });
  await terminal.until("> ");
  terminal.type("retyr\r");
  await terminal.until("choose 1, 2, 3 or 4");
  await terminal.until("> ");
  terminal.type("retry\r");
  expect(await terminal.answer()).toEqual(answered("retry", ""));
});

test.each<[string, string]>([
  ["Ctrl+C", "\u0003"],
  ["Ctrl+D", "\u0004"],
])("%s leaves the prompt, and the question is kept", async (_name, key) => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.type(key);
  await terminal.until("the question is kept");
  expect(await terminal.answer()).toBeNull();
});

test("a closed window ends the prompt without an answer", async () => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.closeWindow();
  await terminal.ended;
  await expect.poll(() => terminal.answer().catch(() => "not yet"), { timeout: 10_000 }).toBeNull();
});

test("an answer from elsewhere closes the prompt and lets the story go on", async () => {
  const terminal = ask();
  await terminal.until("pid ");
  await terminal.until("> ");
  expect(terminal.shown()).not.toContain("a line of the story");
  process.kill(Number(/pid (\d+)\./.exec(terminal.shown())?.[1]), "SIGUSR1");
  await terminal.until("the prompt is closed");
  await terminal.until("a line of the story");
  expect(await terminal.answer()).toBeNull();
});

test("a paste of several lines is one answer and leaves nothing for the next question", async () => {
  const terminal = ask();
  await terminal.until("> ");
  terminal.type("first line\rsecond line\r");
  expect(await terminal.answer()).toEqual(answered("answer", "first line\nsecond line"));
});

test("an agent's escape sequences are shown as plain words", async () => {
  const terminal = ask({
    question: "Pick \u001b[2Jone\u0007 \u202eevil",
    context: ["\u001b]0;title\u0007x"],
  });
  await terminal.until("Pick one evil");
  await terminal.until("- x");
  await terminal.until("> ");
  expect(terminal.shown()).not.toContain("\u001b[2J");
  terminal.type("1\r");
  await terminal.answer();
});
