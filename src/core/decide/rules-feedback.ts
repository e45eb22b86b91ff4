// What is the next attempt told, where nothing speaks against going on?

import { earlierAnswer, NO_ONE_AVAILABLE, writtenQuestions } from "./asking.ts";
import { hasGateResults, type Facts } from "./facts.ts";
import {
  differentApproach,
  failureLines,
  fenced,
  unknownGates,
  redGate,
  reportTrouble,
  unknownLines,
} from "./feedback.ts";
import { asksOfRed, failsAgain, sameFailureWords } from "./rules-counters.ts";
import { feedBack, rule, type Fired, type Rule } from "./rule.ts";

/** The attempt goes on with words that say what is missing. */
const WORDS_RULES: readonly Rule[] = [
  rule("session-looped", looped),
  rule("hook-refused", hooked),
  rule("session-crashed", (f) => f.ended !== null && crashed(f)),
  rule("phase-incomplete", atLimit),
  rule(
    "same-failure-different",
    (f) =>
      failsAgain(f, f.policy.stall.sameFailure.demand) &&
      feedBack(differentApproach(f), sameFailureWords(f)),
  ),
  rule("gate-red-before", redBefore),
  rule("gate-red", (f) => f.sum === "failed" && feedBack(redGate(f), ...failureLines(f))),
  rule("session-timed-out", timedOut),
  rule(
    "gate-unknown-shrink",
    (f) => f.streaks.unknownGate >= f.policy.stall.unknownGate.demand && gatesUnknown(f, true),
  ),
  rule("gate-unknown", (f) => gatesUnknown(f, false)),
  rule("session-crashed", crashed),
  rule(
    "report-missing",
    ({ report, evidence }) =>
      (report === null || report.status === "unstated") &&
      feedBack(reportTrouble(evidence.report), `report: ${evidence.report.kind}`),
  ),
  rule("work-claimed-failed", (f) => {
    const status = f.report?.status;
    const isFailed = status === "failed" || status === "blocked";
    return isFailed && feedBack(notDone(f), `the report says ${status}`);
  }),
  rule("phase-incomplete", (f) => feedBack(notDone(f), "the report says that work remains")),
];

/** With what it asked answered. The last rule always fires. */
export const FEEDBACK_RULES: readonly Rule[] = WORDS_RULES.map(({ id, apply }) =>
  rule(id, (f) => withAnswers(f, apply(f))),
);

/** A question that no person is to hear is answered all the same. */
function withAnswers(f: Facts, fired: ReturnType<Rule["apply"]>): ReturnType<Rule["apply"]> {
  const questions = writtenQuestions(f);
  if (!fired || fired.course.kind !== "continue" || fired.course.how.kind !== "feedback")
    return fired;
  const answers = questions.map(
    ({ question }) => `- ${question} ${earlierAnswer(f, question) ?? NO_ONE_AVAILABLE}`,
  );
  if (answers.length === 0) return fired;
  const words = [fired.course.how.feedback, "", "You asked:", ...answers].join("\n");
  return feedBack(words, ...fired.because);
}

function redBefore(f: Facts): Fired | null {
  if (!asksOfRed(f)) return null;
  const words = [
    "These checks fail now, and failed in the same way before the task began:",
    ...fenced(failureLines(f)),
    "",
    "If fixing them is part of the task, fix them. If it is not, prove what the task is about by checks that pass, or name each of them under `changed_checks` with the reason why it is not part of the task, and report completed again.",
  ];
  return feedBack(words.join("\n"), ...failureLines(f));
}

function gatesUnknown(f: Facts, shrink: boolean): Fired | null {
  if (f.sum !== "unknown" || !hasGateResults(f)) return null;
  return feedBack(unknownGates(f, shrink), ...unknownLines(f.evidence.gates));
}

/** What an ending is told in, and what fails besides. */
function feedEnding(f: Facts, words: string, ...because: readonly string[]): Fired {
  const red = f.sum === "failed" ? ["", redGate(f)] : [];
  return feedBack([words, ...red].join("\n"), ...because, ...failureLines(f));
}

function hooked(f: Facts): Fired | null {
  const { ended } = f;
  if (ended?.id !== "hooked") return null;
  const words = [
    "You left no report, and this was in the way:",
    ...fenced([ended.words]),
    "",
    `${GO_ON} Where the hook asks for something that belongs to the work, do it.`,
  ];
  return feedEnding(f, words.join("\n"), ended.words);
}

function looped(f: Facts): Fired | null {
  const { ending } = f.evidence;
  if (ending.kind !== "looped") return null;
  const words = [
    "The previous session was ended because it was looping:",
    ...fenced([ending.detail]),
    "",
    "Find out why that did not help before you try anything again, then do something else. If you are waiting for something, wait for it in one command.",
  ];
  return feedEnding(f, words.join("\n"), `looped: ${ending.detail}`);
}

function timedOut({ evidence: { ending } }: Facts): Fired | null {
  if (ending.kind !== "timed-out") return null;
  const isIdle = ending.limit === "idle";
  const reason = `the session ${isIdle ? "was silent too long and was ended" : "ran out of time"}`;
  return feedBack(`${reason}. Work in smaller steps, and run narrower commands.`, reason);
}

const GO_ON = "Continue with the working tree as it is.";

function crashed(f: Facts): Fired | null {
  const { ending } = f.evidence;
  if (ending.kind === "crashed") {
    const how = ending.signal === null ? `exit code ${ending.exitCode}` : `signal ${ending.signal}`;
    const words = f.ended?.words ?? how;
    return feedEnding(f, `The previous session died (${how}). ${GO_ON}`, words, ending.detail);
  }
  if (ending.kind !== "fault" || f.report !== null) return null;
  return feedEnding(f, `The provider rejected the conversation. ${GO_ON}`, ending.fault.message);
}

function atLimit(f: Facts): Fired | null {
  const { ending } = f.evidence;
  if (ending.kind !== "limit") return null;
  const words = `The session reached its limit of ${ending.limit}. ${GO_ON}`;
  return feedEnding(f, words, `session limit: ${ending.limit}`);
}

function notDone(f: Facts): string {
  const left = [f.report?.progress?.details, f.report?.nextSteps].filter((l) => l != null);
  return [
    `Your report says that the step is not done: ${f.report?.summary ?? ""}`,
    ...left.map((line) => `- ${line}`),
    ...f.blockers.map((b) => `- ${b.type}: ${b.message}`),
    "",
    "Finish it. If it cannot be done, declare the blocker that says why.",
  ].join("\n");
}
