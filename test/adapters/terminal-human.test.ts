import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import type { Question } from "../../src/core/model/question.ts";
import { testProgram } from "../support/run-orch.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";

const program = testProgram("prompt-entry");

interface Asked extends Terminal {
  /** What the program printed on stdout: the answer, or null. */
  answer(): Promise<unknown>;
}

function ask(over: Partial<Question> = {}, env = "", columns = 80): Asked {
  const out = join(mkdtempSync(join(tmpdir(), "orch-human-")), "answer.json");
  const question = JSON.stringify(over).replaceAll("'", "'\\''");
  const terminal = openTerminal(
    `${env} '${process.execPath}' '${program}' '${question}' > '${out}'`,
    columns,
  );
  return {
    ...terminal,
    async answer() {
      await terminal.ended;
      return JSON.parse(readFileSync(out, "utf8"));
    },
  };
}

function pidOf(terminal: Terminal): number {
  return Number(/pid (\d+)\./.exec(terminal.shown())?.[1]);
}

const answered = (action: string, text: string) => ({
  id: "q1",
  action,
  text,
  by: "prompt (ann)",
  at: expect.stringMatching(/^\d{4}-.*Z$/),
});

const BLOCKER = { kind: "blocker", options: [], default: null } as const;

/** A prompt that is open. */
async function prompted(...given: Parameters<typeof ask>): Promise<Asked> {
  const terminal = ask(...given);
  await terminal.until("> ");
  return terminal;
}

/** What is typed at each prompt; behind the first, what must be shown before it. */
type Script = readonly (readonly [typed: string, shown?: string])[];

test.each<[string, Partial<Question>, Script, readonly [action: string, text: string]]>([
  [
    "what is no answer is asked again with a hint",
    { default: null },
    [
      [""],
      ["7", "there is no default: write an answer"],
      ["/sikp", "there is no option 7: choose 1 to 2, or answer in words"],
      ["/help", "there is no /sikp here; /help tells what may be typed"],
      ["1", "the work so far, from another shell: orch diff add-login"],
    ],
    ["answer", "redis"],
  ],
  [
    "at a blocker, guidance is asked for after its number",
    BLOCKER,
    [["1"], ["use port 5433", "what should the agent know or do?"]],
    ["guidance", "use port 5433"],
  ],
  [
    "a paste of several lines is one answer",
    {},
    [["die Größe 🙂\rsecond line"]],
    ["answer", "die Größe 🙂\nsecond line"],
  ],
])("%s", async (_name, asked, script, [action, text]) => {
  const terminal = await prompted(asked);
  for (const [typed, shown] of script) {
    if (shown !== undefined) {
      await terminal.until(shown);
      await terminal.until("> ");
    }
    terminal.type(`${typed}\r`);
  }
  expect(await terminal.answer()).toEqual(answered(action, text));
});

test("keys that were pressed before a question was shown answer nothing", async () => {
  const terminal = ask({}, "TWICE=yes");
  terminal.type("memory\r\r");
  await terminal.until("\u0007");
  await terminal.until("> ");
  // The bell rings once a question.
  expect(terminal.shown().split("\u0007")).toHaveLength(2);
  terminal.type("2\r");
  await terminal.until("[2] memory");
  terminal.type("2\r");
  await terminal.until("> ");
  terminal.type("1\r");
  expect(await terminal.answer()).toEqual([
    answered("answer", "memory"),
    answered("answer", "redis"),
  ]);
});

test.each<[string, string]>([
  ["Ctrl+C", "\u0003"],
  ["Ctrl+D, and what comes after it is nobody's:", "\u0004and more\r"],
])("%s leaves the prompt, and the question is kept", async (_name, key) => {
  const terminal = await prompted();
  terminal.type(key);
  await terminal.until("the question is kept");
  expect(await terminal.answer()).toBeNull();
});

test("a closed window ends the prompt without an answer, and is told from a person who leaves", async () => {
  const terminal = await prompted();
  terminal.closeWindow();
  await terminal.ended;
  await expect
    .poll(() => terminal.answer().catch(() => "not yet"), { timeout: 10_000 })
    .toBe("gone");
});

test("an answer from elsewhere closes the prompt, and leaves what was typed", async () => {
  const terminal = await prompted();
  terminal.type("half a thou");
  await terminal.until("half a thou");
  process.kill(pidOf(terminal), "SIGUSR1");
  await terminal.until("\r\n");
  await terminal.until("  no answer is needed at the moment\r\n");
  expect(await terminal.answer()).toBeNull();
});

test.each(["", "TERM=dumb"])(
  "what was being typed when the agent ceased to wait stands in the next prompt (%s)",
  async (env) => {
    const terminal = await prompted({}, `TWICE=yes ${env}`);
    terminal.type("half a thou");
    await terminal.until("half a thou");
    process.kill(pidOf(terminal), "SIGUSR1");
    await terminal.until("no answer is needed at the moment");
    await terminal.until("half a thou");
    terminal.type("ght\r");
    expect(await terminal.answer()).toEqual([null, answered("answer", "half a thought")]);
  },
);

test("a stopped program finds its prompt again", async () => {
  const terminal = await prompted();
  terminal.type("mem\u001a");
  await terminal.until("mem");
  // It says nothing when it stops: it is woken until it shows that it was.
  const waking = setInterval(() => process.kill(pidOf(terminal), "SIGCONT"), 50);
  await terminal.until("> mem");
  clearInterval(waking);
  terminal.type("ory\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
});

test("a terminal without escape sequences gets none", async () => {
  const terminal = await prompted({}, "TERM=dumb");
  terminal.type("mem");
  await terminal.until("mem");
  process.kill(pidOf(terminal), "SIGUSR2");
  await terminal.until("story 1\r\n> ");
  terminal.type("ory\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
  expect(terminal.shown()).not.toContain("\u001b");
});
