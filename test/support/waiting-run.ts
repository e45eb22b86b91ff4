// How does a run look on disk in which questions wait, and what is left in its inbox?

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { RunFiles } from "../../src/adapters/log/run-files.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type QuestionId, type TaskId } from "../../src/core/model/ids.ts";
import type { Question } from "../../src/core/model/question.ts";
import { attempt, pauseFor, question, runStarted, task, taskStarted } from "./builders.ts";
import { emptyProject, writeRun } from "./run-files.ts";

export const NO_OPTIONS = { options: [], default: null } as const;
const PLAN = "# Plan\n\n1. Move the store\n   - and its test\n";

/** One of each kind that orch asks itself. */
export const PLAN_ASKED: Partial<Question> = {
  kind: "plan",
  question: "May this plan be carried out?",
  context: [PLAN],
  ...NO_OPTIONS,
};
export const BUDGET_ASKED: Partial<Question> = {
  kind: "budget",
  question: "The cost is used up.",
  budget: { limit: "cost", used: 10.02, most: 10, more: 5 },
  ...NO_OPTIONS,
};

export interface WaitingProject {
  readonly root: string;
  readonly files: RunFiles;
}

/** q1, q2 … in tasks of their own, asked a minute after each other. */
export function waitingEvents(overs: readonly Partial<Question>[]): readonly RunEvent[] {
  const questions = overs.map((over, index) =>
    question({
      id: idOf<QuestionId>(`q${index + 1}`),
      task: idOf<TaskId>(`task-${index + 1}`),
      askedAt: `2026-11-20T12:1${index}:00.000Z`,
      ...over,
    }),
  );
  return [
    ...runStarted(questions.map((one) => task(one.task))),
    ...questions.flatMap((one): readonly RunEvent[] => [
      taskStarted(one.task),
      ...attempt({ task: one.task, decision: pauseFor(one) }),
      { type: "question-asked", question: one },
    ]),
  ];
}

export function waitingProject(...overs: readonly Partial<Question>[]): WaitingProject {
  const root = emptyProject();
  return { root, files: writeRun(root, waitingEvents(overs)) };
}

/** What was asked of the run, by whomever. */
export function givenTo({ files: { inbox } }: Pick<WaitingProject, "files">): readonly object[] {
  return readdirSync(inbox)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const { id, action, text } = JSON.parse(readFileSync(join(inbox, name), "utf8"));
      return { id, action, text };
    });
}
