// Which tests, marks and assertions are in JavaScript or TypeScript, whatever the runner?

import { jsAssertions } from "./assertions-js.ts";
import { firstMark } from "./test-shapes.ts";
import type { Block, Found, Mark, MarkRow, Reading } from "./test-shapes.ts";

/** vitest, jest, mocha, jasmine, node:test, bun, Deno, tap, ava, Playwright and Cypress. */
export function readJs(reading: Reading): Found {
  const { code } = reading;
  const calls = Array.from(code.matchAll(CALL), (match) => callOf(reading, match));
  const blocks = calls.flatMap((call) => (call.block === null ? [] : [call.block]));
  const inside = Array.from(code.matchAll(SKIP_INSIDE), ({ index: start }) => ({
    kind: "skip" as const,
    start,
    fineWhenNew: true,
  }));
  const bare = calls.flatMap((call) => (call.block === null ? call.marks : []));
  return { blocks, marks: [...inside, ...bare], assertions: jsAssertions(reading) };
}

const CALL =
  /(?<![\w$.])(?:t\.|Deno\.)?(it|test|specify|describe|context|suite|[xf]it|[xf]describe|[xf]context|xtest|xspecify)((?:\s{0,9}\.\s{0,9}[a-zA-Z]\w{0,30}){0,4})\s{0,9}(?=[(`])/g;

/** `t.skip()` of node:test and ava, `ctx.skip()` of vitest, `this.skip()` of mocha, `pending()`. */
const SKIP_INSIDE =
  /(?<![\w$.])(?:(?:t|ctx|context|this|tc|testInfo)\s?\.\s?(?:skip|todo|fixme)|pending)\s?\(/g;

const SUITE = /^(?:[xf]?(?:describe|context)|suite)(?!\w)|\.describe(?!\w)/;
const TABLE = /\.\s*(?:each|for)\b/;

interface Call {
  readonly block: Block | null;
  /** Of a call without a title, as `test.skip(condition)` in a test of Playwright. */
  readonly marks: readonly Mark[];
}

function callOf(reading: Reading, match: RegExpExecArray): Call {
  const { code, text } = reading;
  const [whole, word = "", chain = ""] = match;
  const start = match.index;
  const isTable = TABLE.test(chain);
  const conditional = CONDITIONAL.test(chain);
  const first = start + whole.length;
  const open = isTable || conditional ? afterArguments(reading, first) : first;
  const called = `${word}${chain.replace(/\s/g, "")}`;
  const marks = WORDS.flatMap((row) => firstMark([row], called, start));
  const title = code[open] === "(" ? titleAt(reading, open + 1) : null;
  // A word of another meaning, as `context(a, b)`; and a marked call without a title marks its test.
  if (title === null)
    return { block: null, marks: marks.map((m) => ({ ...m, fineWhenNew: true })) };
  const end = reading.closings.get(open) ?? code.length;
  const block: Block = {
    kind: SUITE.test(called) ? "suite" : "test",
    name: title.name,
    start,
    end,
    marks: [...marks, ...marksOfOptions(code.slice(title.end, end), text, title.end)],
    isTable,
  };
  return { block, marks: [] };
}

const CONDITIONAL = /\.\s*(?:skipIf|runIf|todoIf|failingIf|if)\b/;

/** Offset of the arguments that follow a first pair of brackets or a tagged template. */
function afterArguments({ code, closings }: Reading, at: number): number {
  const end = code[at] === "`" ? code.indexOf("`", at + 1) : (closings.get(at) ?? code.length);
  if (end < 0) return code.length;
  const gap = /\S/.exec(code.slice(end + 1, end + 20))?.index ?? 0;
  return end + 1 + gap;
}

/** A title is a literal, or a name or expression followed by a comma. */
function titleAt({ code, text }: Reading, from: number): { name: string; end: number } | null {
  const gap = /\S/.exec(code.slice(from, from + GAP_CHARS_MAX))?.index ?? 0;
  const at = from + gap;
  const quote = code[at] ?? "";
  if (`"'\``.includes(quote) && quote !== "") {
    const close = code.indexOf(quote, at + 1);
    const end = close < 0 ? code.length : close;
    return { name: tidyName(text.slice(at + 1, end)), end: end + 1 };
  }
  const named = /^[\w$.]{1,100}(?=\s*,\s*(?:async\b|function\b|\(|\w+\s*=>|\{))/.exec(
    code.slice(at, at + 200),
  );
  return named === null ? null : { name: named[0], end: at + named[0].length };
}

const GAP_CHARS_MAX = 200;
const NAME_CHARS_MAX = 200;

function tidyName(text: string): string {
  return text.slice(0, NAME_CHARS_MAX).replace(/\s+/g, " ").trim();
}

const WORDS: readonly MarkRow[] = [
  [/^x|\.(?:skip|todo|fixme)(?!\w)/, "skip"],
  [/\.(?:skipIf|runIf|todoIf)(?!\w)/, "skip", "fine when new"],
  [/^f|\.only(?!\w)/, "focus"],
  [/\.(?:fails|failing|fail)(?!\w)/, "expected-failure"],
];

/** `{ skip: true }` between a title and the function. */
function marksOfOptions(code: string, text: string, offset: number): readonly Mark[] {
  const head = /^\s{0,99},\s{0,99}\{[^{}]{0,300}\}/.exec(code.slice(0, 600))?.[0] ?? "";
  return Array.from(head.matchAll(OPTION)).flatMap(({ 0: found, 1: word = "", index }) => {
    const start = offset + index;
    const value = text.slice(start + found.length, start + found.length + 5);
    if (value.startsWith("false")) return [];
    return [{ kind: OPTIONS[word] ?? "skip", start, fineWhenNew: !/^(?:true|["'`])/.test(value) }];
  });
}

const OPTION = /\b(skip|todo|only|fails|ignore)\s{0,9}:\s{0,9}/g;
const OPTIONS: Readonly<Record<string, Mark["kind"]>> = {
  only: "focus",
  fails: "expected-failure",
};
