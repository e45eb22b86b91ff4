// Which tests passed and failed under JUnit, as Maven and Gradle tell it?

import type { Check } from "../../core/model/checks.ts";
import {
  check,
  countAfter,
  countBefore,
  countsOf,
  countsOfTotal,
  namedReading,
  saidBelow,
} from "./inventory.ts";
import { NO_TESTS } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

const LEVEL = /^\[(?:INFO|WARNING|ERROR)\] {1,3}/;

/** Maven's surefire and failsafe: totals for each module, and every failed test twice. */
export const surefire: Tool = {
  name: "surefire",
  recognises: [
    "Tests run: ",
    "No tests to run",
    "Tests are skipped",
    "No tests were executed",
    "<<< ",
  ],
  parse: (lines) => {
    const bare = lines.map((line) => (line.startsWith("[") ? line.replace(LEVEL, "") : line));
    const summaries = bare.flatMap((line, at) => readTotals(line, at) ?? []);
    const told = bare.flatMap((line, at) => toldAt(line, (bare[at + 1] ?? "").trim()));
    const failures = told.length > 0 ? told : bare.flatMap(listedAt);
    return namedReading("surefire", summaries, failures, []);
  },
};

function readTotals(line: string, at: number): Summary | null {
  if (/^(?:No tests to run\.|Tests are skipped\.|No tests were executed!)/.test(line))
    return { ...NO_TESTS, line: at };
  if (
    !/^Tests run: {1,3}\d{1,9}, Failures: {1,3}\d{1,9}, Errors: {1,3}\d{1,9}, Skipped: {1,3}\d{1,9}$/.test(
      line,
    )
  )
    return null;
  const failed = countAfter(line, "Failures:") + countAfter(line, "Errors:");
  return {
    ...countsOfTotal(countAfter(line, "Tests run:"), failed, countAfter(line, "Skipped:")),
    line: at,
  };
}

/** `addsUp(shop.CartTest)  Time elapsed: 0 s  <<< FAILURE!`, or `shop.CartTest.addsUp -- Time …`. */
function toldAt(line: string, message: string): readonly Failure[] {
  const [, head] =
    /^(\S.{0,500}?) {1,3}(?:-- )?Time elapsed: .{1,30}<<< (?:FAILURE|ERROR)!$/.exec(line) ?? [];
  if (head === undefined || head.startsWith("Tests run: ")) return [];
  const [, method, owner] = /^(.+)\(([\w.$]+)\)$/.exec(head) ?? [];
  const name = method === undefined ? head.replace(/\.(?=[^.]*$)/, " > ") : `${owner} > ${method}`;
  return [saidBelow(name, [message])];
}

function listedAt(line: string): readonly Failure[] {
  const [, name = "", message] =
    /^\s*([A-Z]\w*(?:Test|IT|Tests|Spec)\w*\.\w+):\d+(?:->\S+)? (.+)$/.exec(line) ?? [];
  return message === undefined ? [] : [saidBelow(name, [message])];
}

/** Gradle names the tests that failed, and where it is told to the others; it counts only in a red run. */
export const gradle: Tool = {
  name: "gradle",
  recognises: ["FAILED", "PASSED", "tests completed, "],
  parse: (lines) => {
    const checks: Check[] = [];
    const failures: Failure[] = [];
    const counts: Summary[] = [];
    let end = -1;
    for (const [at, line] of lines.entries()) {
      const [, name, state = ""] = /^(\S+(?: > .+)) (PASSED|FAILED|SKIPPED)$/.exec(line) ?? [];
      if (/^BUILD (?:SUCCESSFUL|FAILED)\b/.test(line)) end = at;
      if (/^\d{1,9} tests? completed, /.test(line)) counts.push(readCompleted(line, at));
      if (name === undefined || name.startsWith("> Task ")) continue;
      const own = check(name.replace(/\(\)$/, ""), STATES[state] ?? "failed");
      checks.push(own);
      const message = (lines[at + 1] ?? "").trim();
      if (own.state === "failed") failures.push(saidBelow(own.name, [message]));
    }
    const named = checks.some(({ state }) => state === "passed");
    const all = named ? [{ ...countsOf(checks), line: end }] : counts;
    return namedReading("gradle", end === -1 ? [] : all, failures, checks);
  },
};

const STATES: Readonly<Record<string, Check["state"]>> = {
  PASSED: "passed",
  SKIPPED: "skipped",
};

/** `5 tests completed, 2 failed, 1 skipped`. */
function readCompleted(line: string, at: number): Summary {
  const total = Number(/^\d{1,9}/.exec(line)?.[0] ?? 0);
  return {
    ...countsOfTotal(total, countBefore(line, "failed"), countBefore(line, "skipped")),
    line: at,
  };
}
