// What is the next attempt told, where nothing speaks against going on?

import { claimsDone, hasGateResults } from "./facts.ts";
import type { Facts } from "./facts.ts";
import {
  differentApproach,
  failureLines,
  fenced,
  notEvaluated,
  redGate,
  reportTrouble,
  unknownLines,
} from "./feedback.ts";
import { feedBack } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

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
  { id: "gate-red-before", apply: redBefore },
  {
    id: "gate-red",
    apply: (f) =>
      f.sum === "failed" ? feedBack("gate-red", redGate(f), ...failureLines(f)) : null,
  },
  {
    id: "session-looped",
    apply: (f) => (f.evidence.ending.kind === "looped" ? looped(f.evidence.ending.detail) : null),
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

function redBefore(f: Facts): Fired | null {
  if (!f.failedBefore || !claimsDone(f) || f.history.previousRule === "gate-red-before")
    return null;
  const words = [
    "These checks fail now, and failed in the same way before the task began:",
    ...fenced(failureLines(f)),
    "",
    "If fixing them is part of the task, fix them. If it is not, prove what the task is about by checks that pass, report completed again, and say so under `assumptions`.",
  ];
  return feedBack("gate-red-before", words.join("\n"), ...failureLines(f));
}

function looped(detail: string): Fired {
  return feedBack(
    "session-looped",
    [
      "The session before was ended because it went round in circles:",
      ...fenced([detail]),
      "",
      "Do something else: find out why that did not help before you try anything again.",
    ].join("\n"),
    `went round in circles: ${detail}`,
  );
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
