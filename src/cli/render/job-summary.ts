// How does a run come out on the page of the job that ran it, as Markdown?

import { unmarked } from "../../core/model/excerpt.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import type { Fact } from "../layout.ts";
import { closingFacts, type Ended, leftFacts } from "./closing.ts";
import { courseOf } from "./decision.ts";
import { spentWords, taskFacts, taskWords } from "./facts.ts";
import { costWords, phaseLook, progressWords } from "./text.ts";

const CUT = "\n… the rest is left out: orch show\n";

const line = (text: string): string => unmarked(text, 600);

/** At most `bytesMax` long; how to go on is never what is cut. */
export function jobSummary({ view, id, nowMs }: Ended, why: string, bytesMax: number): string {
  const next = closingFacts(view, { id, alive: false, nowMs, answered: [] });
  const tail = ["### How to go on", "", ...listed([...next, ["exit", why]]), "", ""];
  const body = [
    `## orch: ${line(progressWords(view))}`,
    "",
    "| task | outcome | attempts | cost |",
    "|---|---|---|---|",
    ...view.tasks.map(row),
    "",
    ...view.tasks.flatMap((task) => sectionOf(task, view)),
    `**Cost of the run**: ${line(spentWords(view.spent))}`,
    "",
  ];
  let room = bytesMax - Buffer.byteLength([...tail, CUT, ""].join("\n"));
  const cut = body.findIndex((one) => (room -= Buffer.byteLength(one) + 1) < 0);
  return [...(cut === -1 ? body : [...body.slice(0, cut), CUT]), ...tail].join("\n");
}

function row(task: TaskView): string {
  const attempts = task.steps.reduce((sum, step) => sum + step.attempts.length, 0);
  const outcome = `${phaseLook(task.phase).mark} ${line(taskWords(task))}`;
  return `| ${line(task.id)} | ${outcome} | ${attempts} | ${line(costWords(task.spent) ?? "")} |`;
}

function sectionOf(task: TaskView, view: RunView): readonly string[] {
  const decisions = task.steps.flatMap(({ id, attempts }) =>
    attempts.map((attempt): Fact => [`${id}/${attempt.n}`, courseOf(attempt)]),
  );
  const asks: Fact = ["asks", task.pendingQuestion?.question ?? null];
  const all = [...decisions, asks, ...taskFacts(task, 20), ...leftFacts(task, view)];
  return [`### ${line(task.id)}: ${line(task.title)}`, "", ...listed(all), ""];
}

function listed(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap(([label, text]) => {
    if (text === null) return [];
    return label === "" ? `  ${line(text)}` : `- **${line(label)}**: ${line(text)}`;
  });
}
