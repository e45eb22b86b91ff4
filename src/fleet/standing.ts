// What does the fleet look like at this moment?

import { LINE_VERSION } from "../schema/event-line.ts";
import type { Database } from "./database.ts";
import type { WorkerRow } from "./queue.ts";
import { resetsIn } from "./resets.ts";

export type FleetStanding = Awaited<ReturnType<typeof fleetStanding>>;

interface WorkerStanding extends WorkerRow {
  readonly isDraining: boolean;
  readonly ageMs: number;
  /** Tasks, or the run itself. */
  readonly parts: readonly string[];
}

export async function fleetStanding(db: Database) {
  const workers = await db.rows<WorkerStanding>(
    `select worker, host, version, slots, labels, repositories, is_draining as "isDraining",
       (extract(epoch from now() - started_at) * 1000)::float8 as "ageMs",
       array(select case when p.task = '' then p.run else p.task end from parts p
         where p.worker = w.worker and p.state = 'taken' order by 1) as parts
     from workers w order by started_at`,
  );
  const [queue] = await db.rows<{ waiting: number; oldestMs: number | null }>(
    `select count(*)::integer as waiting,
       (extract(epoch from now() - min(queued_at)) * 1000)::float8 as "oldestMs"
     from parts where state = 'queued'`,
  );
  const [runs] = await db.rows<{ open: number; atRest: number; forOther: number }>(
    `select count(*) filter (where state in ('open', 'stopping'))::integer as open,
       count(*) filter (where state in ('waiting', 'resting'))::integer as "atRest",
       count(*) filter (where (select bool_and(w.format <> runs.format) from workers w))::integer as "forOther"
     from runs where state <> 'over'`,
  );
  const limits = await db.rows<{ name: string; most: number }>("table limits order by name");
  const resets = await resetsIn(db);
  const missing = await db.rows<{ label: string }>("table missing_labels order by label");
  return { workers, queue, runs, limits, resets, missing: missing.map(({ label }) => label) };
}

/** How many workers there are that take runs of this orch and repository. */
export async function takersOf(db: Database, repository: string): Promise<number> {
  const takers = await db.rows(
    String.raw`select 1 from workers where format = $1 and not is_draining and exists (
      select 1 from unnest(repositories) one
      where $2 like replace(regexp_replace(one, '([\\%_])', '\\\1', 'g'), '*', '%'))`,
    [LINE_VERSION, repository],
  );
  return takers.length;
}

/** Of all parts together ("all"), or of those of one repository or agent ("agent " and its name); null: none. */
export async function setLimit(db: Database, name: string, most: number | null): Promise<void> {
  await db.rows("delete from limits where name = $1", [name]);
  if (most !== null) await db.rows("insert into limits (name, most) values ($1, $2)", [name, most]);
}
