// Which tests failed in a test run, and what did each of them say first?

import { reading, until } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";

/** Test runners of other languages. The identity of a run is the set of what failed in it. */
export const RUN_READERS: readonly Reader[] = [
  { id: "pytest", read: pytest },
  { id: "unittest", read: unittest },
  { id: "cargo-test", read: cargoTest },
  { id: "go-test", read: goTest },
  { id: "junit", read: junit },
];

const BLOCK_LINES_MAX = 60;

const PY_SUMMARY = /^(FAILED|ERROR) (\S.*?\.py\S*(?: \S+\])?)(?: - (.*))?$/;
const PY_HEAD = /^_{3,} (.{1,300}?) _{3,}$/;
const PY_LOCATION = /^(\S{1,300}\.py):\d+: ?(\w*)$/;

function pytest(lines: readonly string[]): Reading | null {
  const heads = lines.flatMap((line, at) => (PY_HEAD.test(line) ? [at] : []));
  const blocks = heads.flatMap((at) => {
    const ends = (line: string): boolean => PY_HEAD.test(line) || /^=+ .{1,200} =+$/.test(line);
    const block = until(lines, at + 1, ends, 2_000);
    const errors = block.filter((line) => /^E {3}/.test(line)).map((line) => line.slice(1).trim());
    const place = block.findLast((line) => PY_LOCATION.test(line)) ?? "";
    const name = PY_HEAD.exec(lines[at] ?? "")?.[1] ?? "";
    return errors.length === 0 ? [] : [{ name, error: errors.slice(0, 4).join(" "), place }];
  });
  const summary = lines.flatMap((line) => {
    const [, kind, name = "", message = ""] = PY_SUMMARY.exec(line) ?? [];
    return kind === undefined ? [] : [{ name, message }];
  });
  const isRun =
    summary.length > 0 || lines.some((line) => /^=+ (?:FAILURES|ERRORS) =+$/.test(line));
  if (!isRun) return null;
  if (blocks.length === 0)
    return reading(
      "pytest",
      null,
      summary.map(({ name, message }) => `${name} ${message}`),
    );
  const names = summary.map(({ name }) => name);
  const places = summary.length > 0 ? [] : blocks.map(({ place }) => place.replace(/:\d+:.*$/, ""));
  return reading("pytest", null, [
    ...names,
    ...places,
    ...blocks.map(({ name, error }) => `${name} | ${error}`),
  ]);
}

function unittest(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const name = /^(?:FAIL|ERROR): (\S+ \(.+\).*)$/.exec(line)?.[1];
    if (name === undefined || !/^-{20,}$/.test(lines[at + 1] ?? "")) continue;
    const block = until(lines, at + 2, (next) => /^[=-]{20,}$/.test(next), 2_000);
    const last = block.findLast((next) => /^[A-Za-z_][\w.]*(?:: |$)/.test(next)) ?? "";
    facts.push(`${name} | ${last}`);
  }
  return reading("unittest", null, facts);
}

function cargoTest(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  for (const [at, line] of lines.entries()) {
    const failed = /^test (.+) \.\.\. FAILED$/.exec(line)?.[1];
    if (failed !== undefined) facts.push(failed);
    const name = /^---- (.+) std(?:out|err) ----$/.exec(line)?.[1];
    if (name === undefined) continue;
    const block = until(
      lines,
      at + 1,
      (next) => /^(?:---- |stack backtrace:|note: |failures:)/.test(next),
      BLOCK_LINES_MAX,
    );
    const panic = block.findIndex((next) => /^thread '.{0,200}panicked at /.test(next));
    const words = (panic === -1 ? block : block.slice(panic)).map((next) => next.trim());
    facts.push([name, ...words.filter((word) => word !== "").slice(0, 5)].join(" | "));
  }
  return reading("cargo-test", null, facts);
}

function goTest(lines: readonly string[]): Reading | null {
  const facts: string[] = [];
  let logged: string[] = [];
  let hasFailed = false;
  for (const line of lines) {
    const [, verdict, name = ""] =
      /^\s*--- (FAIL|PASS|SKIP): (.+?) \(\d+(?:\.\d+)?s\)$/.exec(line) ?? [];
    const log = /^\s+(\w[\w./-]*\.go:\d+:.*)$/.exec(line)?.[1];
    if (verdict !== undefined || /^(?:=== RUN|FAIL|ok|PASS)\b/.test(line)) {
      // A verbose run prints what a test logged before its verdict, a plain one behind it.
      if (verdict === "FAIL") facts.push(name, ...logged);
      logged = [];
      hasFailed = verdict === "FAIL";
    } else if (log !== undefined) (hasFailed ? facts : logged).push(log);
    else if (hasFailed && /^panic: |^\s+(?:Error:|expected: |actual {0,2}: |Messages:)/.test(line))
      facts.push(line);
  }
  return reading("go-test", null, facts);
}

/** Surefire's list of failures; Gradle's `Class > method() FAILED` with the error below. */
function junit(lines: readonly string[]): Reading | null {
  const facts = lines.flatMap((line, at) => {
    const listed = /^\s*([A-Z]\w*(?:Test|IT|Tests|Spec)\w*\.\w+):\d+(?:->\S+)? (.+)$/.exec(line);
    if (listed !== null) return [`${listed[1] ?? ""} | ${listed[2] ?? ""}`];
    const failed = /^(\S+(?: > .+)) FAILED$/.exec(line)?.[1];
    return failed === undefined ? [] : [`${failed} | ${(lines[at + 1] ?? "").trim()}`];
  });
  return reading("junit", null, facts);
}
