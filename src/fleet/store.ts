// How do several machines write one log, in order, each only for what it was given?

import { setTimeout as sleep } from "node:timers/promises";

import type { Redact } from "../adapters/redact.ts";
import { lineOf } from "../adapters/log/log-writer.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { invariant } from "../core/model/assert.ts";
import type { RunId } from "../core/model/ids.ts";
import type { EventStore } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";
import { parseEventLine } from "../schema/event-line.ts";
import { parseInboxFile } from "../schema/inbox-file.ts";
import { announce, type Database, type Session } from "./database.ts";

/** What a process was given: one task of a run, until somebody else is given it. "": the run itself. */
export interface Claim {
  readonly run: RunId;
  readonly task: string;
  readonly epoch: number;
}

/** What was decided on a state that others have changed since: decide again. */
export class Stale extends Error {
  override readonly name = "Stale";
}

type EventType = RunEvent["type"];

/**
 * What rests on what other tasks did: two who begin at once would spend the same money, merge at once, write in the
 * same place or give two questions one name. Not written where one of these came since it was decided.
 */
const RESTS_ON: Partial<Record<EventType, readonly EventType[]>> = {
  "tree-planned": ["tree-planned", "merge-ended"],
  "session-started": ["session-started"],
  "merge-started": ["merge-started", "merge-ended"],
  "question-asked": ["question-asked"],
  "contest-decided": ["contest-decided", "task-ended"],
};

function isStale(added: readonly RunEvent[], others: readonly Recorded[]): boolean {
  const came = new Set(others.map(({ event }) => event.type));
  return added.some(({ type }) => RESTS_ON[type]?.some((one) => came.has(one)) === true);
}

export interface StoreDeps {
  readonly db: Database;
  readonly claim: Claim;
  readonly redact: Redact;
  /** Before the events are written: what they name must be where others find it. */
  readonly publish: (events: readonly RunEvent[]) => Promise<void>;
}

/**
 * Each append also returns what others wrote since the last. Rejects with `Stale`, and with OrchError "run-claimed"
 * where the task was given to another process.
 */
export async function openStore(
  deps: StoreDeps,
): Promise<{ readonly store: EventStore; readonly events: readonly Recorded[] }> {
  const { db, claim } = deps;
  const events = await linesAfter(db, claim.run, 0);
  let seq = events.at(-1)?.seq ?? 0;
  const append: EventStore["append"] = async (added) => {
    // Who was given the task since has pushed newer work.
    if (added.length > 0) await requireClaim(db, claim).then(() => deps.publish(added));
    const recorded = await db.transaction((session) => appendIn(session, added, { ...deps, seq }));
    seq = recorded.at(-1)?.seq ?? seq;
    return recorded;
  };
  const store: EventStore = {
    append,
    inbox: async () => {
      // Of all that work for the run each must hear of it, and its row is the coordinator's.
      const isStopping = (await stateOf(db, claim.run)) === "stopping";
      const requests = await inboxOf(db, claim.run);
      const others = requests.filter(({ kind }) => kind !== "cancel");
      return isStopping ? [{ kind: "cancel", id: "stop", by: "orch stop" }, ...others] : others;
    },
    clearInbox: (id) => clearInbox(db, claim.run, id),
    inboxChanged: async (signal) => {
      const before = await arrivedIn(db, claim.run);
      while (!signal.aborted && (await arrivedIn(db, claim.run)) === before)
        await sleep(INBOX_MS, undefined, { signal }).catch(() => undefined);
    },
    // Whoever mirrors the run writes its files.
    publishQuestion: async () => undefined,
  };
  return { store, events };
}

const INBOX_MS = 1_000;

interface Appending extends StoreDeps {
  /** Of the last line that this process knows. */
  readonly seq: number;
}

async function appendIn(
  session: Session,
  added: readonly RunEvent[],
  { db, claim, redact, seq }: Appending,
): Promise<readonly Recorded[]> {
  const last = await lockLog(session, claim.run);
  const others = last > seq ? await linesAfter(session, claim.run, seq) : [];
  if (added.length === 0) return others;
  await requireClaim(session, claim);
  if (isStale(added, others)) throw new Stale();
  return [...others, ...(await writeLines(session, added, { db, run: claim.run, redact }))];
}

/** Holds the run's log until the transaction ends; its last number. */
async function lockLog(session: Session, run: RunId): Promise<number> {
  const [row] = await session.rows<{ seq: number }>(
    "select seq from runs where run = $1 for update",
    [run],
  );
  if (row !== undefined) return row.seq;
  throw new OrchError(
    "run-unknown",
    `the fleet does not know the run ${run}`,
    "`orch fleet status` shows the runs there are",
  );
}

async function requireClaim(session: Session, { run, task, epoch }: Claim): Promise<void> {
  const [mine] = await session.rows(
    "select 1 from parts where run = $1 and task = $2 and epoch = $3 and state = 'taken'",
    [run, task, epoch],
  );
  if (mine === undefined)
    throw new OrchError(
      "run-claimed",
      `${task === "" ? run : `${task} of ${run}`} was given to another worker`,
      "this process stops; `orch fleet status` shows who goes on",
    );
}

/** The lines go behind the last of the log, with the server's time, and whoever follows it is told. */
export async function writeLines(
  session: Session,
  added: readonly RunEvent[],
  how: { readonly db: Database; readonly run: RunId; readonly redact: Redact },
): Promise<readonly Recorded[]> {
  const { db, run, redact } = how;
  const [log] = await session.rows<{ last: number; now: Date }>(
    "update runs set seq = seq + $2 where run = $1 returning seq as last, clock_timestamp() as now",
    [run, added.length],
  );
  invariant(log !== undefined, "the run is there");
  const [first, at] = [log.last - added.length + 1, log.now.toISOString()];
  const written = added.map((event, index) =>
    lineOf({ seq: first + index, epoch: 1, at, event }, { run, redact }),
  );
  const seqs = written.map(({ recorded }) => recorded.seq);
  const texts = written.map(({ text }) => text);
  await session.rows(
    "insert into events (run, seq, line) select $1, * from unnest($2::integer[], $3::text[])",
    [run, seqs, texts],
  );
  await announce(session, db.schema, "lines", run);
  return written.map(({ recorded }) => recorded);
}

/** Throws OrchError "log-newer" or "log-damaged" where a line is none of this orch's. */
export async function linesAfter(
  session: Session,
  run: RunId,
  seq: number,
): Promise<readonly Recorded[]> {
  return (await textsAfter(session, run, seq)).map((line) => recordedIn(run, line));
}

export async function textsAfter(
  session: Session,
  run: RunId,
  seq: number,
): Promise<readonly string[]> {
  const rows = await session.rows<{ line: string }>(
    "select line from events where run = $1 and seq > $2 order by seq",
    [run, seq],
  );
  return rows.map(({ line }) => line);
}

function recordedIn(run: RunId, line: string): Recorded {
  const read = parseEventLine(JSON.parse(line));
  if (read.ok === true) return read.value.recorded;
  const isNewer = read.ok === "unknown";
  throw new OrchError(
    isNewer ? "log-newer" : "log-damaged",
    `a line of ${run} ${isNewer ? `has format ${read.version}, which this orch does not know` : `is damaged: ${read.problems.join("; ")}`}`,
    isNewer ? "use the orch that wrote it" : "the log was not changed; look at the table events",
  );
}

/** What cannot be read is nobody's request, and goes. */
export async function inboxOf(session: Session, run: RunId) {
  const rows = await session.rows<{ id: string; body: unknown; left_at: Date }>(
    "select id, body, left_at from inbox where run = $1 order by left_at, id limit 500",
    [run],
  );
  const requests = [];
  for (const { id, body, left_at: leftAt } of rows) {
    const read = parseInboxFile(id, body);
    if (!read.ok) await clearInbox(session, run, id);
    else if (read.value.kind === "answer")
      requests.push({ ...read.value, leftAtMs: leftAt.getTime() });
    else requests.push(read.value);
  }
  return requests;
}

async function clearInbox(session: Session, run: RunId, id: string): Promise<void> {
  await session.rows("delete from inbox where run = $1 and id = $2", [run, id]);
}

async function arrivedIn(session: Session, run: RunId): Promise<string> {
  const rows = await session.rows<{ id: string }>("select id from inbox where run = $1", [run]);
  return [await stateOf(session, run), ...rows.map(({ id }) => id)].join();
}

async function stateOf(session: Session, run: RunId): Promise<string> {
  const rows = await session.rows<{ state: string }>("select state from runs where run = $1", [
    run,
  ]);
  return rows[0]?.state ?? "";
}
