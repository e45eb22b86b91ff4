// What happened in a run or one of its tasks?

import { asItStands } from "../../adapters/log/run-reader.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { renderShow } from "../render/show.ts";
import { answeredIn } from "./answered.ts";
import { isTaken, pickRunAndTask } from "./pick.ts";

export const showCommand: Command = async (args, given, io) => {
  const { opened, task } = await pickRunAndTask(args, io);
  const view = asItStands(opened.view, opened.owner);
  const tasks = task === null ? view.tasks : view.tasks.filter(({ id }) => id === task.id);
  const [alive, answered] = [isTaken(opened.owner), await answeredIn(opened.files.inbox)];
  const moment = { id: opened.id, alive, nowMs: Date.now(), answered };
  const shown = { ...view, tasks };
  printResult(io, given, shown, (style) => renderShow(shown, moment, style));
  return 0;
};
