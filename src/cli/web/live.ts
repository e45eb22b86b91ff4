// What happens in all runs at this moment, for as long as somebody looks?

import { statSync } from "node:fs";

import { currentOwner } from "../../adapters/log/owner.ts";
import { listRuns, runFiles } from "../../adapters/log/run-files.ts";
import { hasResult, openRun, type RunsHere } from "../../adapters/log/run-reader.ts";
import { type RunId, shortener } from "../../core/model/ids.ts";
import { titleOf, type projectRun } from "../../core/views/projection.ts";
import type { LiveRun, WebData } from "../../web/api.ts";
import { answeredIn, isTaken } from "../commands/pick.ts";
import { dotted } from "../layout.ts";
import { progressWords } from "../render/facts.ts";
import { liveHeading, liveRows } from "../render/live.ts";
import { followRun } from "../running/at-terminal.ts";
import { createMoments } from "../running/view.ts";
import { pageQuestion } from "./questions.ts";

/** Durations tick, and new runs are looked for. */
const TICK_MS = 1_000;
/** Changes that come together are told together. */
const TOGETHER_MS = 40;
/** Older runs are in the list. */
const LOOKED_AT_MAX = 50;

type Changed = Parameters<WebData["live"]>[0];

/** Follows runs only while there is a listener. */
export function createLive(root: string): WebData["live"] {
  const listeners = new Set<Changed>();
  let hub: ReturnType<typeof startHub> | null = null;
  let newest: readonly LiveRun[] | null = null;
  return (changed) => {
    listeners.add(changed);
    if (newest !== null) changed(newest);
    hub ??= startHub(root, (runs) => {
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

function startHub(root: string, tell: (runs: readonly LiveRun[]) => void) {
  const followed = new Map<RunId, Moments>();
  let runs: readonly RunId[] = [];
  const over = new AbortController();
  let soon: NodeJS.Timeout | null = null;
  const changed = (): void => {
    soon ??= setTimeout(() => {
      soon = null;
      void picture({ root, runs }, followed).then((all) => over.signal.aborted || tell(all));
    }, TOGETHER_MS);
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
    followRun(runFiles(root, run), follower, over.signal).then(end, end);
  };
  const look = (): void => {
    runs = listRuns(root);
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
  here: RunsHere,
  followed: ReadonlyMap<RunId, Moments>,
): Promise<readonly LiveRun[]> {
  const { root } = here;
  const short = shortener(here.runs);
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
const READ = new Map<
  string,
  { readonly stamp: string; readonly view: ReturnType<typeof projectRun> }
>();

async function waiting(here: RunsHere, run: RunId) {
  const files = runFiles(here.root, run);
  const state = statSync(files.state, { throwIfNoEntry: false });
  const stamp = `${state?.mtimeMs} ${state?.size} ${hasResult(runFiles(here.root, run))}`;
  const before = READ.get(files.folder);
  if (before?.stamp === stamp) return before.view;
  const view = hasResult(runFiles(here.root, run))
    ? null
    : await openRun(here.root, run).catch(() => null);
  const open = view?.view.tasks.some((task) => task.pendingQuestion !== null) === true;
  READ.set(files.folder, { stamp, view: open ? (view?.view ?? null) : null });
  return READ.get(files.folder)?.view ?? null;
}
