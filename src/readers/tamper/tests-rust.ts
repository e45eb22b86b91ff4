// Which tests, marks and assertions are in Rust, beside the code or in files of their own?

import { callAssertions } from "./assertion-calls.ts";
import { endOfBody, firstMark } from "./test-shapes.ts";
import type { Assertion, Block, Found, MarkRow, Reading } from "./test-shapes.ts";

export function readRust(reading: Reading): Found {
  const attributes = attributesOf(reading);
  const blocks = blocksOf(reading, attributes);
  return { blocks, marks: [], assertions: assertionsOf(reading, blocks) };
}

interface Attribute {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function attributesOf({ code, text, closings }: Reading): readonly Attribute[] {
  return Array.from(code.matchAll(/#(?=\[)/g), ({ index }) => {
    const end = (closings.get(index + 1) ?? code.length) + 1;
    return { start: index, end, text: text.slice(index + 2, Math.min(end - 1, index + 300)) };
  });
}

/** Between an attribute and what it is of there are attributes and words alone. */
const ITEM =
  /\s*(?:(?:pub(?:\([^()\n]{0,40}\))?|async|unsafe|const|extern)\s+){0,4}(fn|mod)\s+(\w{1,200})/y;
const TEST =
  /^(?:\w{1,40}::){0,4}(?:test|rstest|test_case|quickcheck|proptest|wasm_bindgen_test|parameterized|test_matrix)\b/;
const TABLE = /^(?:rstest|test_case|case|parameterized|test_matrix)\b/;

function blocksOf(reading: Reading, attributes: readonly Attribute[]): readonly Block[] {
  const blocks: Block[] = [];
  let group: Attribute[] = [];
  for (const attribute of attributes) {
    const last = group.at(-1);
    const follows =
      last !== undefined && !/\S/.test(between(reading.code, last.end, attribute.start));
    group = follows ? [...group.slice(-GROUP_MAX), attribute] : [attribute];
    const block = blockAfter(reading, group);
    if (block !== null) blocks.push(block);
  }
  return blocks;
}

const GROUP_MAX = 60;
const GAP_CHARS_MAX = 2_000;

function between(code: string, from: number, to: number): string {
  return to - from > GAP_CHARS_MAX ? "far" : code.slice(from, to);
}

function blockAfter(reading: Reading, group: readonly Attribute[]): Block | null {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return null;
  ITEM.lastIndex = last.end;
  const match = ITEM.exec(reading.code);
  if (match === null) return null;
  const isTest = match[1] === "fn" && group.some(({ text }) => TEST.test(text));
  const marks = group.flatMap(({ text, start }) => firstMark(MARKS, text, start));
  if (!isTest && (match[1] === "fn" || marks.length === 0)) return null;
  const end = endOfBody(reading, ITEM.lastIndex);
  const isTable = group.some(({ text }) => TABLE.test(text));
  const kind = isTest ? "test" : "suite";
  return { kind, name: match[2] ?? "", start: first.start, end, marks, isTable };
}

const MARKS: readonly MarkRow[] = [
  [/^ignore\b/, "skip"],
  [/^cfg_attr\b.{0,200}\bignore\b/s, "skip", "fine when new"],
  // Of a new test a panic is what it is about; of an old one it is what it was to prevent.
  [/^should_panic\b/, "expected-failure", "fine when new"],
  [/^cfg\(\s?(?:any\(\s?\)|FALSE|false)\s?\)/, "skip"],
];

const ASSERTION =
  /\b(?:(?:\w{1,40}_)?assert(?:_\w{1,40})?!|panic!|unreachable!|\w{1,40}::assert\w{0,40}!|(?<!fn )(?:assert|check|verify|expect)_\w{1,60})\s?(?=[([{])/g;
/** Assertions in the code under test are not the tests'. */
function assertionsOf(reading: Reading, blocks: readonly Block[]): readonly Assertion[] {
  const tests = blocks.filter((block) => block.kind === "test");
  const last = reading.code.length;
  let at = 0;
  return callAssertions(reading, ASSERTION, { trivial: TRIVIAL, vague: VAGUE }).filter(
    ({ start }) => {
      while ((tests[at]?.end ?? last) <= start && at < tests.length) at += 1;
      return (tests[at]?.start ?? last) <= start;
    },
  );
}

const TRIVIAL =
  /^(?:debug_)?assert!\s?\(\s?(?:true\s?[,)]|[^()]{0,200}\|\|\s?true\s?\))|^(?:debug_)?assert_eq!\s?\(\s?([\w".]{1,80}),\s?\1\s?[,)]/;
const VAGUE =
  /^assert_ne!|^assert!\s?\([^=<>]{0,300}\.is_(?:ok|some|err|none)\(\)\s?[,)]|^assert!\s?\(![^=<>]{0,300}\.is_empty\(\)\s?[,)]/;
