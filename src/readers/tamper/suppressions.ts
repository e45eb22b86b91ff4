// Which marks that silence a checker at one place does the work add?

import { roleOf, type ChangedFile } from "./paths.ts";

/**
 * Code that moved takes its marks along, and a mark that left makes up for one like it that came. `lines` are
 * all that the gates come to run. A mark is no alarm where it says why, where it stands in a test, and where
 * no gate runs the checker.
 */
export function addedSuppressions(files: readonly ChangedFile[], lines: readonly string[]) {
  const sources = files.filter(({ path }) => roleOf(path) !== null);
  const marks = (side: "before" | "after") =>
    sources.flatMap(({ path, [side]: text }) =>
      marksIn(text ?? "").map((mark) => ({ ...mark, path })),
    );
  const [base, now] = [marks("before"), marks("after")];
  const textOf = ({ text }: Mark): string => text;
  const kindOf = ({ checker, isWide }: Mark): string => `${checker.mark} ${isWide}`;
  const added = surplus(surplus(now, base, textOf), surplus(base, now, textOf), kindOf);
  const run = lines.join("\n").slice(0, TEXT_CHARS_MAX);
  return added.slice(0, ADDED_MAX).map(({ path, checker, text, line, isExplained }) => {
    const isAlarm = !isExplained && roleOf(path) === "source" && checker.command.test(run);
    return { path, text, line, isAlarm };
  });
}

const TEXT_CHARS_MAX = 400_000;
/** More are shown nowhere. */
const ADDED_MAX = 200;

interface Mark {
  readonly checker: (typeof CHECKERS)[number];
  /** Of the whole file, or of all that follows. */
  readonly isWide: boolean;
  /** As it is written. */
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** Why it is there stands beside it or above it, in two words or more. */
  readonly isExplained: boolean;
}

/** What one list has that another does not, counting repetitions. */
function surplus<T>(list: readonly T[], other: readonly T[], keyOf: (one: T) => string): T[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    left.set(keyOf(one), count - 1);
    return count < 1;
  });
}

/** A checker on a command line or as the name of a script, and how what silences it begins. */
const CHECKERS = Object.entries({
  "tsc|tsgo|vue-tsc|svelte-check|ts-node|tsd|deno|type-?check|types":
    /^@ts-(?:ignore|expect-error|nocheck)\b/,
  "pre-commit|eslint|oxlint|biome|tslint|xo|standard|deno|lint":
    /^(?:(?:es|ox)lint-disable|tslint:disable|(?:biome|deno-lint)-ignore)(?:-[a-z]+)*|^eslint [\w@/-]+ ?: ?["']?(?:off|0)\b/,
  "pre-commit|tox|nox|d?mypy|(?:based)?pyright|ty|type-?check|types":
    /^(?:type: ?ignore|pyright: ?(?:ignore|basic)|mypy: ?(?:ignore-errors|disable-error-code))\b/,
  "pre-commit|tox|nox|ruff|flake8|pylint|bandit|gosec|golangci-lint|lint":
    /^(?:(?:(?:ruff|flake8): ?)?noqa|pylint: ?(?:disable|skip-file)(?:-next)?|nosec)\b/i,
  "c8|nyc|--coverage(?:\\.enabled)?|--experimental-test-coverage|--cov|coverage|cov":
    /^(?:(?:istanbul|v8|c8|node:coverage) (?:ignore|disable)|pragma: ?no (?:cover|branch))\b/,
  "clippy|lint": /^\[(?:allow|expect)\(/,
  "golangci-lint|staticcheck|revive|rubocop|standardrb|shellcheck|checkstyle|pmd|spotbugs|clang-tidy|cppcheck|swiftlint|ktlint|detekt|phpstan|psalm|phpcs|lint":
    /^(?:nolint|lint:(?:file-)?ignore|rubocop:(?:disable|todo)|shellcheck disable|NOLINT|NOSONAR|swiftlint:disable|@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable)|ktlint-disable|detekt:disable|noinspection|@(?:file:)?Suppress|\[(?:assembly: ?)?SuppressMessage|pragma (?:warning disable|\w+ diagnostic ignored))\w*/,
}).map(([commands, mark]) => {
  const command = new RegExp(`(?:^|[\\s/"'=;&|(:@])(?:${commands})(?=$|[\\s"';&|)@:=,])`, "m");
  return { command, mark };
});

/** Spares most lines a closer look: one of these stands in all that fits above. */
const HINT =
  /@ts-|lint|ignore|noqa|disable|nosec|NOSONAR|pragma|#!?\[|uppress|noinspection|rubocop|pyright/i;
const WIDE =
  /nocheck|^(?:es|ox)lint-disable$|^(?:ruff|flake8):|^mypy:|basic|skip-file|file-ignore|ignore-(?:file|all)/i;
/** Two words that are no names of rules: those hold a dash, a digit, a slash, or a comma behind them. */
const REASON = /(?<![\p{L}\p{N}_/-])\p{L}{2,}\s+\p{L}{2,}(?![\w/-])|\p{Lo}{4,}/u;
/** A string, or what follows the sign of a comment or an attribute. */
const STRING_OR_REMARK =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|#!?\[[^\]]*|(?:@(?:file:)?Suppress|\[(?:assembly: ?)?SuppressMessage)[^)]*|(?:\/\/|\/\*|#).*/g;
/** What stands before the first word of a comment. */
const OPENING = /^[/*#!{\s]{1,20}/;
/** A second comment may follow on the line of the first. */
const NEXT_COMMENT = /(?<=\s)(?=#|\/\/)/;
const LINE_CHARS_MAX = 600;
const SHOWN_CHARS_MAX = 120;

function marksIn(text: string): readonly Mark[] {
  const lines = text.split("\n").map((line) => line.slice(0, LINE_CHARS_MAX));
  return lines.flatMap((line, at) => markIn(line, at + 1, lines[at - 1] ?? ""));
}

/** By the line alone: of a string over several lines only the first is seen as one. */
function markIn(line: string, number: number, above: string): readonly Mark[] {
  if (!HINT.test(line)) return [];
  const remarks = (line.match(STRING_OR_REMARK) ?? []).flatMap((whole) =>
    /^["'`]/.test(whole) ? [] : whole.split(NEXT_COMMENT),
  );
  const marks = remarks.flatMap((remark) =>
    CHECKERS.flatMap((checker) => {
      const [mark] = checker.mark.exec(remark.replace(OPENING, "")) ?? [];
      return mark === undefined ? [] : [{ checker, mark, remark }];
    }),
  );
  return marks.slice(0, 1).map(({ checker, mark, remark }) => ({
    checker,
    isWide: WIDE.test(mark),
    text: remark.trim().slice(0, SHOWN_CHARS_MAX),
    line: number,
    isExplained: REASON.test(remarks.join(" ").replace(mark, "")) || isReason(above),
  }));
}

/** A comment of its own that is no mark. */
function isReason(above: string): boolean {
  return /^\s*(?:\/\/|\/?\*|#)/.test(above) && REASON.test(above) && !HINT.test(above);
}
