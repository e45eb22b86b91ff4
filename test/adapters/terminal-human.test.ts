import { mkdtempSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { createTerminalHuman } from "../../src/adapters/terminal/human.ts";
import { createScreen } from "../../src/adapters/terminal/screen.ts";
import type { Question } from "../../src/core/model/question.ts";
import { answer, question } from "../support/builders.ts";
import { testProgram } from "../support/run-orch.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { tinyTerminal } from "../support/tiny-terminal.ts";

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

function signal(terminal: Terminal, name: NodeJS.Signals): void {
  process.kill(Number(/pid (\d+)\./.exec(terminal.shown())?.[1]), name);
}

const answered = (action: string, text: string) => ({
  id: "q1",
  action,
  text,
  by: "prompt (ann)",
  at: "2026-11-20T12:20:00.000Z",
});

const BLOCKER = { kind: "blocker", options: [], default: null } as const;
const GUIDANCE = { ...BLOCKER, kind: "guidance" } as const;
const NO_DEFAULT = { default: null };

/** A prompt that is open. */
async function prompted(...given: Parameters<typeof ask>): Promise<Asked> {
  const terminal = ask(...given);
  await terminal.until("> ");
  return terminal;
}

/** What is typed at each prompt; behind the first, what must have been said before it. */
type Script = readonly (readonly [typed: string, said?: string])[];

test.each<[string, Partial<Question>, Script, readonly [action: string, text: string]]>([
  ["a number picks the option", {}, [["2"]], ["answer", "memory"]],
  ["a bare Enter takes the default", {}, [[""]], ["answer", "redis"]],
  ["own words are an answer, in any script", {}, [["die Größe 🙂"]], ["answer", "die Größe 🙂"]],
  [
    "without a default, a bare Enter is asked again with a hint",
    NO_DEFAULT,
    [
      [""],
      ["7", "there is no default: write an answer"],
      ["1", "there is no option 7: choose 1 to 2, or answer in words"],
    ],
    ["answer", "redis"],
  ],
  [
    "at a blocker, guidance is asked for after its number",
    BLOCKER,
    [
      ["1", "[4] abort"],
      ["use port 5433", "what should the agent know or do?"],
    ],
    ["guidance", "use port 5433"],
  ],
  [
    "at a blocker, a slip of one word is asked again",
    BLOCKER,
    [["retyr"], ["retry", "Choose 1, 2, 3 or 4"]],
    ["retry", ""],
  ],
  ["asked for guidance, 2 skips", GUIDANCE, [["2"]], ["skip", ""]],
  ["asked for guidance, 3 tries again", GUIDANCE, [["3"]], ["retry", ""]],
  ["asked for guidance, 4 ends the run", GUIDANCE, [["4"]], ["abort", ""]],
  [
    "a paste of several lines is one answer and leaves nothing for the next question",
    {},
    [["first line\rsecond line"]],
    ["answer", "first line\nsecond line"],
  ],
])("%s", async (_name, asked, script, [action, text]) => {
  const terminal = ask(asked);
  for (const [typed, said] of script) {
    if (said !== undefined) await terminal.until(said);
    await terminal.until("> ");
    terminal.type(`${typed}\r`);
  }
  expect(await terminal.answer()).toEqual(answered(action, text));
});

test("the next question of the same process is answered like the first", async () => {
  const terminal = await prompted({}, "TWICE=yes");
  terminal.type("2\r");
  await terminal.until("[2] memory");
  await terminal.until("> ");
  terminal.type("1\r");
  expect(await terminal.answer()).toEqual([
    answered("answer", "memory"),
    answered("answer", "redis"),
  ]);
});

test("in a narrow window what is said of a reply is broken at words", async () => {
  const terminal = await prompted({}, "", 40);
  terminal.type("9\r");
  await terminal.until("  there is no option 9: choose 1 to 2,\r\n  or answer in words");
  terminal.type("2\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
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
  signal(terminal, "SIGUSR1");
  await terminal.until("\r\n  answered by orch answer (ann): the session table\r\n");
  expect(await terminal.answer()).toBeNull();
});

test("the story goes on above what is typed", async () => {
  const terminal = await prompted();
  terminal.type("mem");
  await terminal.until("mem");
  signal(terminal, "SIGUSR2");
  await terminal.until("\r\u001b[Jstory 1\r\n");
  await terminal.until("> mem");
  terminal.type("ory\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
});

test("the person is called once while the prompt is open", async () => {
  const terminal = ask();
  await terminal.until("\u0007\u001b[22;0t\u001b]0;orch: add-login waits for you\u001b\\");
  await terminal.until("> ");
  terminal.type("1\r");
  await terminal.until("\u001b[23;0t");
  await terminal.answer();
  expect(terminal.shown().split("\u0007")).toHaveLength(2);
});

test("a stopped program finds its prompt again", async () => {
  const terminal = await prompted();
  terminal.type("mem\u001a");
  await terminal.until("mem");
  // It says nothing when it stops: it is woken until it shows that it was.
  const waking = setInterval(() => signal(terminal, "SIGCONT"), 50);
  await terminal.until("> mem");
  clearInterval(waking);
  terminal.type("ory\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
});

test("a terminal without escape sequences gets none", async () => {
  const terminal = await prompted({}, "TERM=dumb");
  terminal.type("mem");
  await terminal.until("mem");
  signal(terminal, "SIGUSR2");
  // What is typed is with the terminal until Enter.
  await terminal.until("story 1\r\n> ");
  terminal.type("ory\r");
  expect(await terminal.answer()).toEqual(answered("answer", "memory"));
  expect(terminal.shown()).not.toContain("\u001b");
});

test.each([
  ["without a last newline can be changed before Enter", "second\u001b[201~", "second", " line\r"],
  ["that arrives in pieces is one answer", "", "first line\r", "second line\r\u001b[201~"],
])("a marked paste %s", async (_name, more, shown, rest) => {
  const terminal = await prompted();
  terminal.type(`\u001b[200~first line\r${more}`);
  await terminal.until(shown);
  terminal.type(rest);
  expect(await terminal.answer()).toEqual(answered("answer", "first line\nsecond line"));
});

test("a paste into the middle of the line stays where the cursor is", async () => {
  const terminal = await prompted();
  terminal.type("the end");
  await terminal.until("the end");
  terminal.type("\u001b[H");
  await terminal.until("\u001b[7D");
  terminal.type("at 🙂 ");
  await terminal.until("at 🙂 the end");
  terminal.type("\r");
  expect(await terminal.answer()).toEqual(answered("answer", "at 🙂 the end"));
});

test("a paste of 19000 characters is taken whole", async () => {
  const terminal = await prompted();
  const text = `${"word ".repeat(3_800)}end`;
  terminal.type(`${text}\r`);
  expect(await terminal.answer()).toEqual(answered("answer", text));
});

test("more than any answer may have is refused, not lost in waiting", async () => {
  const terminal = await prompted();
  terminal.type("x".repeat(1_000_000));
  terminal.type("\r");
  await terminal.until("that is 50000 characters; at most 20000 are taken");
  terminal.type("1\r");
  expect(await terminal.answer()).toEqual(answered("answer", "redis"));
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

test.each<[string, string, string]>([
  ["/help", "/help /show /skip /abort", "1"],
  ["/show", "all of it", "1"],
  ["/sikp", "there is no /sikp here: /help, /show, /skip, /abort", "1"],
  ["reddis", '"reddis" is none of the options. Choose 1 or 2', "1"],
])("%s is no answer, and %j is said", async (typed, said, then) => {
  const { type, rows, asking } = conversation(() => Promise.resolve());
  await type(`${typed}\r`);
  expect(rows().join(" ")).toContain(said);
  await type(`${then}\r`);
  expect(await asking).toMatchObject({ action: "answer", text: "redis" });
});

describe("a person who is in a hurry", () => {
  test("answers nothing with what was typed before the question was there", async () => {
    const { type, pass, rows, asking } = conversation();
    await type("memory\r\r");
    await pass(2);
    expect(rows().at(-1)).toBe(">");
    await type("1\r");
    await pass(1);
    expect(await asking).toMatchObject({ text: "redis" });
  });

  test("answers nothing before it could be read, and what was typed stays", async () => {
    const { type, pass, rows, asking } = conversation();
    await pass(1);
    await type("2\r\r");
    expect(rows().at(-1)).toBe("… 2");
    // The time to read it, and then, because Enter was pressed, a calm moment.
    await pass(1);
    expect(rows().at(-1)).toBe("… 2");
    await pass(1);
    expect(rows().at(-1)).toBe("> 2");
    await type("\r");
    await type("\r");
    expect(await asking).toMatchObject({ text: "memory" });
  });

  test("leaves at once with Ctrl+C", async () => {
    const { type, asking } = conversation();
    await type("\u0003");
    expect(await asking).toBeNull();
  });
});

describe("an answer that was just given", () => {
  const given = async () => {
    const here = conversation();
    await here.pass(2);
    await here.type("2\r");
    return here;
  };

  test("can be taken back, and another one given", async () => {
    const { type, pass, rows, asking } = await given();
    await type("/undo\r");
    expect(rows().join(" ")).toContain("taken back");
    // The moment of the answer that was taken back sends nothing.
    await pass(1);
    await type("1\r");
    await pass(1);
    expect(await asking).toMatchObject({ text: "redis" });
  });

  test("stays while something is typed", async () => {
    const { type, pass, rows, asking } = await given();
    await type("/un");
    await pass(1);
    await type("do\r");
    expect(rows().join(" ")).toContain("taken back");
    await type("\u0003");
    expect(await asking).toBeNull();
  });

  test("is not sent by who leaves", async () => {
    const { type, rows, asking } = await given();
    await type("\u0003");
    expect(await asking).toBeNull();
    expect(rows().join(" ")).toContain("not sent");
  });
});

/** A prompt in memory. `pass` lets the waits that are under way be over, so many times. */
function conversation(sleep: (() => Promise<void>) | null = null) {
  const terminal = tinyTerminal(200);
  const input = new PassThrough();
  let waits: (() => void)[] = [];
  const human = createTerminalHuman({
    input,
    present: true,
    screen: createScreen(terminal.stream),
    words: { question: ({ question: text }) => text, help: () => "help", whole: () => "all of it" },
    person: null,
    bell: null,
    now: () => "2026-11-20T12:20:00.000Z",
    sleep: sleep ?? (() => new Promise((resolve) => void waits.push(resolve))),
  });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 8; turn += 1) await new Promise((done) => setImmediate(done));
  };
  return {
    rows: () => terminal.rows(),
    asking: human.ask(question(), new AbortController().signal),
    type: async (text: string) => {
      await settle();
      input.write(text);
      await settle();
    },
    pass: async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        const over = waits;
        waits = [];
        for (const done of over) done();
        await settle();
      }
    },
  };
}

describe("who answered elsewhere, and what, is said in one harmless line", () => {
  const hostile = "x\u001b]0;title\u0007\n\u202ey ".repeat(1_000);

  test.each<[string, unknown, string | RegExp]>([
    ["an answer", answer({ text: "memory", by: "inbox" }), "  answered by inbox: memory"],
    ["an action", answer({ action: "skip", text: "", by: "inbox" }), "  answered by inbox: skip"],
    [
      "an extension",
      answer({ action: "extend", text: "30m", by: "orch answer (ann)" }),
      "  answered by orch answer (ann): extend 30m",
    ],
    ["a deadline", answer({ action: "expire", text: "redis" }), "  nobody answered in time: redis"],
    [
      "a deadline without a default",
      answer({ action: "expire", text: "" }),
      "  nobody answered in time",
    ],
    [
      "an action of another version",
      { action: "ponder", text: "", by: "inbox" },
      "  answered by inbox: ponder",
    ],
    [
      "anything",
      { action: "answer", text: hostile, by: hostile },
      /^ {2}answered by [xy ]{119}…: [xy ]{299}…$/,
    ],
    ["no answer", undefined, "  the prompt is closed"],
    ["no answer, with a reason", null, "  the prompt is closed"],
    ["half an answer", { text: "redis" }, "  the prompt is closed"],
  ])("%s", async (_name, reason, words) => {
    const terminal = tinyTerminal(1_000);
    const human = createTerminalHuman({
      input: new PassThrough(),
      present: true,
      screen: createScreen(terminal.stream),
      words: { question: () => "question", help: () => "help", whole: () => "whole" },
      person: null,
      bell: null,
      now: () => "2026-11-20T12:20:00.000Z",
      sleep: () => Promise.resolve(),
    });
    const over = new AbortController();
    const asking = human.ask(question(), over.signal);
    over.abort(reason);
    expect(await asking).toBeNull();
    expect(terminal.rows().at(-2)).toMatch(words);
    expect(terminal.rows().at(-1)).toBe("");
  });
});
