// Which questions of a task were put to nobody?

import { isSameQuestion } from "../model/question.ts";
import type { DeclaredQuestion } from "../model/report.ts";
import type { UnaskedQuestion } from "../model/session.ts";
import type { TaskState } from "../model/state.ts";
import { isPlanning } from "../model/task.ts";
import { allSessions } from "./select.ts";

/**
 * Those that orch answered by itself, those that reports and last words put below the level, and plans
 * that were to be confirmed where nobody was there to do it. Each once, in the order in which they came up.
 */
export function unaskedOf(task: TaskState): readonly UnaskedQuestion[] {
  const ended = allSessions(task).flatMap((one) => one.ended ?? []);
  const all = [
    ...unconfirmed(task),
    ...unheard(task),
    ...ended.flatMap(({ ending, unasked, report }) => [
      ...unasked,
      ...(ending.kind === "asked" ? [leftToAgent(ending.asked)] : []),
      // One that stopped to ask has not handed its report in yet.
      ...(report.kind === "read" && ending.kind !== "asked" ? report.report.questions : []).map(
        leftToAgent,
      ),
    ]),
  ];
  const asked = [
    ...task.interactionHistory.map((pair) => pair.question.question),
    ...(task.pendingQuestion === null ? [] : [task.pendingQuestion.question]),
  ];
  return all.filter(
    ({ question }, index) =>
      !asked.some((one) => isSameQuestion(one, question)) &&
      all.findIndex((one) => isSameQuestion(one.question, question)) === index,
  );
}

function leftToAgent(one: Omit<DeclaredQuestion, "options">): UnaskedQuestion {
  const { question, impact } = one;
  return { question, impact, why: "level", answer: one.default ?? "left to the agent" };
}

/** What a session asked in its last words, without a report, below the level at which they count. */
function unheard(task: TaskState): readonly UnaskedQuestion[] {
  return task.steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ outcome }) => {
      const closing = outcome?.evidence.readings.closing ?? null;
      return closing === null ? [] : [leftToAgent({ ...closing, default: null })];
    }),
  );
}

function unconfirmed({ task, steps }: TaskState): readonly UnaskedQuestion[] {
  return task.steps.flatMap((step, index) => {
    const isBegun = (steps[index]?.attempts.length ?? 0) > 0;
    if (!step.confirms || step.level > 0 || !isBegun) return [];
    const question = isPlanning(step)
      ? `May the plan of step ${step.id} be carried out?`
      : `May step ${step.id} be carried out as planned?`;
    return [{ question, impact: "blocking", why: "level", answer: "yes, unseen: level 0" }];
  });
}
