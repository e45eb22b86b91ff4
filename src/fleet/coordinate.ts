// What of a run may be worked on now, and when is the run at rest?

import type { RunEvent } from "../core/model/event.ts";
import type { RunId } from "../core/model/ids.ts";
import type { InboxRequest } from "../core/model/question.ts";
import type { RunState } from "../core/model/state.ts";
import { due } from "../core/run/due.ts";
import { exitCodeOf, isFinished } from "../core/run/outcome.ts";
import { currentStep } from "../core/run/select.ts";
import { fold, reduce } from "../core/run/reduce.ts";
import { VERSION } from "../version.ts";
import { LINE_VERSION } from "../schema/event-line.ts";
import { NOW_MS } from "./clock.ts";
import { announce, type Database, type Session } from "./database.ts";
import { enqueue, partsOf, type PartRow, type Wanted } from "./queue.ts";
import { resetsIn, startsAtMs, type Resets } from "./resets.ts";
import { inboxOf, linesAfter, writeLines } from "./store.ts";

/**
 * How the fleet goes about a run. "waiting": for a person or a moment, and goes on by itself. "resting": it was
 * stopped, or could not go on, until somebody resumes it.
 */
export type Standing = "open" | "waiting" | "stopping" | "resting" | "over";

interface Look {
  readonly standing: Standing;
  readonly parts: readonly PartRow[];
  readonly requests: readonly InboxRequest[];
  readonly resets: Resets;
  readonly nowMs: number;
}

export interface Plan {
  readonly standing: Standing;
  readonly events: readonly RunEvent[];
  /** Tasks of which a worker may do what is due; "": of the run itself. */
  readonly begin: readonly string[];
  /** The next moment at which something is due that nobody will announce; null: none. */
  readonly wakeMs: number | null;
  readonly trouble: string | null;
}

/**
 * Pure: from the run's log and what is under way. What is due is what would be due in one process: the same
 * function says it. Each part goes on by itself as far as it can, so here it is only begun.
 */
export function planOf(state: RunState, { standing, parts, requests, resets, nowMs }: Look): Plan {
  const busy = parts.filter(({ state: of }) => of !== "ended").map(({ task }) => task);
  const nothing: Plan = { standing, events: [], begin: [], wakeMs: null, trouble: null };
  if (standing === "over" || standing === "resting") return nothing;
  const trouble = troubleIn(parts);
  if (standing === "stopping" || trouble !== null || requests.some(isCancel)) {
    if (busy.length > 0) return { ...nothing, standing: "stopping", trouble };
    const stopped: RunEvent = { type: "run-interrupted", signal: "stop" };
    const putOff: RunEvent = { type: "run-ended", exitCode: 75 };
    const events = state.process === "live" ? [trouble === null ? stopped : putOff] : [];
    return { ...nothing, standing: "resting", events, trouble };
  }
  const asked = [...new Set(requests.map((request) => takerOf(request, state)))];
  const overdue = deadlines(state).filter(({ atMs }) => atMs <= nowMs);
  const called = [...asked, ...overdue.map(({ task }) => task)];
  if (standing === "waiting" && called.length === 0)
    return { ...nothing, wakeMs: firstOf(deadlines(state)) };
  const actions = due(state, { asks: "never" });
  const moments = actions.map((one) => startsAtMs(state, one, resets));
  const later = moments.flatMap((atMs) => (atMs > nowMs ? [{ atMs }] : []));
  const now = actions.filter((_one, at) => (moments[at] ?? 0) <= nowMs);
  const tasks = now.map((one) => ("task" in one ? one.task : ""));
  const begin = [...new Set([...called, ...tasks])].filter((task) => !busy.includes(task));
  const wakeMs = firstOf([...later, ...deadlines(state)]);
  const resumed: RunEvent = { type: "run-resumed", stopped: "in-order", orch: VERSION };
  if (begin.length > 0 || busy.length > 0 || later.length > 0) {
    const events = state.process === "live" || begin.length === 0 ? [] : [resumed];
    return { ...nothing, standing: "open", events, begin, wakeMs };
  }
  const ended: RunEvent = { type: "run-ended", exitCode: exitCodeOf(state) };
  const events = state.process === "live" ? [ended] : [];
  return { ...nothing, standing: isFinished(state) ? "over" : "waiting", events, wakeMs };
}

/** What a part takes of the fleet: labels of its worker, and a session of the agent that its step names. */
function wantedBy({ tasks }: RunState, id: string): Wanted {
  const of = tasks.find(({ task }) => task.id === id);
  if (of === undefined) return { needs: [], agent: null, isMerge: true };
  const isMerge = of.cursor.at === "merging";
  return {
    needs: of.task.needs ?? [],
    agent: isMerge ? null : currentStep(of).step.agent,
    isMerge,
  };
}

/** A part that ends again and again without a word would be begun for ever. */
const IDLE_ENDS_MAX = 5;

function troubleIn(parts: readonly PartRow[]): string | null {
  for (const { task, state, trouble, idle_ends: idle } of parts) {
    if (state !== "ended") continue;
    if (trouble !== null) return trouble;
    if (idle >= IDLE_ENDS_MAX) return `${task === "" ? "the run" : task} does not go on`;
  }
  return null;
}

function isCancel({ kind }: InboxRequest): boolean {
  return kind === "cancel";
}

/** The task whose question is answered; of all else the run itself keeps the record. */
function takerOf(request: InboxRequest, { tasks }: RunState): string {
  if (request.kind !== "answer") return "";
  const { question } = request.answer;
  return tasks.find((one) => one.pendingQuestion?.id === question)?.task.id ?? "";
}

function deadlines({ tasks }: RunState) {
  return tasks.flatMap(({ task, pendingQuestion }) => {
    const at = pendingQuestion?.expiresAt ?? null;
    return at === null ? [] : [{ task: task.id, atMs: Date.parse(at) }];
  });
}

function firstOf(moments: readonly { readonly atMs: number }[]): number | null {
  return moments.length === 0 ? null : Math.min(...moments.map(({ atMs }) => atMs));
}

/** States by run, as far as this process has read their logs: what was read once is not read again. */
export type Folded = Map<RunId, { readonly state: RunState; readonly seq: number }>;

/** Carries a plan out; whoever comes second to the same run leaves it to the first. */
export async function coordinate(db: Database, run: RunId, folded: Folded): Promise<void> {
  await db.transaction(async (session) => {
    const [row] = await session.rows<{ state: Standing; nowMs: number }>(
      `select state, ${NOW_MS} from runs where run = $1 and format = $2 and state <> 'over' for update skip locked`,
      [run, LINE_VERSION],
    );
    if (row === undefined) {
      folded.delete(run);
      return;
    }
    const state = await stateNow(session, run, folded);
    const [parts, requests] = [await partsOf(session, run), await inboxOf(session, run)];
    const { state: standing, nowMs } = row;
    const resets = await resetsIn(session);
    const plan = planOf(state, { standing, parts, requests, resets, nowMs });
    const writing = { db, run, redact: (text: string) => text };
    if (plan.events.length > 0) await writeLines(session, plan.events, writing);
    for (const task of plan.begin) await enqueue(session, run, task, wantedBy(state, task));
    if (plan.begin.length > 0) await announce(session, db.schema, "part", run);
    await keep(session, run, plan, requests.some(isCancel));
  });
}

async function keep(session: Session, run: RunId, plan: Plan, wasAsked: boolean): Promise<void> {
  const { standing, wakeMs, trouble } = plan;
  const wakeAt = wakeMs === null ? null : new Date(wakeMs);
  await session.rows(
    "update runs set state = $2, wake_at = $3, trouble = coalesce($4, trouble) where run = $1",
    [run, standing, wakeAt, trouble],
  );
  if (standing === "stopping")
    await session.rows("update parts set state = 'ended' where run = $1 and state = 'queued'", [
      run,
    ]);
  // A request to stop was heard by all when nothing of the run is at work.
  else if (wasAsked)
    await session.rows("delete from inbox where run = $1 and body->>'kind' = 'cancel'", [run]);
}

async function stateNow(session: Session, run: RunId, folded: Folded): Promise<RunState> {
  const before = folded.get(run);
  const lines = await linesAfter(session, run, before?.seq ?? 0);
  const state = before === undefined ? fold(lines) : lines.reduce(reduce, before.state);
  folded.set(run, { state, seq: lines.at(-1)?.seq ?? before?.seq ?? 0 });
  return state;
}

/** Runs in which something is due that nobody announced, or whose announcement was lost. */
export async function sleepers(session: Session): Promise<readonly string[]> {
  const rows = await session.rows<{ run: string }>(
    "select run from runs where state in ('open', 'stopping') or (state = 'waiting' and wake_at <= now())",
  );
  return rows.map(({ run }) => run);
}
