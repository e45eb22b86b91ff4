// How does `orch resume` go on where a run stopped?

import { rmSync } from "node:fs";

import { loadConfig } from "../../adapters/project/config-loader.ts";
import { openRun, type OpenRun } from "../../adapters/log/event-store.ts";
import { requireFree } from "../../adapters/log/owner.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { hasResult, pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import type { PreparedAnswers } from "../../adapters/people/prepared-answers.ts";
import type { RunEvent } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import { isFinished } from "../../core/run/outcome.ts";
import { fold } from "../../core/run/reduce.ts";
import type { RunState } from "../../core/model/state.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { RunPlace } from "../context.ts";
import { claimTree, drive } from "../drive.ts";
import { preparedAnswers, tellRejected } from "../people.ts";
import { refuseInsideSession } from "./inside-session.ts";
import type { CliIo } from "../io.ts";
import { type Given, type ResumeFlags, resumeFlags } from "../options.ts";
import { readyTasks, runPlace, sayBefore } from "../preflight.ts";

/** The config counts as it is now; what the run's own command line chose holds on. */
export async function resumeCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const flags = resumeFlags(given);
  const { root, run, isOver } = pickedRun(args[0] ?? null, io.cwd);
  refuseInsideSession(io.env, "orch resume", root);
  const place = runPlace(root, await loadConfig(io.cwd), io);
  const prepared = preparedAnswers(flags, io);
  requireFree(runFiles(root, run).folder, flags);
  const tree = claimTree(root, flags);
  try {
    const store = openRun(root, run, {
      redact: place.redact,
      takeOver: flags.takeOver,
      onRejected: tellRejected(io),
    });
    try {
      return await resumeRun({ run, isOver, store, place, flags, prepared }, io);
    } finally {
      store.release();
    }
  } finally {
    prepared?.stop();
    tree.release();
  }
}

interface Resumed {
  readonly run: RunId;
  /** Its result.json tells of the end. */
  readonly isOver: boolean;
  readonly store: OpenRun;
  readonly place: RunPlace;
  readonly flags: ResumeFlags;
  readonly prepared: PreparedAnswers | null;
}

async function resumeRun(resumed: Resumed, io: CliIo): Promise<number> {
  const { run, store, place, flags, prepared } = resumed;
  const state = fold(store.events);
  if (state.run === null) throw discarded(run, store);
  // A process that died between the last task's end and the result still owes the result.
  if (isFinished(state) && resumed.isOver) throw ended(run);
  const ready = readyTasks(state.run.source, state.run.flags, place, io);
  sayBefore(ready, place, flags, io);
  const opening = openingOf(state, ready.tasks);
  return drive({ place, store, source: ready.source, opening, flags, prepared }, io);
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

function pickedRun(
  wanted: string | null,
  cwd: string,
): { root: string; run: RunId; isOver: boolean } {
  const here = requireRuns(cwd);
  const run = pickRun(here, wanted);
  const isOver = hasResult(here, run);
  if (wanted === null && isOver) throw ended(run);
  return { root: here.root, run, isOver };
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
