// What do Rust's tests say?

import type { Check } from "../../core/model/verdict.ts";
import { check, countsIn, namedReading, stableName, stateOfWord } from "./inventory.ts";
import { problem, until, type Tool } from "./tool.ts";

const WORDS_MAX = 5;

export const cargoTest: Tool = {
  marks: ["test result: ", " ... FAILED", "---- "],
  parse: (lines) => {
    const ends = lines.flatMap((line, at) => (line.startsWith("test result: ") ? [at] : []));
    const cuts = [-1, ...ends, lines.length];
    const binaries = cuts.slice(1).map((end, at) => lines.slice((cuts[at] ?? -1) + 1, end));
    const isOpen = binaries.at(-1)?.some((line) => line.startsWith("running ")) === true;
    const counts = countsIn(ends.map((at) => lines[at]).join("\n"));
    const summaries = isOpen ? [] : ends.slice(-1).map((line) => ({ ...counts, line }));
    const tests = numbered(binaries.flatMap(testsOfBinary));
    const failures = tests.filter(({ state }) => state === "failed");
    return namedReading("cargo-test", {
      summaries,
      failures: failures.map(({ name, words }) =>
        problem(words.join(" | "), words, stableName(name)),
      ),
      checks: tests.map(({ name, state }) => check(name, state)),
    });
  },
};

interface RustTest extends Check {
  readonly words: readonly string[];
}

/** A test of a list with how it is run, one of a quiet run, or the heading of what it printed. */
const TEST =
  /^test (.+?)(?: - (?:should panic|compile(?: fail)?))? \.\.\. (ok|FAILED|ignored)\b|^(\S+(?: - .+)?) --- FAILED$|^---- (.+) std(?:out|err) ----$/;

/** In the order of their lines, which the examples in the documentation have in their names. */
function testsOfBinary(lines: readonly string[]): readonly RustTest[] {
  const tests = new Map<string, RustTest>();
  for (const [at, line] of lines.entries()) {
    const [, listed, state = "FAILED", quiet, printed] = TEST.exec(line) ?? [];
    const name = listed ?? quiet ?? printed;
    if (name === undefined) continue;
    const test = tests.get(name) ?? { name, state: stateOfWord(state) ?? "failed", words: [] };
    const words = printed === undefined ? test.words : panicBelow(lines, at);
    tests.set(name, { ...test, words });
  }
  return [...tests.values()].sort((a, b) => lineIn(a.name) - lineIn(b.name));
}

function lineIn(name: string): number {
  return Number(/ \(line (\d{1,9})\)/.exec(name)?.[1] ?? 0);
}

/**
 * Tests of two binaries may have one name, and so have the examples in the documentation of one
 * item, whose line is no part of it: from the second on they are numbered.
 */
function numbered(tests: readonly RustTest[]): readonly RustTest[] {
  const taken = new Map<string, number>();
  return tests.map((test) => {
    const bare = test.name.replace(/ \(line \d{1,9}\)$/, "");
    const times = (taken.get(bare) ?? 0) + 1;
    taken.set(bare, times);
    return { ...test, name: times === 1 ? bare : `${bare} (${times})` };
  });
}

/** Without the name of the thread, which is the test's, and the number that newer ones give it. */
const PANIC = /^thread '.{0,200}' (?:\(\d{1,12}\) )?(panicked at .*?):?$/;

function panicBelow(lines: readonly string[], at: number): readonly string[] {
  const block = until(lines, at + 1, (line) => BLOCK_END.test(line)).map((line) => line.trim());
  const panic = block.findIndex((line) => PANIC.test(line));
  const words = block.slice(Math.max(0, panic)).map((line) => line.replace(PANIC, "$1"));
  return words.filter((word) => word !== "").slice(0, WORDS_MAX);
}

const BLOCK_END = /^\s*(?:---- |stack backtrace:|note: |failures:)/;
