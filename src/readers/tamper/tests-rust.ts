// Which tests, marks and assertions are in Rust, beside the code or in files of their own?

import type { Assertion, Block, Found, Mark, Reading, Strength } from "./test-shapes.ts";

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

function blockAfter({ code, closings }: Reading, group: readonly Attribute[]): Block | null {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return null;
  ITEM.lastIndex = last.end;
  const match = ITEM.exec(code);
  if (match === null) return null;
  const isTest = match[1] === "fn" && group.some(({ text }) => TEST.test(text));
  const marks = group.flatMap(markOf);
  if (!isTest && (match[1] === "fn" || marks.length === 0)) return null;
  const open = code.indexOf("{", ITEM.lastIndex);
  const end = open < 0 ? code.length : (closings.get(open) ?? code.length);
  const isTable = group.some(({ text }) => TABLE.test(text));
  const kind = isTest ? "test" : "suite";
  return { kind, name: match[2] ?? "", start: first.start, end, marks, isTable };
}

function markOf({ text, start }: Attribute): readonly Mark[] {
  if (/^ignore\b/.test(text)) return [{ kind: "skip", start, fineWhenNew: false }];
  if (/^cfg_attr\b.{0,200}\bignore\b/s.test(text))
    return [{ kind: "skip", start, fineWhenNew: true }];
  // Of a new test a panic is what it is about; of an old one it is what it was to prevent.
  if (/^should_panic\b/.test(text)) return [{ kind: "expected-failure", start, fineWhenNew: true }];
  if (/^cfg\(\s?(?:any\(\s?\)|FALSE|false)\s?\)/.test(text))
    return [{ kind: "skip", start, fineWhenNew: false }];
  return [];
}

const ASSERTION =
  /\b(?:(?:\w{1,40}_)?assert(?:_\w{1,40})?!|panic!|unreachable!|\w{1,40}::assert\w{0,40}!|(?<!fn )(?:assert|check|verify|expect)_\w{1,60})\s?(?=[([{])/g;
const TEXT_CHARS_MAX = 2_000;

/** Assertions in the code under test are not the tests'. */
function assertionsOf(
  { code, text, closings }: Reading,
  blocks: readonly Block[],
): readonly Assertion[] {
  const tests = blocks.filter((block) => block.kind === "test");
  const found: Assertion[] = [];
  let at = 0;
  for (const { 0: callee, index } of code.matchAll(ASSERTION)) {
    while ((tests[at]?.end ?? code.length) <= index && at < tests.length) at += 1;
    if ((tests[at]?.start ?? code.length) > index) continue;
    const close = closings.get(index + callee.length) ?? code.length;
    const whole = text.slice(index, Math.min(close + 1, index + TEXT_CHARS_MAX));
    found.push({ start: index, text: whole.replace(/\s+/g, ""), strength: strengthOf(whole) });
  }
  return found;
}

const TRIVIAL =
  /^(?:debug_)?assert!\s?\(\s?(?:true\s?[,)]|[^()]{0,200}\|\|\s?true\s?\))|^(?:debug_)?assert_eq!\s?\(\s?([\w".]{1,80}),\s?\1\s?[,)]/;
const VAGUE =
  /^assert_ne!|^assert!\s?\([^=<>]{0,300}\.is_(?:ok|some|err|none)\(\)\s?[,)]|^assert!\s?\(![^=<>]{0,300}\.is_empty\(\)\s?[,)]/;

function strengthOf(whole: string): Strength {
  if (TRIVIAL.test(whole)) return "none";
  return VAGUE.test(whole) ? "vague" : "exact";
}
