// How did a run come out, what was taken for granted, and what is to be done now?

import { excerpt } from "../../core/model/excerpt.ts";
import { exitMeaning } from "../../core/run/outcome.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, facts, paragraph } from "../layout.ts";
import { closingFacts, leftFacts } from "./closing.ts";
import { effortWords, progressWords, runHeading, taskFacts, taskWords } from "./facts.ts";
import { flakyWords, phaseLook } from "./text.ts";

/** More tasks than this are counted; whoever has to be heard stands among those that are told. */
const TASKS_MAX = 30;
const LISTED_MAX = 5;

export interface Ended {
  readonly view: RunView;
  readonly exitCode: number;
  /** The run as commands take it. */
  readonly id: string;
  readonly nowMs: number;
}

/** The last words of a run on the terminal. */
export function renderSummary(ended: Ended, style: Style): string {
  const { view, exitCode, id, nowMs } = ended;
  const { shown, more } = fewTasks(view.tasks, TASKS_MAX);
  const around = { id, alive: false, nowMs, answered: [] };
  return [
    ...runHeading(view, { id }, style),
    "",
    ...shown.flatMap((task) => taskLines(task, view, style)),
    ...moreLine(more, style),
    "",
    ...view.flaky.map((one) => paragraph(style, flakyWords(one), { tone: "attention" })),
    ...facts(
      style,
      [
        ...closingFacts(view, around),
        ["files", `.orch/runs/${view.run}`],
        ["exit", `code ${exitCode}, ${exitWords(ended)}`],
      ],
      "",
    ),
  ].join("\n");
}

/** Done without gates is done, but not proven. */
function exitWords({ view, exitCode }: Ended): string {
  const isProven = view.tasks.every(({ end }) => end?.kind !== "done" || end.verified);
  if (exitCode !== 0) return exitMeaning(exitCode);
  return isProven ? "every task proven done" : "every task done";
}

function taskLines(task: TaskView, view: RunView, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(task.phase);
  const words = dotted([taskWords(task), effortWords(task)]);
  const question = task.pendingQuestion;
  const below = [
    ["asks", question === null ? null : excerpt(question.question, 200)] as const,
    ...taskFacts(task, LISTED_MAX),
    ...leftFacts(task, view),
  ];
  return [
    paragraph(style, `${task.id}: ${words}`, { tone, lead: `${mark} `, hanging: "    " }),
    ...facts(style, below, "    "),
  ];
}

/** Of many tasks those that are not done come first, and what has not begun is only counted. */
export function fewTasks(tasks: readonly TaskView[], most: number) {
  if (tasks.length <= most) return { shown: tasks, more: [] };
  const begun = tasks.filter(({ phase }) => phase !== "pending");
  const urgent = begun.filter(({ phase }) => phase !== "done");
  const chosen = new Set([...urgent, ...begun].slice(0, most));
  const [shown, more] = [true, false].map((is) => tasks.filter((one) => chosen.has(one) === is));
  return { shown: shown ?? [], more: more ?? [] };
}

export function moreLine(more: readonly TaskView[], style: Style): readonly string[] {
  if (more.length === 0) return [];
  const counts: Partial<Record<TaskView["phase"], number>> = {};
  for (const { phase } of more) counts[phase] = (counts[phase] ?? 0) + 1;
  const words = `… and ${more.length} more: ${progressWords({ counts })}`;
  return [paragraph(style, words, { tone: "quiet", hanging: "  " })];
}
