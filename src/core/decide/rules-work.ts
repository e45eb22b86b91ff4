// Is the work proven done, going on well, or stuck?

import { limitWords } from "../budget.ts";
import { HANDOFFS_WITHOUT_MOVEMENT_MAX } from "../policy.ts";
import type { Facts } from "./facts.ts";
import {
  differentApproach,
  failureLines,
  newPlan,
  notEvaluated,
  redGate,
  reportTrouble,
  unknownLines,
} from "./feedback.ts";
import { mayReplan } from "./replan.ts";
import { feedBack, giveUp, goOn, needsPerson, stall } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

/** Approval stands before every stall rule: work that is proven done is done, whatever came before. */
export const APPROVAL_RULES: readonly Rule[] = [
  { id: "disputed", apply: disputed },
  {
    id: "gate-green",
    apply: (f) =>
      f.sum === "passed" && claimsDone(f)
        ? goOn(
            "gate-green",
            { kind: "advance", verified: true },
            "every required gate passed",
            "the report says completed",
          )
        : null,
  },
  {
    id: "report-complete",
    apply: (f) =>
      f.sum === "ungated" && claimsDone(f)
        ? goOn(
            "report-complete",
            { kind: "advance", verified: false },
            "the step has no required gate",
            "the report says completed",
          )
        : null,
  },
];

/** Limits and streaks: the last resort, in falling order of certainty. */
export const COUNTER_RULES: readonly Rule[] = [
  {
    id: "over-budget",
    apply: (f) =>
      f.spentLimit === null ? null : stall("over-budget", "over-budget", limitWords(f.spentLimit)),
  },
  { id: "context-handoff", apply: handOff },
  { id: "handoffs-spent", apply: handOffsSpent },
  { id: "fingerprint-ever", apply: sameFailureEver },
  { id: "same-failure-stall", apply: sameFailureStall },
  { id: "same-failure-replan", apply: sameFailureReplan },
  { id: "gate-unknown-stall", apply: unknownStall },
  { id: "no-change-stall", apply: noChangeStall },
  {
    id: "attempts-spent",
    apply: (f) =>
      f.history.counted + 1 >= f.attemptsMost
        ? giveUp(f, "attempts-spent", `${f.attemptsMost} attempts are used up`)
        : null,
  },
];

/** The attempt goes on with words that say what is missing. The last rule always fires. */
export const FEEDBACK_RULES: readonly Rule[] = [
  {
    id: "same-failure-different",
    apply: (f) =>
      f.sum === "failed" && f.streaks.sameFailure >= f.policy.stall.sameFailure.demand
        ? feedBack(
            "same-failure-different",
            differentApproach(f),
            `the same failure ${f.streaks.sameFailure} times in a row`,
          )
        : null,
  },
  {
    id: "gate-red",
    apply: (f) =>
      f.sum === "failed" ? feedBack("gate-red", redGate(f), ...failureLines(f)) : null,
  },
  {
    id: "session-timed-out",
    apply: (f) =>
      f.evidence.ending.kind === "timed-out" ? timedOut(f.evidence.ending.limit) : null,
  },
  {
    id: "gate-unknown-shrink",
    apply: (f) =>
      f.sum === "unknown" &&
      hasGateResults(f) &&
      f.streaks.unknownGate >= f.policy.stall.unknownGate.demand
        ? feedBack("gate-unknown-shrink", notEvaluated(f, true), ...unknownLines(f.evidence.gates))
        : null,
  },
  {
    id: "gate-unknown",
    apply: (f) =>
      f.sum === "unknown" && hasGateResults(f)
        ? feedBack("gate-unknown", notEvaluated(f, false), ...unknownLines(f.evidence.gates))
        : null,
  },
  { id: "session-crashed", apply: crashed },
  {
    id: "report-missing",
    apply: (f) =>
      f.report === null || f.report.status === "unstated"
        ? feedBack(
            "report-missing",
            reportTrouble(f.evidence.report),
            `report: ${f.evidence.report.kind}`,
          )
        : null,
  },
  {
    id: "work-claimed-failed",
    apply: (f) =>
      f.report?.status === "failed" || f.report?.status === "blocked"
        ? feedBack("work-claimed-failed", notDone(f), `the report says ${f.report.status}`)
        : null,
  },
  {
    id: "phase-incomplete",
    apply: (f) => feedBack("phase-incomplete", notDone(f), "the report says that work is left"),
  },
];

function claimsDone(f: Facts): boolean {
  return f.report?.status === "completed";
}

function hasGateResults(f: Facts): boolean {
  return f.evidence.gates.length > 0;
}

function disputed(f: Facts): Fired | null {
  const { tree } = f.evidence;
  if (tree.kind !== "measured" || tree.outside.length === 0 || !claimsDone(f)) return null;
  const paths = tree.outside.slice(0, 5).join(", ");
  const reason = `files outside what this step may write were changed: ${paths}`;
  if (f.history.previousRule === "disputed") return needsPerson(f, "disputed", reason, []);
  const words = `${reason}. Undo these changes, or, if the step cannot be done without them, declare the blocker \`permission_policy\` and say why.`;
  return feedBack("disputed", words, reason);
}

function contextIsUsedUp(f: Facts): boolean {
  const { ending } = f.evidence;
  return ending.kind === "fault" && ending.fault.kind === "context-overflow";
}

function resumePointOf(f: Facts): string | null {
  return f.report?.progress?.handoffPath ?? null;
}

function wantsHandOff(f: Facts): boolean {
  return contextIsUsedUp(f) || (f.report?.status === "partial" && resumePointOf(f) !== null);
}

/** The same file may be written again and again: the resume point moves when its words do. */
function handOffIsStuck(f: Facts): boolean {
  const { streaks } = f.history;
  const stuck = handOverWords(f) === streaks.lastResumePoint;
  return stuck && streaks.stuckHandoffs + 1 >= HANDOFFS_WITHOUT_MOVEMENT_MAX;
}

function handOverWords(f: Facts): string {
  const path = resumePointOf(f);
  return [
    path === null ? null : `Resume point written by the session before: ${path}`,
    f.report?.progress?.details ?? null,
    f.report?.nextSteps ?? null,
  ]
    .filter((line) => line !== null)
    .join("\n");
}

function handOff(f: Facts): Fired | null {
  if (!wantsHandOff(f) || f.history.handoffs >= f.policy.limits.handoffs || handOffIsStuck(f))
    return null;
  return goOn(
    "context-handoff",
    { kind: "handoff", resumePoint: handOverWords(f) },
    contextIsUsedUp(f) ? "the context of the session is used up" : "the agent wrote a resume point",
  );
}

function handOffsSpent(f: Facts): Fired | null {
  if (!wantsHandOff(f)) return null;
  const reason = `${f.history.handoffs} hand-overs are used up, or the resume point stopped moving`;
  return mayReplan(f) ? replan("handoffs-spent", f, reason) : giveUp(f, "handoffs-spent", reason);
}

function sameFailureEver(f: Facts): Fired | null {
  if (f.seenEver < f.policy.stall.sameFingerprintEver) return null;
  return giveUp(f, "fingerprint-ever", `the same failure ${f.seenEver} times over all plans`);
}

function sameFailureStall(f: Facts): Fired | null {
  if (f.sum !== "failed" || f.streaks.sameFailure < f.policy.stall.sameFailure.stall) return null;
  return giveUp(
    f,
    "same-failure-stall",
    `the same failure ${f.streaks.sameFailure} times in a row`,
  );
}

function sameFailureReplan(f: Facts): Fired | null {
  if (f.sum !== "failed" || f.streaks.sameFailure < f.policy.stall.sameFailure.replan) return null;
  if (!mayReplan(f)) return null;
  return replan(
    "same-failure-replan",
    f,
    `the same failure ${f.streaks.sameFailure} times in a row`,
  );
}

/** Gates that never ran since the session failed say nothing of the gates; other limits end those. */
function unknownStall(f: Facts): Fired | null {
  if (
    f.sum !== "unknown" ||
    !hasGateResults(f) ||
    f.streaks.unknownGate < f.policy.stall.unknownGate.stall
  )
    return null;
  return giveUp(
    f,
    "gate-unknown-stall",
    `the gates could not be evaluated ${f.streaks.unknownGate} times in a row`,
  );
}

function noChangeStall(f: Facts): Fired | null {
  if (f.streaks.noChange < f.policy.stall.noChange.stall) return null;
  return giveUp(f, "no-change-stall", `${f.streaks.noChange} attempts in a row changed nothing`);
}

function replan(rule: "handoffs-spent" | "same-failure-replan", f: Facts, reason: string): Fired {
  return { decision: { rule, kind: "replan", feedback: newPlan(f) }, because: [reason] };
}

function timedOut(limit: "idle" | "session"): Fired {
  const reason =
    limit === "idle" ? "the session went silent and was ended" : "the session ran out of its time";
  return feedBack(
    "session-timed-out",
    `${reason}. Work in smaller steps, and run narrower commands.`,
    reason,
  );
}

function crashed(f: Facts): Fired | null {
  const { ending } = f.evidence;
  if (ending.kind === "crashed") {
    const how = ending.signal === null ? `exit code ${ending.exitCode}` : `signal ${ending.signal}`;
    return feedBack(
      "session-crashed",
      `The session before died (${how}). Go on from the tree as it is.`,
      how,
      ending.detail,
    );
  }
  if (ending.kind === "limit")
    return feedBack(
      "phase-incomplete",
      `The session reached its limit of ${ending.limit}. Go on from the tree as it is.`,
      `session limit: ${ending.limit}`,
    );
  if (ending.kind === "fault" && f.report === null)
    return feedBack(
      "session-crashed",
      "The provider rejected the conversation. Go on from the tree as it is.",
      ending.fault.message,
    );
  return null;
}

function notDone(f: Facts): string {
  const left = [f.report?.progress?.details ?? null, f.report?.nextSteps ?? null].filter(
    (l) => l !== null,
  );
  return [
    `Your report says that the step is not done: ${f.report?.summary ?? ""}`,
    ...left.map((line) => `- ${line}`),
    ...f.blockers.map((b) => `- ${b.type}: ${b.message}`),
    "",
    "Go on and finish it. If it cannot be done, declare the blocker that says why.",
  ].join("\n");
}
