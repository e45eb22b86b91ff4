// How is a run stopped, or ended for good with its work kept?

import { setTimeout as sleep } from "node:timers/promises";

import type { OpenRun } from "../../adapters/log/event-store.ts";
import { currentOwner, type Owner } from "../../adapters/log/owner.ts";
import {
  hasResult,
  requireRuns,
  unfinishedRuns,
  asItStands,
  openRun,
} from "../../adapters/log/run-reader.ts";
import { exitCodeOf } from "../../core/run/outcome.ts";
import { fold } from "../../core/run/reduce.ts";
import type { RunEvent } from "../../core/model/event.ts";
import { firstOf } from "../../core/model/excerpt.ts";
import { shortener, type TaskId, type RunId } from "../../core/model/ids.ts";
import type { RunState } from "../../core/model/state.ts";
import { landingDue } from "../../core/run/merging.ts";
import { abandonTask, findPlaces } from "../../engine/begin-and-end.ts";
import { Log } from "../../engine/log.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { realPorts, type RunPlace } from "../running/context.ts";
import { printResult, printErr } from "../io.ts";
import { writeResult } from "../running/drive.ts";
import { usage, type Command } from "../command-line/options.ts";
import { begun, openLate, policyOfRun } from "../running/pinned-run.ts";
import { hanging } from "../layout.ts";
import { plural } from "../render/text.ts";
import { isTaken, openPicked, refuseOfFleet } from "./pick.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { removeIfPresent } from "../../adapters/files/atomic-file.ts";
import { isOfFleet, runFiles } from "../../adapters/log/run-files.ts";
import { writeRequest } from "../../adapters/people/inbox.ts";
import { userName } from "../running/at-terminal.ts";
import { renderStatus } from "./status.ts";

export const abandonCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch abandon", here.root);
  const open = unfinishedRuns(here);
  if (args[0] === undefined && open.length > 1) {
    // What ends for good is named.
    const names = open.map(shortener(here.runs));
    const all = `${names.length} runs could be meant: ${firstOf(names, NAMED_MAX)}`;
    throw usage(all, `name one: orch abandon ${names[0] ?? "<run>"}`);
  }
  const { id, files } = await openPicked(here, args[0] ?? null);
  const run = files.id;
  if (isTaken(currentOwner(files.folder)))
    throw new OrchError(
      "run-claimed",
      `run ${id} is still running; only a stopped run can be abandoned`,
      `stop it with \`orch stop ${id}\``,
    );
  refuseOfFleet(files, "abandoned");
  if (hasResult(files))
    throw new OrchError(
      "run-ended",
      `the run ${id} has already ended`,
      "`orch show` tells how it ended; `orch clean` removes what is left of it",
    );
  const { store, redactAs } = openLate(here.root, run, io);
  try {
    const going = { store, root: here.root, given, io };
    const place = redactAs((await policyOfRun(begun(store), going)).place);
    const abandoned = openTasks(fold(store.events));
    const { tasks } = await abandon(store, place);
    const keeping = tasks.filter(
      ({ task, rescues }) => abandoned.includes(task.id) && rescues.length > 0,
    );
    const rescues = keeping.flatMap(({ rescues: kept }) => kept.map(({ ref }) => ref));
    const kept = `kept: the work of ${plural(keeping.length, "task")}: orch rescue ${id}`;
    printResult(io, given, { run, abandoned, rescues }, (style) =>
      [`abandoned: ${abandoned.join(", ")}`, ...(rescues.length === 0 ? [] : [kept])]
        .map((text) => hanging(style, text))
        .join("\n"),
    );
    return 0;
  } finally {
    store.release();
  }
};

async function abandon(store: OpenRun, place: RunPlace): Promise<RunState> {
  const state = fold(store.events);
  const log = new Log(state, store, { recorded: () => {}, activity: () => {} });
  const stopped = state.process === "live" ? "killed" : "in-order";
  await log.append({ type: "run-resumed", stopped, orch: VERSION });
  const ports = realPorts(place, store);
  await findPlaces(log, ports);
  for (const id of openTasks(state)) await abandonTask(id, log, ports);
  // What tasks may have written for further ones is given up with them.
  if (log.state.unread.length > 0)
    await log.append({ type: "tasks-read", after: null, unusable: [] });
  const landing = landingDue(log.state);
  if (landing !== null) await log.append({ type: "landing-started", ...landing }, NOT_LANDED);
  await log.append({ type: "run-ended", exitCode: exitCodeOf(log.state) });
  writeResult(log.state, exitCodeOf(log.state), store.files);
  return log.state;
}

/** The run may still have been about to carry its work on: that is for a person now. */
const NOT_LANDED: RunEvent = {
  type: "landed",
  of: null,
  result: { kind: "left", why: "the run was abandoned", next: null },
};

function openTasks({ tasks }: RunState): readonly TaskId[] {
  return tasks.flatMap(({ task, cursor, pendingQuestion }) =>
    cursor.at === "ended" && pendingQuestion === null ? [] : [task.id],
  );
}

const NAMED_MAX = 5;

/** An agent gets time to wrap up, and a gate to end. */
const LEAVES_MS_MAX = 120_000;
const LOOK_MS = 50;

export const stopCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch stop", here.root);
  const ownerOf = (run: RunId) => currentOwner(runFiles(here.root, run).folder);
  const atWork = here.runs.find((run) => ownerOf(run).kind === "live");
  const { files, owner, id } = await openPicked(here, wanted ?? atWork ?? null);
  if (owner.kind === "other-place" && !isOfFleet(files))
    throw new OrchError(
      "other-host",
      `run ${id} is owned by a process on another machine (on ${JSON.stringify(owner.host)})`,
      "stop it there",
    );
  const wasAlive = isTaken(owner);
  if (wasAlive) {
    if (given.json !== true) printErr(io, `asking run ${id} to stop …`);
    const request = writeRequest(files.inbox, { kind: "cancel", by: `orch stop (${userName()})` });
    try {
      await left(files.folder, epochOf(owner));
    } finally {
      // It may have ended by itself: whoever goes on with the run was not asked to stop.
      removeIfPresent(request.file);
    }
  }
  const { view } = await openRun(here.root, files.id);
  const stopped = asItStands(view, currentOwner(files.folder));
  const shown = { run: stopped.run, wasAlive, phase: stopped.phase, finished: stopped.finished };
  printResult(io, given, shown, (style) => {
    const around = { id, alive: false, nowMs: Date.now(), answered: [] };
    const head = hanging(style, `run ${id} ${wasAlive ? "stopped" : "was not running"}`);
    return [head, "", renderStatus(stopped, around, style)].join("\n");
  });
  return 0;
};

function epochOf(owner: Owner): number {
  return "epoch" in owner ? owner.epoch : 0;
}

async function left(folder: string, epoch: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const owner = currentOwner(folder);
    if (!isTaken(owner) || epochOf(owner) !== epoch) return;
    if (waitedMs >= LEAVES_MS_MAX)
      throw new OrchError(
        "run-claimed",
        `the run was asked to stop and has not stopped within ${LEAVES_MS_MAX / 60_000} minutes`,
        "press Ctrl+C in its own terminal; what is recorded is kept either way",
      );
    await sleep(LOOK_MS);
  }
}
