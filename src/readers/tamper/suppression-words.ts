// Which comments and attributes silence a check at one place?

import type { Language } from "./paths.ts";

export interface SuppressionWord {
  /** Suppressions of one family stand in for each other: changing one into another adds none. */
  readonly family: string;
  /**
   * In a comment: from its first word on. A global one is looked for in code, anywhere. Group 1 lists
   * what is silenced.
   */
  readonly pattern: RegExp;
  /** Of the whole file, or of everything below. */
  readonly isWide: boolean;
  /** Not in tests, where it is a way of testing. */
  readonly fineInTests: boolean;
}

type Row = readonly [family: string, pattern: RegExp, how?: "wide" | "fine-in-tests"];

function word(text: string, rest = ""): RegExp {
  return new RegExp(`^(?:${text})(?![\\w-])${rest}`);
}

const LIST = String.raw`([\w@/:.,\s-]{0,300})`;
const BIOME = String.raw`\s{1,9}([\w/]{1,100})`;
const SONAR: Row = ["lint", word("NOSONAR")];

const ROWS: Readonly<Record<Language, readonly Row[]>> = {
  js: [
    ["ts", word("@ts-ignore")],
    ["ts", word("@ts-expect-error"), "fine-in-tests"],
    ["ts", word("@ts-nocheck"), "wide"],
    ["lint", word("(?:eslint|oxlint)-disable-(?:next-)?line", LIST)],
    ["lint", word("(?:eslint|oxlint)-disable", LIST), "wide"],
    ["lint", /^eslint\s{1,9}([\w@/-]{1,100})\s?:\s?["']?(?:off|0)\b/, "wide"],
    ["lint", word("tslint:disable(?:-next-line|-line)?", LIST)],
    ["lint", word("biome-ignore(?:-all|-start)?", BIOME)],
    ["lint", word("deno-lint-ignore(?:-file)?", LIST)],
    ["coverage", word("(?:istanbul|v8|c8|node:coverage) (?:ignore|disable)")],
    SONAR,
  ],
  python: [
    ["types", /^(?:type|pyright):\s?ignore\b(?:\[([^\]\n]{0,200})\])?/],
    ["types", /^mypy:\s?(?:ignore-errors|disable-error-code)\b/, "wide"],
    ["types", /^pyright:\s?(?:basic|strict\s?=\s?false)\b/, "wide"],
    ["lint", /^(?:ruff|flake8):\s?noqa\b(?::\s?([\w,\s]{0,200}))?/i, "wide"],
    ["lint", /^noqa\b(?::\s?([A-Z]{1,5}\d{1,5}(?:[,\s]{1,3}[A-Z]{1,5}\d{1,5}){0,20}))?/i],
    ["lint", /^pylint:\s?(?:disable|skip-file)(?:-next)?\b(?:\s?=\s?([\w,\s-]{0,200}))?/],
    ["security", /^nosec\b/],
    ["coverage", /^pragma:\s?no\s(?:cover|branch)\b/],
    SONAR,
  ],
  go: [
    ["lint", /^nolint\b(?::([\w,\s-]{0,200}))?/],
    ["lint", /^lint:(?:file-)?ignore\s{1,9}([\w,]{0,100})/],
    ["security", /^#nosec\b/],
    SONAR,
  ],
  rust: [
    ["lint", /#!\[(?:allow|expect)\(([\w:,\s]{0,300})/g, "wide"],
    ["lint", /#\[(?:allow|expect)\(([\w:,\s]{0,300})/g],
  ],
  "c-like": [
    ["lint", /@(?:file:)?Suppress(?:Warnings|Lint)?\s?\(|\[(?:assembly:\s?)?SuppressMessage\s?\(/g],
    ["lint", /^[ \t]{0,40}#\s?pragma\s{1,9}warning\s{1,9}disable/gm],
    ["lint", /^[ \t]{0,40}#\s?pragma\s{1,9}(?:GCC|clang)\s{1,9}diagnostic\s{1,9}ignored/gm],
    ["lint", /^NOLINT(?:NEXTLINE|BEGIN)?\b(?:\(([\w.,*\s-]{0,200})\))?/],
    ["lint", /^swiftlint:disable(?::\w{1,10})?\s{1,9}([\w\s]{0,200})/],
    ["lint", /^(?:@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable))\b/],
    ["lint", /^(?:ktlint-disable|detekt:disable|noinspection)\b/],
    SONAR,
  ],
  hash: [
    ["lint", /^rubocop:(?:disable|todo)\s{1,9}([\w/,\s]{0,200})/],
    ["lint", /^shellcheck\s{1,9}disable=([\w,]{0,200})/],
    ["lint", /^(?:credo:disable|sobelow_skip)/],
  ],
};

export function suppressionWords(language: Language): readonly SuppressionWord[] {
  return ROWS[language].map(([family, pattern, how]) => ({
    family,
    pattern,
    isWide: how === "wide",
    fineInTests: how === "fine-in-tests",
  }));
}

/**
 * A quick look that spares most files a slow one: whatever a row above can match, one of these
 * stands in it.
 */
export const SUPPRESSION_HINT =
  /@ts-|lint|ignore|noqa|disable|nosec|NOSONAR|coverage|pragma|#!?\[|uppress|NOLINT|phpcs|@phpstan|noinspection|sobelow_skip|detekt|rubocop|pyright|mypy/i;
