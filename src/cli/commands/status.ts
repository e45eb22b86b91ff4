// Where does a run stand, and what is to be done next?

import {
  asItStands,
  openRun,
  type OpenedRun,
  pickRun,
  requireRuns,
  unfinishedRuns,
} from "../../adapters/log/run-reader.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { renderStatus } from "../render/status-table.ts";

export async function statusCommand(
  [wanted = null]: readonly (string | null)[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const here = requireRuns(io.cwd);
  const run = pickRun(here, wanted);
  const opened = await openRun(here.root, run);
  io.logAtHand.path = opened.files.log;
  const view = asItStands(opened.view, opened.owner);
  if (isOn(given, "json")) {
    printJson(io, jsonText({ ...view, owner: opened.owner }));
    return 0;
  }
  const around = {
    alive: opened.owner.kind === "live" || opened.owner.kind === "other-place",
    nowMs: Date.now(),
    answered: await answeredIn(opened),
    alsoUnfinished: wanted === null ? unfinishedRuns(here).filter((other) => other !== run) : [],
  };
  printOut(io, renderStatus(view, around, styleOf(io, "stdout")));
  return 0;
}

/** Answers are rare and their parser is slow to load: it is loaded when there is a question. */
export async function answeredIn({ view, files }: OpenedRun): Promise<readonly string[]> {
  if (view.tasks.every((task) => task.pendingQuestion === null)) return [];
  const { answersIn } = await import("../../adapters/people/inbox.ts");
  return answersIn(files.inbox).map((answer) => answer.question);
}
