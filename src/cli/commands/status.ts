// Where does a run stand, and what is to be done next?

import { asItStands, requireRuns } from "../../adapters/log/run-reader.ts";
import type { RunView, StepView, TaskView } from "../../core/views/run-view.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, facts, paint, shorten, table } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { closingFacts, openQuestions, fewTasks, type Surroundings } from "../render/closing.ts";
import { effortWords, runHeading, taskWords } from "../render/facts.ts";
import { renderQuestion } from "../render/question.ts";
import { dayAndTime, duration, phaseLook } from "../render/text.ts";
import { answeredIn, isTaken, openPicked } from "./pick.ts";

export const statusCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const { id, files, owner, view: recorded } = await openPicked(here, wanted);
  const view = asItStands(recorded, owner);
  const answered = await answeredIn(files.inbox);
  printResult(io, given, { ...view, owner }, (style) => {
    const around = { id, alive: isTaken(owner), nowMs: Date.now(), answered };
    return renderStatus(view, around, style);
  });
  return 0;
};

const TASKS_MAX = 100;

export function renderStatus(view: RunView, around: Surroundings, style: Style): string {
  const questions = openQuestions(view, around);
  const { shown, more } = fewTasks(view.tasks, TASKS_MAX, style);
  const seen = around.alive
    ? `last event ${duration(around.nowMs - Date.parse(view.updatedAt))} ago`
    : `as of ${dayAndTime(view.updatedAt)}`;
  const closing = closingFacts(view, around);
  return [
    ...runHeading(view, { id: around.id, at: seen }, style),
    "",
    ...table(
      style,
      shown.map((task) => taskRow(task, style)),
    ),
    ...more,
    ...questions.flatMap((question) => ["", renderQuestion(question, style)]),
    ...(closing.length === 0 ? [] : ["", ...facts(style, closing, "")]),
  ].join("\n");
}

function taskRow(task: TaskView, style: Style): readonly string[] {
  const look = phaseLook(task.phase);
  const name = shorten(task.id, Math.floor(style.columns / 3));
  const isOver = task.end !== null;
  const step = task.steps.find((one) => one.id === task.step);
  const words = dotted([
    taskWords(task),
    isOver || task.startedAt === null || step === undefined ? null : place(task, step),
    task.phase === "running" ? (DOING[task.doing] ?? null) : null,
    task.waiting?.untilMs == null ? null : `until ${dayAndTime(task.waiting.untilMs)}`,
    effortWords(task),
    task.startedAt === null && task.dependsOn.length > 0
      ? `after ${task.dependsOn.join(", ")}`
      : null,
  ]);
  return [`${paint(style, look.tone, look.mark)} ${paint(style, "strong", name)}`, words];
}

/** Not every attempt uses one up, and a new plan has all again: there the count of all does not say what is left. */
function place(
  { step, attempt }: TaskView,
  { attemptsCounted, attemptsAllowed }: StepView,
): string {
  if (attempt === null) return "";
  const isAsCounted = attempt <= attemptsAllowed && attempt - attemptsCounted <= 1;
  const of = isAsCounted ? ` of ${attemptsAllowed}` : "";
  return `${step}, attempt ${attempt}${of}`;
}

/** What takes a while. */
const DOING: Partial<Record<TaskView["doing"], string>> = {
  session: "the agent works",
  proof: "gates run",
  merging: "merging",
  compared: "finished; waits for the other candidates",
};
