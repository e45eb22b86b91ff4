// How does a worker take parts, notice the death of others, and end its own when it is cut off?

import { setTimeout as sleep } from "node:timers/promises";

import { idFrom, type RunId } from "../core/model/ids.ts";
import { createBell, type Bell } from "./bell.ts";
import { OrchError } from "../errors.ts";
import { coordinate, sleepers, type Folded } from "./coordinate.ts";
import type { Database, KeptSession } from "./database.ts";
import { endPart, enter, leave, reap, setDraining, takePart } from "./queue.ts";
import type { Part, WorkerRow } from "./queue.ts";

/** A process that works on a part. */
export interface RunningPart {
  /** null: it died without a word. Never rejects. */
  readonly ended: Promise<{ readonly trouble: string | null; readonly isIdle: boolean } | null>;
  /** In order: its session is ended and kept. */
  stop(): void;
  kill(): void;
}

export interface WorkerDeps {
  readonly db: Database;
  readonly row: WorkerRow;
  readonly start: (part: Part) => RunningPart;
  readonly tell: (line: string) => void;
  /** Removes what is left here of runs that are over; these parts, a run and a task each, are at work. */
  readonly clean: (parts: readonly string[]) => Promise<void>;
  /** "drain": takes no more. "stop": ends what it has. */
  readonly orders: Orders;
  /** Ends when nothing waits and nothing is at work. */
  readonly isOnce: boolean;
  /** How long a drain waits for parts to end by themselves. */
  readonly graceMs: number;
}

/** What the operator wants of the worker. */
export interface Orders {
  stage: "work" | "drain" | "stop";
  onChange: () => void;
}

const LOOK_MS = 500;
/** For announcements that were lost: nobody waits longer. */
const SLEEPERS_EVERY = 10;
/** Without an answer for so long the worker is cut off, and others take it for dead soon. */
const ANSWER_MS_MAX = 20_000;
const KILL_MS = 15_000;
const CLEAN_EVERY = 1_200;

/**
 * Serves until it is ordered to end, or cut off from the database: resolves to why, null for an order. In either case
 * no process of a part is left.
 */
export async function serve(deps: WorkerDeps): Promise<string | null> {
  const { db, row, orders } = deps;
  const cut: { why: string | null } = { why: null };
  const bell = createBell();
  const session = await db.hold((why) => {
    cut.why ??= why;
    bell.ring();
  });
  const parts = new Map<string, RunningPart>();
  const looks = new Set<string>();
  const folded: Folded = new Map();
  orders.onChange = bell.ring;
  try {
    await session.listen("work", (what, run) => {
      if (what === "look") looks.add(run);
      bell.ring();
    });
    await enter(session, row);
    for (let turn = 0; cut.why === null; turn += 1) {
      if (orders.stage !== "work") break;
      await answered(lookAround(deps, { session, turn, looks, folded }));
      // One merge more than there are slots: what waits for it would wait for a session.
      while (parts.size <= row.slots && orders.stage === "work") {
        const which = parts.size < row.slots ? "all" : "merges";
        const part = await answered(takePart(db, row, which));
        if (part === null) break;
        begin(part, deps, parts, bell.ring);
      }
      if (deps.isOnce && parts.size === 0 && looks.size === 0 && turn > 0) return null;
      if (turn % CLEAN_EVERY === 0) await deps.clean([...parts.keys()]);
      await bell.next(LOOK_MS);
    }
    if (cut.why === null) await drain(deps, session, parts, bell);
    return cut.why;
  } catch (error) {
    return (cut.why ??= error instanceof Error ? error.message : String(error));
  } finally {
    await endAll(parts);
    if (cut.why === null) await leave(db, row.worker).catch(() => undefined);
    await Promise.race([session.close().catch(() => undefined), sleep(LOOK_MS)]);
  }
}

interface Around {
  readonly session: KeptSession;
  readonly turn: number;
  readonly looks: Set<string>;
  readonly folded: Folded;
}

async function lookAround({ db, row, tell }: WorkerDeps, around: Around): Promise<void> {
  const { session, turn, looks, folded } = around;
  for (const dead of await reap(db, session, row.worker))
    tell(`took over what ${dead} had: it is gone`);
  if (turn % SLEEPERS_EVERY === 0) for (const run of await sleepers(session)) looks.add(run);
  for (const run of looks) {
    looks.delete(run);
    const id = idFrom<RunId>(run);
    if (id !== null) await coordinate(db, id, folded).catch((error) => setAside(db, id, error));
  }
}

/** A log that nobody can go by puts its own run to rest, and no other. */
async function setAside(db: Database, run: RunId, error: unknown): Promise<void> {
  if (!(error instanceof OrchError) || error.code === "fleet-unavailable") throw error;
  await db.rows("update runs set state = 'resting', trouble = $2 where run = $1", [
    run,
    error.message,
  ]);
}

function begin(
  part: Part,
  { db, start, tell }: WorkerDeps,
  parts: Map<string, RunningPart>,
  ring: () => void,
): void {
  const name = `${part.task === "" ? "the run" : part.task} of ${part.run}`;
  const key = `${part.run} ${part.task}`;
  tell(`works on ${name}`);
  const running = start(part);
  parts.set(key, running);
  void finish(running).finally(ring);

  async function finish({ ended }: RunningPart): Promise<void> {
    const end = await ended;
    // Where it died without a word it is begun again, as often as that is worth it.
    await endPart(db, part, end ?? { trouble: null, isIdle: true }).catch(() => undefined);
    tell(end?.trouble ?? `${end === null ? "lost the process of" : "is through with"} ${name}`);
    parts.delete(key);
  }
}

async function drain(
  { orders, tell, graceMs, db, row }: WorkerDeps,
  session: KeptSession,
  parts: ReadonlyMap<string, RunningPart>,
  bell: Bell,
): Promise<void> {
  await setDraining(session, row.worker);
  if (parts.size > 0) tell(`takes no more; ${parts.size} still at work`);
  const untilMs = Date.now() + graceMs;
  while (parts.size > 0 && orders.stage === "drain" && Date.now() < untilMs) {
    await answered(reap(db, session, row.worker));
    await bell.next(LOOK_MS);
  }
}

/** In order first; what does not end is killed, and its guards end what it had started. */
async function endAll(parts: ReadonlyMap<string, RunningPart>): Promise<void> {
  const running = [...parts.values()];
  for (const part of running) part.stop();
  const all = Promise.all(running.map(({ ended }) => ended));
  await Promise.race([all, sleep(KILL_MS, undefined, { ref: false })]);
  for (const part of running) part.kill();
  await all;
}

/** Rejects where the database does not answer in time. */
async function answered<T>(call: Promise<T>): Promise<T> {
  const late = sleep(ANSWER_MS_MAX, null, { ref: false }).then(() => {
    throw new Error("the database does not answer");
  });
  return Promise.race([call, late]);
}
