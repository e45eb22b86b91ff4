// How did a run come out, what was taken for granted, and what is to be done now?

import { alarmLine } from "../../core/decide/rules-approval.ts";
import { changedWords } from "../../core/decide/proof.ts";
import { outOfScopeWords } from "../../core/decide/out-of-scope.ts";
import { exitMeaning } from "../../core/run/outcome.ts";
import { isRunLimit } from "../../core/run/budget.ts";
import { crossingWords } from "../../core/run/crossing.ts";
import { refusedWords, unusableWords } from "../../core/run/refused.ts";
import { clip, excerpt, inert } from "../../core/model/excerpt.ts";
import type { TaskEnd } from "../../core/model/event.ts";
import type { RunLimitName } from "../../core/model/limit.ts";
import type { RunResult, TaskResult, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { howToAnswer } from "./question.ts";
import { landedLines } from "./landing.ts";
import { dotted, paragraph } from "../layout.ts";
import { cost, dayAndTime, duration, flakyWords, kindWords, phaseLook, plural } from "./text.ts";

const LISTED_MAX = 10;
const LINE_CHARS_MAX = 400;

/** The last words of a run on the terminal. */
export function renderSummary(result: RunResult, style: Style): string {
  const spent = dotted([
    `${duration(result.spent.elapsedMs)} elapsed`,
    `${duration(result.spent.workMs)} at work`,
    cost(result.spent),
  ]);
  const tone = result.exitCode === 0 ? "good" : "attention";
  return [
    paragraph(style, `run ${result.run}: ${headline(result)}`, { tone }),
    paragraph(style, spent, { tone: "quiet" }),
    ...result.tasks.flatMap((task) => ["", ...taskLines(task, result, style)]),
    "",
    ...result.flaky.map((one) => paragraph(style, flakyWords(one), { tone: "attention" })),
    ...mergedLines(result).map((line) => paragraph(style, line, { hanging: "  " })),
    paragraph(style, `files: ${result.directory}`, { tone: "quiet", hanging: "  " }),
    paragraph(style, `exit code ${result.exitCode}`, { tone: "quiet" }),
  ].join("\n");
}

function taskLines(task: TaskResult, result: RunResult, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(task.phase);
  const words = dotted([
    resultWords(task),
    task.attempts > 0 ? plural(task.attempts, "attempt") : null,
    task.spent.sessions > 0 ? cost(task.spent) : null,
  ]);
  const below = (text: string): string =>
    paragraph(style, clip(inert(text), LINE_CHARS_MAX), { lead: "    ", hanging: "      " });
  return [
    paragraph(style, `${task.id}: ${words}`, { tone, lead: `${mark} `, hanging: "    " }),
    ...listed(task.assumptions, ({ decision, reason }) =>
      below(`assumed: ${reason === null ? decision : `${decision} (${reason})`}`),
    ),
    ...(task.tightened.length === 0
      ? []
      : [below(`held to the policy of ${task.by}: ${task.tightened.join("; ")}`)]),
    ...(task.refused.length === 0 ? [] : [below(`alarm: ${refusedWords(task.refused)}`)]),
    ...(task.unusable.length === 0 ? [] : [below(`alarm: ${unusableWords(task.unusable)}`)]),
    ...listed(task.crossings, (one) => below(`alarm: ${crossingWords(one)}`)),
    ...listed(task.outOfScope, (one) => below(outOfScopeWords(one))),
    ...listed(task.changedChecks, (one) => below(`changed check: ${changedWords(one)}`)),
    ...(task.end === "done" && !task.verified
      ? [below(`not verified: ${task.unproven ?? "gates do not verify every step"}`)]
      : []),
    ...listed(task.notes, (note) => below(`noted: ${alarmLine(note)}`)),
    ...listed(task.unasked, (one) =>
      below(`not asked: ${excerpt(one.question, 200)} → ${one.answer}`),
    ),
    ...nextFor(task, result).map(below),
  ];
}

function listed<T>(items: readonly T[], render: (item: T) => string): readonly string[] {
  const shown = items.slice(0, LISTED_MAX).map(render);
  const more = items.length - shown.length;
  return more > 0 ? [...shown, `    … and ${more} more`] : shown;
}

/** What a person can do about this task now. */
function nextFor(task: TaskResult, result: RunResult): readonly string[] {
  const branch = whereTheWorkIs(task, result);
  if (task.end === "done") return branch;
  if (task.pendingQuestion !== null) {
    const alone = result.tasks.filter((one) => one.pendingQuestion !== null).length === 1;
    const question = excerpt(task.pendingQuestion.question, 200);
    return [
      `asks: ${question}`,
      ...howToAnswer(task.pendingQuestion, alone).map((command) => `next: ${command}`),
      `then: orch resume ${result.run}`,
    ];
  }
  // What is only ahead goes on with the task before it.
  if (task.phase === "pending" && result.tasks.length > 1) return [];
  if (task.retryAtMs !== null)
    return [`next: orch resume ${result.run}, after ${dayAndTime(task.retryAtMs)}`];
  if (task.end === null) return [`next: orch resume ${result.run}`];
  // Before the first attempt nothing was decided; the log still says what happened.
  const isUntried = task.attempts === 0;
  const why = isUntried
    ? `why: orch log ${result.run}`
    : `why: orch explain ${result.run} ${task.id}`;
  return [...branch, why, ...advice(task)];
}

/** What the run made, and the one command that brings all of it into what is checked out. */
function mergedLines({ run, into, base, landing, tasks, finished }: RunResult): readonly string[] {
  if (into === null) return [];
  if (landing !== null && landing.result !== null)
    return landedLines(landing.branch, landing.result, run);
  const merged = tasks.filter((task) => task.merged !== null).length;
  const share = `${merged} of ${tasks.length} tasks`;
  if (!finished) return [`merged so far: ${share}, on branch ${into}`];
  // It holds them as a commit, and git merges nothing over files that are not committed.
  const label = merged === tasks.length ? "merge" : `merge ${share}`;
  return base?.withChanges === true
    ? [`${label}: git stash -u && git merge ${into}`, "your uncommitted changes are in it"]
    : [`${label}: ${base?.branch === null ? `git merge ${into}` : `orch merge ${run}`}`];
}

/** Finished work is merged; what is not stays on its branch, or was set aside under a ref. */
function whereTheWorkIs(
  { end, branch, merged, rescues }: TaskResult,
  { base, isolation }: RunResult,
): readonly string[] {
  const mayMerge = base !== null && isolation === "worktree";
  if (end === "done") return mayMerge && merged === null ? ["nothing was committed"] : [];
  // A file that no commit can hold is told of beside the last checkpoint, which is no rescue.
  const kept = rescues.findLast((ref) => ref.includes("/rescue-"));
  return [
    ...(branch === null ? [] : [`not merged: its commits are on branch ${branch}`]),
    ...(kept === undefined ? [] : [`unfinished work is kept: git stash apply ${kept}`]),
  ];
}

function advice({ end, reason, cause, advice: helps }: TaskResult): readonly string[] {
  if (cause !== null) return [`cause: ${cause}`, `next: ${helps}`];
  return end === "over-budget" ? [`next: raise ${whatToRaise(reason)}, then run it again`] : [];
}

/** The reason begins with the limit's name: a task's front matter cannot raise what is the run's. */
function whatToRaise(reason: string | null): string {
  const [limit = ""] = (reason ?? "").split(":", 1);
  return isRunLimit(limit)
    ? `${RUN_LIMIT_KEYS[limit]} in the config`
    : "the task's budget in its front matter";
}

const RUN_LIMIT_KEYS: Record<RunLimitName, string> = {
  "run cost": "budget.run.costUsd",
  "run time": "budget.run.time",
};

function resultWords({ end, phase, retryAtMs, ...task }: TaskResult): string {
  const { verified, grade, reason, gatesFailing } = task;
  if (end === null) {
    const isPutOff = phase === "waiting_for_reset" && retryAtMs === null;
    const words = isPutOff ? "deferred" : phaseLook(phase).words;
    return reason === null ? words : `${words}: ${reason}`;
  }
  if (end === "done") return endWords({ kind: end, verified, grade });
  return endWords({ kind: end, reason: reason ?? "", gatesFailing });
}

/** The task's phase, or how it ended and why. */
export function taskEndWords({ end, phase }: Pick<TaskView, "end" | "phase">): string {
  return end === null ? phaseLook(phase).words : endWords(end);
}

export function endWords(end: TaskEnd): string {
  if (end.kind === "done") {
    if (!end.verified) return "done, not verified";
    const isChanged = end.grade === "proven-checks-changed";
    return isChanged ? "done, proven; checks were changed" : "done, proven by its gates";
  }
  const why = end.reason === "" ? "" : `: ${excerpt(end.reason, 200)}`;
  return `${kindWords(end.kind)}${why}`;
}

/** What the exit code says. Done without gates is done, but not proven: the first line says so too. */
function headline({ exitCode, tasks }: Pick<RunResult, "exitCode" | "tasks">): string {
  const unproven = tasks.filter((task) => !task.verified).length;
  return exitCode === 0 && unproven > 0
    ? `every task done, ${unproven} of ${tasks.length} not verified`
    : exitMeaning(exitCode);
}
