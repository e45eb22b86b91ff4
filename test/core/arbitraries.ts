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
  string,
  type Arbitrary,
} from "fast-check";

import {
  DEFAULT_PROOF,
  DEFAULT_LIMITS,
  STALL_TABLE,
  type Policy,
} from "../../src/core/model/policy.ts";
import { BLOCKERS } from "../../src/core/model/blocker.ts";
import type { History } from "../../src/core/decide/facts.ts";
import { RULES, type RuleId } from "../../src/core/model/decision.ts";
import { readEvidence, type Unread } from "../../src/readers/read-evidence.ts";
import type { Evidence, TreeChange } from "../../src/core/model/evidence.ts";
import type { Level } from "../../src/core/model/level.ts";
import type {
  PlanFinding,
  AgentReport,
  Impact,
  ReportFinding,
} from "../../src/core/model/report.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import { NO_USAGE, type FaultKind, type SessionEnding } from "../../src/core/model/session.ts";
import type { Streaks } from "../../src/core/model/tally.ts";
import type { GateResult, Verdict } from "../../src/core/model/verdict.ts";
import { report as calmReport } from "../support/builders.ts";
import { gateResult, HOUR, interaction, NOW_MS, spent } from "./builders.ts";
import { RED } from "./decision-table.ts";
import { ALARMS, type Alarm } from "../../src/core/model/alarm.ts";
import { DEFAULT_UNCERTAINTY, SIGNALS, type Score } from "../../src/core/model/signals.ts";

const few = (most: number) => integer({ min: 0, max: most });
const word = string({ maxLength: 12 });
const maybe = <T>(of: Arbitrary<T>) => option(of, { nil: null });

const impact = constantFrom<Impact>("blocking", "contradiction", "major", "minor", "taste");
const ruleId = constantFrom<RuleId>(...typedKeys(RULES));

function typedKeys<K extends string>(of: Readonly<Record<K, unknown>>): readonly K[] {
  const keys: K[] = [];
  for (const key in of) keys.push(key);
  return keys;
}

const faultKind = constantFrom<FaultKind>(
  "usage-limit",
  "rate-limit",
  "overloaded",
  "server-error",
  "network",
  "authentication",
  "permission",
  "billing",
  "model-not-found",
  "context-overflow",
  "refusal",
  "bad-request",
);

const asked = record({
  question: word,
  options: array(word, { maxLength: 3 }),
  default: maybe(word),
  impact,
  context: maybe(word),
  toolUseId: maybe(constant("tool-1")),
  expiresInMs: maybe(few(HOUR)),
});

const fault = record({
  kind: faultKind,
  httpStatus: maybe(constantFrom(400, 401, 429, 529)),
  resetAtMs: maybe(integer({ min: NOW_MS - HOUR, max: NOW_MS + 12 * HOUR })),
  retryAfterMs: maybe(few(HOUR)),
  message: word,
});

const ending: Arbitrary<SessionEnding> = oneof(
  constant({ kind: "finished" as const }),
  asked.map((asked) => ({ kind: "asked" as const, asked })),
  constantFrom("turns" as const, "cost" as const).map((limit) => ({
    kind: "limit" as const,
    limit,
  })),
  fault.map((fault) => ({ kind: "fault" as const, fault })),
  constant({ kind: "crashed" as const, exitCode: 1, signal: null, detail: "died" }),
  constantFrom("idle" as const, "session" as const).map((limit) => ({
    kind: "timed-out" as const,
    limit,
  })),
  constant({ kind: "interrupted" as const }),
  constant({ kind: "lost" as const }),
  constantFrom("program-missing" as const, "conversation-unknown" as const).map((reason) => ({
    kind: "not-started" as const,
    reason,
    detail: "",
  })),
);

const report: Arbitrary<AgentReport> = record({
  status: constantFrom("completed", "partial", "failed", "blocked", "unstated"),
  review: maybe(record({ reason: maybe(word) })),
  blockers: array(
    record({
      type: oneof(constantFrom(...typedKeys(BLOCKERS)), word),
      message: word,
      recoverable: maybe(boolean()),
      recommendation: maybe(word),
    }),
    { maxLength: 2 },
  ),
  questions: array(
    record({ question: word, options: constant([]), default: maybe(word), impact }),
    { maxLength: 3 },
  ),
  progress: maybe(
    record({
      stage: constant(null),
      details: maybe(word),
      phasesCompleted: constant(null),
      phasesTotal: constant(null),
      handoffPath: maybe(constant("HANDOFF.md")),
    }),
  ),
}).map((over) => calmReport(over));

const finding: Arbitrary<ReportFinding> = oneof(
  { weight: 3, arbitrary: report.map((report) => ({ kind: "read" as const, report, notes: [] })) },
  constant({ kind: "missing" as const }),
  constant({ kind: "in-progress" as const }),
  constant({ kind: "stale" as const, detail: "attempt 1" }),
  constant({ kind: "unreadable" as const, problems: ["not JSON"] }),
);

const verdict: Arbitrary<Verdict> = oneof(
  constant({ kind: "passed" as const }),
  array(record({ check: constantFrom("a", "b", "c"), message: word }), { maxLength: 3 }).map(
    (findings) => ({ kind: "failed" as const, findings }),
  ),
  constant({ kind: "unknown" as const, why: "timed-out" as const, detail: "" }),
);

const gates: Arbitrary<readonly GateResult[]> = array(
  record({ verdict, required: boolean() }).map((g) =>
    gateResult(g.verdict, { required: g.required }),
  ),
  { maxLength: 3 },
);

const tree: Arbitrary<TreeChange> = oneof(
  constant({ kind: "not-measured" as const, why: "not a repository" }),
  record({ count: few(2), outside: array(word, { maxLength: 2 }) }).map(({ count, outside }) => ({
    kind: "measured" as const,
    tree: "tree-1",
    changed: [],
    changedCount: count,
    sinceBaseCount: count,
    outside,
    outOfScope: [],
  })),
);

const planFinding: Arbitrary<PlanFinding> = oneof(
  { weight: 3, arbitrary: constant({ kind: "not-asked" as const }) },
  constant({ kind: "missing" as const }),
  constant({ kind: "unreadable" as const, why: "the plan is empty" }),
  word.map((text) => ({ kind: "written" as const, plan: planFrom(text) })),
);

const alarm: Arbitrary<Alarm> = record({
  kind: constantFrom(...typedKeys(ALARMS)),
  path: maybe(constant("test/a.test.ts")),
  detail: word,
  line: maybe(few(9)),
});

const anyScore: Arbitrary<Score> = record({
  parts: array(
    record({
      signal: constantFrom(...typedKeys(SIGNALS)),
      subject: word,
      weight: few(6),
      detail: word,
    }),
    { maxLength: 3 },
  ),
  replanned: boolean(),
});

export const anyEvidence: Arbitrary<Evidence> = record<Unread>({
  ending,
  report: finding,
  gates,
  gatesDeclaredNone: boolean(),
  tree,
  usage: constant(NO_USAGE),
  trace: record({ toolCalls: maybe(few(3)), compactions: few(3), closing: word }),
  plan: planFinding,
  integrity: oneof(
    constant({ kind: "not-checked" as const, why: "completion is not claimed" }),
    array(alarm, { maxLength: 2 }).map((alarms) => ({
      kind: "checked" as const,
      alarms,
      notes: [],
    })),
  ),
  baseline: gates,
  comparisons: constant([]),
  originals: constant({ kind: "not-needed" as const }),
  wanted: constant([]),
  reasons: constant([]),
  replaced: constant([]),
  relisted: constant(false),
  at: record({
    nowMs: constant(NOW_MS),
    zone: constant("UTC"),
    dice: double({ min: 0, max: 0.999, noNaN: true }),
  }),
}).map((gathered) => ({ ...gathered, readings: readEvidence(gathered) }));

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
  crashed: few(3),
  providerTries: few(10),
  providerCause: maybe(
    constantFrom("rate_limit", "overloaded", "network_transient", "usage_limit"),
  ),
  stuckHandoffs: few(3),
  lastResumePoint: maybe(constantFrom("", "HANDOFF.md")),
});

export const anyHistory: Arbitrary<History> = record({
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
  planAccepted: boolean(),
  lastPass: maybe(constant({ commit: "c1", ref: "refs/orch/run/task/1", tree: "tree-1" })),
  notJoined: maybe(word),
  score: anyScore,
  previousRule: maybe(ruleId),
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
