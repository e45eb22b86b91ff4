// Which tests does a source text hold, with which marks and which assertions?

import { closings, lineTeller } from "./scan.ts";
import type { Source } from "./scan.ts";
import type { Language } from "./paths.ts";
import { readGo } from "./tests-go.ts";
import { readJs } from "./tests-js.ts";
import { readOther } from "./tests-other.ts";
import { readPython } from "./tests-python.ts";
import { readRust } from "./tests-rust.ts";
import type { Assertion, Block, Found, Mark, Reading } from "./test-shapes.ts";

export interface TestCase {
  readonly name: string;
  readonly start: number;
  /** Its text, and its code alone; cut where it is long. */
  readonly body: string;
  readonly code: string;
  readonly isTable: boolean;
  /** Its own and those of all suites around it. */
  readonly marks: readonly PlacedMark[];
  readonly assertions: readonly Assertion[];
}

export interface PlacedMark extends Mark {
  /** From where it begins. */
  readonly line: string;
}

export interface TestFacts {
  readonly source: Source;
  readonly tests: readonly TestCase[];
  /** Marks of the whole file, and of suites; a suite may hold tests that only exist when it runs. */
  readonly suites: readonly { readonly name: string; readonly marks: readonly PlacedMark[] }[];
  /** In functions that tests share. */
  readonly outside: readonly Assertion[];
  lineOf(offset: number): number;
}

export function testFacts(source: Source, language: Language, path: string): TestFacts {
  return assemble(source, READERS[language]({ ...source, closings: closings(source.code) }, path));
}

const READERS: Readonly<Record<Language, (reading: Reading, path: string) => Found>> = {
  js: readJs,
  python: readPython,
  go: readGo,
  rust: readRust,
  "c-like": readOther,
  hash: readOther,
};

/** More tests than this in one file are generated. */
const BLOCKS_MAX = 3_000;

interface Open {
  readonly block: Block;
  readonly marks: Mark[];
  readonly assertions: Assertion[];
  readonly outer: Open | null;
}

/** Gives every mark and assertion to the innermost block around it, in one sweep. */
function assemble(source: Source, found: Found): TestFacts {
  const blocks = [...found.blocks].sort((a, b) => a.start - b.start).slice(0, BLOCKS_MAX);
  const file: Block = {
    kind: "suite",
    name: "",
    start: 0,
    end: source.text.length + 1,
    marks: [],
    isTable: false,
  };
  const root: Open = { block: file, marks: [], assertions: [], outer: null };
  const opened = [root, ...nest(root, blocks)];
  spread(opened, found.marks, (open, mark) => open.marks.push(mark));
  spread(opened, found.assertions, (open, assertion) => owner(open).assertions.push(assertion));
  return {
    source,
    tests: opened.flatMap((open) => (open.block.kind === "test" ? [testCase(source, open)] : [])),
    suites: opened.flatMap(({ block, marks }) =>
      block.kind === "suite"
        ? [{ name: block.name, marks: placed(source, [...block.marks, ...marks]) }]
        : [],
    ),
    outside: root.assertions,
    lineOf: lineTeller(source.text),
  };
}

function nest(root: Open, blocks: readonly Block[]): readonly Open[] {
  let inner: Open = root;
  return blocks.map((block) => {
    while (inner.outer !== null && inner.block.end <= block.start) inner = inner.outer;
    inner = { block, marks: [], assertions: [], outer: inner };
    return inner;
  });
}

/** Both lists are in order of the text. */
function spread<T extends { readonly start: number }>(
  opened: readonly Open[],
  items: readonly T[],
  give: (open: Open, item: T) => void,
): void {
  let next = 1;
  let inner = opened[0];
  for (const item of [...items].sort((a, b) => a.start - b.start)) {
    for (let open = opened[next]; open !== undefined && open.block.start <= item.start; next++) {
      inner = open;
      open = opened[next + 1];
    }
    while (inner !== undefined && inner.outer !== null && inner.block.end <= item.start)
      inner = inner.outer;
    if (inner !== undefined) give(inner, item);
  }
}

/** What a suite asserts outside its tests, it asserts before or after each. */
function owner(open: Open): Open {
  return open.block.kind === "test" || open.outer === null ? open : owner(open.outer);
}

/** Nested blocks hold the same text again and again; assertions and marks are all there. */
const BODY_CHARS_MAX = 10_000;

function testCase(source: Source, { block, marks, assertions, outer }: Open): TestCase {
  const end = Math.min(block.end, block.start + BODY_CHARS_MAX);
  return {
    name: block.name,
    start: block.start,
    body: source.text.slice(block.start, end),
    code: source.code.slice(block.start, end),
    isTable: block.isTable,
    marks: placed(source, [...block.marks, ...marks, ...marksAround(outer)]),
    assertions,
  };
}

function placed({ text }: Source, marks: readonly Mark[]): readonly PlacedMark[] {
  return marks.map((mark) => {
    const [line = ""] = text.slice(mark.start, mark.start + 1_000).split("\n", 1);
    return { ...mark, line: line.trim() };
  });
}

function marksAround(open: Open | null): readonly Mark[] {
  return open === null ? [] : [...open.block.marks, ...open.marks, ...marksAround(open.outer)];
}
