// Which worker takes which part of which run, and who notices that one is dead?

import { LINE_VERSION } from "../schema/event-line.ts";
import { digestOf, idOf, type RunId } from "../core/model/ids.ts";
import { announce, type Database, type KeptSession, type Session } from "./database.ts";
import type { Claim } from "./store.ts";

/** A part that a worker took. */
export interface Part extends Claim {
  /** It was taken beyond the worker's slots, perhaps, and has no session. */
  readonly isMerge: boolean;
  readonly repository: string;
  readonly remote: string;
}

export interface WorkerRow {
  /** Unique: host, process and something random. */
  readonly worker: string;
  readonly host: string;
  readonly version: string;
  readonly slots: number;
  /** What this machine has: a run goes to workers that have all it needs. */
  readonly labels: readonly string[];
  /** Patterns of addresses, `*` for any text; only runs of these are taken. */
  readonly repositories: readonly string[];
}

/** The key of the lock that a worker holds for its life. */
function lockKey(worker: string): string {
  return BigInt.asIntN(64, BigInt(`0x${digestOf(worker).slice(0, 16)}`)).toString();
}

/** Its lock first: whoever sees the row may believe that it lives. */
export async function enter(session: KeptSession, row: WorkerRow): Promise<void> {
  const { worker, host, version, slots, labels, repositories } = row;
  const lock = lockKey(worker);
  await session.rows("select pg_advisory_lock($1)", [lock]);
  await session.rows(
    "insert into workers (worker, host, version, format, slots, labels, repositories, lock) values ($1, $2, $3, $4, $5, $6, $7, $8)",
    [worker, host, version, LINE_VERSION, slots, labels, repositories, lock],
  );
}

/** What it still had goes back to the queue. */
export async function leave(db: Database, worker: string): Promise<void> {
  await db.transaction(async (session) => {
    await giveBack(session, db.schema, worker);
    await session.rows("delete from workers where worker = $1", [worker]);
  });
}

export async function setDraining(session: Session, worker: string): Promise<void> {
  await session.rows("update workers set is_draining = true where worker = $1", [worker]);
}

/** Another epoch each time: what the process before still wants to write is refused. */
async function giveBack(session: Session, schema: string, worker: string): Promise<void> {
  const rows = await session.rows<{ run: string }>(
    "update parts set state = 'queued', epoch = epoch + 1, worker = null where worker = $1 and state = 'taken' returning run",
    [worker],
  );
  for (const { run } of rows) await announce(session, schema, "part", run);
}

const SEEN =
  "update workers set seen_at = now() where worker = $1 and seen_at < now() - interval '5 s'";

/** The system answers for a process that is stopped: its connection lasts, and so its lock, until the server ends it. */
const END_HOLDER = `
select pg_terminate_backend(pid, 1000) from pg_locks where locktype = 'advisory' and granted
  and (classid::bigint << 32 | objid::bigint) = $1
  and database = (select oid from pg_database where datname = current_database())`;

/**
 * Takes over what dead workers had: the lock of one that lives cannot be had, and one that stands still loses it. Each
 * looks at the two after it by name, in a ring: all are looked at, and nobody asks more where there are more. It looks
 * with the session that holds its own lock, so it never takes itself for dead. Returns the names of the dead.
 */
export async function reap(
  db: Database,
  session: KeptSession,
  self: string,
): Promise<readonly string[]> {
  await session.rows(SEEN, [self]);
  const others = await session.rows<{ worker: string; lock: string; isStill: boolean }>(
    `select worker, lock, seen_at < now() - interval '60 s' as "isStill" from workers
     where worker <> $1 order by worker > $1 desc, worker limit 2`,
    [self],
  );
  const dead: string[] = [];
  for (const { worker, lock, isStill } of others) {
    if (isStill) await session.rows(END_HOLDER, [lock]);
    const [got] = await session.rows<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [
      lock,
    ]);
    if (got?.got !== true) continue;
    await leave(db, worker);
    await session.rows("select pg_advisory_unlock($1)", [lock]);
    dead.push(worker);
  }
  return dead;
}

/**
 * The next part for this worker: of a repository it may work for, with all labels it needs, within the limits "all", of the
 * repository and of the agent; finished work first, because others wait for its merge; null: there is none. Limits are
 * counted under one lock, so they hold over all workers.
 */
export async function takePart(
  db: Database,
  row: WorkerRow,
  which: "all" | "merges",
): Promise<Part | null> {
  const { worker, labels, repositories } = row;
  // "*" is any text; all else means itself.
  const patterns = repositories.map((one) => one.replace(/[\\%_]/g, "\\$&").replaceAll("*", "%"));
  const mine = [patterns, labels, LINE_VERSION, worker, which === "merges"];
  const [next] = await db.rows(CANDIDATE, mine);
  if (next === undefined) return null;
  return db.transaction(async (session) => {
    await session.rows("select pg_advisory_xact_lock(hashtext('orch parts'))");
    const [taken] = await session.rows<Omit<Part, "run"> & { run: string }>(TAKE, mine);
    return taken === undefined ? null : { ...taken, run: idOf<RunId>(taken.run) };
  });
}

const FITS = `from waiting where repository like any($1) and needs <@ $2::text[] and format = $3
  and coalesce(kept_for, $4) = $4 and (is_merge or not $5)`;

/** Without the lock: an idle worker's only question. */
const CANDIDATE = `select 1 ${FITS} limit 1`;

const TAKE = `
update parts set state = 'taken', worker = $4, last_worker = $4, taken_at = now() from runs
where runs.run = parts.run and parts.state = 'queued' and (parts.run, parts.task) = (
  select run, task ${FITS} order by is_merge desc, queued_at limit 1)
returning parts.run, parts.task, parts.epoch, parts.is_merge as "isMerge", runs.repository, runs.remote`;

/**
 * The process of a part ended; `trouble` is why it could not go on, null where it did all it could. A part whose
 * process wrote nothing since it was taken is counted: the coordinator does not begin it for ever.
 */
export async function endPart(
  db: Database,
  { run, task, epoch }: Claim,
  { trouble, isIdle }: { readonly trouble: string | null; readonly isIdle: boolean },
): Promise<void> {
  await db.transaction(async (session) => {
    await session.rows(
      "update parts set state = 'ended', worker = null, trouble = $4, idle_ends = case when $5 then idle_ends + 1 else 0 end where run = $1 and task = $2 and epoch = $3",
      [run, task, epoch, trouble, isIdle],
    );
    await announce(session, db.schema, "look", run);
  });
}

/** Parts of a run that wait or are at work. */
export interface PartRow {
  readonly task: string;
  readonly state: "queued" | "taken" | "ended";
  readonly trouble: string | null;
  readonly idle_ends: number;
}

export function partsOf(session: Session, run: RunId): Promise<readonly PartRow[]> {
  return session.rows<PartRow>(
    "select task, state, trouble, idle_ends from parts where run = $1 order by task",
    [run],
  );
}

export interface Wanted {
  readonly needs: readonly string[];
  /** null: the part has no session. */
  readonly agent: string | null;
  /** Its work is finished, and what was finished after it waits for its merge. */
  readonly isMerge: boolean;
}

/** Harmless where it waits or is at work already. */
export async function enqueue(
  session: Session,
  run: RunId,
  task: string,
  { needs, agent, isMerge }: Wanted,
): Promise<void> {
  await session.rows(
    `insert into parts (run, task, needs, agent, is_merge) values ($1, $2, $3, $4, $5) on conflict (run, task) do update
     set state = 'queued', epoch = parts.epoch + 1, queued_at = now(), trouble = null, agent = $4, is_merge = $5 where parts.state = 'ended'`,
    [run, task, needs, agent, isMerge],
  );
}
