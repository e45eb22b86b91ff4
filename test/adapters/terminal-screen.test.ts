import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { createScreen, terminalTraits } from "../../src/adapters/terminal/screen.ts";
import { tinyTerminal } from "../support/tiny-terminal.ts";

const cut = (text: string, columns: number): string => text.slice(0, columns);
const typed = (text: string, cursor = text.length) => ({ sign: "> ", text, cursor });

function open(columns: number, traits = terminalTraits({})) {
  const terminal = tinyTerminal(columns);
  const screen = createScreen(terminal.stream, cut, traits);
  const prompt = screen.prompt();
  /** What is written meanwhile. */
  const bytes = (act: () => void): string => {
    const before = terminal.written().length;
    act();
    return terminal.written().slice(before);
  };
  return { terminal, screen, prompt, bytes };
}

describe("a prompt", () => {
  test("writes exactly what is needed", () => {
    const { screen, prompt, bytes } = open(10);
    expect(bytes(() => prompt.show(typed("")))).toBe("> ");
    expect(bytes(() => prompt.show(typed("abc")))).toBe("\r\u001b[J> abc");
    expect(bytes(() => prompt.show(typed("abc", 1)))).toBe("\r\u001b[J> abc\u001b[4G");
    expect(bytes(() => prompt.show(typed("abcdefgh")))).toBe("\r\u001b[J> abcdefgh \u001b[1G");
    expect(bytes(() => screen.line("story"))).toBe(
      "\u001b[1A\r\u001b[Jstory\n> abcdefgh \u001b[1G",
    );
    expect(bytes(() => prompt.show(typed("abcdefghij", 0)))).toBe(
      "\u001b[1A\r\u001b[J> abcdefghij\u001b[1A\u001b[3G",
    );
    expect(bytes(() => prompt.leave(typed("abc")))).toBe("\r\u001b[J> abc\n");
    expect(bytes(() => screen.line("more"))).toBe("more\n");
    expect(bytes(() => prompt.close())).toBe("\u001b[?2004l");
  });

  test("counts the cells of wide characters as the terminal does", () => {
    const { prompt, bytes } = open(10);
    // Nine cells are taken: the fourth one does not fit and begins the next row.
    expect(bytes(() => prompt.show(typed("a界界界界b", 1)))).toBe("> a界界界界b\u001b[1A\u001b[4G");
  });

  test("shows typed control characters as nothing and a tab as a space", () => {
    const { prompt, bytes } = open(40);
    expect(bytes(() => prompt.show(typed("a\tb\u0007\u202ec")))).toBe("> a bc");
  });

  test("takes the passing line away, and lets it come back", () => {
    const terminal = tinyTerminal(40);
    const screen = createScreen(terminal.stream, cut);
    screen.passing("the agent works");
    const prompt = screen.prompt();
    prompt.show(typed("abc"));
    screen.passing("the agent still works");
    screen.line("story");
    expect(terminal.rows()).toEqual(["story", "> abc"]);
    prompt.close();
    expect(terminal.rows()).toEqual(["story", "the agent still works"]);
  });

  test("shows the part of a long text that is around the cursor", () => {
    const { terminal, prompt } = open(20);
    const text = `begin ${"x".repeat(50_000)} end`;
    prompt.show(typed(text));
    expect(terminal.rows()[0]).toMatch(/^> …x+$/);
    expect(terminal.rows().at(-1)).toMatch(/x+ end$/);
    expect(terminal.rows().length).toBeLessThan(500);
    prompt.show(typed(text, 0));
    expect(terminal.rows()[0]).toMatch(/^> begin x+$/);
    expect(terminal.rows().at(-1)).toMatch(/x+…$/);
    expect(terminal.cursor()).toEqual({ row: 0, column: 2 });
  });

  test("in a terminal that does not reflow, goes up the rows that it drew", () => {
    const { terminal, prompt, bytes } = open(20, { plain: false, reflows: false });
    prompt.show(typed("x".repeat(30)));
    expect(bytes(() => terminal.resize(10))).toContain(`\u001b[1A\r\u001b[J> ${"x".repeat(30)}`);
  });

  test("without escape sequences, is written anew", () => {
    const { screen, prompt, bytes, terminal } = open(40, terminalTraits({ TERM: "dumb" }));
    expect(bytes(() => prompt.show(typed("a")))).toBe("> a");
    expect(bytes(() => prompt.show(typed("ab")))).toBe("b");
    expect(bytes(() => prompt.show(typed("x")))).toBe("\n> x");
    expect(bytes(() => screen.line("story"))).toBe("\nstory\n> x");
    expect(bytes(() => terminal.resize(10))).toBe("");
    expect(bytes(() => prompt.leave(typed("xy")))).toBe("y\n");
    expect(bytes(() => prompt.close())).toBe("");
  });
});

test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ["most terminals", { TERM: "xterm-256color" }, true],
  ["the editor's", { TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, false],
  ["xterm", { TERM: "xterm", XTERM_VERSION: "XTerm(379)" }, false],
  ["tmux in xterm", { TERM: "screen", XTERM_VERSION: "XTerm(379)", TMUX: "/tmp/tmux-1" }, true],
  ["the console of Linux", { TERM: "linux" }, false],
])("of %s it is known whether long lines are laid out anew", (_name, env, reflows) => {
  expect(terminalTraits(env)).toEqual({ plain: false, reflows });
});

const plain = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "."), maxLength: 130 });
const act = fc.oneof(
  fc.record({ kind: fc.constant("story" as const), text: plain }),
  fc.record({ kind: fc.constant("type" as const), text: plain, at: fc.nat(130) }),
  fc.record({ kind: fc.constant("resize" as const), columns: fc.integer({ min: 5, max: 60 }) }),
);

test("whatever is typed and told, at any width, the story and the typed text are whole", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5, max: 60 }),
      fc.array(act, { maxLength: 25 }),
      (columns, acts) => {
        const { terminal, screen, prompt } = open(columns);
        let width = columns;
        let now = typed("");
        const story: string[] = [];
        prompt.show(now);
        for (const one of acts) {
          if (one.kind === "story") {
            story.push(one.text);
            screen.line(one.text);
          } else if (one.kind === "type") {
            now = typed(one.text, Math.min(one.at, one.text.length));
            prompt.show(now);
          } else {
            width = one.columns;
            terminal.resize(width);
          }
        }
        const rows = (text: string): readonly string[] =>
          Array.from({ length: Math.max(1, Math.ceil(text.length / width)) }, (_, row) =>
            text.slice(row * width, (row + 1) * width).trimEnd(),
          );
        const above = story.flatMap(rows);
        const whole = [...above, ...rows(`> ${now.text}`)];
        // A full last row has an empty one below it, where the next character will stand.
        const shown = terminal.rows();
        expect(shown.slice(0, whole.length)).toEqual(whole);
        expect(shown.slice(whole.length).join("")).toBe("");
        const before = 2 + now.cursor;
        expect(terminal.cursor()).toEqual({
          row: above.length + Math.floor(before / width),
          column: before % width,
        });
      },
    ),
    { numRuns: 400 },
  );
});
