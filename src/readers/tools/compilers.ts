// Which problems does a compiler, a type checker or a linter list, a line each?

import { problem, reading, until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

interface Compiler {
  readonly name: string;
  /** Groups: `text`, and `file` and `code` where they are named. */
  readonly line: RegExp;
  /** Of the lines below what stands in the group tells more of the problem. */
  readonly below: RegExp | null;
}

const COMPILERS: readonly Compiler[] = [
  {
    // .NET writes the same lines.
    name: "tsc",
    line: /^(?:(?<file>\S.*?)(?:\(\d+,\d+\)|:\d+:\d+) ?[:-] (?:fatal )?)?error (?<code>[A-Z]{1,10}\d{1,6}): (?<text>.*?)(?: \[[^[\]]{1,300}\])?$/,
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
    below: null,
  },
  {
    // flake8, Ruff and Pylint.
    name: "lint",
    line: /^(?<file>[^\s:][^:]{0,600}\.pyi?):\d+:\d+: (?<code>[A-Z]{1,4}\d{3,4}):? (?<text>.+)$/,
    below: null,
  },
  {
    name: "go",
    line: /^(?:vet: )?(?<file>[^\s:]{1,300}\.go):\d+(?::\d+)?: (?<text>.+)$/,
    below: null,
  },
];

const PROBLEMS_MAX = 200;
const LINES_BELOW_MAX = 12;

export const compilers: Tool = {
  name: "compiler",
  recognises: ["error", ".go:", ".py:", ".java:", ".kt:", ".scala:"],
  parse: (lines) => {
    const failures: Failure[] = [];
    let first: { readonly tool: string; readonly code: string | null } | null = null;
    for (const [at, line] of lines.entries()) {
      if (failures.length === PROBLEMS_MAX) break;
      const found = /\d/.test(line) ? readLine(line) : null;
      if (found === null) continue;
      const { compiler } = found;
      const { file = "", code = "", text = "" }: Partial<Record<string, string>> = found.found;
      first ??= { tool: compiler.name, code: code || null };
      failures.push(
        problem(line.trim(), [[file, code, text, ...below(compiler, lines, at)].join(" ")]),
      );
    }
    return reading(first?.tool ?? null, first?.code ?? null, failures);
  },
};

function readLine(line: string) {
  for (const compiler of COMPILERS) {
    const found = compiler.line.exec(line)?.groups;
    if (found !== undefined) return { compiler, found };
  }
  return null;
}

function below({ line, below: more }: Compiler, lines: readonly string[], at: number) {
  if (more === null) return [];
  const block = until(lines, at + 1, (next) => next === "" || line.test(next), LINES_BELOW_MAX);
  return block.flatMap((next) => more.exec(next)?.[1] ?? []);
}
