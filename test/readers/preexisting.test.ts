import { describe, expect, test } from "vitest";

import { failedBefore } from "../../src/readers/read-evidence.ts";
import type { Finding, GateResult, Verdict } from "../../src/core/model/verdict.ts";

const PASSED: Verdict = { kind: "passed" };
const UNKNOWN: Verdict = { kind: "unknown", why: "killed", detail: "" };

function failed(...findings: readonly (readonly [check: string, message: string])[]): Verdict {
  const named: readonly Finding[] = findings.map(([check, message]) => ({ check, message }));
  return { kind: "failed", findings: named };
}

function gate(verdict: Verdict, more: Partial<GateResult> = {}): GateResult {
  return {
    name: "test",
    required: true,
    verdict,
    counts: null,
    flaky: false,
    flakyFindings: [],
    faults: null,
    elapsedMs: 1,
    tookMs: 1,
    excerpt: "",
    ...more,
  };
}

function counting(failures: number): Partial<GateResult> {
  return { counts: { runner: "vitest", passed: 0, failed: failures, skipped: 0 } };
}

const ADDS = ["adds", "expected 3, received 4"] as const;
const ROUNDS = ["rounds", "expected 2, received 1"] as const;

type Row = readonly [
  name: string,
  now: readonly GateResult[],
  base: readonly GateResult[],
  before: boolean,
];

describe("what fails failed before", () => {
  test.each<Row>([
    ["the base passed", [gate(failed(ADDS))], [gate(PASSED)], false],
    ["the base was not run", [gate(failed(ADDS))], [], false],
    ["the base is unknown", [gate(failed(ADDS))], [gate(UNKNOWN)], false],
    ["the same check in the same words", [gate(failed(ADDS))], [gate(failed(ADDS))], true],
    [
      "in other lines and times",
      [gate(failed(["adds", "boom at /tmp/x/a.ts:3:4 after 12ms"]))],
      [gate(failed(["adds", "boom at /tmp/y/a.ts:9:1 after 7ms"]))],
      true,
    ],
    ["fewer than before", [gate(failed(ADDS))], [gate(failed(ADDS, ROUNDS))], true],
    [
      "the same check in other words",
      [gate(failed(ADDS))],
      [gate(failed(["adds", "expected 3, received 5"]))],
      false,
    ],
    ["another check", [gate(failed(ADDS))], [gate(failed(ROUNDS))], false],
    ["one more than before", [gate(failed(ADDS, ROUNDS))], [gate(failed(ROUNDS))], false],
    [
      "one gate of two",
      [gate(failed(ADDS)), gate(failed(ROUNDS), { name: "lint" })],
      [gate(failed(ADDS))],
      false,
    ],
    [
      "the same finding of another gate",
      [gate(failed(ADDS))],
      [gate(failed(ADDS), { name: "lint" })],
      false,
    ],
    [
      "more than are named",
      [gate(failed(ADDS), counting(30))],
      [gate(failed(ADDS), counting(29))],
      false,
    ],
    [
      "as many as are named",
      [gate(failed(ADDS), counting(30))],
      [gate(failed(ADDS), counting(30))],
      true,
    ],
    [
      "other ones than are named",
      [gate(failed(ADDS), counting(30))],
      [gate(failed(ADDS, ROUNDS), counting(30))],
      false,
    ],
    [
      "other words than are shown",
      [gate(failed(ADDS), { faults: ["a"] })],
      [gate(failed(ADDS), { faults: ["b"] })],
      false,
    ],
    ["nothing is named", [gate(failed())], [gate(failed())], false],
    ["a gate that is not required", [gate(failed(ADDS), { required: false })], [], false],
    ["nothing fails", [gate(PASSED)], [gate(failed(ADDS))], false],
  ])("%s", (_name, now, base, expected) => {
    expect(failedBefore(now, base)).toBe(expected);
  });
});
