import { expect, test } from "vitest";

import { courseWords } from "../../src/cli/render/decision.ts";
import type { Decision, RuleId } from "../../src/core/model/decision.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import type { ReportStatus } from "../../src/core/model/report.ts";
import {
  ADVANCE,
  evidence,
  FAILED,
  FEEDBACK,
  pauseFor,
  question,
  report,
} from "../support/builders.ts";

const feedback = (rule: RuleId): Decision => ({ ...FEEDBACK, rule });
const ends = (rule: RuleId, end: "stalled" | "deferred"): Decision => {
  return { kind: "stall", rule, end, reason: "", retryAtMs: null };
};
const says = (status: ReportStatus, ...gates: readonly GateResult[]) =>
  evidence({ gates, report: { kind: "read", report: report({ status }), notes: [] } });
const silent = evidence({ gates: [], report: { kind: "missing" } });
const lint: GateResult = { ...FAILED, name: "lint", counts: null };
const two: GateResult = {
  ...FAILED,
  counts: { runner: "vitest", passed: 1, failed: 2, skipped: 0 },
};
const open: GateResult = {
  ...FAILED,
  verdict: { kind: "unknown", why: "timed-out", detail: "" },
};

test.each<[string, Decision, ReturnType<typeof evidence>]>([
  ["accepted: every required gate passed → the step is complete", ADVANCE, says("completed")],
  [
    "not accepted: the agent says it is done, and 1 of 12 tests still fails (it failed before the task, too) → the agent gets the findings and tries again",
    feedback("gate-red-before"),
    says("completed", FAILED),
  ],
  [
    "not accepted: the agent says it is done, and 2 of 3 tests still fail → the agent gets the findings and tries again",
    FEEDBACK,
    says("completed", two),
  ],
  [
    "the agent says that work is left, and the gate lint fails; the same failure as before → the agent gets the findings and tries again",
    feedback("same-failure-different"),
    says("partial", lint),
  ],
  [
    "2 gates fail: test, lint; the last attempt is used up → the task ends: stalled",
    ends("attempts-spent", "stalled"),
    { ...silent, gates: [FAILED, lint] },
  ],
  [
    "not accepted: the agent says it is done, and the gate test gave no verdict → the agent gets the findings and tries again",
    feedback("gate-unknown"),
    says("completed", open),
  ],
  ["the agent asks a question → a person is asked", pauseFor(question()), silent],
  [
    "a plan limit is reached, and its reset is later than orch may wait → the task is deferred",
    ends("usage-limit-defer", "deferred"),
    silent,
  ],
  [
    "the provider or the network failed → tries again in 4s",
    {
      kind: "continue",
      rule: "provider-backoff",
      how: { kind: "backoff", delayMs: 4_000, cause: "overloaded" },
    },
    silent,
  ],
])("%s", (words, decision, seen) => {
  expect(courseWords(decision, seen)).toBe(words);
});
