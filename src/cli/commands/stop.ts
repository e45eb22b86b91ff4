// How is a run stopped from another shell, so that it can be resumed?

import { setTimeout as sleep } from "node:timers/promises";

import { removeIfPresent } from "../../adapters/files/atomic-file.ts";
import { currentOwner, type Owner } from "../../adapters/log/owner.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { asItStands, openRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { writeRequest } from "../../adapters/people/inbox.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { RunView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import { userName } from "../running/at-terminal.ts";
import { printErr, printResult, type Style } from "../io.ts";
import { hanging } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { howToAnswer } from "../render/question.ts";
import { plural } from "../render/text.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { openPicked } from "./pick.ts";

/** An agent gets time to wrap up, and a gate to end. */
const LEAVES_MS_MAX = 120_000;
const LOOK_MS = 50;

export const stopCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch stop", here.root);
  const atWork = here.runs.find((run) => ownerOf(here.root, run).kind === "live");
  const { files, owner, id } = await openPicked(here, wanted ?? atWork ?? null, io);
  if (owner.kind === "other-place")
    throw new OrchError(
      "other-host",
      `run ${id} is owned by a process on another machine (on ${JSON.stringify(owner.host)})`,
      "stop it there",
    );
  const wasAlive = owner.kind === "live";
  if (wasAlive) {
    if (given.json !== true) printErr(io, `asking run ${id} to stop …`);
    const request = writeRequest(files.inbox, { kind: "cancel", by: `orch stop (${userName()})` });
    try {
      await left(files.folder, owner.epoch);
    } finally {
      // It may have ended by itself: whoever goes on with the run was not asked to stop.
      removeIfPresent(request.file);
    }
  }
  const { view } = await openRun(here.root, files.id);
  const stopped = asItStands(view, currentOwner(files.folder));
  const shown = { run: stopped.run, wasAlive, phase: stopped.phase, finished: stopped.finished };
  printResult(io, given, shown, (style) => renderStopped(stopped, { id, wasAlive }, style));
  return 0;
};

function ownerOf(root: string, run: RunId): Owner {
  return currentOwner(runFiles(root, run).folder);
}

async function left(folder: string, epoch: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    const owner = currentOwner(folder);
    if (owner.kind !== "live" || owner.epoch !== epoch) return;
    if (waitedMs >= LEAVES_MS_MAX)
      throw new OrchError(
        "run-claimed",
        `the run was asked to stop and has not stopped within ${LEAVES_MS_MAX / 60_000} minutes`,
        "press Ctrl+C in its own terminal; what is recorded is kept either way",
      );
    await sleep(LOOK_MS);
  }
}

/** `id`: the run as commands take it. */
function renderStopped(
  { finished, tasks, pendingQuestion }: RunView,
  { id, wasAlive }: { readonly id: string; readonly wasAlive: boolean },
  style: Style,
): string {
  const before = wasAlive ? "" : "was not running: ";
  if (finished) return hanging(style, `run ${id} ${before}it has ended; orch show ${id}`);
  const done = tasks.filter(({ phase }) => phase === "done").length;
  const begun = tasks.filter(({ end, startedAt }) => end === null && startedAt !== null).length;
  const questions =
    pendingQuestion === null
      ? []
      : [`a question waits: ${howToAnswer(pendingQuestion, true)[0] ?? "orch answer"}`];
  return [
    `run ${id} ${wasAlive ? "stopped" : "was not running"}: ${done} of ${plural(tasks.length, "task")} done`,
    ...(begun === 0 ? [] : [`kept: the trees and checkpoints of ${plural(begun, "task")}`]),
    ...questions,
    `next: orch resume ${id}`,
    `or end it for good: orch abandon ${id}`,
  ]
    .map((text) => hanging(style, text))
    .join("\n");
}
