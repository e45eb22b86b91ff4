// Where is a run's work, which command shows it, which takes it, and what is to be done now?

import { expiryWords, hasExpired } from "../../core/run/deadline.ts";
import { isRunLimit } from "../../core/run/budget.ts";
import type { RunLimitName } from "../../core/model/policy.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import type { Fact } from "../layout.ts";
import { landedFacts } from "./landing.ts";
import { howToAnswer } from "./question.ts";
import { dayAndTime } from "./text.ts";

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
  const share = merged === tasks.length ? "" : `, ${merged} of ${tasks.length} tasks`;
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
    const ways = questions.slice(0, QUESTIONS_MAX).flatMap((one) => howToAnswer(one, isOnly));
    const all = questions.length > QUESTIONS_MAX ? ["orch answer --list"] : ways;
    const facts = all.map((way, at): Fact => [at === 0 ? "next" : "", way]);
    return around.alive ? facts : [...facts, ["then", `orch resume ${around.id}`]];
  }
  if (around.answered.length > 0 && !around.alive)
    return [["answered", around.answered.join(", ")], resume];
  if (view.finished) return [];
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
  if (end === null) return [];
  const mayMerge = base !== null && isolation === "worktree";
  if (end.kind === "done")
    return mayMerge && merged === null ? [["work", "nothing was committed"]] : [];
  // A file that no commit can hold is told of beside the last checkpoint, which is no rescue.
  const kept = rescues.findLast((ref) => ref.includes("/rescue-"));
  return [
    ["work", branch === null ? null : `not merged: its commits are on branch ${branch}`],
    ["work", kept === undefined ? null : `unfinished, and kept: git stash apply ${kept}`],
    ["cause", task.cause],
    ["next", task.cause === null ? budgetAdvice(end) : task.advice],
  ];
}

/** The reason begins with the limit's name: a task's front matter cannot raise what is the run's. */
function budgetAdvice(end: NonNullable<TaskView["end"]>): string | null {
  if (end.kind !== "over-budget") return null;
  const [limit = ""] = end.reason.split(":", 1);
  const what = isRunLimit(limit)
    ? `${RUN_LIMIT_KEYS[limit]} in the config`
    : "the task's budget in its front matter";
  return `raise ${what}, then run it again`;
}

const RUN_LIMIT_KEYS: Record<RunLimitName, string> = {
  "run cost": "budget.run.costUsd",
  "run time": "budget.run.time",
};
