// Which problems does a compiler, a type checker or a linter list, a line each?

import { problem, reading, until, type Tool } from "./tool.ts";

interface Checker {
  readonly name: string;
  /** Groups: `text`, and `file`, `code` and `level` where they are named. */
  readonly line: RegExp;
  /** Of the lines below what stands in the group tells more of the problem. */
  readonly below?: RegExp;
}

const CHECKERS: readonly Checker[] = [
  {
    // .NET writes the same lines.
    name: "tsc",
    line: /^(?:(?<file>\S.{0,600}?)(?:\(\d+,\d+\)|:\d+:\d+) ?[:-] (?:fatal )?)?error (?<code>[A-Z]{1,10}\d{1,6}): (?<text>[^]*?)(?: \[[^[\]]{1,300}\])?$/,
    // They say where in the two types the difference lies.
    below: /^ {2,}([A-Z].*)$/,
  },
  {
    name: "javac",
    line: /^(?<file>[^\s:][^:]{0,600}\.(?:java|kt|scala|groovy)):(?:\d+:(?:\d+:)?|\[\d+,\d+\]) (?!warning: )(?:error: )?(?<text>.+)$/,
    below: /^\s*((?:symbol|location|required|found|reason): .*)$/,
  },
  {
    // gcc, clang, mypy and others.
    name: "compiler",
    line: /^(?<file>(?:[A-Za-z]:)?[^\s:][^:]{0,600}):\d+(?::\d+)?:? (?:fatal )?error: (?<text>.+)$/,
  },
  {
    // flake8, Ruff and Pylint.
    name: "lint",
    line: /^(?<file>[^\s:][^:]{0,600}\.pyi?):\d+:\d+: (?<code>[A-Z]{1,4}\d{3,4}):? (?<text>.+)$/,
  },
  { name: "go", line: /^(?:vet: )?(?<file>[^\s:]{1,300}\.go):\d+(?::\d+)?: (?<text>.+)$/ },
  // The file stands once, above its problems; the rule stands last, two spaces from the rest.
  { name: "eslint", line: /^\s+\d+:\d+\s+(?<level>error|warning)\s+(?<text>\S.*)$/ },
];

const PROBLEMS_MAX = 200;
const LINES_BELOW_MAX = 12;

export const compilers: Tool = {
  name: "compiler",
  recognises: /error| {2}warning {2}|\.go:|\.py:|\.java:|\.kt:|\.scala:/,
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
    return reading(chosen[0]?.tool ?? null, { code: chosen[0]?.code ?? null, failures });
  },
};

function problemAt(lines: readonly string[], at: number, heading: string) {
  const line = lines[at] ?? "";
  for (const { name, line: pattern, below } of CHECKERS) {
    const groups: Partial<Record<string, string>> | undefined = pattern.exec(line)?.groups;
    if (groups === undefined) continue;
    const { file = "", text = "", level = "" } = groups;
    if (level !== "" && heading === "") return [];
    const ends = (next: string): boolean => next === "" || pattern.test(next);
    const block = below === undefined ? [] : until(lines, at + 1, ends, LINES_BELOW_MAX);
    const more = block.flatMap((next) => below?.exec(next)?.[1] ?? []);
    const code = groups["code"] ?? (level === "" ? null : (/ {2}(\S+)$/.exec(text)?.[1] ?? null));
    const message = level === "" ? line.trim() : `${heading}:${line.trim()}`;
    const words = [level === "" ? file : heading, groups["code"] ?? "", text, ...more].join(" ");
    return [{ tool: name, code, level, message, words }];
  }
  return [];
}
