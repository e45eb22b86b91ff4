// Where does a run stand, and what is to be done next?

import { expiryWords, hasExpired, isOverdue } from "../../core/run/deadline.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunView, StepView, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph, shorten, table } from "../layout.ts";
import { howToAnswer, renderQuestion } from "./question.ts";
import { taskEndWords } from "./summary.ts";
import { cost, dayAndTime, duration, phaseLook, plural } from "./text.ts";

/** What the files do not say by themselves. */
export interface Surroundings {
  /** The process that owns the run is alive. */
  readonly alive: boolean;
  readonly nowMs: number;
  /** Questions with an answer in the inbox that the run has not taken yet. */
  readonly answered: readonly string[];
  /** Other runs that can be resumed. */
  readonly alsoUnfinished: readonly string[];
}

const TASKS_MAX = 200;

export function renderStatus(view: RunView, around: Surroundings, style: Style): string {
  const questions = openQuestions(view, around);
  const tasks = view.tasks.slice(0, TASKS_MAX).map((task) => taskRow(task, around, style));
  const more = view.tasks.length - tasks.length;
  return [
    ...heading(view, around, style),
    "",
    ...table(style, tasks),
    ...(more > 0 ? [paint(style, "quiet", `  … and ${plural(more, "more task")}`)] : []),
    ...questions.flatMap((question) => ["", renderQuestion(question, style, around.nowMs)]),
    ...nextSteps(view, around, style),
  ].join("\n");
}

function heading(view: RunView, around: Surroundings, style: Style): readonly string[] {
  const spent = dotted([
    plural(view.tasks.length, "task"),
    `${duration(view.spent.elapsedMs)} elapsed`,
    `${duration(view.spent.workMs)} at work`,
    cost(view.spent),
    around.alive
      ? `last event ${duration(around.nowMs - Date.parse(view.updatedAt))} ago`
      : `as of ${dayAndTime(view.updatedAt)}`,
  ]);
  return runHeading(view, spent, style);
}

/** Which run it is, how it stands, and what it took. */
export function runHeading(view: RunView, spent: string, style: Style): readonly string[] {
  const look = phaseLook(view.phase);
  return [
    paragraph(style, `run ${view.run}`, { tone: "strong" }),
    paint(style, look.tone, `${look.mark} ${look.words}`),
    paragraph(style, spent, { tone: "quiet" }),
  ];
}

function taskRow(task: TaskView, around: Surroundings, style: Style): readonly string[] {
  const look = phaseLook(task.phase);
  const name = shorten(task.id, Math.max(10, Math.floor(style.columns / 3)));
  const isOver = task.end !== null;
  const step = task.steps.find((one) => one.id === task.step);
  const attempts = task.steps.reduce(
    (sum, one) => sum + one.attempts.length + one.attemptsOmitted,
    0,
  );
  const words = dotted([
    taskEndWords(task),
    isOver || task.startedAt === null || step === undefined ? null : place(task, step),
    isOver && attempts > 0 ? plural(attempts, "attempt") : null,
    overdueWords(task.pendingQuestion, around),
    task.phase === "running" ? DOING[task.doing] : null,
    task.waiting?.untilMs == null ? null : `until ${dayAndTime(task.waiting.untilMs)}`,
    task.spent.sessions === 0 ? null : cost(task.spent),
    task.startedAt === null && task.dependsOn.length > 0
      ? `after ${task.dependsOn.join(", ")}`
      : null,
  ]);
  return [`${paint(style, look.tone, look.mark)} ${paint(style, "strong", name)}`, words];
}

/**
 * Not every attempt uses one up, and a new plan has all of them again: where the two counts go
 * apart, both are told.
 */
function place(
  { step, attempt }: TaskView,
  { attemptsCounted, attemptsAllowed }: StepView,
): string {
  if (attempt === null) return "";
  const isAsCounted = attempt === attemptsCounted || attempt === attemptsCounted + 1;
  return isAsCounted && attempt <= attemptsAllowed
    ? `${step}, attempt ${attempt} of ${attemptsAllowed}`
    : dotted([`${step}, attempt ${attempt}`, `${attemptsCounted} of ${attemptsAllowed} used up`]);
}

/** null: not overdue, or an answer lies in the inbox and the run is to judge it. */
export function overdueWords(
  question: Question | null,
  { nowMs, answered }: Pick<Surroundings, "nowMs" | "answered">,
): string | null {
  if (question === null || question.expiresAt === null) return null;
  if (answered.includes(question.id) || !isOverdue(question, nowMs)) return null;
  return `overdue since ${dayAndTime(question.expiresAt)}`;
}

const DOING: Record<TaskView["doing"], string> = {
  ready: "about to start an attempt",
  attempt: "about to start the agent",
  session: "the agent works",
  proof: "gates run",
  decided: "settling the attempt",
  asking: "a question waits",
  waiting: "waiting",
  deferred: "deferred",
  merging: "merging",
  closing: "closing",
  ended: "ended",
};

function nextSteps(view: RunView, around: Surroundings, style: Style): readonly string[] {
  const others = around.alsoUnfinished.slice(0, 3).map((run) => `also unfinished: ${run}`);
  const more = around.alsoUnfinished.length - others.length;
  const all = [
    ...advice(view, around),
    ...others,
    ...(more > 0 ? [`and ${plural(more, "more unfinished run")}`] : []),
  ];
  const lines = all.map((line) => paragraph(style, line, { hanging: "  " }));
  return lines.length === 0 ? [] : ["", ...lines];
}

function openQuestions(view: RunView, { answered }: Surroundings): readonly Question[] {
  return view.tasks.flatMap(({ pendingQuestion }) =>
    pendingQuestion === null || answered.includes(pendingQuestion.id) ? [] : [pendingQuestion],
  );
}

function advice(view: RunView, around: Surroundings): readonly string[] {
  const questions = openQuestions(view, around);
  const [question] = questions;
  const resume = `orch resume ${view.run}`;
  if (question !== undefined && questions.every((one) => hasExpired(one, around.nowMs)))
    return [`nobody answered in time: ${expiryWords(question)}`, `next: ${resume}`];
  if (question !== undefined) {
    const commands = howToAnswer(question, questions.length === 1).map((way) => `next: ${way}`);
    return around.alive ? commands : [...commands, `then: ${resume}`];
  }
  if (around.answered.length > 0 && !around.alive)
    return [`answered: ${around.answered.join(", ")}`, `next: ${resume}`];
  if (view.finished) return view.phase === "done" ? [] : [`next: orch show ${view.run}`];
  if (around.alive) return ["next: orch log --follow"];
  const untilMs = Math.max(...view.tasks.map((task) => task.waiting?.untilMs ?? 0));
  const when = untilMs > around.nowMs ? ` after ${dayAndTime(untilMs)}` : "";
  return [`next: ${resume}${when}`];
}
