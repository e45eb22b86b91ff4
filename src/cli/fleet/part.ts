// How does one process do for one task of a fleet's run what may be done now?

import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { readPinned } from "../../adapters/project/pinned.ts";
import { taskSource } from "../../adapters/project/task-source.ts";
import { takeOwnership, type Ownership } from "../../adapters/log/owner.ts";
import { runFiles, type RunFiles } from "../../adapters/log/run-files.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { invariant } from "../../core/model/assert.ts";
import { idOf, type RunId, type TaskId } from "../../core/model/ids.ts";
import type { Action } from "../../core/run/task-action.ts";
import { due } from "../../core/run/due.ts";
import { fold } from "../../core/run/reduce.ts";
import { taskOf } from "../../core/run/select.ts";
import { perform } from "../../engine/act.ts";
import { takeAnswers, takeInbox } from "../../engine/answer.ts";
import { Stop } from "../../engine/interrupt.ts";
import { Log } from "../../engine/log.ts";
import type { Ports } from "../../engine/ports.ts";
import { OrchError } from "../../errors.ts";
import { fleetClock } from "../../fleet/clock.ts";
import { clonePaths, createTravel, openClone, TREES } from "../../fleet/clone.ts";
import { openDatabase, type Database, type FleetAddress } from "../../fleet/database.ts";
import { download, upload, type Uploaded } from "../../fleet/files.ts";
import type { Part } from "../../fleet/queue.ts";
import { LEADS_TO_SESSION, noteResets, resetsIn, startsAtMs } from "../../fleet/resets.ts";
import { openStore, Stale } from "../../fleet/store.ts";
import { realPorts, type RunPlace } from "../running/context.ts";
import { listen } from "../running/drive.ts";
import type { Begun } from "../running/pinned-run.ts";
import { contextOf, runPlace } from "../running/preflight.ts";
import type { CliIo } from "../io.ts";
import { withoutAddress } from "./address.ts";
import { keepWork, withKeptWork } from "./kept-work.ts";

export interface PartEnd {
  /** Why it could not go on; null: it did all that was due. */
  readonly trouble: string | null;
  /** It wrote nothing. */
  readonly isIdle: boolean;
}

interface Around {
  readonly address: FleetAddress;
  /** Below it this machine keeps its clones. */
  readonly folder: string;
  readonly io: CliIo;
  /** Its worker is gone, or wants it to end: without it nobody may go on here. */
  readonly over: AbortSignal;
}

export async function workOnPart(
  part: Part,
  { address, folder, io, over }: Around,
): Promise<PartEnd> {
  const db = await openDatabase(address);
  const stop = new Stop();
  const unlisten = listen(stop);
  over.addEventListener("abort", () => stop.trigger("SIGTERM"));
  let written = 0;
  const ended = (trouble: string | null): PartEnd => ({ trouble, isIdle: written === 0 });
  let mine: Ownership | null = null;
  try {
    mine = await ownFolder(clonePaths(folder, part).owner, stop.signal);
    const git = await openClone(folder, part, io.env);
    const work = { part, root: git.root, db, stop, io: withoutAddress(io), git };
    const left = await goOn(work, (count) => (written += count));
    return { trouble: null, isIdle: written === 0 && left === "nothing" };
  } catch (error) {
    if (stop.signal.aborted) return ended(null);
    const words = error instanceof OrchError ? `${error.message}; ${error.hint}` : String(error);
    // What git says may hold an address with its password.
    const safe = createRedactor(io.env)(words);
    return ended(`${part.task || part.run}, on ${hostname()}: ${safe}`);
  } finally {
    unlisten();
    mine?.release();
    await db.close();
  }
}

/** A process that had the task before, and ends its agent here, is waited for: two never work in one clone. */
async function ownFolder(path: string, signal: AbortSignal): Promise<Ownership> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  for (;;)
    try {
      return takeOwnership(path);
    } catch (error) {
      if (!(error instanceof OrchError) || error.code !== "run-claimed") throw error;
      await sleep(CLAIMED_MS, undefined, { signal });
    }
}

const CLAIMED_MS = 200;
const CUT_MS = 2_000;

interface Work {
  readonly part: Part;
  readonly root: string;
  readonly git: Awaited<ReturnType<typeof openClone>>;
  readonly db: Database;
  readonly stop: Stop;
  readonly io: CliIo;
}

/** Where another process of the run was first with something that this one rests on, it decides again. */
async function goOn(work: Work, wrote: (count: number) => void): Promise<Left> {
  for (;;) {
    try {
      return await goOnFrom(work, wrote);
    } catch (error) {
      if (!(error instanceof Stale)) throw error;
      work.stop.signal.throwIfAborted();
    }
  }
}

async function goOnFrom(
  { part, root, git, db, stop, io }: Work,
  wrote: (count: number) => void,
): Promise<Left> {
  const { run, task } = part;
  const files = runFiles(root, run);
  const ofTask = task === "" ? "%" : `attempts/${task}/%`;
  for (const like of ["pinned/%", ofTask]) await download(db, files, like, "");
  // The settings come from the log's own first event, and so does what is to be redacted.
  let redact = (text: string): string => text;
  let publish: Parameters<typeof openStore>[0]["publish"] = async () => undefined;
  const { store, events } = await openStore({
    db,
    claim: part,
    redact: (text) => redact(text),
    publish: (added) => {
      wrote(added.length);
      return publish(added);
    },
  });
  const log = new Log(fold(events), store, ALONE.view);
  const begun = log.state.run;
  invariant(begun !== null, "the run began");
  const place = placeIn(files, begun, { root, io });
  ({ redact } = place);
  const travel = createTravel(git, part, branchesOf(place, begun));
  const { places, ...real } = realPorts(place, { ...store, files, events });
  const source = taskSource(begun.source, contextOf(begun.flags, place), place.redact);
  const workspaces = withKeptWork(real, { git, log, run });
  const clock = await fleetClock(db);
  const ports: Ports = { ...real, ...ALONE, source, stop, clock, workspaces };
  publish = async (added) => {
    await keepWork(added, log, ports);
    await travel.publish(added);
  };
  try {
    return await actAll({ part, db, files }, { log, ports, travel });
  } finally {
    await places.close();
  }
}

interface Acting {
  readonly log: Log;
  readonly ports: Ports;
  readonly travel: ReturnType<typeof createTravel>;
}

/** What is left of the task when its process ends: nothing that it may do now, or what is due later. */
type Left = "nothing" | "later";

/** All that is due for the task, until nothing more is. */
async function actAll(
  { part: { task, isMerge }, db, files }: Pick<Work, "part" | "db"> & { readonly files: RunFiles },
  { log, ports, travel }: Acting,
): Promise<Left> {
  const uploaded: Uploaded = new Map();
  const over = new AbortController();
  const { signal } = ports.stop;
  const watching = watchInbox(log, ports, AbortSignal.any([over.signal, signal]));
  try {
    if (task !== "") await findPlace(idOf<TaskId>(task), log, ports);
    for (;;) {
      await log.append(); // What others wrote.
      await takeAnswers(log, ports);
      const action = due(log.state, { asks: "never" }).find((one) => isOf(one, task));
      if (action === undefined || signal.aborted) return "nothing";
      // No place is held for what is only waited for: the coordinator begins it at its time.
      if (startsAtMs(log.state, action, await resetsIn(db)) > ports.clock.nowMs()) return "later";
      // After a merge that did not come about, in a part that may have no slot.
      if (isMerge && LEADS_TO_SESSION.has(action.kind)) return "later";
      if (RESTS_ON_OTHERS.has(action.kind)) await travel.followOthers();
      const { outages } = log.state;
      await travel.orBehind(() => perform(action, log, ports));
      if (log.state.outages !== outages) await noteResets(db, log.state.outages);
      await upload(db, files, "attempts", uploaded);
    }
  } finally {
    over.abort();
    await watching;
  }
}

/** Those of its tasks, as a pattern, and the run's own. */
function branchesOf({ settings }: RunPlace, { base }: Begun) {
  invariant(base !== null, "a run of the fleet has a base");
  return { ofTasks: `${settings.git.branchPrefix}*`, into: base.into };
}

/** They look at commits of other tasks. */
const RESTS_ON_OTHERS: ReadonlySet<Action["kind"]> = new Set([
  "open-task",
  "settle",
  "merge",
  "land",
]);

/** How git reaches the remote is each machine's own. Trees lie beside the clone, and go with it. */
function placeIn(files: RunFiles, begun: Begun, { root, io }: Pick<Work, "root" | "io">): RunPlace {
  const pinned = { ...readPinned(files, begun.pinned, { root, env: io.env }), git: null };
  const place = runPlace(root, pinned, { io, sandbox: begun.flags.sandbox });
  const { settings } = place;
  const worktree = { ...settings.worktree, root: join(dirname(root), TREES) };
  // Several runs of one repository may have tasks of one name.
  const branchPrefix = `${settings.git.branchPrefix}${files.id}.`;
  return { ...place, settings: { ...settings, worktree, git: { ...settings.git, branchPrefix } } };
}

/** Nobody is at a terminal here; questions are answered from anywhere. */
const ALONE = {
  human: { present: false, ask: async () => null },
  prepared: null,
  view: { recorded: () => undefined, activity: () => undefined },
  waits: false,
} satisfies Partial<Ports>;

function isOf(action: Action, task: string): boolean {
  return "task" in action ? action.task === task : task === "" && action.kind !== "ask";
}

/** The log may name the tree of the machine that had the task before. */
async function findPlace(id: TaskId, log: Log, { workspaces }: Ports): Promise<void> {
  const { workspace: recorded } = taskOf(log.state, id);
  const workspace = recorded && (await workspaces.placeOf(recorded));
  if (workspace !== null && JSON.stringify(workspace) !== JSON.stringify(recorded))
    await log.append({ type: "tree-planned", task: id, workspace });
}

/** Also while a session runs: words for its agent, and the request to stop. */
async function watchInbox(log: Log, ports: Ports, signal: AbortSignal): Promise<void> {
  // Where this ends early, what is there is taken when the next action begins.
  const more = () => ports.store.inboxChanged(signal).then(() => takeInbox(log, ports));
  while (!signal.aborted) await more().catch(() => sleep(CUT_MS));
}

/** As a worker hands it over, in one line. */
export function partIn(line: string): Part {
  const { run, task, ...rest }: Part = JSON.parse(line);
  return { ...rest, run: idOf<RunId>(run), task: task === "" ? "" : idOf<TaskId>(task) };
}
