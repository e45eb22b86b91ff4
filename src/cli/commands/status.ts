// Where does a run stand, and what is to be done next?

import { asItStands, requireRuns, unfinishedRuns } from "../../adapters/log/run-reader.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { renderStatus } from "../render/status-table.ts";
import { answeredIn } from "./answered.ts";
import { isTaken, openPicked } from "./pick.ts";

export const statusCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const { files, owner, view: recorded } = await openPicked(here, wanted, io);
  const view = asItStands(recorded, owner);
  const around = {
    alive: isTaken(owner),
    nowMs: Date.now(),
    answered: await answeredIn(files.inbox),
    alsoUnfinished: wanted === null ? unfinishedRuns(here).filter((run) => run !== files.id) : [],
  };
  printResult(io, given, { ...view, owner }, (style) => renderStatus(view, around, style));
  return 0;
};
