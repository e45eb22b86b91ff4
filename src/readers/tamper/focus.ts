// Was a mark added that lets only some tests run?

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

export interface Mark {
  readonly text: string;
  readonly start: number;
}

const MARKS_MAX = 500;

/** In the code of a test file, without comments and strings. */
export function focusMarks(code: string, language: Language): readonly Mark[] {
  const pattern = MARKS[language];
  if (pattern === undefined) return [];
  return Array.from(code.matchAll(pattern), ({ 0: text, index }) => ({
    text: text.replace(/^[{,]\s*/, ""),
    start: index,
  })).slice(0, MARKS_MAX);
}
