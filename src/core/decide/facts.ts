// What do evidence, history and policy say together, before any rule is tried?

import { limitReached, runLimitReached } from "../budget.ts";
import type { Limit } from "../budget.ts";
import type { Blocker } from "../blocker.ts";
import type { Evidence } from "../evidence.ts";
import { failureIdentity } from "../fingerprint.ts";
import type { FailureIdentity } from "../fingerprint.ts";
import type { Policy } from "../policy.ts";
import type { AgentReport } from "../report.ts";
import type { Streaks } from "../state.ts";
import { sumGates } from "../verdict.ts";
import type { GateSum } from "../verdict.ts";
import { declaredBlockers } from "./blockers.ts";
import type { History } from "./history.ts";
import { afterWork, hasProgressed } from "./streaks.ts";

/** One view of everything a rule may look at; rules compute nothing of their own twice. */
export interface Facts {
  readonly evidence: Evidence;
  readonly history: History;
  readonly policy: Policy;
  /** null: no usable report. */
  readonly report: AgentReport | null;
  readonly blockers: readonly Blocker[];
  readonly sum: GateSum;
  readonly failure: FailureIdentity | null;
  /** As they stand if this attempt counts. */
  readonly streaks: Streaks;
  readonly progress: boolean;
  /** How often this failure was seen in the task, this time included. */
  readonly seenEver: number;
  readonly attemptsMost: number;
  /** null: another session may be paid for. */
  readonly spentLimit: Limit | null;
}

export function look(evidence: Evidence, history: History, policy: Policy): Facts {
  const report = evidence.report.kind === "read" ? evidence.report.report : null;
  const sum = gateSum(evidence);
  const failure = sum === "failed" ? failureIdentity(evidence.gates) : null;
  const progress = hasProgressed(history.streaks, failure, history.ledger);
  return {
    evidence,
    history,
    policy,
    report,
    blockers: report === null ? [] : declaredBlockers(report),
    sum,
    failure,
    streaks: afterWork(history.streaks, sum, failure, evidence.tree),
    progress,
    seenEver: failure === null ? 0 : (history.ledger[failure.fp] ?? 0) + 1,
    attemptsMost: attemptsMost(history, policy, progress),
    spentLimit: spentLimit(history, policy),
  };
}

/** No required result where gates are configured means that nothing was proved: unknown, never passed. */
export function gateSum(evidence: Evidence): GateSum {
  const sum = sumGates(evidence.gates);
  return sum === "ungated" && !evidence.gatesDeclaredNone ? "unknown" : sum;
}

function attemptsMost(history: History, policy: Policy, progress: boolean): number {
  const { attempts, attemptsWithProgress } = policy.limits;
  const earned = history.progressed || progress;
  return (earned ? Math.max(attempts, attemptsWithProgress) : attempts) + history.granted;
}

function spentLimit(history: History, policy: Policy): Limit | null {
  const used = { costUsd: history.runCostUsd, workMs: history.runWorkMs };
  return limitReached(history.spent, policy.limits) ?? runLimitReached(used, policy.run);
}
