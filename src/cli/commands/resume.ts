// How does `orch resume` go on where a run stopped?

import { rmSync } from "node:fs";

import { loadConfig } from "../../adapters/project/config-loader.ts";
import { openRun, type OpenRun } from "../../adapters/log/event-store.ts";
import { currentOwner, requireFree, type Ownership } from "../../adapters/log/owner.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import {
  hasResult,
  pickRun,
  requireRuns,
  type RunsHere,
  unfinishedRuns,
} from "../../adapters/log/run-reader.ts";
import { answersIn } from "../../adapters/people/inbox.ts";
import type { RunEvent } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import { isFinished } from "../../core/run/outcome.ts";
import { fold } from "../../core/run/reduce.ts";
import type { RunState } from "../../core/model/state.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { claimTree, drive } from "../drive.ts";
import { preparedAnswers, tellRejected } from "../people.ts";
import { isTaken } from "./pick.ts";
import { refuseInsideSession } from "./inside-session.ts";
import type { Command } from "../options.ts";
import { confinedAs, readyTasks, runPlace, sayBefore } from "../preflight.ts";

/** The config counts as it is now; what the run's own command line chose holds on. */
export const resumeCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const { root } = here;
  const run = wanted === null ? meantRun(here) : pickRun(here, wanted);
  // Its result.json tells of the end.
  const isOver = hasResult(here, run);
  if (wanted === null && isOver) throw ended(run);
  refuseInsideSession(io.env, "orch resume", root);
  const found = runPlace(root, await loadConfig(io.cwd), io);
  const prepared = preparedAnswers(given, io);
  const claim = { takeOver: given.takeOver === true };
  requireFree(runFiles(root, run).folder, claim);
  let tree: Ownership | null = null;
  try {
    const onRejected = tellRejected(io);
    const store = openRun(root, run, { redact: found.redact, ...claim, onRejected });
    try {
      const state = fold(store.events);
      if (state.run === null) throw discarded(run, store);
      if (state.run.isolation === "none") tree = claimTree(root, claim);
      // A process that died between the last task's end and the result still owes the result.
      if (isFinished(state) && isOver) throw ended(run);
      const place = confinedAs(found, state);
      const ready = readyTasks(state.run.source, state.run.flags, place, io);
      sayBefore(ready, place, given, io);
      const opening = openingOf(state, ready.tasks);
      const plan = { place, store, source: ready.source, opening, flags: given, prepared };
      return await drive(plan, io);
    } finally {
      store.release();
    }
  } finally {
    prepared?.stop();
    tree?.release();
  }
};

/** One that nobody works on: where an answer waits to be used, else the newest that can go on. */
function meantRun(here: RunsHere): RunId {
  const free = unfinishedRuns(here).filter(
    (run) => !isTaken(currentOwner(runFiles(here.root, run).folder)),
  );
  const answered = free.find((run) => answersIn(runFiles(here.root, run).inbox).length > 0);
  return answered ?? free[0] ?? pickRun(here, null);
}

/** What changed in the definitions of unfinished tasks since the run last looked. */
function openingOf(state: RunState, tasks: readonly Task[]): readonly RunEvent[] {
  const known = new Map(state.tasks.map((t) => [t.task.id, JSON.stringify(t.task)]));
  const changed = tasks.filter((task) => known.get(task.id) !== JSON.stringify(task));
  return [
    {
      type: "run-resumed",
      stopped: state.process === "live" ? "killed" : "in-order",
      orch: VERSION,
    },
    ...changed.map((task): RunEvent => ({ type: "task-defined", task })),
  ];
}

/** The process died between making the run's folder and its first event: there is nothing to go on with. */
function discarded(run: RunId, store: OpenRun): OrchError {
  store.release();
  rmSync(store.files.folder, { recursive: true, force: true });
  return new OrchError(
    "run-unknown",
    `the run ${run} died before its first event; its empty folder is removed`,
    "start it again with `orch run`",
  );
}

function ended(run: RunId): OrchError {
  return new OrchError(
    "run-ended",
    `the run ${run} has ended; nothing is left to go on with`,
    "`orch show` tells how it ended; start another with `orch run`",
  );
}
