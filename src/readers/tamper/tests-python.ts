// Which tests, marks and assertions are in Python, with pytest or unittest?

import { argumentsOf } from "./assertion-calls.ts";
import type { Closings } from "./scan.ts";
import { firstMark } from "./test-shapes.ts";
import type { Assertion, Block, Found, MarkRow, Reading, Strength } from "./test-shapes.ts";

export function readPython(reading: Reading): Found {
  const lines = logicalLines(reading);
  return {
    blocks: blocksOf(lines, reading),
    marks: lines.flatMap(({ code, start }) => firstMark(STATEMENTS, code, start)),
    assertions: lines.flatMap((line) => assertionsOf(line, reading.text)),
  };
}

/** A statement, with the lines that its brackets span. */
interface Line {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
  readonly code: string;
}

const STATEMENT_CHARS_MAX = 4_000;

function logicalLines({ code, closings }: Reading): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < code.length) {
    const end = endOfStatement(code, closings, start);
    const whole = code.slice(start, Math.min(end, start + STATEMENT_CHARS_MAX));
    const indent = whole.search(/[^ \t]/);
    if (indent >= 0 && whole[indent] !== "\n" && whole[indent] !== "\r")
      lines.push({ start: start + indent, end, indent, code: whole.slice(indent) });
    start = end + 1;
  }
  return lines;
}

function endOfStatement(code: string, closings: Closings, from: number): number {
  const stop = /[\n([{]/g;
  stop.lastIndex = from;
  for (let match = stop.exec(code); match !== null; match = stop.exec(code)) {
    if (match[0] === "\n") return match.index;
    const close = closings.get(match.index) ?? code.length;
    // A bracket that is never closed is a mistake in one line.
    if (close >= code.length) return endOfLine(code, match.index);
    stop.lastIndex = close + 1;
  }
  return code.length;
}

function endOfLine(code: string, from: number): number {
  const end = code.indexOf("\n", from);
  return end < 0 ? code.length : end;
}

const DEFINITION = /^(?:async\s+def|def|class)\s+(\w{1,200})\s*(\([^)]{0,300})?/;

function blocksOf(lines: readonly Line[], { text }: Reading): readonly Block[] {
  const blocks: Block[] = [];
  const ends = endsOf(lines, text.length);
  let decorators: Line[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.code.startsWith("@")) {
      decorators.push(line);
      continue;
    }
    const block = blockOf(line, decorators, ends[at] ?? text.length);
    if (block !== null) blocks.push(block);
    decorators = [];
  }
  return blocks;
}

/** Where the next statement begins that is indented no further, for each statement. */
function endsOf(lines: readonly Line[], last: number): readonly number[] {
  const ends = lines.map(() => last);
  const open: number[] = [];
  for (const [at, line] of lines.entries()) {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if ((lines[top]?.indent ?? 0) < line.indent) break;
      ends[top] = line.start;
      open.pop();
    }
    open.push(at);
  }
  return ends;
}

function blockOf(line: Line, decorators: readonly Line[], end: number): Block | null {
  const match = DEFINITION.exec(line.code);
  if (match === null) return null;
  const [, name = "", bases = ""] = match;
  const isClass = line.code.startsWith("class");
  const isTest = isClass
    ? /^Test|Tests?$/.test(name) || /TestCase/.test(bases)
    : name.startsWith("test");
  const marks = decorators.flatMap(({ code, start }) => firstMark(DECORATORS, code, start));
  if (!isTest && marks.length === 0) return null;
  return {
    kind: isClass ? "suite" : "test",
    name,
    start: decorators[0]?.start ?? line.start,
    end,
    marks,
    isTable: decorators.some(({ code }) => /\bparametrize\b|\bexpand\b|@given\b/.test(code)),
  };
}

const DECORATORS: readonly MarkRow[] = [
  [/\bmark\.skip\b|\bunittest\.skip\b|^@skip\b/, "skip"],
  [/\bmark\.skipif\b|\bskipIf\b|\bskipUnless\b/, "skip", "fine when new"],
  [/\bmark\.xfail\b|\bexpectedFailure\b/, "expected-failure"],
];

const STATEMENTS: readonly MarkRow[] = [
  [/\bpytest\.xfail\s?\(/, "expected-failure", "fine when new"],
  [/\bpytest\.(?:skip|importorskip)\s?\(|\bself\.skipTest\s?\(/, "skip", "fine when new"],
  [/\braise\s+(?:unittest\.)?SkipTest\b/, "skip", "fine when new"],
  [/^__test__\s*=\s*False\b|^pytestmark\s*=.*\bmark\.skip\b/s, "skip"],
  [/^pytestmark\s*=.*\bmark\.skipif\b/s, "skip", "fine when new"],
  [/^pytestmark\s*=.*\bmark\.xfail\b/s, "expected-failure"],
  [/^collect_ignore(?:_glob)?\s{0,9}(?:\+?=|\.(?:append|extend))/, "exclusion"],
];

const ASSERTS =
  /^assert\b|\bself\.(?:assert\w{1,60}|fail)\s?\(|\bpytest\.(?:raises|warns|fail|deprecated_call)\b|\.assert_\w{1,60}\s?\(|^(?:await\s+)?(?:\w{1,60}\.){0,3}(?:assert|check|verify|expect)_\w{1,60}\s?\(/;

function assertionsOf({ code, start, end }: Line, text: string): readonly Assertion[] {
  if (!ASSERTS.test(code)) return [];
  const whole = text.slice(start, Math.min(end, start + STATEMENT_CHARS_MAX));
  return [{ start, text: whole.replace(/\s+/g, ""), strength: strengthOf(whole, code) }];
}

const COMPARES = /[=!<>]=|[<>]|\b(?:in|is)\b|\b(?:startswith|endswith|all|any)\(/;
const LITERAL = /^\(?(?:True|1|not False|"[^"]{1,200}"|'[^']{1,200}')\)?$/;

function strengthOf(whole: string, code: string): Strength {
  const plain = /^assert\b\s*(.{0,1000})/s.exec(whole)?.[1]?.trim();
  if (plain !== undefined) return ofTruth(plain);
  const truth = /\bself\.assertTrue\s?\((.{0,1000})\)\s*$/s.exec(whole)?.[1]?.trim();
  if (truth !== undefined) return ofTruth(truth);
  return /\bassert(?:IsNotNone|IsInstance|NotEqual|IsNot)\b|\.assert_called\b/.test(code)
    ? "vague"
    : "exact";
}

function ofTruth(claim: string): Strength {
  const [said = ""] = argumentsOf(claim);
  if (LITERAL.test(said) || /\bor\s+True$/.test(said)) return "none";
  const sides = /^(.{1,200}?)\s?==\s?(.{1,200})$/s.exec(said);
  if (sides !== null && sides[1]?.trim() === sides[2]?.trim()) return "none";
  if (/\bis not None$|^isinstance\(|^\w[\w.]{0,200}\s?!=/.test(said)) return "vague";
  return COMPARES.test(said) ? "exact" : "vague";
}
