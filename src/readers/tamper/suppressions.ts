// Which comments and attributes of a source silence a check at one place, and do they say why?

import type { GateTool } from "./gate-tools.ts";
import { mask, type Comment } from "./mask.ts";
import type { Language } from "./paths.ts";

export interface Suppression {
  readonly tool: GateTool;
  /** Of the whole file, or of everything below. */
  readonly isWide: boolean;
  readonly start: number;
  readonly text: string;
  /** Why it is there stands beside it. */
  readonly isExplained: boolean;
}

/** From the first word of a comment on; what is silenced follows. */
const IN_COMMENTS: readonly (readonly [GateTool, RegExp])[] = [
  ["types", /^@ts-(?:ignore|expect-error|nocheck)(?![\w-])/],
  ["js-lint", /^(?:eslint|oxlint)-disable(?:-next-line|-line)?(?![\w-])/],
  ["js-lint", /^eslint\s{1,9}[\w@/-]{1,100}\s?:\s?["']?(?:off|0)\b/],
  ["js-lint", /^(?:tslint:disable|biome-ignore|deno-lint-ignore)(?:-[a-z]{1,9}){0,2}/],
  ["js-coverage", /^(?:istanbul|v8|c8|node:coverage) (?:ignore|disable)\b/],
  ["py-types", /^(?:type|pyright):\s?ignore\b/],
  ["py-types", /^(?:mypy:\s?(?:ignore-errors|disable-error-code)|pyright:\s?basic)\b/],
  ["py-lint", /^(?:(?:ruff|flake8):\s?)?noqa\b/i],
  ["py-lint", /^(?:pylint:\s?(?:disable|skip-file)(?:-next)?|nosec)\b/],
  ["py-coverage", /^pragma:\s?no\s(?:cover|branch)\b/],
  ["golangci", /^(?:nolint|lint:(?:file-)?ignore|#?nosec)\b/],
  ["c-like-lint", /^(?:NOLINT(?:NEXTLINE|BEGIN)?|NOSONAR|swiftlint:disable(?::\w{1,10})?)\b/],
  ["c-like-lint", /^(?:@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable))[\w-]{0,20}/],
  ["c-like-lint", /^(?:ktlint-disable|detekt:disable|noinspection)\b/],
  ["rubocop", /^rubocop:(?:disable|todo)\b/],
  ["shellcheck", /^shellcheck\s{1,9}disable\b/],
];

/** Attributes. */
const IN_CODE: Readonly<Partial<Record<Language, readonly [GateTool, RegExp]>>> = {
  rust: ["clippy", /#!?\[(?:allow|expect)(?=\()/g],
  "c-like": [
    "c-like-lint",
    /@(?:file:)?Suppress(?:Warnings|Lint)?(?=\s?\()|\[(?:assembly:\s?)?SuppressMessage(?=\s?\()|#\s?pragma\s{1,9}(?:warning\s{1,9}disable|(?:GCC|clang)\s{1,9}diagnostic\s{1,9}ignored)\b/g,
  ],
};

/** A quick look that spares most files a slow one: in whatever fits above, one of these stands. */
const HINT =
  /@ts-|lint|ignore|noqa|disable|nosec|NOSONAR|pragma|#!?\[|uppress|noinspection|rubocop|pyright/i;
const WIDE =
  /nocheck|^(?:eslint|oxlint)-disable(?!-)|^(?:ruff|flake8):|^mypy:|^pyright:\s?basic|skip-file|^#!|ignore-file|ignore-all/i;

export function suppressionsIn(text: string, language: Language): readonly Suppression[] {
  if (!HINT.test(text)) return [];
  const { code, comments } = mask(text, language);
  const [tool, pattern] = IN_CODE[language] ?? [];
  const attributes =
    tool === undefined || pattern === undefined
      ? []
      : Array.from(code.matchAll(pattern), ({ 0: match, index }) => {
          const line = lineAt(text, index);
          return { tool, match, why: BESIDE.exec(line)?.[0] ?? "", start: index, shown: line };
        });
  return [...comments.flatMap(ofComment), ...attributes]
    .slice(0, SUPPRESSIONS_MAX)
    .map(({ tool: of, match, why, start, shown }) => ({
      tool: of,
      isWide: WIDE.test(match),
      start,
      text: shown.replace(/\s+/g, " ").trim().slice(0, TEXT_CHARS_MAX),
      isExplained: isReason(why) || isReason(lineAbove(text, start)),
    }));
}

/** More in one file are generated. */
const SUPPRESSIONS_MAX = 2_000;
const TEXT_CHARS_MAX = 120;
const COMMENT_CHARS_MAX = 600;
/** What stands before the first word of a comment. */
const PREFIX = /^(?:\/\/|\/\*|#|\*|!|\s|\{){1,20}/;

/** A second comment may follow on its line. */
function ofComment({ start, text }: Comment) {
  const whole = text.slice(0, COMMENT_CHARS_MAX);
  if (!HINT.test(whole)) return [];
  let offset = start;
  return whole.split(/(?<=\s)(?=#)/).flatMap((part) => {
    const from = offset;
    offset += part.length;
    const said = part.replace(PREFIX, "");
    const [tool, pattern] = IN_COMMENTS.find(([, each]) => each.test(said)) ?? [];
    const match = pattern?.exec(said)?.[0];
    if (tool === undefined || match === undefined) return [];
    return [
      { tool, match, why: whole.replace(part, said.slice(match.length)), start: from, shown: part },
    ];
  });
}

const BESIDE = /\breason\s?=.{0,300}|\/\/.{0,300}|\/\*.{0,300}|<Justification.{0,300}/;

/** Two words or more that are no names of rules: those hold a dash, a digit, or a comma behind them. */
function isReason(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => /^["'(]?\p{L}{2,}[.!?;:)"']{0,3}$/u.test(word));
  return words.length > 1 || /\p{Lo}{4,}/u.test(text);
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf("\n", at);
  return text.slice(at, Math.min(end < 0 ? text.length : end, at + COMMENT_CHARS_MAX));
}

/** A comment of its own on the line above, that is no suppression itself; "": none. */
function lineAbove(text: string, at: number): string {
  const begin = text.lastIndexOf("\n", at - 1);
  if (at === 0 || begin < 0 || !/^\s{0,200}$/.test(text.slice(Math.max(begin, at - 200), at)))
    return "";
  const above = text
    .slice(Math.max(0, text.lastIndexOf("\n", begin - 1), begin - 300), begin)
    .trim();
  return /^(?:\/\/|\/\*|#|\*)/.test(above) && !HINT.test(above) ? above : "";
}
