// Which comments and attributes silence a check at one place?

import type { Language } from "./paths.ts";

export interface SuppressionWord {
  readonly id: string;
  readonly languages: readonly Language[];
  /** Suppressions of one family stand in for each other: changing one into another adds none. */
  readonly family: string;
  readonly in: "comment" | "code";
  /** In a comment: from its first word on. In code: anywhere. Group 1 lists what is silenced. */
  readonly pattern: RegExp;
  /** Of the whole file, or of everything below. */
  readonly isWide: boolean;
  /** Not in tests, where it is a way of testing. */
  readonly fineInTests: boolean;
}

const JS = ["js"] as const;
const PYTHON = ["python"] as const;
const GO = ["go"] as const;
const RUST = ["rust"] as const;
const C = ["c-like"] as const;
const HASH = ["hash"] as const;

type Row = readonly [
  id: string,
  languages: readonly Language[],
  family: string,
  pattern: RegExp,
  how?: "wide" | "code" | "fine-in-tests",
];

const LIST = String.raw`([\w@/:.,\s-]{0,300})`;

function word(text: string, rest = ""): RegExp {
  return new RegExp(`^(?:${text})(?![\\w-])${rest}`);
}

const ROWS: readonly Row[] = [
  ["ts-ignore", JS, "ts", word("@ts-ignore")],
  ["ts-expect-error", JS, "ts", word("@ts-expect-error"), "fine-in-tests"],
  ["ts-nocheck", JS, "ts", word("@ts-nocheck"), "wide"],
  ["eslint-disable-line", JS, "lint", word("eslint-disable-(?:next-)?line", LIST)],
  ["eslint-disable", JS, "lint", word("eslint-disable", LIST), "wide"],
  ["eslint-rule-off", JS, "lint", /^eslint\s{1,9}([\w@/-]{1,100})\s?:\s?["']?(?:off|0)\b/, "wide"],
  ["oxlint-disable-line", JS, "lint", word("oxlint-disable-(?:next-)?line", LIST)],
  ["oxlint-disable", JS, "lint", word("oxlint-disable", LIST), "wide"],
  ["tslint-disable", JS, "lint", word("tslint:disable(?:-next-line|-line)?", LIST)],
  [
    "biome-ignore",
    JS,
    "lint",
    word("biome-ignore(?:-all|-start)?", String.raw`\s{1,9}([\w/]{1,100})`),
  ],
  ["deno-lint-ignore", JS, "lint", word("deno-lint-ignore(?:-file)?", LIST)],
  ["js-coverage", JS, "coverage", word("(?:istanbul|v8|c8|node:coverage) (?:ignore|disable)")],
  ["type-ignore", PYTHON, "types", /^type:\s?ignore\b(?:\[([^\]\n]{0,200})\])?/],
  ["pyright-ignore", PYTHON, "types", /^pyright:\s?ignore\b(?:\[([^\]\n]{0,200})\])?/],
  [
    "mypy-ignore-errors",
    PYTHON,
    "types",
    /^(?:mypy:\s?(?:ignore-errors|disable-error-code)|pyright:\s?(?:basic|strict\s?=\s?false))\b/,
    "wide",
  ],
  ["noqa-file", PYTHON, "lint", /^(?:ruff|flake8):\s?noqa\b(?::\s?([\w,\s]{0,200}))?/i, "wide"],
  [
    "noqa",
    PYTHON,
    "lint",
    /^noqa\b(?::\s?([A-Z]{1,5}\d{1,5}(?:[,\s]{1,3}[A-Z]{1,5}\d{1,5}){0,20}))?/i,
  ],
  [
    "pylint-disable",
    PYTHON,
    "lint",
    /^pylint:\s?(?:disable|skip-file)(?:-next)?\b(?:\s?=\s?([\w,\s-]{0,200}))?/,
  ],
  ["nosec", PYTHON, "security", /^nosec\b/],
  ["python-coverage", PYTHON, "coverage", /^pragma:\s?no\s(?:cover|branch)\b/],
  ["nolint", GO, "lint", /^nolint\b(?::([\w,\s-]{0,200}))?/],
  ["lint-ignore", GO, "lint", /^lint:(?:file-)?ignore\s{1,9}([\w,]{0,100})/],
  ["gosec", GO, "security", /^#nosec\b/],
  ["rust-allow-all", RUST, "lint", /#!\[(?:allow|expect)\(([\w:,\s]{0,300})/g, "wide"],
  ["rust-allow", RUST, "lint", /#\[(?:allow|expect)\(([\w:,\s]{0,300})/g, "code"],
  ["suppress-warnings", C, "lint", /@(?:file:)?Suppress(?:Warnings|Lint)?\s?\(/g, "code"],
  ["suppress-message", C, "lint", /\[(?:assembly:\s?)?SuppressMessage\s?\(/g, "code"],
  [
    "pragma-warning",
    C,
    "lint",
    /^[ \t]{0,40}#\s?pragma\s{1,9}(?:warning\s{1,9}disable|(?:GCC|clang)\s{1,9}diagnostic\s{1,9}ignored)/gm,
    "code",
  ],
  ["clang-tidy", C, "lint", /^NOLINT(?:NEXTLINE|BEGIN)?\b(?:\(([\w.,*\s-]{0,200})\))?/],
  ["swiftlint", C, "lint", /^swiftlint:disable(?::\w{1,10})?\s{1,9}([\w\s]{0,200})/],
  ["php", C, "lint", /^(?:@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable))\b/],
  ["kotlin-detekt", C, "lint", /^(?:ktlint-disable|detekt:disable|noinspection)\b/],
  ["rubocop", HASH, "lint", /^rubocop:(?:disable|todo)\s{1,9}([\w/,\s]{0,200})/],
  ["shellcheck", HASH, "lint", /^shellcheck\s{1,9}disable=([\w,]{0,200})/],
  ["credo", HASH, "lint", /^(?:credo:disable|sobelow_skip)/],
  ["sonar", [...JS, ...PYTHON, ...GO, ...C], "lint", word("NOSONAR")],
];

export const SUPPRESSION_WORDS: readonly SuppressionWord[] = ROWS.map(
  ([id, languages, family, pattern, how]) => ({
    id,
    languages,
    family,
    in: pattern.global ? "code" : "comment",
    pattern,
    isWide: how === "wide",
    fineInTests: how === "fine-in-tests",
  }),
);

/**
 * A quick look that spares most files a slow one: whatever a row above can match, one of these
 * stands in it.
 */
export const SUPPRESSION_HINT =
  /@ts-|lint|ignore|noqa|disable|nosec|NOSONAR|coverage|pragma|#!?\[|uppress|NOLINT|phpcs|@phpstan|noinspection|sobelow_skip|detekt|rubocop|pyright|mypy/i;
