// Where does a run stand, and what is to be done next?

import { asItStands, requireRuns, unfinishedRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { renderStatus } from "../render/status-table.ts";
import { answeredIn } from "./answered.ts";
import { isTaken, openPicked } from "./pick.ts";

export const statusCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const { id, files, owner, view: recorded } = await openPicked(here, wanted, io);
  const view = asItStands(recorded, owner);
  const answered = await answeredIn(files.inbox);
  printResult(io, given, { ...view, owner }, (style) => {
    const unfinished = wanted === null ? unfinishedRuns(here) : [];
    const alsoUnfinished = unfinished.filter((run) => run !== files.id).map(shortener(here.runs));
    const around = { id, alive: isTaken(owner), nowMs: Date.now(), answered, alsoUnfinished };
    return renderStatus(view, around, style);
  });
  return 0;
};
