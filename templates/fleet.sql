-- The tables of a fleet, as `orch fleet init` makes them. By hand, in one transaction:
--   psql -1 -v schema=orch -v version=1 -f fleet.sql
-- One log a run, of the very lines that a local run has in `events.jsonl`; all else says who works on what, and can be
-- made again from the logs and the processes that live.
create schema if not exists :"schema";
set local search_path to :"schema";
create table fleet (only_row boolean primary key default true check (only_row), version integer not null);
insert into fleet (version) values (:version);

create table runs (
  run text primary key,
  repository text not null,
  remote text not null,
  labels text[] not null default '{}',
  -- Of the log's lines: only workers of an orch that writes the same go on with it.
  format integer not null,
  seq integer not null default 0,
  state text not null default 'open' check (state in ('open', 'waiting', 'stopping', 'resting', 'over')),
  -- Why it rests although something is due; null: nothing is wrong.
  trouble text,
  -- When something is due that nobody will announce: the end of a wait, a question's deadline.
  wake_at timestamptz,
  created_at timestamptz not null default now());
create index runs_open on runs (wake_at) where state <> 'over';
create index runs_of on runs (repository, created_at);
create table events (
  run text not null references runs on delete cascade,
  seq integer not null,
  line text not null,
  primary key (run, seq));
create table files (
  run text not null references runs on delete cascade,
  path text not null,
  bytes bytea not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (run, path));
create table inbox (
  run text not null references runs on delete cascade,
  id text not null,
  body jsonb not null,
  left_at timestamptz not null default now(),
  primary key (run, id));

-- What the engine may do next for one task, on whatever worker takes it. "" is the run itself.
create table parts (
  run text not null references runs on delete cascade,
  task text not null,
  -- Labels, besides those of the run.
  needs text[] not null default '{}',
  -- Whose sessions it has; null: none.
  agent text,
  is_merge boolean not null default false,
  epoch integer not null default 1,
  state text not null default 'queued' check (state in ('queued', 'taken', 'ended')),
  worker text,
  -- It has the task's clone and tree, as long as it lives.
  last_worker text,
  queued_at timestamptz not null default now(),
  taken_at timestamptz,
  trouble text,
  idle_ends integer not null default 0,
  primary key (run, task));
create index parts_queued on parts (queued_at) where state = 'queued';
create index parts_taken on parts (worker) where state = 'taken';
create table workers (
  worker text primary key,
  host text not null,
  version text not null,
  format integer not null,
  slots integer not null,
  labels text[] not null,
  repositories text[] not null,
  lock bigint not null,
  is_draining boolean not null default false,
  seen_at timestamptz not null default now(),
  started_at timestamptz not null default now());
create table limits (name text primary key, most integer not null check (most > 0));
-- When an agent that a session found at the limit of its plan can work again. Deleted: others try it at once.
create table resets (agent text primary key, until timestamptz not null);

-- What a worker may take, within the limits "all", of the repository and of the agent. For a few seconds it is kept for the
-- worker that had it last, if that has a free slot: another one would have to make clone and tree anew.
create view waiting as
select p.run, p.task, p.is_merge, p.queued_at, r.repository, r.format, r.labels || p.needs as needs,
  (select worker from workers w where worker = p.last_worker and not is_draining
     and p.queued_at > now() - interval '3 s'
     and slots + p.is_merge::integer > (select count(*) from parts t where t.worker = w.worker and t.state = 'taken')) as kept_for
from parts p join runs r using (run)
where p.state = 'queued'
  and not exists (
    select 1 from limits l where l.name in ('all', r.repository, 'agent ' || p.agent) and l.most <= (
      select count(*) from parts t join runs o using (run) where t.state = 'taken'
        and (l.name = 'all' or l.name = o.repository or l.name = 'agent ' || t.agent)));

-- Labels that something waits for, and no worker has.
create view missing_labels as
select unnest(needs) as label from waiting except select unnest(labels) from workers;
