// What did pytest say?

import { stableName, summariesIn } from "./inventory.ts";
import { beginsWithError, reading, until, type Failure, type Tool } from "./tool.ts";

export const pytest: Tool = {
  marks: ["=== FAILURES ===", "=== ERRORS ===", "FAILED ", "ERROR ", " in "],
  parse: (lines, text) => {
    const summaries = summariesIn(text, CLOSING);
    const errors = errorsByTitle(lines);
    const listed = lines.flatMap((line) => listedIn(line, errors));
    const failures = listed.length > 0 ? listed : [...errors].map(unlisted);
    return reading("pytest", { summaries, failures });
  },
};

const COLLECTING = "ERROR collecting ";
const COUNT =
  "\\d{1,9} (?:x?passed|x?failed|errors?|skipped|deselected|rerun|warnings?|subtests [a-z]{6,7})";
/** `=== 3 failed, 2 passed in 0.62s ===`; with `-q` without the bars. */
const CLOSING = new RegExp(
  `^(?:=+ )?(?:no tests ran|${COUNT}(?:, ${COUNT}){0,9}) in \\d{1,9}\\.\\d{1,3}s(?: \\([\\d:]+\\))?(?: =+)?$`,
  "gm",
);

/** `_ _ _` stands between the entries of one traceback. */
const HEAD = /^_+ (?![_ ]+$)(.+) _+$/;
const BLOCK_LINES_MAX = 2_000;
const ERROR_LINES_MAX = 4;

/** The lines that begin with `E` below each title. */
function errorsByTitle(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const ends = (line: string): boolean =>
    HEAD.test(line) || (line.startsWith("===") && line.endsWith("==="));
  const errors = new Map<string, readonly string[]>();
  for (const [at, line] of lines.entries()) {
    const title = HEAD.exec(line)?.[1];
    if (title === undefined) continue;
    const block = until(lines, at + 1, ends, BLOCK_LINES_MAX);
    const errorLines = block
      .filter((one) => one.startsWith("E   "))
      .map((one) => one.slice(1).trim());
    if (errorLines.length > 0) errors.set(title, errorLines);
  }
  return errors;
}

type Errors = ReturnType<typeof errorsByTitle>;

/**
 * Of the short summary, which cuts long messages to the width of a terminal. `t.py::Class::test_x` is headed
 * `Class.test_x`; a file that did not load `ERROR collecting t.py`.
 */
function listedIn(line: string, errors: Errors): readonly Failure[] {
  const [, kind, name = "", words = ""] =
    /^(FAILED|ERROR) (?=.*(?:\.py\b|::))(\S.*?)(?: - (.*))?$/.exec(line) ?? [];
  if (kind === undefined) return [];
  const [, ...inner] = name.split("::");
  const unloaded = inner.length === 0;
  const test = `${kind === "ERROR" ? "ERROR at setup of " : ""}${inner.join(".")}`;
  const errorLines = errors.get(unloaded ? `${COLLECTING}${name}` : test) ?? [words];
  return [failureOf(stableName(name), errorLines, unloaded)];
}

function unlisted([title, errors]: readonly [string, readonly string[]]): Failure {
  const name = title.replace(/^ERROR (?:collecting|at setup of|at teardown of) /, "");
  return failureOf(name, errors, title.startsWith(COLLECTING));
}

/** Of all lines the one that says what the error is; source may be quoted before it. */
function failureOf(check: string, errors: readonly string[], unloaded: boolean): Failure {
  const [first = ""] = errors;
  const named = errors.find(beginsWithError);
  const words = [errors.slice(0, ERROR_LINES_MAX).join(" ")];
  return { check, message: named ?? first, words, unloaded };
}
