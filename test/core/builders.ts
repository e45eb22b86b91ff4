// What does a decision table not care about? Calm defaults, so that each row shows only what matters.

import { assertNever } from "../../src/core/model/assert.ts";
import { NO_STREAKS, NOWHERE } from "../../src/core/decide/streaks.ts";
import type { History } from "../../src/core/decide/facts.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { TreeChange } from "../../src/core/model/evidence.ts";
import { idOf, type SessionToken, type StepId, type TaskId } from "../../src/core/model/ids.ts";
import type { Interaction, Question } from "../../src/core/model/question.ts";
import {
  DEFAULT_LIMITS,
  DEFAULT_PROOF,
  DEFAULT_RESET_POLICY,
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
} from "../../src/core/model/policy.ts";
import type { Level, Limits, Policy } from "../../src/core/model/policy.ts";
import type {
  AgentReport,
  DeclaredBlocker,
  DeclaredQuestion,
  Impact,
  PartialProgress,
  ReportFinding,
} from "../../src/core/model/report.ts";
import {
  NO_TOKENS,
  type AskedQuestion,
  type Fault,
  type FaultKind,
  type SessionEnding,
  type TokenCounts,
} from "../../src/core/model/session.ts";
import type { Spent } from "../../src/core/model/state.ts";
import type { Streaks } from "../../src/core/model/tally.ts";
import type { GateResult, UnknownWhy, Verdict } from "../../src/core/model/verdict.ts";
import { answer, evidence, PASSED, question, report } from "../support/builders.ts";
import { DEFAULT_UNCERTAINTY, NO_SCORE } from "../../src/core/model/signals.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const NOW_MS = evidence().at.nowMs;

// ---- gates ----------------------------------------------------------------------------------------

export function gateResult(verdict: Verdict, over: Partial<GateResult> = {}): GateResult {
  return { ...PASSED, counts: null, verdict, ...over };
}

export const passed: readonly GateResult[] = [PASSED];

/** A required gate that failed with these checks; a message differs from check to check. */
export function failed(...checks: readonly string[]): readonly GateResult[] {
  const names = checks.length === 0 ? ["adds two numbers"] : checks;
  const findings = names.map((check) => ({ check, message: `expected ${check} to hold` }));
  return [gateResult({ kind: "failed", findings })];
}

export function unknown(why: UnknownWhy = "timed-out"): readonly GateResult[] {
  return [gateResult({ kind: "unknown", why, detail: "after 600 s" })];
}

// ---- reports --------------------------------------------------------------------------------------

export function read(over: Partial<AgentReport> = {}): ReportFinding {
  return { kind: "read", report: report(over), notes: [] };
}

export const noReport: ReportFinding = { kind: "missing" };

export function blocker(type: string, over: Partial<DeclaredBlocker> = {}): DeclaredBlocker {
  return {
    type,
    message: `cannot go on: ${type}`,
    recoverable: null,
    recommendation: null,
    ...over,
  };
}

export function declared(impact: Impact, question = "Which port?"): DeclaredQuestion {
  return { question, options: ["80", "8080"], default: "8080", impact };
}

export function resumePoint(over: Partial<PartialProgress> = {}): PartialProgress {
  return {
    stage: null,
    details: null,
    phasesCompleted: null,
    phasesTotal: null,
    handoffPath: "HANDOFF.md",
    ...over,
  };
}

// ---- endings --------------------------------------------------------------------------------------

export const finished: SessionEnding = { kind: "finished" };

export function fault(kind: FaultKind, over: Partial<Fault> = {}): SessionEnding {
  const calm = { httpStatus: null, resetAtMs: null, retryAfterMs: null, message: "it said no" };
  return { kind: "fault", fault: { kind, ...calm, ...over } };
}

export function asked(impact: Impact, over: Partial<AskedQuestion> = {}): SessionEnding {
  const calm = {
    options: [],
    default: null,
    context: null,
    toolUseId: "tool-1",
  };
  return { kind: "asked", asked: { question: "Which port?", impact, ...calm, ...over } };
}

export const crashed: SessionEnding = {
  kind: "crashed",
  exitCode: 1,
  signal: null,
  detail: "TypeError",
};

// ---- evidence, history, policy --------------------------------------------------------------------

export function tree(over: Partial<Extract<TreeChange, { kind: "measured" }>> = {}): TreeChange {
  return {
    kind: "measured",
    tree: "tree-1",
    changed: ["src/login.ts"],
    changedCount: 1,
    sinceBaseCount: 1,
    outside: [],
    outOfScope: [],
    ...over,
  };
}

export const unchanged = tree({ changed: [], changedCount: 0 });

export function streaks(over: Partial<Streaks> = {}): Streaks {
  return { ...NO_STREAKS, ...over };
}

export const NOTHING_SPENT: Spent = {
  sessions: 0,
  costUsd: 0,
  costUnknown: false,
  byModel: {},
  workMs: 0,
  gatesMs: 0,
  pausedMs: 0,
};

export function spent(over: Partial<Spent> = {}): Spent {
  return { ...NOTHING_SPENT, sessions: 1, ...over };
}

export function tokens(over: Partial<TokenCounts> = {}): TokenCounts {
  return { ...NO_TOKENS, ...over };
}

/** The first attempt of a task under its first plan. */
export function history(over: Partial<History> = {}): History {
  return {
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
    spent: spent(),
    waitedMs: 0,
    runCostUsd: 0,
    runWorkMs: 0,
    questionsAsked: 0,
    runQuestionsAsked: 0,
    interactions: [],
    ...over,
  };
}

export function limits(over: Partial<Limits> = {}): Limits {
  return { ...DEFAULT_LIMITS, ...over };
}

export function policy(over: Partial<Policy> = {}): Policy {
  return {
    level: 0,
    limits: DEFAULT_LIMITS,
    run: DEFAULT_RUN_LIMITS,
    stall: STALL_TABLE,
    reset: DEFAULT_RESET_POLICY,
    proof: DEFAULT_PROOF,
    uncertainty: DEFAULT_UNCERTAINTY,
    confirms: "nothing",
    allow: [],
    ...over,
  };
}

export function atLevel(level: Level, over: Partial<Policy> = {}): Policy {
  return policy({ level, ...over });
}

// ---- tasks ----------------------------------------------------------------------------------------

export const taskId = (name: string): TaskId => idOf<TaskId>(name);
export const stepId = (name: string): StepId => idOf<StepId>(name);
export const token = (name: string): SessionToken => idOf<SessionToken>(name);

// ---- people ---------------------------------------------------------------------------------------

export function interaction(over: Partial<Question> = {}, text = "8080"): Interaction {
  const put = question(over);
  return { question: put, answer: answer({ id: put.id, text }) };
}

/** A decision's kind with its variant, in the words of the design: "continue/advance", "pause/blocker". */
export function kindOf(decision: Decision): string {
  switch (decision.kind) {
    case "continue":
      return `continue/${decision.how.kind}`;
    case "pause":
      return `pause/${decision.ask.kind}`;
    case "stall":
      return `stall/${decision.end}`;
    case "replan":
      return decision.rollback === null ? "replan" : "replan/rollback";
    default:
      return assertNever(decision, "decision");
  }
}
