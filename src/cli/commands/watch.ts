// How is a run watched from another terminal?

import { currentOwner } from "../../adapters/log/owner.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { shortener } from "../../core/model/ids.ts";
import { projectRun } from "../../core/views/projection.ts";
import { OrchError } from "../../errors.ts";
import { followRun, type Follower } from "../running/follow.ts";
import type { Command } from "../command-line/options.ts";
import { createDisplay } from "../running/view.ts";
import { isTaken } from "./pick.ts";

/** As the run's own terminal shows it; the end of this changes nothing about the run. */
export const watchCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const files = runFiles(here.root, pickRun(here, wanted));
  io.logAtHand.path = files.log;
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
