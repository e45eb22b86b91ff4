// What happened in a run, event by event?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles, type RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import { eventLine } from "../../schema/event-line.ts";
import { followRun, type Follower } from "../running/at-terminal.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import type { Command, Given } from "../command-line/options.ts";
import { createStory } from "../render/log.ts";
import { createDisplay } from "../running/view.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { shortener } from "../../core/model/ids.ts";
import { projectRun } from "../../core/views/projection.ts";
import { OrchError } from "../../errors.ts";
import { isTaken } from "./pick.ts";

export const logCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const files = runFiles(here.root, pickRun(here, wanted));
  const story = createStory(styleOf(io, "stdout"));
  const about = { files, given, io, story };
  const follower: Follower = { recorded: (events) => print(events, about), acted: () => {} };
  if (given.follow === true) await followRun(files, follower, io.readerGone);
  else print(requireLog(files.log, readLog(files.log)).events, about);
  return 0;
};

interface Printing {
  readonly files: RunFiles;
  readonly given: Given;
  readonly io: CliIo;
  readonly story: ReturnType<typeof createStory>;
}

function print(events: readonly Recorded[], { files, given, io, story }: Printing): void {
  for (const recorded of events) {
    if (io.readerGone.aborted) return;
    const line = given.json === true ? null : story(recorded);
    if (line !== null) printOut(io, line);
    else if (given.json === true) printJson(io, eventLine(files.id, recorded));
  }
}

/** As the run's own terminal shows it; the end of this changes nothing about the run. */
export const watchCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const files = runFiles(here.root, pickRun(here, wanted));
  if (!isTaken(currentOwner(files.folder)))
    throw new OrchError(
      "run-ended",
      `the run ${files.id} is not running`,
      "`orch status` shows where it stands, `orch resume` continues it",
    );
  const display = createDisplay(io, {
    ...given,
    run: files.id,
    short: shortener(here.runs)(files.id),
  });
  const { view: watched } = display;
  const follower: Follower = {
    recorded: (events, state) => watched.recorded(events, state),
    acted: ({ task, step, event }) => watched.activity(task, step, event),
  };
  const over = new AbortController();
  process.once("SIGINT", () => over.abort());
  try {
    const state = await followRun(files, follower, AbortSignal.any([io.readerGone, over.signal]));
    const view = over.signal.aborted ? null : projectRun(state);
    if (view !== null) display.end(view, state.exitCode ?? 0);
  } finally {
    display.stop();
  }
  return 0;
};
