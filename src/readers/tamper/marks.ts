// Which marks in a source silence a checker at one place?

import type { Language } from "./paths.ts";

interface LineParts {
  readonly whole: string;
  /** Strings are empty in it. */
  readonly code: string;
  readonly comments: readonly string[];
}

const LINE_CHARS_MAX = 600;
const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|${"`(?:[^`\\\\]|\\\\.)*`"}`;
const SLASHES = new RegExp(String.raw`\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*|${STRING}`, "g");
const HASH = new RegExp(`#.*|${STRING}`, "g");

/** By the line alone: of a string or a comment over several lines only the first is seen as one. */
function partsOf(line: string, language: Language): LineParts {
  const comments: string[] = [];
  const whole = line.slice(0, LINE_CHARS_MAX);
  const tokens = language === "hash" || language === "python" ? HASH : SLASHES;
  const code = whole.replace(tokens, (token) => {
    if (/^["'`]/.test(token)) return '""';
    comments.push(token);
    return "";
  });
  return { whole, code, comments };
}

export interface Mark {
  readonly checker: Checker;
  /** Of the whole file, or of all that follows. */
  readonly isWide: boolean;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Why it is there stands beside it, in two words or more. */
  readonly isExplained: boolean;
}

export interface Checker {
  /** On a command line, or as the name of a script. */
  readonly words: RegExp;
  /** In a comment, from its first word on. */
  readonly comment: RegExp;
  /** In code. */
  readonly attribute: RegExp | null;
}

function checker(words: string, comment: RegExp, attribute: RegExp | null = null): Checker {
  const word = new RegExp(`(?:^|[\\s/"'=;&|(:@])(?:${words})(?=$|[\\s"';&|)@:=,])`, "m");
  return { words: word, comment, attribute };
}

const CHECKERS: readonly Checker[] = [
  checker(
    "tsc|tsgo|vue-tsc|svelte-check|ts-node|tsd|deno|type-?check|types",
    /^@ts-(?:ignore|expect-error|nocheck)\b/,
  ),
  checker(
    "pre-commit|eslint|oxlint|biome|tslint|xo|standard|deno|lint",
    /^(?:(?:es|ox)lint-disable|tslint:disable|(?:biome|deno-lint)-ignore)(?:-[a-z]+)*|^eslint [\w@/-]+ ?: ?["']?(?:off|0)\b/,
  ),
  checker(
    "pre-commit|tox|nox|d?mypy|(?:based)?pyright|ty|type-?check|types",
    /^(?:type: ?ignore|pyright: ?(?:ignore|basic)|mypy: ?(?:ignore-errors|disable-error-code))\b/,
  ),
  checker(
    "pre-commit|tox|nox|ruff|flake8|pylint|bandit|gosec|golangci-lint|lint",
    /^(?:(?:(?:ruff|flake8): ?)?noqa|pylint: ?(?:disable|skip-file)(?:-next)?|nosec)\b/i,
  ),
  checker(
    "c8|nyc|--coverage(?:\\.enabled)?|--experimental-test-coverage|--cov|coverage|cov",
    /^(?:(?:istanbul|v8|c8|node:coverage) (?:ignore|disable)|pragma: ?no (?:cover|branch))\b/,
  ),
  checker("clippy|lint", /^(?!)/, /#!?\[(?:allow|expect)\(/),
  checker(
    "golangci-lint|staticcheck|revive|rubocop|standardrb|shellcheck|checkstyle|pmd|spotbugs|clang-tidy|cppcheck|swiftlint|ktlint|detekt|phpstan|psalm|phpcs|lint",
    /^(?:nolint|lint:(?:file-)?ignore|rubocop:(?:disable|todo)|shellcheck disable|NOLINT|NOSONAR|swiftlint:disable|@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable)|ktlint-disable|detekt:disable|noinspection)\w*/,
    /@(?:file:)?Suppress\w*\(|\[(?:assembly: ?)?SuppressMessage\(|#pragma (?:warning disable|\w+ diagnostic ignored)/,
  ),
];

const TEXT_CHARS_MAX = 400_000;

/** `lines` are all that the gates come to run. */
export function isRun({ words }: Checker, lines: readonly string[]): boolean {
  return words.test(lines.join("\n").slice(0, TEXT_CHARS_MAX));
}

const SHOWN_CHARS_MAX = 120;
/** More in one file are generated. */
const MARKS_MAX = 2_000;

/** Spares most files a closer look: one of these stands in all that fits above. */
const HINT =
  /@ts-|lint|ignore|noqa|disable|nosec|NOSONAR|pragma|#!?\[|uppress|noinspection|rubocop|pyright/i;

const WIDE =
  /nocheck|^(?:es|ox)lint-disable$|^(?:ruff|flake8):|^mypy:|basic|skip-file|^#!|file-ignore|ignore-(?:file|all)/i;

export function marksIn(text: string, language: Language): readonly Mark[] {
  if (!HINT.test(text)) return [];
  const lines = text.split("\n").map((line) => partsOf(line, language));
  return lines.flatMap((line, at) => markOf(line, at + 1, lines[at - 1])).slice(0, MARKS_MAX);
}

/** What stands before the first word of a comment; a second comment may follow on its line. */
const OPENING = /^[/*#!{\s]{1,20}/;
const NEXT_COMMENT = /(?<=\s)(?=#|\/\/)/;
/** Two words that are no names of rules: those hold a dash, a digit, a slash, or a comma behind them. */
const REASON = /(?<![\p{L}\p{N}_/-])\p{L}{2,}\s+\p{L}{2,}(?![\w/-])|\p{Lo}{4,}/u;

function markOf(
  { whole, code, comments }: LineParts,
  line: number,
  above?: LineParts,
): readonly Mark[] {
  const parts = comments.flatMap((one) => one.split(NEXT_COMMENT));
  const marks = CHECKERS.flatMap((checker) => [
    ...parts.map((text) => ({
      checker,
      text,
      mark: checker.comment.exec(text.replace(OPENING, ""))?.[0],
    })),
    { checker, text: code, mark: checker.attribute?.exec(code)?.[0] },
  ]);
  const marked = marks.find(({ mark }) => mark !== undefined);
  if (marked?.mark === undefined) return [];
  const { checker, mark } = marked;
  const beside = [...comments, /\breason\s?=.*/.exec(whole)?.[0]].join(" ").replace(mark, "");
  const text = marked.text.trim().slice(0, SHOWN_CHARS_MAX);
  return [
    {
      checker,
      text,
      line,
      isWide: WIDE.test(mark),
      isExplained: REASON.test(beside) || (code.trim() === "" && isReason(above)),
    },
  ];
}

/** A comment of its own that is no mark. */
function isReason(above: LineParts | undefined): boolean {
  if (above === undefined || above.code.trim() !== "") return false;
  return above.comments.some((one) => REASON.test(one) && !HINT.test(one));
}
