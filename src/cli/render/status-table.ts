// Where does a run stand, and what is to be done next?

import { expiryWords, hasExpired, isOverdue } from "../../core/run/deadline.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunView, StepView, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { howToAnswer, renderQuestion } from "./question.ts";
import {
  cells,
  cost,
  dayAndTime,
  dotted,
  duration,
  pad,
  paint,
  phaseLook,
  plural,
  shorten,
  wrap,
} from "./text.ts";
import { taskEndWords } from "./summary.ts";

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
/** From here on a row has room for its details beside its name. */
const COLUMNS_FOR_ROWS = 60;

export function renderStatus(view: RunView, around: Surroundings, style: Style): string {
  const questions = openQuestions(view, around);
  return [
    ...heading(view, around, style),
    "",
    ...taskRows(view.tasks, around, style),
    ...questions.flatMap((question) => ["", renderQuestion(question, style, around.nowMs)]),
    ...nextSteps(view, around, style),
  ].join("\n");
}

function heading(view: RunView, around: Surroundings, style: Style): readonly string[] {
  const look = phaseLook(view.phase);
  const facts = dotted([
    plural(view.tasks.length, "task"),
    `${duration(view.spent.elapsedMs)} elapsed`,
    `${duration(view.spent.workMs)} at work`,
    cost(view.spent),
    around.alive
      ? `last event ${duration(around.nowMs - Date.parse(view.updatedAt))} ago`
      : `as of ${dayAndTime(view.updatedAt)}`,
  ]);
  return [
    wrap(`run ${view.run}`, style.columns).replace(view.run, paint(style, "strong", view.run)),
    paint(style, look.tone, `${look.mark} ${look.words}`),
    paint(style, "quiet", wrap(facts, style.columns)),
  ];
}

/** One row for each task; the name, the phase, and details beside or below them. */
function taskRows(
  tasks: readonly TaskView[],
  around: Surroundings,
  style: Style,
): readonly string[] {
  const longest = Math.max(4, ...tasks.map((task) => cells(task.id)));
  const nameColumns = Math.min(longest, Math.max(10, Math.floor(style.columns / 3)));
  const rows = tasks
    .slice(0, TASKS_MAX)
    .map((task) => taskRow({ task, below: details(task, around) }, nameColumns, style));
  const more = tasks.length - rows.length;
  return more > 0 ? [...rows, paint(style, "quiet", `  … and ${plural(more, "more task")}`)] : rows;
}

interface Row {
  readonly task: TaskView;
  readonly below: string;
}

function taskRow({ task, below }: Row, nameColumns: number, style: Style): string {
  const look = phaseLook(task.phase);
  const name = pad(shorten(task.id, nameColumns), nameColumns);
  const lead = `${paint(style, look.tone, look.mark)} ${paint(style, "strong", name)}  `;
  const indent = " ".repeat(nameColumns + 4);
  const text = dotted([taskEndWords(task), below]);
  if (style.columns >= COLUMNS_FOR_ROWS)
    return lead + wrap(text, style.columns, indent).slice(indent.length);
  const first = wrap(taskEndWords(task), style.columns, indent).slice(indent.length);
  return (
    lead +
    first +
    (below === "" ? "" : `\n${paint(style, "quiet", wrap(below, style.columns, "  "))}`)
  );
}

function details(task: TaskView, around: Surroundings): string {
  const isOver = task.end !== null;
  const step = task.steps.find((one) => one.id === task.step);
  const attempts = task.steps.reduce(
    (sum, one) => sum + one.attempts.length + one.attemptsOmitted,
    0,
  );
  return dotted([
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
  deferred: "put off",
  closing: "closing",
  ended: "ended",
};

function nextSteps(view: RunView, around: Surroundings, style: Style): readonly string[] {
  const lines = advice(view, around);
  const others = around.alsoUnfinished.slice(0, 3).map((run) => `also unfinished: ${run}`);
  const more = around.alsoUnfinished.length - others.length;
  const all = [
    ...lines,
    ...others,
    ...(more > 0 ? [`and ${plural(more, "more unfinished run")}`] : []),
  ];
  return all.length === 0 ? [] : ["", ...all.map((line) => wrap(line, style.columns, "", "  "))];
}

function openQuestions(view: RunView, { answered }: Surroundings): readonly Question[] {
  return view.tasks.flatMap(({ pendingQuestion }) =>
    pendingQuestion === null || answered.includes(pendingQuestion.id) ? [] : [pendingQuestion],
  );
}

function advice(view: RunView, around: Surroundings): readonly string[] {
  const questions = openQuestions(view, around);
  const [question] = questions;
  if (question !== undefined && !questions.some((one) => !hasExpired(one, around.nowMs)))
    return [`nobody answered in time: ${expiryWords(question)}`, `next: orch resume ${view.run}`];
  if (question !== undefined) {
    const commands = howToAnswer(question, questions.length === 1).map(
      (command) => `next: ${command}`,
    );
    return around.alive ? commands : [...commands, `then: orch resume ${view.run}`];
  }
  if (around.answered.length > 0 && !around.alive)
    return [`answered: ${around.answered.join(", ")}`, `next: orch resume ${view.run}`];
  if (view.finished) return view.phase === "done" ? [] : [`next: orch show ${view.run}`];
  if (around.alive) return ["next: orch log --follow"];
  const untilMs = Math.max(...view.tasks.map((task) => task.waiting?.untilMs ?? 0));
  return untilMs > around.nowMs
    ? [`next: orch resume ${view.run} after ${dayAndTime(untilMs)}`]
    : [`next: orch resume ${view.run}`];
}
