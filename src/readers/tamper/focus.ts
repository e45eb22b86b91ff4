// Was a mark added that lets only some tests run?

import { partsOf } from "./line-parts.ts";
import type { Language } from "./paths.ts";

const JS =
  /\b(?:describe|it|test|suite|context|specify|step|t|tap|Deno\.test)(?:\.\w{1,20}){0,3}?\.only\b|(?<![\w.$])(?:fit|fdescribe|fcontext|ftest)(?=\s?[(.])|(?<=\b(?:describe|it|test|suite|context|specify|step)\([^(){}]{0,300}\{[^(){}]{0,100})\bonly\s?:\s?true\b/g;

/** Jasmine, mocha, vitest, jest, node:test; RSpec, ExUnit; Ginkgo; Spock, Quick, Pest, package:test. */
const MARKS: Readonly<Partial<Record<Language, RegExp>>> = {
  js: JS,
  hash: /(?<![\w.])f(?:it|describe|context|specify|example)(?=[\s(])|\bfocus:\s?true\b|,\s?:focus\b|@(?:tag|moduletag)\s{1,4}:focus\b/g,
  go: /\bF(?:It|Describe|Context|When|Specify|Entry|DescribeTable)\(|,\s{0,9}(?:ginkgo\.)?Focus\b/g,
  "c-like":
    /@(?:Focus|Solo)\b|(?<![\w.])f(?:it|describe|context)\s?\(|\bsolo:\s?true\b|->only\(\)/g,
};

export interface FocusMark {
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const MARKS_MAX = 500;

/** In the code of a test file, without comments and strings. */
export function focusMarks(text: string, language: Language): readonly FocusMark[] {
  const pattern = MARKS[language];
  if (pattern === undefined) return [];
  const marks = text.split("\n").flatMap((line, at) =>
    Array.from(partsOf(line, language).code.matchAll(pattern), ({ 0: mark }) => ({
      text: mark.replace(/^[{,]\s*/, ""),
      line: at + 1,
    })),
  );
  return marks.slice(0, MARKS_MAX);
}
