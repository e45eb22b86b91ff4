// What do Rust's tests and its compiler say?

import { problem, reading, until } from "./tool.ts";
import type { Failure, Tool } from "./tool.ts";

const WORDS_MAX = 5;

export const cargoTest: Tool = {
  name: "cargo-test",
  recognises: [" ... FAILED", "---- "],
  parse: (lines) => {
    const tests = new Map<string, readonly string[]>();
    for (const [at, line] of lines.entries()) {
      const failed = /^test (.+) \.\.\. FAILED$/.exec(line)?.[1];
      if (failed !== undefined) tests.set(failed, []);
      const name = /^---- (.+) std(?:out|err) ----$/.exec(line)?.[1];
      if (name === undefined) continue;
      const block = until(lines, at + 1, isBlockEnd);
      const panic = block.findIndex((next) => /^thread '.{0,200}panicked at /.test(next));
      const words = (panic === -1 ? block : block.slice(panic)).map((next) => next.trim());
      tests.set(name, words.filter((word) => word !== "").slice(0, WORDS_MAX));
    }
    const failures = [...tests].map(([check, words]) => problem(words.join(" | "), words, check));
    return reading("cargo-test", null, failures);
  },
};

function isBlockEnd(line: string): boolean {
  return /^(?:---- |stack backtrace:|note: |failures:)/.test(line);
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
