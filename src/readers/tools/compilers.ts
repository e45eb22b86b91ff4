// Which problems does a compiler, a type checker or a linter list, a line each?

import { problem, reading, until, type Tool } from "./tool.ts";

/**
 * `cart.ts(1,2): error TS2304: …`, `cart.c:1:2: error: …`, `Cart.java:[1,2] …`, `cart.py:1:2: F401 …`. Where
 * no word says that it is an error, the file has to be of a language whose tools leave it out.
 */
const LOCATED =
  /^(?:vet: )?(?<file>(?:[A-Za-z]:)?[^\s:][^:]{0,600}?)(?:\(\d+,\d+\)|:\d+(?::\d+)?|:\[\d+,\d+\]):? ?(?:- )?(?<error>(?:fatal )?error:? )?(?!warning\b)(?:(?<code>[A-Z]{1,10}\d{1,6}):? )?(?<text>.+?)(?: \[[^[\]]{1,300}\])?$/;
const SILENT_KINDS = [".go", ".py", ".pyi", ".java", ".kt", ".scala", ".groovy"];
/** The file stands once, above its problems; the rule stands last, two spaces from the rest. */
const ESLINT = /^\s+\d+:\d+\s+(?<level>error|warning)\s+(?<text>\S.*)$/;
const NO_PLACE = /^error (?<code>TS\d{1,6}): (?<text>.+)$/;
/** Where in two types the difference lies, and what a name was taken for. */
const BELOW = /^\s+((?:symbol|location|required|found|reason): .*|[A-Z].*)$/;

const PROBLEMS_MAX = 200;
const LINES_BELOW_MAX = 12;

export const compilers: Tool = {
  marks: ["error", "  warning  ", ".go:", ".py:", ".java:", ".kt:", ".scala:"],
  parse: (lines) => {
    const problems: ReturnType<typeof problemAt>[number][] = [];
    let heading = "";
    for (const [at, line] of lines.entries()) {
      if (problems.length === PROBLEMS_MAX) break;
      if (/\d/.test(line)) problems.push(...problemAt(lines, at, heading));
      if (/^\S.{0,600}\.\w{1,8}$/.test(line)) heading = line;
    }
    // Warnings alone fail a run only where none are allowed; beside errors they come and go.
    const errors = problems.filter(({ level }) => level !== "warning");
    const chosen = errors.length > 0 ? errors : problems;
    const failures = chosen.map(({ message, words }) => problem(message, [words]));
    return reading(null, { failures });
  },
};

function problemAt(lines: readonly string[], at: number, heading: string) {
  const line = lines[at] ?? "";
  const listed = ESLINT.exec(line)?.groups;
  if (listed !== undefined && heading !== "") {
    const { level = "", text = "" } = listed;
    return [{ level, message: `${heading}:${line.trim()}`, words: `${heading} ${text}` }];
  }
  const groups = (LOCATED.exec(line) ?? NO_PLACE.exec(line))?.groups;
  const { file = "", error = "", code = "", text = "" } = groups ?? {};
  const isProblem =
    error !== "" ||
    SILENT_KINDS.some((kind) => file.endsWith(kind)) ||
    (file === "" && code !== "");
  if (groups === undefined || !isProblem) return [];
  const ends = (next: string): boolean => next === "" || LOCATED.test(next);
  const below = until(lines, at + 1, ends, LINES_BELOW_MAX).flatMap(
    (next) => BELOW.exec(next)?.[1] ?? [],
  );
  const words = [file, code, text, ...below].join(" ");
  return [{ level: "error", message: line.trim(), words }];
}
