// What does a compiler or a linter object to?

import { reading, until } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";

/**
 * Compilers and checkers. What a type checker or a linter lists stands each for itself, so all of
 * it is the identity; a compiler's later errors mostly follow from its first one.
 */
export const COMPILER_READERS: readonly Reader[] = [
  { id: "tsc", read: tsc },
  { id: "eslint", read: eslint },
  { id: "oxlint", read: oxlint },
  { id: "rustc", read: rustc },
  { id: "javac", read: javac },
  { id: "mypy", read: mypy },
  { id: "gcc", read: gcc },
  { id: "linker", read: linker },
  { id: "go-build", read: goBuild },
  { id: "flake", read: flake },
];

const FACTS_MAX = 200;

const TSC =
  /^(\S.*?)(?:\(\d+,\d+\)|:\d+:\d+) ?[:-] (?:fatal )?error ([A-Z]{1,10}\d{1,6}): (.*?)(?: \[[^[\]]{1,300}\])?$/;

function tsc(lines: readonly string[]): Reading | null {
  let code: string | null = null;
  const facts = lines.flatMap((line, at) => {
    const [, file = "", placed, text = ""] = TSC.exec(line) ?? [];
    const [, bare, words = ""] = /^error (TS\d{1,6}): (.*)$/.exec(line) ?? [];
    const found = placed ?? bare;
    if (found === undefined) return [];
    code ??= found;
    // The lines below say where in the two types the difference lies.
    const more = until(lines, at + 1, (next) => !/^ {2,}\S/.test(next), 6);
    return [[file, found, `${text}${words}`, ...more.map((part) => part.trim())].join(" ")];
  });
  const tool = /^TS\d/.test(code ?? "") ? "tsc" : "msbuild";
  return reading(tool, code, facts.slice(0, FACTS_MAX));
}

const ESLINT = /^\s+\d+:\d+\s+(error|warning)\s+(\S.*)$/;
const ESLINT_FILE = /^(\S.{0,600}\.\w{1,8})$/;
const ESLINT_UNIX =
  /^((?:[A-Za-z]:)?[^\s:][^:]{0,600}):(?:\d+:\d+:|\s+line \d+, col \d+,) (?:(Error|Warning) - )?(.+?)(?: \[(Error|Warning)\/([@\w/.-]+)\]| \(([@\w/.-]+)\))$/;

interface Problem {
  readonly isError: boolean;
  readonly fact: string;
  readonly rule: string | null;
}

function eslint(lines: readonly string[]): Reading | null {
  const problems: Problem[] = [];
  let file = "";
  for (const line of lines) {
    file = ESLINT_FILE.exec(line)?.[1] ?? file;
    const [, level, text = ""] = ESLINT.exec(line) ?? [];
    if (level !== undefined && file !== "") {
      // Columns are told apart by their distance; the rule stands in the last one.
      const columns = text.split(/\s{2,}/);
      const rule = columns.length > 1 ? (columns.at(-1) ?? null) : null;
      problems.push({ isError: level === "error", fact: `${file} ${text}`, rule });
    }
    const unix = ESLINT_UNIX.exec(line);
    if (unix !== null) {
      const [, path = "", compact, words = "", label, own, bracketed] = unix;
      const name = own ?? bracketed ?? "";
      problems.push({
        isError: (compact ?? label) === "Error",
        fact: `${path} ${words} ${name}`,
        rule: name,
      });
    }
  }
  // Warnings alone fail a run only where none are allowed; beside errors they come and go.
  const errors = problems.filter((problem) => problem.isError);
  const chosen = errors.length > 0 ? errors : problems;
  return reading(
    "eslint",
    chosen[0]?.rule ?? null,
    chosen.slice(0, FACTS_MAX).map(({ fact }) => fact),
  );
}

function oxlint(lines: readonly string[]): Reading | null {
  let code: string | null = null;
  const facts = lines.flatMap((line, at) => {
    const [, rule, text = ""] =
      /^\s*[x×✖] ([\w@/-]{1,60}\([\w@/-]{1,80}\)): (.+)$/.exec(line) ?? [];
    if (rule === undefined) return [];
    code ??= rule;
    const frame = lines.slice(at + 1, at + 6).find((next) => /[╭,][─-]\[/.test(next)) ?? "";
    return [`${/\[(.{1,600}?):\d+:\d+\]/.exec(frame)?.[1] ?? ""} ${rule} ${text}`];
  });
  return reading("oxlint", code, facts.slice(0, FACTS_MAX));
}

function rustc(lines: readonly string[]): Reading | null {
  for (const [at, line] of lines.entries()) {
    const [, code, text] = /^error(?:\[(E\d{4})\])?: (.+)$/.exec(line) ?? [];
    if (text === undefined) continue;
    const block = until(lines, at + 1, (next) => next === "", 30);
    const file = /^\s*--> (.{1,600}?):\d+:\d+$/.exec(block[0] ?? "")?.[1];
    if (file === undefined) continue;
    // Types and names often stand only behind the carets.
    const label = block.flatMap((next) => /^\s*\|.*\^ (\S.*)$/.exec(next)?.[1] ?? [])[0] ?? "";
    return reading("rustc", code ?? null, [`${file} ${code ?? ""} ${text} | ${label}`]);
  }
  return null;
}

const JAVAC =
  /^((?:[A-Za-z]:)?[^\s:][^:]{0,600}\.(?:java|kt|scala|groovy)):(?:\d+:(?:\d+:)?|\[\d+,\d+\]) (?:error: )?(.+)$/;

function javac(lines: readonly string[]): Reading | null {
  const at = lines.findIndex((line) => JAVAC.test(line) && !/: warning: /.test(line));
  const [, file, text = ""] = JAVAC.exec(lines[at] ?? "") ?? [];
  if (file === undefined) return null;
  const block = until(lines, at + 1, (line) => JAVAC.test(line) || /^\d+ errors?$/.test(line), 12);
  const names = block.filter((line) =>
    /^\s*(?:symbol|location|required|found|reason): /.test(line),
  );
  return reading("javac", null, [[file, text, ...names].map((part) => part.trim()).join(" ")]);
}

function mypy(lines: readonly string[]): Reading | null {
  let code: string | null = null;
  const facts = lines.flatMap((line) => {
    const found =
      /^((?:[A-Za-z]:)?[^\s:][^:]{0,600}\.pyi?):\d+(?::\d+)?(?: -)?:? error: (.+?)(?:\s+[[(]([\w-]{3,40})[\])])?$/.exec(
        line,
      );
    if (found === null) return [];
    code ??= found[3] ?? null;
    return [`${found[1] ?? ""} ${found[2] ?? ""} ${found[3] ?? ""}`];
  });
  return reading("mypy", code, facts.slice(0, FACTS_MAX));
}

const GCC = /^((?:[A-Za-z]:)?[^\s:][^:]{0,600}):\d+(?::\d+)?: (?:fatal )?error: (.+)$/;

function gcc(lines: readonly string[]): Reading | null {
  const [, file, text = ""] = GCC.exec(lines.find((line) => GCC.test(line)) ?? "") ?? [];
  return file === undefined ? null : reading("gcc", null, [`${file} ${text}`]);
}

const LINKER: readonly RegExp[] = [
  /(undefined reference to [`'‘].{1,400}?['’])/,
  /(multiple definition of [`'‘].{1,400}?['’])/,
  /\bld(?:\.\w+)?: ((?:cannot|unable to) find .{1,400})$/,
  /\bld(?:\.\w+)?: ((?:symbol\(s\)|library|framework|file) not found.{0,400})$/,
  /^ {2}"(_?.{1,400})", referenced from:$/,
];

/** Object files of a linker are named by dice; the symbol says all. */
function linker(lines: readonly string[]): Reading | null {
  if (!lines.some((line) => /\bld\b|collect2|linker/.test(line))) return null;
  const facts = lines.flatMap((line) => LINKER.flatMap((pattern) => pattern.exec(line)?.[1] ?? []));
  return reading("ld", null, facts.slice(0, FACTS_MAX));
}

function goBuild(lines: readonly string[]): Reading | null {
  const facts = lines.flatMap((line) => {
    const found = /^(?:vet: )?([^\s:]{1,300}\.go):\d+(?::\d+)?: (.+)$/.exec(line);
    return found === null ? [] : [`${found[1] ?? ""} ${found[2] ?? ""}`];
  });
  return reading("go", null, facts.slice(0, 1));
}

/** `file:1:2: F401 'x' imported but unused`, as flake8, Ruff and Pylint print it. */
function flake(lines: readonly string[]): Reading | null {
  let code: string | null = null;
  const facts = lines.flatMap((line) => {
    const found =
      /^((?:[A-Za-z]:)?[^\s:][^:]{0,600}\.pyi?):\d+:\d+: ([A-Z]{1,4}\d{3,4}):? (.+)$/.exec(line);
    if (found === null) return [];
    code ??= found[2] ?? null;
    return [`${found[1] ?? ""} ${found[2] ?? ""} ${found[3] ?? ""}`];
  });
  return reading("lint", code, facts.slice(0, FACTS_MAX));
}
