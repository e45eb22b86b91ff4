// Several candidates worked at one task: whose work becomes part of the run?

import { GRADES } from "../model/decision.ts";
import type { Entry, RunEvent } from "../model/event.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { currentAttempt, currentStep } from "./select.ts";

/** Best first: by grade, then fewer alarms, then fewer changed lines, then as they were defined. */
export function ranked(entries: readonly Entry[]): readonly Entry[] {
  const best = Object.keys(GRADES);
  const place = ({ grade }: Entry): number => (grade === null ? best.length : best.indexOf(grade));
  return entries.toSorted(
    (a, b) => place(a) - place(b) || a.alarms - b.alarms || a.lines - b.lines,
  );
}

/** "proven by its gates, 1 alarm, 12 lines". */
export function entryWords({ grade, alarms, lines }: Entry): string {
  if (grade === null) return "not finished";
  const alarmWords = alarms === 0 ? "no alarm" : `${alarms} ${alarms === 1 ? "alarm" : "alarms"}`;
  return `${GRADES[grade]}, ${alarmWords}, ${lines} ${lines === 1 ? "line" : "lines"}`;
}

/** Finished, and not compared with its siblings yet: nothing of it is merged before. */
export function isHeldBack({ task, ranking, cursor }: TaskState): boolean {
  return task.contest !== null && ranking.length === 0 && cursor.at === "merging";
}

/** Another candidate may still do what this one did not. */
export function isContested({ tasks }: RunState, one: TaskState): boolean {
  if (one.task.contest === null || one.ranking.length > 0) return false;
  return siblingsOf(tasks, one).some(({ cursor }) => cursor.at !== "ended");
}

/**
 * The first of those held back whose siblings all rest. `isQuiet`: nothing else can go on in the run, whatever keeps
 * it: then what is finished counts.
 */
export function contestDue({ tasks }: RunState, isQuiet: boolean): TaskState | null {
  const rests = (one: TaskState): boolean =>
    isHeldBack(one) || one.cursor.at === "ended" || one.cursor.at === "deferred";
  const isDecidable = (one: TaskState): boolean => isQuiet || siblingsOf(tasks, one).every(rests);
  return tasks.find((one) => isHeldBack(one) && isDecidable(one)) ?? null;
}

export function siblingsOf(tasks: readonly TaskState[], one: TaskState): readonly TaskState[] {
  return tasks.filter(({ task }) => isSibling(task, one.task));
}

/** Also of itself. Candidates change the same files, each in its own tree. */
export function isSibling(a: TaskState["task"], b: TaskState["task"]): boolean {
  return a.contest !== null && a.contest === b.contest;
}

/** `lines`: added and removed since the task began. */
export function entryOf(task: TaskState, lines: number): Entry {
  const { cursor } = task;
  const integrity = currentAttempt(task)?.outcome?.evidence.integrity;
  const alarms = integrity?.kind === "checked" ? integrity.alarms : [];
  const isFinished = cursor.at === "merging" && cursor.end.kind === "done";
  const grade = isFinished ? cursor.end.grade : null;
  return {
    task: task.task.id,
    agent: currentStep(task).step.agent,
    grade,
    alarms: alarms.length,
    lines,
  };
}

/** The winner goes on into the run; the others end, whatever they were at. */
export function contestDecided(
  state: RunState,
  { task: winner, ranking }: Extract<RunEvent, { type: "contest-decided" }>,
): RunState {
  const placeOf = (id: string): number => ranking.findIndex(({ task }) => task === id);
  const tasks = state.tasks.map((one): TaskState => {
    if (placeOf(one.task.id) < 0) return one;
    if (one.task.id === winner) return { ...one, ranking };
    const at = one.cursor.at === "ended" ? "ended" : "closing";
    const end = {
      kind: "outdone",
      reason: outdoneWords(one, ranking),
      gatesFailing: false,
    } as const;
    return { ...one, ranking, cursor: { at, end }, pendingQuestion: null };
  });
  // What a task wrote that was outdone is no task.
  return { ...state, tasks, unread: state.unread.filter((id) => id === winner || placeOf(id) < 0) };
}

function outdoneWords({ task, cursor }: TaskState, ranking: readonly Entry[]): string {
  const [first] = ranking;
  const entry = ranking.find((one) => one.task === task.id);
  if (first === undefined || entry === undefined) return "";
  const ended = cursor.at === "ended" && cursor.end.kind !== "done" ? ` (${cursor.end.kind})` : "";
  return `${first.task} is better: ${entryWords(first)}; this one ${entryWords(entry)}${ended}`;
}
