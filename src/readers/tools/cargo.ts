// What do Rust's tests and its compiler say?

import type { Check } from "../../core/model/checks.ts";
import { check, countBefore, namedReading } from "./inventory.ts";
import { NO_TESTS, problem, reading, until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

const WORDS_MAX = 5;

export const cargoTest: Tool = {
  name: "cargo-test",
  recognises: ["test result: ", " ... FAILED", "---- "],
  parse: (lines) => {
    const checks: Check[] = [];
    const failures: Failure[] = [];
    const taken = new Map<string, number>();
    const counts = { ...NO_TESTS, line: -1 };
    let [from, open] = [0, false];
    for (const [at, line] of lines.entries()) {
      open ||= /^running \d{1,9} tests?$/.test(line);
      if (!line.startsWith("test result: ")) continue;
      const binary = testsOfBinary(lines.slice(from, at), taken);
      checks.push(...binary.checks);
      failures.push(...binary.failures);
      counts.passed += countBefore(line, "passed");
      counts.failed += countBefore(line, "failed");
      counts.skipped += countBefore(line, "ignored");
      [counts.line, from, open] = [at, at + 1, false];
    }
    failures.push(...testsOfBinary(lines.slice(from), taken).failures);
    const ended = counts.line >= 0 && !open;
    return namedReading("cargo-test", ended ? [counts] : [], failures, checks);
  },
};

const STATES: Readonly<Record<string, Check["state"]>> = {
  ok: "passed",
  FAILED: "failed",
  ignored: "skipped",
};

/**
 * Tests of two binaries may have one name, and so have the examples in the documentation of one
 * item, whose line is no part of it: from the second on they are numbered, in the order of lines.
 */
function testsOfBinary(lines: readonly string[], taken: Map<string, number>) {
  const states = new Map<string, Check["state"]>();
  const said = new Map<string, readonly string[]>();
  for (const [at, line] of lines.entries()) {
    const [, test, word = ""] = /^test (.+) \.\.\. (ok|FAILED|ignored)\b/.exec(line) ?? [];
    const quiet = /^(\S+(?: - .+)?) --- FAILED$/.exec(line)?.[1];
    if (test !== undefined) states.set(test.replace(HOW, ""), STATES[word] ?? "failed");
    if (quiet !== undefined) states.set(quiet, "failed");
    const name = /^---- (.+) std(?:out|err) ----$/.exec(line)?.[1];
    if (name !== undefined) said.set(name, panicIn(until(lines, at + 1, isBlockEnd)));
  }
  for (const name of said.keys()) if (!states.has(name)) states.set(name, "failed");
  const sorted = [...states].sort(([a], [b]) => lineIn(a) - lineIn(b));
  const checks: Check[] = [];
  const failures: Failure[] = [];
  for (const [whole, state] of sorted) {
    const bare = bareName(whole);
    const times = (taken.get(bare) ?? 0) + 1;
    taken.set(bare, times);
    const own = check(times === 1 ? bare : `${bare} (${times})`, state);
    checks.push(own);
    const words = said.get(whole) ?? [];
    if (state === "failed") failures.push(problem(words.join(" | "), words, own.name));
  }
  return { checks, failures };
}

/** How the test is run. */
const HOW = / - (?:should panic|compile(?: fail)?)$/;

function bareName(name: string): string {
  return name.replace(/ \(line \d{1,9}\)$/, "");
}

function lineIn(name: string): number {
  return Number(/ \(line (\d{1,9})\)/.exec(name)?.[1] ?? 0);
}

export function panicIn(block: readonly string[]): readonly string[] {
  const panic = block.findIndex((line) => /^\s*thread '.{0,200}panicked at /.test(line));
  const words = (panic === -1 ? block : block.slice(panic)).map((line) =>
    line.trim().replace(/^(thread '.{0,200}') \(\d{1,12}\) panicked/, "$1 panicked"),
  );
  return words.filter((word) => word !== "").slice(0, WORDS_MAX);
}

export function isBlockEnd(line: string): boolean {
  return /^\s*(?:---- |stack backtrace:|note: |failures:)/.test(line);
}

/** The file stands below the error; types and names often stand only behind the carets. */
export const rustc: Tool = {
  name: "rustc",
  recognises: ["error: ", "error["],
  parse: (lines) => {
    const codes: (string | null)[] = [];
    const failures: Failure[] = [];
    for (const [at, line] of lines.entries()) {
      const [, own, text] = /^error(?:\[(E\d{4})\])?: (.+)$/.exec(line) ?? [];
      if (text === undefined) continue;
      const block = until(lines, at + 1, (next) => next === "", 30);
      const file = /^\s*--> (.{1,600}?):\d+:\d+$/.exec(block[0] ?? "")?.[1];
      if (file === undefined) continue;
      const label = block.flatMap((next) => /^\s*\|.*\^ (\S.*)$/.exec(next)?.[1] ?? [])[0] ?? "";
      codes.push(own ?? null);
      const words = `${file} ${own ?? ""} ${text} | ${label}`;
      failures.push(problem(`${line} ${(block[0] ?? "").trim()}`, [words]));
    }
    return reading("rustc", codes[0] ?? null, failures);
  },
};
