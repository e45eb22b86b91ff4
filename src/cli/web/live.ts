// What happens in all runs at this moment, for as long as somebody looks?

import { statSync } from "node:fs";
import { join } from "node:path";

import { currentOwner } from "../../adapters/log/owner.ts";
import { listRuns, orchFolder, runFiles } from "../../adapters/log/run-files.ts";
import { hasResult, openRun, type RunsHere } from "../../adapters/log/run-reader.ts";
import { type RunId, shortener } from "../../core/model/ids.ts";
import { titleOf } from "../../core/views/projection.ts";
import type { RunView } from "../../core/views/run-view.ts";
import type { LiveRun, WebData } from "../../web/api.ts";
import { answeredIn, isTaken } from "../commands/pick.ts";
import { dotted } from "../layout.ts";
import { liveHeading, liveRows } from "../render/live.ts";
import { progressWords } from "../render/text.ts";
import { followRun } from "../running/at-terminal.ts";
import { createMoments } from "../running/view.ts";
import { pageQuestion } from "./questions.ts";

/** Durations tick, and new runs are looked for. */
const TICK_MS = 1_000;
/** A change is told at once, and what follows it so soon is told together. */
const TOGETHER_MS = 40;
/** Older runs are in the list. */
const LOOKED_AT_MAX = 50;

type Changed = Parameters<WebData["live"]>[0];
type Here = ReturnType<typeof createListing>;

/** Asked for at every event and every second: thousands of runs are listed again only where one came or went. */
export function createListing(root: string) {
  let listed: (RunsHere & { at: number; short: (run: string) => string }) | null = null;
  return () => {
    const folder = statSync(join(orchFolder(root), "runs"), { throwIfNoEntry: false });
    const at = folder?.mtimeMs ?? Date.now();
    // What changed this moment may change again at what its clock says is the same time.
    if (listed?.at === at && Date.now() - at > TICK_MS) return listed;
    const runs = listRuns(root);
    return (listed = { root, runs, at, short: shortener(runs) });
  };
}

/** Follows runs only while there is a listener. */
export function createLive(here: Here): WebData["live"] {
  const listeners = new Set<Changed>();
  let hub: ReturnType<typeof startHub> | null = null;
  let newest: readonly LiveRun[] | null = null;
  return (changed) => {
    listeners.add(changed);
    if (newest !== null) changed(newest);
    hub ??= startHub(here, (runs) => {
      newest = runs;
      for (const tell of listeners) tell(runs);
    });
    return () => {
      listeners.delete(changed);
      if (listeners.size > 0) return;
      hub?.stop();
      [hub, newest] = [null, null];
    };
  };
}

type Moments = ReturnType<typeof createMoments>;

function startHub(here: Here, tell: (runs: readonly LiveRun[]) => void) {
  const followed = new Map<RunId, Moments>();
  const over = new AbortController();
  let soon: NodeJS.Timeout | null = null;
  let toldMs = 0;
  const tellNow = (): void => {
    [soon, toldMs] = [null, performance.now()];
    void picture(here(), followed).then((all) => over.signal.aborted || tell(all));
  };
  const changed = (): void => {
    soon ??= setTimeout(tellNow, Math.max(0, toldMs + TOGETHER_MS - performance.now()));
  };
  const follow = (run: RunId): void => {
    const moments = createMoments();
    followed.set(run, moments);
    const follower = {
      recorded: (...all: Parameters<Moments["recorded"]>) => {
        moments.recorded(...all);
        changed();
      },
      acted: ({ task, event }: { task: string; event: Parameters<Moments["activity"]>[1] }) => {
        moments.activity(task, event);
        changed();
      },
    };
    // A log that cannot be read is told of by whoever opens the run.
    const end = (): unknown => followed.delete(run) && changed();
    followRun(runFiles(here().root, run), follower, over.signal).then(end, end);
  };
  const look = (): void => {
    const { root, runs } = here();
    for (const run of runs.slice(0, LOOKED_AT_MAX))
      if (!followed.has(run) && isTaken(currentOwner(runFiles(root, run).folder))) follow(run);
    changed();
  };
  const timer = setInterval(look, TICK_MS);
  look();
  return {
    stop() {
      over.abort();
      clearInterval(timer);
      if (soon !== null) clearTimeout(soon);
    },
  };
}

/** Runs at work, and those that nobody works on and that wait for a person. */
async function picture(
  here: ReturnType<Here>,
  followed: ReadonlyMap<RunId, Moments>,
): Promise<readonly LiveRun[]> {
  const { root, short } = here;
  const pictures = here.runs.slice(0, LOOKED_AT_MAX).map(async (run): Promise<LiveRun | null> => {
    const live = followed.get(run)?.now() ?? null;
    const view = live === null ? await waiting(here, run) : null;
    const { seq, tasks } = live?.state ?? view ?? NOTHING;
    if (seq === 0) return null;
    const asked = tasks.flatMap(({ pendingQuestion }) => pendingQuestion ?? []);
    const answered = asked.length === 0 ? [] : await answeredIn(runFiles(root, run).inbox);
    const rows = live === null ? [] : liveRows(live);
    return {
      run,
      id: short(run),
      title: view?.title ?? (live === null ? "" : titleOf(live.state)),
      seq,
      heading: live === null ? progressWords(view ?? NOTHING) : dotted(liveHeading(live)),
      rows: rows.map(({ name: task, facts, ...row }) => {
        return { ...row, task, facts: facts.filter((fact) => fact !== "") };
      }),
      questions: asked.map((question) => pageQuestion(question, run, answered)),
    };
  });
  return (await Promise.all(pictures)).filter((run) => run !== null);
}

const NOTHING = { seq: 0, tasks: [], counts: {} } as const;

/** By run: what was read of it, until its file changes. */
const READ = new Map<string, { readonly stamp: string; readonly view: RunView | null }>();

async function waiting(here: RunsHere, run: RunId) {
  const files = runFiles(here.root, run);
  const isOver = hasResult(files);
  const state = statSync(files.state, { throwIfNoEntry: false });
  const stamp = `${state?.mtimeMs} ${state?.size} ${isOver}`;
  const before = READ.get(files.folder);
  if (before?.stamp === stamp) return before.view;
  const opened = isOver ? null : await openRun(here.root, run).catch(() => null);
  const view = opened?.view ?? null;
  const isOpen = view?.tasks.some((task) => task.pendingQuestion !== null) === true;
  READ.set(files.folder, { stamp, view: isOpen ? view : null });
  return isOpen ? view : null;
}
