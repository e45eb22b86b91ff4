// Which tests, marks and assertions are in JavaScript or TypeScript, whatever the runner?

import { jsAssertions } from "./assertions-js.ts";
import type { Block, Found, Mark, Reading } from "./test-shapes.ts";

/** vitest, jest, mocha, jasmine, node:test, bun, Deno, tap, ava, Playwright and Cypress. */
export function readJs(reading: Reading): Found {
  const { code } = reading;
  const calls = Array.from(code.matchAll(CALL), (match) => callOf(reading, match));
  const blocks = calls.flatMap((call) => (call.block === null ? [] : [call.block]));
  const inside = Array.from(code.matchAll(SKIP_INSIDE), ({ index }) => mark("skip", index, true));
  const bare = calls.flatMap((call) => (call.block === null ? call.marks : []));
  return { blocks, marks: [...inside, ...bare], assertions: jsAssertions(reading) };
}

const CALL =
  /(?<![\w$.])(?:t\.|Deno\.)?(it|test|specify|describe|context|suite|[xf]it|[xf]describe|[xf]context|xtest|xspecify)((?:\s{0,9}\.\s{0,9}[a-zA-Z]\w{0,30}){0,4})\s{0,9}(?=[(`])/g;

/** `t.skip()` of node:test and ava, `ctx.skip()` of vitest, `this.skip()` of mocha, `pending()`. */
const SKIP_INSIDE =
  /(?<![\w$.])(?:(?:t|ctx|context|this|tc|testInfo)\s?\.\s?(?:skip|todo|fixme)|pending)\s?\(/g;

const SUITES = new Set(["describe", "context", "suite"]);
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
  const marks = marksOfWord(word, chain, start);
  const title = code[open] === "(" ? titleAt(reading, open + 1) : null;
  // A word of another meaning, as `context(a, b)`; and a marked call without a title marks its test.
  if (title === null)
    return { block: null, marks: marks.map((m) => ({ ...m, fineWhenNew: true })) };
  const end = reading.closings.get(open) ?? code.length;
  const block: Block = {
    kind: SUITES.has(word.replace(/^[xf](?=[dc])/, "")) || isSuiteChain(chain) ? "suite" : "test",
    name: title.name,
    start,
    end,
    marks: [...marks, ...marksOfOptions(code.slice(title.end, end), text, title.end)],
    isTable,
  };
  return { block, marks: [] };
}

const CONDITIONAL = /\.\s*(?:skipIf|runIf|todoIf|failingIf|if)\b/;

function isSuiteChain(chain: string): boolean {
  return /\.\s*describe\b/.test(chain);
}

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

function marksOfWord(word: string, chain: string, start: number): readonly Mark[] {
  const words = new Set(chain.split(".").map((part) => part.trim()));
  const marks: Mark[] = [];
  if (word.startsWith("x") || ["skip", "todo", "fixme"].some((each) => words.has(each)))
    marks.push(mark("skip", start, false));
  if (["skipIf", "runIf", "todoIf"].some((each) => words.has(each)))
    marks.push(mark("skip", start, true));
  if (word.startsWith("f") || words.has("only")) marks.push(mark("focus", start, false));
  if (["fails", "failing", "fail"].some((each) => words.has(each)))
    marks.push(mark("expected-failure", start, false));
  return marks;
}

/** `{ skip: true }` between a title and the function. */
function marksOfOptions(code: string, text: string, offset: number): readonly Mark[] {
  const head = /^\s{0,99},\s{0,99}\{[^{}]{0,300}\}/.exec(code.slice(0, 600))?.[0] ?? "";
  return Array.from(head.matchAll(OPTION), ({ 0: found, 1: word = "", index }) => {
    const at = offset + index;
    const value = text.slice(at + found.length, at + found.length + 5);
    const fineWhenNew = !/^(?:true|["'`])/.test(value);
    return { off: value.startsWith("false"), mark: mark(OPTIONS[word] ?? "skip", at, fineWhenNew) };
  }).flatMap(({ off, mark }) => (off ? [] : [mark]));
}

const OPTION = /\b(skip|todo|only|fails|ignore)\s{0,9}:\s{0,9}/g;
const OPTIONS: Readonly<Record<string, Mark["kind"]>> = {
  only: "focus",
  fails: "expected-failure",
};

function mark(kind: Mark["kind"], start: number, fineWhenNew: boolean): Mark {
  return { kind, start, fineWhenNew };
}
