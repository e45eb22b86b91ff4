import { PassThrough } from "node:stream";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { openPrompt } from "../../src/adapters/terminal/prompt.ts";
import { createScreen } from "../../src/adapters/terminal/screen.ts";
import { tinyTerminal } from "../support/tiny-terminal.ts";

const HOME = "\u0001";
const CLEAR = "\u0005\u0015";
const RIGHT = "\u001b[C";

async function open(columns: number, plain = false) {
  const terminal = tinyTerminal(columns);
  const screen = createScreen(terminal.stream, plain);
  const input = new PassThrough();
  const prompt = openPrompt(input, screen, new AbortController().signal);
  const answer = prompt.next();
  // The stream begins to flow.
  await new Promise(setImmediate);
  /** What is written meanwhile. */
  const bytes = (act: () => void): string => {
    const before = terminal.written().length;
    act();
    return terminal.written().slice(before);
  };
  const type = (text: string): void => void input.write(text);
  return { terminal, screen, prompt, answer, bytes, type };
}

describe("a prompt", () => {
  test("is drawn again below the story", async () => {
    const { terminal, screen, prompt, answer, type } = await open(10);
    type("abcdefghij");
    screen.line("story");
    expect(terminal.rows()).toEqual(["story", "> abcdefgh", "ij"]);
    expect(terminal.cursor()).toEqual({ row: 2, column: 2 });
    type("\r");
    expect(await answer).toEqual({ kind: "line", text: "abcdefghij" });
    prompt.close();
    screen.line("more");
    expect(terminal.rows()).toEqual(["story", "> abcdefgh", "ij", "more", ""]);
  });

  test("takes no control characters, and 50000 others at most", async () => {
    const { terminal, answer, type } = await open(40);
    type("b\u202ec\u009b");
    expect(terminal.rows()).toEqual(["> bc"]);
    type("x".repeat(1_000_000));
    type("\r");
    expect(await answer).toMatchObject({ text: expect.stringMatching(/^bcx{49998}$/) });
  });

  test("takes the passing line away, and lets it come back", async () => {
    const terminal = tinyTerminal(40);
    const screen = createScreen(terminal.stream);
    screen.passing(() => ["the agent works"]);
    const prompt = openPrompt(new PassThrough(), screen, new AbortController().signal);
    void prompt.next();
    screen.passing(() => ["the agent still works"]);
    screen.line("story");
    expect(terminal.rows()).toEqual(["story", ">"]);
    prompt.close();
    expect(terminal.rows()).toEqual(["story", "the agent still works"]);
  });

  test("without escape sequences, is left to the terminal", async () => {
    const { screen, prompt, answer, bytes, type, terminal } = await open(40, true);
    expect(bytes(() => screen.line("story"))).toBe("\nstory\n> ");
    expect(bytes(() => terminal.resize(10))).toBe("");
    type("first\nsecond\n");
    expect(await answer).toEqual({ kind: "line", text: "first\nsecond" });
    prompt.close();
    expect(terminal.written()).not.toContain("\u001b");
  });
});

const plain = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "."), maxLength: 130 });
const act = fc.oneof(
  fc.record({ kind: fc.constant("story" as const), text: plain }),
  fc.record({ kind: fc.constant("type" as const), text: plain, at: fc.nat(130) }),
  fc.record({ kind: fc.constant("resize" as const), columns: fc.integer({ min: 5, max: 60 }) }),
);

test("whatever is typed and told, at any width, the story and the typed text are whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 5, max: 60 }),
      fc.array(act, { maxLength: 25 }),
      async (columns, acts) => {
        const { terminal, screen, prompt, type } = await open(columns);
        let width = columns;
        let [text, cursor] = ["", 0];
        const story: string[] = [];
        for (const one of acts) {
          if (one.kind === "story") {
            story.push(one.text);
            screen.line(one.text);
          } else if (one.kind === "type") {
            text = one.text;
            cursor = Math.min(one.at, text.length);
            type(`${CLEAR}${text}${HOME}${RIGHT.repeat(cursor)}`);
          } else {
            width = one.columns;
            terminal.resize(width);
          }
        }
        const rows = (line: string): readonly string[] =>
          Array.from({ length: Math.max(1, Math.ceil(line.length / width)) }, (_, row) =>
            line.slice(row * width, (row + 1) * width).trimEnd(),
          );
        const above = story.flatMap(rows);
        const whole = [...above, ...rows(`> ${text}`)];
        // A full last row has an empty one below it, where the next character will stand.
        const shown = terminal.rows();
        expect(shown.slice(0, whole.length)).toEqual(whole);
        expect(shown.slice(whole.length).join("")).toBe("");
        const before = 2 + cursor;
        expect(terminal.cursor()).toEqual({
          row: above.length + Math.floor(before / width),
          column: before % width,
        });
        prompt.close();
      },
    ),
    { numRuns: 200 },
  );
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 70 });
const passing = fc.oneof(
  fc.record({ kind: fc.constant("story" as const), text: word }),
  fc.record({ kind: fc.constant("block" as const), lines: fc.array(word, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant("resize" as const), columns: fc.integer({ min: 5, max: 60 }) }),
);

test("whatever passes below it, at any width, the story is whole and nothing else is left", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 60 }),
      fc.array(passing, { maxLength: 25 }),
      (columns, acts) => {
        const terminal = tinyTerminal(columns);
        const screen = createScreen(terminal.stream);
        let width = columns;
        const story: string[] = [];
        for (const one of acts) {
          if (one.kind === "resize") terminal.resize((width = one.columns));
          else if (one.kind === "block") {
            screen.passing((room) => one.lines.map((line) => line.slice(0, room)));
            screen.line("drawn");
            story.push("drawn");
          } else {
            story.push(one.text);
            screen.line(one.text);
          }
        }
        screen.passing(null);
        const rows = story.flatMap((line) =>
          Array.from({ length: Math.ceil(line.length / width) }, (_, row) =>
            line.slice(row * width, (row + 1) * width),
          ),
        );
        expect(terminal.rows()).toEqual([...rows, ""]);
      },
    ),
  );
});
