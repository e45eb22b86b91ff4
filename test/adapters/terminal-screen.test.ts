import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createScreen } from "../../src/adapters/terminal/screen.ts";
import { tinyTerminal } from "../support/tiny-terminal.ts";

const HOME = "\u0001";
const CLEAR = "\u0005\u0015";
const RIGHT = "\u001b[C";

function open(columns: number) {
  const terminal = tinyTerminal(columns);
  const screen = createScreen(terminal.stream);
  const input = new PassThrough();
  const lines = createInterface({ input, output: screen.output, prompt: "> ", historySize: 0 });
  screen.lend(lines);
  return { terminal, screen, lines, type: (text: string): void => void input.write(text) };
}

describe("an input line", () => {
  test("takes the passing line away, and lets it come back", () => {
    const { terminal, screen, lines } = open(40);
    screen.passing(() => ["the agent works"]);
    screen.line("story");
    expect(terminal.rows()).toEqual(["story", ">"]);
    screen.release(lines);
    expect(terminal.rows()).toEqual(["story", "the agent works"]);
  });
});

const plain = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "."), maxLength: 130 });
const act = fc.oneof(
  fc.record({ kind: fc.constant("story" as const), text: plain }),
  fc.record({ kind: fc.constant("type" as const), text: plain, at: fc.nat(130) }),
);

test("whatever is typed and told, at any width, the story and the typed text are whole", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 60 }),
      fc.array(act, { maxLength: 25 }),
      (width, acts) => {
        const { terminal, screen, lines, type } = open(width);
        let [text, cursor] = ["", 0];
        const story: string[] = [];
        for (const one of acts) {
          if (one.kind === "story") {
            story.push(one.text);
            screen.line(one.text);
          } else {
            text = one.text;
            cursor = Math.min(one.at, text.length);
            for (const key of [CLEAR, ...Array.from(text), HOME, RIGHT.repeat(cursor)]) type(key);
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
        lines.close();
      },
    ),
    { numRuns: 100 },
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
