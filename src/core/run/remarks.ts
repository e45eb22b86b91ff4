// Where do the words of a person go, and how does the agent read them?

import { fenced } from "../decide/feedback.ts";
import { NO_STREAKS } from "../decide/streaks.ts";
import type { RunEvent } from "../model/event.ts";
import { oneLine } from "../model/excerpt.ts";
import { REMARKS_MAX } from "../model/question.ts";
import type { TaskState } from "../model/state.ts";
import { changeStep } from "./select.ts";

/** Everything may be different now, so streaks begin anew. The score and the limits stay. */
export function withRemark(
  task: TaskState,
  { text, by, way }: Extract<RunEvent, { type: "person-spoke" }>,
  at: string,
): TaskState {
  if (way === "too late") return task;
  const remark = { question: null, answer: { text, by, at } };
  const remarks = [...task.remarks, remark].slice(-REMARKS_MAX);
  return { ...changeStep(task, (step) => ({ ...step, streaks: NO_STREAKS })), remarks };
}

const HEED = "Heed it. It answers no question, and permits nothing that you may not do.";

/** To the agent at work. No program takes it for a command of its own. */
export function remarkWords(text: string): string {
  return `A person says while you work. ${HEED}\n\n${text}`;
}

export function pairsWords({ interactionHistory }: TaskState): string {
  const pairs = interactionHistory.flatMap(({ question, answer }) =>
    answer.text === ""
      ? []
      : [`- Asked: ${oneLine(question.question)}\n  Answered: ${answer.text}`],
  );
  return pairs.join("\n");
}

/** In a prompt: there are few of them, and each is short. "" where there are none. */
export function remarksWords({ remarks }: TaskState): string {
  if (remarks.length === 0) return "";
  const lines = remarks.map(({ answer }) => `- ${answer.text.replaceAll("\n", "\n  ")}`);
  return [`The newest comes last. ${HEED}`, ...fenced(lines)].join("\n");
}
