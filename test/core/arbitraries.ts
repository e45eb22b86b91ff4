// What can a decision be asked to look at, at its strangest?

import {
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  oneof,
  option,
  record,
  subarray,
  tuple,
  type Arbitrary,
} from "fast-check";

import type { History } from "../../src/core/decide/facts.ts";
import { ALARMS, type Alarm } from "../../src/core/model/alarm.ts";
import {
  BLOCKERS,
  type AgentReport,
  type Impact,
  type PlanFinding,
  type ReportFinding,
} from "../../src/core/model/report.ts";
import { RULES } from "../../src/core/model/decision.ts";
import type { Evidence, TreeChange } from "../../src/core/model/evidence.ts";
import { DEFAULT_PROOF, DEFAULT_LIMITS, STALL_TABLE } from "../../src/core/model/policy.ts";
import type { Level, Policy } from "../../src/core/model/policy.ts";
import { FAULT_KINDS, NO_USAGE, type SessionEnding } from "../../src/core/model/session.ts";
import { DEFAULT_UNCERTAINTY, SIGNALS, type Score } from "../../src/core/model/signals.ts";
import type { Streaks } from "../../src/core/model/tally.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import { evidence, report as calmReport } from "../support/builders.ts";
import {
  asked,
  blocker,
  crashed,
  declared,
  failed,
  fault,
  finished,
  HOUR,
  interaction,
  NOW_MS,
  noReport,
  passed,
  resumePoint,
  spent,
  tree,
  unknown,
} from "./builders.ts";
import { RED } from "./decision-table.ts";

const few = (most: number) => integer({ min: 0, max: most });
const word = constantFrom("", "a", "b");
const maybe = <T>(of: Arbitrary<T>) => option(of, { nil: null });

function typedKeys<K extends string>(of: Readonly<Record<K, unknown>>): readonly K[] {
  const keys: K[] = [];
  for (const key in of) keys.push(key);
  return keys;
}

const impact = constantFrom<Impact>("blocking", "contradiction", "major", "minor", "taste");

const anyFault = record({
  resetAtMs: maybe(integer({ min: NOW_MS - HOUR, max: NOW_MS + 12 * HOUR })),
  retryAfterMs: maybe(few(HOUR)),
});

const ending: Arbitrary<SessionEnding> = oneof(
  constantFrom<SessionEnding>(
    finished,
    crashed,
    { kind: "limit", limit: "turns" },
    { kind: "timed-out", limit: "idle" },
    { kind: "interrupted" },
    { kind: "lost" },
    { kind: "not-started", reason: "program-missing", detail: "" },
    { kind: "not-started", reason: "conversation-unknown", detail: "" },
  ),
  tuple(impact, word).map(([weight, question]) => asked(weight, { question })),
  tuple(constantFrom(...FAULT_KINDS), anyFault).map(([kind, over]) => fault(kind, over)),
);

const report: Arbitrary<AgentReport> = record({
  status: constantFrom("completed", "partial", "failed", "blocked", "unstated"),
  review: maybe(record({ reason: maybe(word) })),
  blockers: array(
    tuple(oneof(constantFrom(...typedKeys(BLOCKERS)), word), maybe(boolean())).map(
      ([type, recoverable]) => blocker(type, { recoverable }),
    ),
    { maxLength: 2 },
  ),
  questions: array(
    tuple(impact, word).map(([weight, question]) => declared(weight, question)),
    { maxLength: 3 },
  ),
  progress: maybe(maybe(word).map((details) => resumePoint({ details }))),
}).map((over) => calmReport(over));

const finding: Arbitrary<ReportFinding> = oneof(
  { weight: 3, arbitrary: report.map((report) => ({ kind: "read" as const, report, notes: [] })) },
  constantFrom<ReportFinding>(
    noReport,
    { kind: "in-progress" },
    { kind: "stale", detail: "attempt 1" },
    { kind: "unreadable", problems: ["not JSON"] },
  ),
);

const gates: Arbitrary<readonly GateResult[]> = array(
  record({
    result: constantFrom(...passed, ...failed("a"), ...failed("b", "c"), ...unknown()),
    required: boolean(),
  }).map(({ result, required }) => ({ ...result, required })),
  { maxLength: 3 },
);

const anyTree: Arbitrary<TreeChange> = oneof(
  constant({ kind: "not-measured" as const, why: "not a repository" }),
  record({ count: few(2), outside: array(word, { maxLength: 2 }) }).map(({ count, outside }) =>
    tree({ changed: [], changedCount: count, sinceBaseCount: count, outside }),
  ),
);

const planFinding = constantFrom<PlanFinding>(
  { kind: "not-asked" },
  { kind: "missing" },
  { kind: "unreadable", why: "the plan is empty" },
  { kind: "written", plan: planFrom("a") },
  { kind: "written", plan: planFrom("b") },
);

const alarm: Arbitrary<Alarm> = record({
  kind: constantFrom(...typedKeys(ALARMS)),
  path: maybe(constant("test/a.test.ts")),
  detail: word,
  line: maybe(few(9)),
});

const part = record({
  signal: constantFrom(...typedKeys(SIGNALS)),
  subject: word,
  weight: few(6),
  detail: word,
});
const anyScore: Arbitrary<Score> = record({
  parts: array(part, { maxLength: 3 }),
  replanned: boolean(),
});

export const anyEvidence: Arbitrary<Evidence> = record({
  ending,
  report: finding,
  gates,
  gatesDeclaredNone: boolean(),
  tree: anyTree,
  trace: record({
    toolCalls: maybe(few(3)),
    closing: word,
    hook: maybe(word),
  }),
  plan: planFinding,
  integrity: oneof(
    constant({ kind: "not-checked" as const, why: "completion is not claimed" }),
    array(alarm, { maxLength: 2 }).map((alarms) => ({
      kind: "checked" as const,
      alarms,
      notes: [],
      tests: [],
    })),
  ),
  baseline: gates,
  at: double({ min: 0, max: 0.999, noNaN: true }).map((dice) => ({
    nowMs: NOW_MS,
    zone: "UTC",
    dice,
  })),
}).map((over) => evidence({ ...over, usage: NO_USAGE }));

const anyStreaks: Arbitrary<Streaks> = record({
  sameFailure: few(6),
  lastFingerprint: maybe(constantFrom(RED, "other")),
  lastFailing: maybe(few(4)),
  fewestFailing: maybe(few(4)),
  noFewer: few(6),
  anyFailure: few(6),
  unknownGate: few(4),
  noChange: few(4),
  noProgress: few(4),
  toolless: few(3),
  timedOut: few(3),
  ending: maybe(constantFrom("killed", "turns")),
  endings: few(3),
  crashed: few(3),
  providerTries: few(10),
  providerCause: maybe(
    constantFrom("rate_limit", "overloaded", "network_transient", "usage_limit"),
  ),
  stuckHandoffs: few(3),
  lastResumePoint: maybe(constantFrom("", "HANDOFF.md")),
});

export const anyHistory: Arbitrary<History> = record({
  team: record({
    present: constant("one"),
    others: subarray(["two", "three"]),
    outages: dictionary(constantFrom("one", "two"), maybe(few(3))),
  }),
  coached: array(word, { maxLength: 2 }),
  attempt: few(9),
  plan: few(3),
  counted: few(7),
  granted: few(3),
  progressed: boolean(),
  attemptsSinceReplan: few(4),
  replans: few(3),
  handoffs: few(6),
  streaks: anyStreaks,
  ledger: dictionary(constantFrom(RED, "other"), few(6)),
  visited: record({ states: array(word), last: maybe(word), returns: few(3) }),
  plans: array(word.map(planFrom), { maxLength: 3 }),
  accepted: subarray(["plan", "dispute"] as const),
  lastPass: maybe(constant({ commit: "c1", ref: "refs/orch/run/task/1", tree: "tree-1" })),
  notJoined: maybe(word),
  repairedBy: maybe(word),
  score: anyScore,
  previousRule: maybe(constantFrom(...typedKeys(RULES))),
  spent: few(12).map((costUsd) => spent({ costUsd, sessions: costUsd })),
  waitedMs: few(8 * HOUR),
  runCostUsd: few(60),
  runWorkMs: few(30).map((hours) => hours * HOUR),
  questionsAsked: few(4),
  runQuestionsAsked: few(21),
  interactions: array(
    word.map((question) => interaction({ question })),
    { maxLength: 2 },
  ),
});

export const anyLevel = constantFrom<Level>(0, 1, 2, 3, 4, 5);

export const anyPolicy: Arbitrary<Policy> = record({
  level: anyLevel,
  limits: record({ attempts: integer({ min: 1, max: 4 }), replans: few(2), questions: few(3) }).map(
    (over) => ({ ...DEFAULT_LIMITS, ...over }),
  ),
  run: constant({ costUsd: 50, timeMs: 24 * HOUR, questions: 20 }),
  stall: constant(STALL_TABLE),
  proof: constant(DEFAULT_PROOF),
  reset: record({ waits: boolean(), maxWaitMs: few(6 * HOUR) }),
  uncertainty: record({
    enabled: boolean(),
    threshold: maybe(few(12)),
    autoSkipThreshold: few(14),
    interactive: boolean(),
    weights: constant(DEFAULT_UNCERTAINTY.weights),
  }),
  confirms: constantFrom("nothing", "plan", "result"),
  allow: constantFrom([], ["checks-lost"], ["suppression-added: test/**"]),
});
