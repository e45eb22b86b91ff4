// What do evidence, history and policy say together, before any rule is tried?

import { limitReached, runUse, taskUse, type Limit } from "../run/budget.ts";
import { type Blocker, type BlockerType, declaredBlockers } from "../model/report.ts";
import type { CrashCause, Evidence } from "../model/evidence.ts";
import { alarmOfUnheld, disputed, EXPLAINABLE, isTakenBeside, tidy } from "../model/alarm.ts";
import { allowRules, type AllowRule } from "../model/alarm.ts";
import { reasonForPath } from "../model/fence.ts";
import { proofOf, type Proof } from "./proof.ts";
import { explainsFailing } from "./lost-checks.ts";
import type { Policy } from "../model/policy.ts";
import type { Fault, FaultKind } from "../model/session.ts";
import type { Visited } from "../model/tally.ts";
import { sumGates, type GateResult, type GateSum } from "../model/verdict.ts";
import { endingFact, type EndingFact } from "./endings.ts";
import { afterWork, hasProgressed, afterVisit, stateIdentity } from "./streaks.ts";
import { addSignals, afterProgress, signalsOf, type SignalSource } from "./uncertainty.ts";
import type { Score } from "../model/signals.ts";
import type { Checkpoint } from "../model/workspace.ts";
import type { Team } from "./team.ts";
import type { RuleId } from "../model/decision.ts";
import type { Interaction, QuestionKind } from "../model/question.ts";
import type { StepState, TaskState } from "../model/state.ts";

/** One view of everything a rule may look at; rules compute nothing of their own twice. */
export interface Facts extends SignalSource {
  readonly history: History;
  readonly policy: Policy;
  readonly blockers: readonly Blocker[];
  /** A fault the driver named, or else one that the words of a dying program name; null: neither. */
  readonly fault: Fault | null;
  /** What those words name; null where they do not count. */
  readonly crash: CrashCause | null;
  readonly ended: EndingFact | null;
  readonly progress: boolean;
  /** Identity of the state the task is in; null: unknown. */
  readonly visitedNow: string | null;
  readonly visited: Visited;
  readonly score: Score;
  /** What fails now failed in the same way on the tree the task started from, and the task does not name it. */
  readonly failedBefore: boolean;
  /** A person took the work in spite of what speaks against it. */
  readonly isTaken: boolean;
  /** Counts once every required gate is green. */
  readonly proof: Proof;
  /** Some gate passes more checks than it did there, and none that failed: something new is proven. */
  readonly provesMore: boolean;
  /** Something was changed, and the report says of each check that failed before why it is left. */
  readonly oldExplained: boolean;
  readonly attemptsMost: number;
  /** null: another session may be paid for. */
  readonly spentLimit: Limit | null;
}

/** What the rules need to know, worked out once. */
export function deriveFacts(evidence: Evidence, history: History, policy: Policy): Facts {
  const work = factsOfWork(evidence, history, policy);
  const moved = work.progress || work.sum === "passed";
  const before = moved ? afterProgress(history.score) : history.score;
  return { ...work, score: addSignals(before, signalsOf(work), policy.uncertainty) };
}

function factsOfWork(evidence: Evidence, history: History, policy: Policy): Omit<Facts, "score"> {
  const report = evidence.report.kind === "read" ? evidence.report.report : null;
  const { failure, crash, failedBefore } = evidence.readings;
  const allow = allowRules(policy.allow);
  const isTaken = history.accepted.includes("dispute");
  const isBeside = isTakenBeside(evidence.unheld, history.accepted, allow);
  const sum = isBeside ? "passed" : gateSum(evidence);
  // A partial fix may be all that was asked for: only a reason for the rest tells.
  const isMended = evidence.comparisons.some(
    (one) => one.kind === "compared" && one.mended.count > 0,
  );
  const isChanged = evidence.tree.kind === "measured" && evidence.tree.sinceBaseCount > 0;
  const visitedNow = stateIdentity(evidence, failure);
  const progress = hasProgressed(history.streaks, failure, history.ledger);
  return {
    evidence,
    history,
    policy,
    report,
    blockers: report === null ? [] : declaredBlockers(report),
    fault: faultIn(evidence),
    crash,
    ended: endingFact(evidence),
    sum,
    failure,
    streaks: afterWork(history.streaks, evidence, { sum, failure, progress }),
    progress,
    planning: evidence.plan.kind !== "not-asked",
    visitedNow,
    visited: afterVisit(history.visited, visitedNow),
    seenEver: failure === null ? 0 : (history.ledger[failure.fp] ?? 0) + 1,
    alarms: alarmsOf(evidence, allow).filter(
      // Where a gate is red, that nothing was done is no news.
      ({ kind }) => kind !== "empty-diff" || sum !== "failed",
    ),
    isTaken,
    failedBefore: failedBefore && (isTaken || evidence.wanted.length === 0),
    proof: proofOf(evidence, report, allow),
    provesMore: !isMended && evidence.gates.some((gate) => passesMore(gate, evidence.baseline)),
    oldExplained:
      (evidence.onlyNamed && !isMended) || (isChanged && explainsFailing(evidence, report)),
    attemptsMost: attemptsMost(history, policy, progress),
    spentLimit: spentLimit(history, policy),
  };
}

function passesMore({ name, counts }: GateResult, baseline: Evidence["baseline"]): boolean {
  const before = baseline.find((base) => base.name === name)?.counts ?? null;
  return counts !== null && before !== null && counts.passed > before.passed;
}

export function alarmsOf(
  { integrity, unheld, ...given }: Pick<Evidence, "integrity" | "unheld" | "report" | "reasons">,
  allow: readonly AllowRule[],
): Facts["alarms"] {
  const { alarms: read, notes } =
    integrity.kind === "checked" ? integrity : { alarms: [], notes: [] };
  const unexplained = notes.filter(
    ({ kind, path }) => EXPLAINABLE.has(kind) && reasonForPath(path ?? "", given) === null,
  );
  return disputed([...tidy(unheld.map(alarmOfUnheld)), ...read, ...unexplained], allow);
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
  return limitReached([...taskUse(history.spent, policy.limits), ...runUse(used, policy.run)]);
}

export function claimsDone(f: Pick<Facts, "report">): boolean {
  return f.report?.status === "completed";
}

export function hasGateResults(f: Pick<Facts, "evidence">): boolean {
  return f.evidence.gates.length > 0;
}

export function faultIn({ ending, readings: { crash } }: Evidence): Fault | null {
  return ending.kind === "fault" ? ending.fault : crash && faultFromText(crash);
}

/** A cause that the output of a crashed program names, as a fault of the provider; null: it is none. */
function faultFromText(crash: CrashCause): Fault | null {
  const kind = FAULT_OF[crash.type];
  if (kind === undefined) return null;
  const { resetAtMs, retryAfterMs, evidence } = crash;
  const wholeMs = resetAtMs === null ? null : endOfMinute(resetAtMs);
  return { kind, httpStatus: null, resetAtMs: wholeMs, retryAfterMs, message: evidence };
}

/** Words tell a time to the minute, and where the next try comes within it they tell the same again. */
function endOfMinute(moment: number): number {
  return moment % MINUTE_MS === 0 ? moment + MINUTE_MS : moment;
}

const MINUTE_MS = 60_000;

const FAULT_OF: Partial<Record<BlockerType, FaultKind>> = {
  usage_limit: "usage-limit",
  rate_limit: "rate-limit",
  overloaded: "overloaded",
  network_transient: "network",
  context_exhaustion: "context-overflow",
  missing_credential: "authentication",
};

/** Counters are as they stood before this attempt; `spent` includes its sessions. */
export interface History
  extends
    Pick<StepState, "counted" | "granted" | "progressed" | "attemptsSinceReplan" | "streaks">,
    Pick<TaskState, "plan" | "replans" | "handoffs" | "ledger" | "visited" | "plans">,
    Pick<TaskState, "score" | "spent" | "waitedMs"> {
  readonly team: Team;
  /** What coaches objected to in earlier attempts of the step. */
  readonly coached: readonly string[];
  /** To what a person said yes in the present attempt. */
  readonly accepted: readonly QuestionKind[];
  /** The newest tree that this task may go back to: gates passed on it. null: none did. */
  readonly lastPass: Checkpoint | null;
  /** The reason to give if this attempt does not join the work with what others merged; null: it is not to join it. */
  readonly notJoined: string | null;
  /** The tasks whose work, merged since this one began, passes all that is red here; null: there are none. */
  readonly repairedBy: string | null;
  /** The rule of the attempt before this one in this step; null: there was none. */
  readonly previousRule: RuleId | null;
  readonly runCostUsd: number;
  readonly runWorkMs: number;
  readonly questionsAsked: number;
  readonly runQuestionsAsked: number;
  readonly interactions: readonly Interaction[];
}
