// What did Vitest say?

import type { Check } from "../../core/model/checks.ts";
import { suiteReading } from "./inventory.ts";
import { failedTest, saysAnything, testName } from "./test-words.ts";

import type { Failure, Tool } from "./tool.ts";
import { nested, stateOf } from "./tree.ts";

export const vitest: Tool = {
  name: "vitest",
  recognises: ["FAIL ", "Test Files  ", "No test ", "Startup Error", "Unhandled"],
  parse: (lines) => suiteReading(SUMMARY, lines, readFailures(lines), readList(lines)),
};

const FILES = /^ *Test Files {2}\S/;
const SUMMARY = {
  tool: "vitest",
  files: FILES,
  tests: /^ *Tests {2}(.+?)(?: \(\d+\))?$/,
  nothing: /^No test (?:files|suite) found, exiting with code \d+$|^⎯+ Startup Error ⎯+$/,
  words: {
    passed: "passed",
    failed: "failed",
    skipped: "skipped",
    todo: "skipped",
    "expected fail": "passed",
  },
} as const;

type Section = "test" | "suite" | "unhandled";
const SECTIONS: readonly (readonly [RegExp, Section | null])[] = [
  [/^⎯+ Failed Tests \d+ ⎯+$/, "test"],
  [/^⎯+ Failed (?:Suites|Files|Typecheck Tests) \d+ ⎯+$/, "suite"],
  [/^⎯+ (?:Unhandled Rejection|Uncaught Exception|Unhandled Error) ⎯+$/, "unhandled"],
  [/^⎯+ Startup Error ⎯+$/, "suite"],
  [/^⎯+ Unhandled Errors ⎯+$/, null],
  [FILES, null],
];

/** Only what stands under a heading of Vitest counts: tests may print anything above it. */
function readFailures(lines: readonly string[]): readonly Failure[] {
  const headings = lines.map((line) =>
    /^⎯| Files /.test(line) ? (SECTIONS.find(([pattern]) => pattern.test(line)) ?? null) : null,
  );
  const failures: Failure[] = [];
  // Of an output without any heading, only the failures were kept.
  let section: Section | null = headings.every((heading) => heading === null) ? "test" : null;
  let names: string[] = [];
  let block: string[] = [];
  const close = (isEnd = false): void => {
    const said = block;
    // Several tests may share one report, which then stands under the last of their names.
    if (isEnd || saysAnything(said)) {
      const unloaded = section === "suite";
      if (section !== null)
        failures.push(...names.map((name) => failedTest(name, said, { unloaded })));
      names = [];
    }
    block = [];
  };
  for (const [at, line] of lines.entries()) {
    const heading = headings[at] ?? null;
    const name = section === null ? undefined : /^\s*FAIL {1,3}(\S[^\t]*)$/.exec(line)?.[1];
    if (heading !== null) {
      close();
      section = heading[1];
      names = namesAt(line, section);
    } else if (name !== undefined) {
      close();
      names.push(name);
    } else if (/^⎯+(?:\[\d+\/\d+\]⎯+)?$/.test(line)) close();
    else if (section !== null) block.push(line);
  }
  close(true);
  return failures;
}

function namesAt(heading: string, section: Section | null): string[] {
  if (section === "unhandled") return ["unhandled error"];
  return heading.includes("Startup Error") ? ["vitest start-up"] : [];
}

/** A file, or a suite with the number of its checks. */
const GROUP = / \(\d+\)$| \(\d+ tests?\b[^()]{0,200}\)(?: \d+m?s)?$/;

/**
 * A verbose run names each check with its file and its suites, a tree shows them by its indents.
 * The default list leaves suites out: a check further in than what is above it has lost its own.
 */
function readList(lines: readonly string[]): readonly Check[] {
  const marked = lines.filter((line) => /^ +[✓√×↓□❯] /.test(line));
  const rows = marked.flatMap((line) => {
    const [, space = "", mark = "", said = ""] = /^( {1,128})([✓√×↓□❯]) +(\S.*)$/.exec(line) ?? [];
    const isGroup = GROUP.test(said);
    const state = isGroup ? null : stateOf(mark);
    if (!isGroup && (state === null || (space === " " && !said.includes(" > ")))) return [];
    // A slow check stands one space further from its duration.
    const name = isGroup ? said.replace(GROUP, "") : testName(said).trim();
    return [{ indent: space.length, name, state }];
  });
  const lost = rows.some(({ indent }, at) => {
    const above = rows[at - 1] ?? { indent: 1, state: "passed" };
    return indent > above.indent + (above.state === null ? 2 : 0);
  });
  return lost ? [] : nested(rows);
}
