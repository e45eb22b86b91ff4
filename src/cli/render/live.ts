// What goes on at this moment, in a few lines?

import type { RunEvent } from "../../core/model/event.ts";
import { MEASURED_ON } from "./gate.ts";
import { inert, excerpt } from "../../core/model/excerpt.ts";
import type { RunState, TaskState } from "../../core/model/state.ts";
import { currentStep, lastAttempt } from "../../core/run/select.ts";
import { actionIn, type Action } from "../../core/run/task-action.ts";
import { progressOf } from "../../core/run/wanted.ts";
import type { Style } from "../io.ts";
import { cells, dotted, paint, shorten, type Tone } from "../layout.ts";
import { duration, money, phaseLook, plural } from "./text.ts";
import { jsonIn } from "../../core/model/json.ts";
import type { SessionEvent, ToolEvent, SessionEnding } from "../../core/model/session.ts";
import { endingDetail } from "../../core/views/projection-attempt.ts";

/** What a task does now, in words that fit any width when cut. */
export interface Moment {
  readonly doing: string;
  /** null: as long as its attempt, which an agent works on. */
  readonly since: number | null;
}

export interface Live {
  readonly state: RunState;
  /** By task; a task that waits needs none. */
  readonly moments: ReadonlyMap<string, Moment>;
  readonly nowMs: number;
}

/** Lines of at most `columns` cells: the run as a whole where it has several tasks, then who waits and who works. */
export function liveLines(
  live: Live,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  style: Style,
): readonly string[] {
  const { tasks } = live.state;
  const shown = liveRows(live);
  const head = tasks.length > 1 ? [heading(live, columns, style)] : [];
  const room = Math.max(0, rows - head.length);
  const fitting = shown.length > room ? shown.slice(0, Math.max(0, room - 1)) : shown;
  const more = shown.length - fitting.length;
  return [
    ...head,
    ...fitting.map((row) => lineOf(row, columns, style)),
    ...(more > 0 && room > 0
      ? [paint(style, "quiet", shorten(`  and ${more} more`, columns))]
      : []),
  ];
}

/** Who waits for a person first, then who waits, then who works. */
export function liveRows(live: Live): readonly Row[] {
  const rows = live.state.tasks.flatMap((task) => rowOf(task, live) ?? []);
  return rows.toSorted((a, b) => a.rank - b.rank);
}

function heading(live: Live, columns: number, style: Style): string {
  const parts = [...liveHeading(live)];
  while (parts.length > 1 && cells(dotted(parts)) > columns) parts.pop();
  return paint(style, "quiet", shorten(dotted(parts), columns));
}

/** The most important first. */
export function liveHeading({ state, nowMs }: Live): readonly string[] {
  const { tasks, run } = state;
  const count = (phase: TaskState["phase"]): number =>
    tasks.filter((task) => task.phase === phase).length;
  const [waiting, atWork] = [count("waiting_for_input"), count("running")];
  const ended = tasks.filter(({ endedAt }) => endedAt !== null).length - count("done");
  return [
    `${count("done")} of ${plural(tasks.length, "task")} done`,
    ended === 0 ? null : `${ended} not`,
    waiting === 0 ? null : `${waiting} ${waiting === 1 ? "waits" : "wait"} for you`,
    atWork === 0 ? null : `${atWork} at work`,
    moneyWords(
      tasks.reduce((all, one) => all + spentBy(one), 0),
      run?.limits.costUsd ?? null,
    ),
    run === null ? null : duration(Math.max(0, nowMs - Date.parse(run.startedAt))),
  ].flatMap((part) => part ?? []);
}

interface Row {
  /** Who waits for a person comes first, then who waits, then who works. */
  readonly rank: number;
  readonly mark: string;
  readonly tone: Tone;
  readonly name: string;
  readonly doing: string;
  /** From the most important on. */
  readonly facts: readonly string[];
}

/** null: it has not begun, or is over. */
function rowOf(task: TaskState, live: Live): Row | null {
  const { cursor, pendingQuestion } = task;
  const { mark, tone } = phaseLook(task.phase);
  const look = { mark, tone, name: task.task.id };
  if (pendingQuestion !== null) {
    const doing = `asks: ${inert(pendingQuestion.question)}`;
    return { ...look, rank: 0, doing, facts: [`orch answer ${pendingQuestion.id}`] };
  }
  if (cursor.at === "waiting") {
    const left = duration(Math.max(0, cursor.untilMs - live.nowMs));
    return { ...look, rank: 1, doing: `waits: ${inert(cursor.cause)}`, facts: [`${left} left`] };
  }
  const moment = live.moments.get(task.task.id);
  if (moment === undefined || cursor.at === "ended" || cursor.at === "deferred") return null;
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  const begun = attempt === null ? live.nowMs : Date.parse(attempt.startedAt);
  const facts = [
    duration(Math.max(1_000, live.nowMs - (moment.since ?? begun))),
    moneyWords(spentBy(task), step.limits.costUsd) ?? "",
    task.steps.length > 1 ? step.id : "",
    (attempt?.n ?? 1) > 1 ? `attempt ${attempt?.n}` : "",
  ];
  return { ...look, rank: 2, doing: moment.doing, facts };
}

/** For what it does, before facts are left out. */
const ROOM_FOR_DOING = 22;
/** The same before the last fact is left out. */
const ROOM_AT_LEAST = 8;
const NAME_PART = 3;

function lineOf({ mark, tone, name, doing, facts }: Row, columns: number, style: Style): string {
  const short = shorten(name, Math.floor(columns / NAME_PART));
  const room = columns - cells(`${mark} ${short} · `);
  let kept = facts.filter((fact) => fact !== "");
  const leaves = (): number => room - cells(` · ${dotted(kept)}`);
  while (kept.length > 0 && leaves() < (kept.length > 1 ? ROOM_FOR_DOING : ROOM_AT_LEAST))
    kept = kept.slice(0, -1);
  const line = dotted(kept);
  const left = room - (line === "" ? 0 : cells(` · ${line}`));
  return `${paint(style, tone, mark)} ${paint(style, "strong", short)} · ${shorten(doing, left)}${paint(style, "quiet", line === "" ? "" : ` · ${line}`)}`;
}

/** With what the session that runs has told so far. */
function spentBy(task: TaskState): number {
  const { at } = currentStep(task);
  const session = lastAttempt(at)?.sessions.at(-1);
  const running = session?.ended === null ? (session.seen.usage.costUsd ?? 0) : 0;
  return task.spent.costUsd + running;
}

function moneyWords(usd: number, most: number | null): string | null {
  // Nobody has told of any.
  if (usd === 0) return null;
  return most === null ? money(usd) : `${money(usd)} of ${money(most)}`;
}

/** null: nothing that is shown; undefined: what went on before. */
export function doingAfter(event: RunEvent, state: RunState): string | null | undefined {
  if (event.type === "merge-ended" && event.result.kind === "to-prove")
    return nextIn(state, event.task);
  const doing = DOING[event.type];
  return doing === "next" && "task" in event ? nextIn(state, event.task) : doing;
}

/** "next": what is due in the task tells it. */
const DOING: Readonly<Partial<Record<RunEvent["type"], string | null>>> = {
  "tree-planned": "its worktree is made, ignored files are copied",
  "task-started": "next",
  measured: "next",
  "session-started": "the agent starts",
  "session-ended": "next",
  "work-taken": "next",
  "mixed-taken": "next",
  "coach-started": "the coach looks at the work",
  "coach-ended": "next",
  decided: null,
  "merge-started": "is merged",
  "merge-ended": null,
  "task-ended": null,
};

function nextIn(state: RunState, id: unknown): string | null {
  const task = state.tasks.find((one) => one.task.id === id);
  const action = task === undefined ? null : actionIn(state, task);
  if (task === undefined || action === null) return null;
  if (action.kind !== "measure") return NEXT[action.kind] ?? null;
  const [ran, all] = progressOf(task, action.of);
  const place = all > 1 ? ` (${ran + 1} of ${all})` : "";
  const on = MEASURED_ON[action.of];
  return `gate ${action.gate.name} runs${place}${on === null ? "" : `, ${on}`}`;
}

const NEXT: Readonly<Partial<Record<Action["kind"], string>>> = {
  "start-attempt": "the agent starts",
  "run-session": "the agent starts",
  "take-work": "the work becomes a commit",
  "take-mixed": "its checks are looked at",
  decide: "the result is checked",
};

type ToolCall = Extract<ToolEvent, { type: "tool-call" }>;

const CHARS_MAX = 160;

/** "Edit src/add.js", "Bash npm test", or what it says; "" where there is nothing to see. */
export function activityWords(event: SessionEvent, root: string | null): string {
  switch (event.type) {
    case "text":
    case "condensation":
    case "hook":
    case "note":
      return excerpt(event.text, CHARS_MAX);
    case "thinking":
      return "thinks";
    case "tool-call":
      return callWords(event, root);
    case "tool-result":
      return event.isError ? excerpt(`a tool failed: ${event.output}`, CHARS_MAX) : "";
    case "retry":
      return excerpt(`the provider is tried again: ${event.detail}`, CHARS_MAX);
    default:
      return event satisfies never;
  }
}

/** Nearly all agents name their tools by what they do. */
function callWords({ tool, input }: ToolCall, root: string | null): string {
  const subject = subjectOf(input) ?? "";
  const isInside = root !== null && subject.startsWith(`${root}/`);
  const about = isInside ? subject.slice(root.length + 1) : subject;
  return excerpt(`${toolName(tool)} ${about}`.trim(), CHARS_MAX);
}

/** Of a tool of a server, its own name: "mcp__orch__ask_human". */
function toolName(tool: string): string {
  return inert(tool.split("__").at(-1) ?? tool).replaceAll("_", " ");
}

/** What a call is about: the first of these that it gives. A long call is cut, and no JSON any more. */
const SUBJECT =
  /"(?:file_?path|notebook_path|path|file|command|cmd|query|pattern|url|description|question)": ?"((?:[^"\\]|\\.){1,200})/i;

function subjectOf(input: string): string | null {
  if (!input.trimStart().startsWith("{")) return input === "" ? null : input;
  const written = SUBJECT.exec(input)?.[1] ?? "";
  const text = jsonIn(`"${written}"`);
  return typeof text === "string" && text !== "" ? text : null;
}

export function endingWords(ending: SessionEnding): string {
  const detail = ending.kind === "asked" ? "" : endingDetail(ending);
  return `${ENDINGS[ending.kind]}${detail === "" ? "" : ` (${detail})`}`;
}

const ENDINGS: Readonly<Record<SessionEnding["kind"], string>> = {
  finished: "the agent finished",
  asked: "the agent stopped to ask",
  limit: "stopped at a limit",
  fault: "the provider failed",
  crashed: "the agent died",
  "timed-out": "ran out of time and was ended",
  looped: "looped and was ended",
  interrupted: "interrupted",
  "not-started": "the agent could not be started",
  lost: "lost: orch died during the session",
};
