// What does a record say nothing about, when the policy is asked for a decision?

import type { History } from "../../src/core/decide/facts.ts";
import { NO_STREAKS, NOWHERE } from "../../src/core/decide/streaks.ts";
import { NOT_COACHED } from "../../src/core/model/coach.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import type { ReportFinding } from "../../src/core/model/report.ts";
import { NO_TRACE, NO_USAGE } from "../../src/core/model/session.ts";
import { NO_SCORE } from "../../src/core/model/signals.ts";
import type { GateResult, TestCounts, Verdict } from "../../src/core/model/verdict.ts";
import { policyOf } from "../../src/schema/policy-keys.ts";
import { DEFAULT_PROOF } from "../../src/core/model/policy.ts";
import { readEvidence } from "../../src/readers/read-evidence.ts";
import { parseReport } from "../../src/schema/report-file.ts";

const BUILT_IN = policyOf({});

/** Limits that count attempts are out of the way. */
export const POLICY: Policy = {
  ...BUILT_IN,
  limits: { ...BUILT_IN.limits, attempts: 1_000 },
  uncertainty: { ...BUILT_IN.uncertainty, enabled: false },
  proof: DEFAULT_PROOF,
  confirms: "nothing",
  allow: [],
};

export const BEGINNING: History = {
  team: { present: "claude-code", others: [], outages: {} },
  coached: [],
  plan: 1,
  counted: 0,
  granted: 0,
  progressed: false,
  attemptsSinceReplan: 0,
  replans: 0,
  handoffs: 0,
  streaks: NO_STREAKS,
  ledger: {},
  visited: NOWHERE,
  plans: [],
  accepted: [],
  lastPass: null,
  notJoined: null,
  repairedBy: null,
  score: NO_SCORE,
  previousRule: null,
  spent: {
    sessions: 0,
    costUsd: 0,
    costUnknown: false,
    byModel: {},
    workMs: 0,
    gatesMs: 0,
    pausedMs: 0,
  },
  waitedMs: 0,
  runCostUsd: 0,
  runWorkMs: 0,
  questionsAsked: 0,
  runQuestionsAsked: 0,
  interactions: [],
};

const NOTHING_KNOWN: Omit<Evidence, "readings"> = {
  trace: NO_TRACE,
  plan: { kind: "not-asked" },
  gates: [],
  baseline: [],
  comparisons: [],
  originals: { kind: "not-needed" },
  control: { kind: "not-known" },
  unheld: [],
  failAnyway: [],
  elsewhere: [],
  unheeding: [],
  inTree: false,
  stale: null,
  onlyNamed: false,
  wanted: [],
  reasons: [],
  coach: NOT_COACHED,
  ending: { kind: "finished" },
  report: { kind: "missing" },
  gatesDeclaredNone: false,
  tree: { kind: "not-measured", why: "nothing is at hand" },
  integrity: { kind: "not-checked", why: "nothing is at hand" },
  usage: NO_USAGE,
  at: { nowMs: 0, zone: "UTC", dice: 0.5 },
};

/** An attempt of which only this is known; its texts are read as those of a run. */
export function attemptWith(evidence: Partial<Evidence>): Evidence {
  const gathered = { ...NOTHING_KNOWN, ...evidence };
  return { ...gathered, readings: readEvidence(gathered) };
}

/** A required gate of which a record tells the verdict. */
export function gateOf(name: string, verdict: Verdict, counts: TestCounts | null): GateResult {
  const seen = { elapsedMs: 0, tookMs: 0, faults: null, excerpt: "", flaky: false };
  return { name, required: true, verdict, counts, ...seen, flakyFindings: [] };
}

/** A report as an agent would have left it. */
export function reportFrom(fields: object): ReportFinding {
  const parsed = parseReport(JSON.stringify(fields));
  return parsed.ok ? parsed.value : { kind: "unreadable", problems: parsed.problems };
}
