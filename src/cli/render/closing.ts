// The end of every view of a run: how it came out, where its work is, and what is to be done now.

import { excerpt } from "../../core/model/excerpt.ts";
import { expiryWords, hasExpired, type Question } from "../../core/model/question.ts";
import { exitMeaning } from "../../core/model/exit-code.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { type Fact, dotted, facts, paint, paragraph } from "../layout.ts";
import { effortWords, runHeading, taskFacts, taskWords } from "./facts.ts";
import { landedFacts } from "./landing.ts";
import { answerLines } from "./question.ts";
import { dayAndTime, phaseLook } from "./text.ts";

/** What the files do not say by themselves. */
export interface Surroundings {
  /** The run as commands take it: as short as tells it from the others. */
  readonly id: string;
  /** The process that owns the run is alive. */
  readonly alive: boolean;
  readonly nowMs: number;
  /** Questions with an answer in the inbox that the run has not taken yet. */
  readonly answered: readonly string[];
}

const QUESTIONS_MAX = 3;

/** For the end of every view of a run. */
export function closingFacts(view: RunView, around: Surroundings): readonly Fact[] {
  return [...workFacts(view, around.id), ...whyFacts(view, around.id), ...nextFacts(view, around)];
}

/** What the run made, and the one command that brings all of it into what is checked out. */
function workFacts({ into, base, landing, tasks, finished }: RunView, id: string): readonly Fact[] {
  const see: Fact = ["see it", `orch diff ${id}`];
  if (landing !== null && landing.result !== null)
    return [...landedFacts(landing.branch, landing.result, id), see];
  if (into === null) return [];
  const merged = tasks.filter((task) => task.merged !== null).length;
  const wanted = tasks.filter(({ phase }) => phase !== "outdone").length;
  const share = merged === wanted ? "" : `, ${merged} of ${wanted} tasks`;
  const take = base?.branch === null ? `git merge ${into}` : `orch merge ${id}`;
  // It holds them as a commit, and git merges nothing over files that are not committed.
  const isSnapshot = base?.withChanges === true;
  return [
    ["work", `on branch ${into}${share}`],
    see,
    ["take it", finished ? (isSnapshot ? `git stash -u && git merge ${into}` : take) : null],
    ["", finished && isSnapshot ? "your uncommitted changes are in it" : null],
  ];
}

/** Before the first attempt nothing was decided; the log still says what happened. */
function whyFacts({ tasks }: RunView, id: string): readonly Fact[] {
  const left = tasks.filter(({ end }) => end !== null && end.kind !== "done");
  const [first, ...others] = left;
  if (first === undefined) return [];
  const tried = left.filter(({ steps }) => steps.some(({ attempts }) => attempts.length > 0));
  const [only] = tried;
  if (only === undefined) return [["why", `orch log ${id}`]];
  return [["why", `orch explain ${id} ${others.length === 0 ? only.id : "<task>"}`]];
}

function nextFacts(view: RunView, around: Surroundings): readonly Fact[] {
  const questions = openQuestions(view, around);
  const [question] = questions;
  const resume: Fact = ["next", `orch resume ${around.id}`];
  if (question !== undefined && questions.every((one) => hasExpired(one, around.nowMs)))
    return [["late", `nobody answered in time: ${expiryWords(question)}`], resume];
  if (question !== undefined) {
    const isOnly = questions.length === 1;
    const ways = questions.slice(0, QUESTIONS_MAX).flatMap((one) => answerLines(one, isOnly));
    const all = questions.length > QUESTIONS_MAX ? ["orch answer --list"] : ways;
    const [remedy = null] = question.default === "retry" ? question.context : [];
    const lines = all.map((way, at): Fact => [at === 0 ? "next" : "", way]);
    const facts: readonly Fact[] = [["first", remedy], ...lines];
    return around.alive ? facts : [...facts, ["then", `orch resume ${around.id}`]];
  }
  if (around.answered.length > 0 && !around.alive)
    return [["answered", around.answered.join(", ")], resume];
  if (view.finished) return [];
  if (view.phase === "suspended") return [["next", "fg, in the terminal that suspended it"]];
  if (around.alive) return [["next", `orch watch ${around.id}`]];
  const untilMs = Math.max(...view.tasks.map((task) => task.waiting?.untilMs ?? 0));
  return untilMs > around.nowMs
    ? [["next", `${resume[1]}, after ${dayAndTime(untilMs)}`]]
    : [resume];
}

export function openQuestions(
  view: RunView,
  { answered }: Pick<Surroundings, "answered">,
): readonly Question[] {
  return view.tasks.flatMap(({ pendingQuestion }) =>
    pendingQuestion === null || answered.includes(pendingQuestion.id) ? [] : [pendingQuestion],
  );
}

/** Of a task that ended without being done: where its work is, and what helps. */
export function leftFacts(task: TaskView, { base, isolation }: RunView): readonly Fact[] {
  const { end, branch, merged, rescues } = task;
  const how = task.pendingQuestion === null ? "unfinished" : "finished";
  if (end === null) return [];
  const mayMerge = base !== null && isolation === "worktree";
  if (end.kind === "done")
    return mayMerge && merged === null ? [["work", "nothing was committed"]] : [];
  // A file that no commit can hold is told of beside the last checkpoint, which is no rescue.
  const kept = rescues.findLast((ref) => ref.includes("/rescue-"));
  return [
    ["work", branch === null ? null : `not merged: its commits are on branch ${branch}`],
    ["work", kept === undefined ? null : `${how}, and kept as ${kept}: orch rescue`],
    ["cause", task.cause],
    ["next", task.advice],
  ];
}

/** More tasks than this are counted; whoever has to be heard stands among those that are told. */
const TASKS_MAX = 30;
const LISTED_MAX = 5;

export interface Ended {
  readonly view: RunView;
  readonly exitCode: number;
  /** The run as commands take it. */
  readonly id: string;
  readonly nowMs: number;
  /** The question that stands above, on the same screen. */
  readonly shown?: string | null;
}

/** The last words of a run on the terminal. */
export function renderSummary(ended: Ended, style: Style): string {
  const { view, exitCode, id, nowMs } = ended;
  const { shown, more } = fewTasks(view.tasks, TASKS_MAX, style);
  const around = { id, alive: false, nowMs, answered: [] };
  return [
    ...runHeading(view, { id }, style),
    "",
    ...shown.flatMap((task) => taskLines(task, ended, style)),
    ...more,
    "",
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

function exitWords({ view, exitCode }: Ended): string {
  const isLeft = view.landing?.result?.kind === "left";
  return exitCode === 3 && isLeft ? "the work did not land" : exitMeaning(exitCode);
}

function taskLines(task: TaskView, { view, shown }: Ended, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(task.phase);
  const words = dotted([taskWords(task), effortWords(task)]);
  const isSeen = task.end !== null || task.pendingQuestion?.id === shown;
  const question = isSeen ? null : task.pendingQuestion;
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

/** Of many tasks those that came to anything but done: the heading counts the others. */
export function fewTasks(tasks: readonly TaskView[], most: number, style: Style) {
  const urgent = tasks.filter(({ phase }) => phase !== "done" && phase !== "pending");
  const shown = tasks.length <= most ? tasks : urgent.slice(0, most);
  const more = tasks.length - shown.length;
  const line = paint(style, "quiet", `… and ${more} more: orch show`);
  return { shown, more: more === 0 ? [] : [line] };
}
