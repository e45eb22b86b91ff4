// What happened in a run or one of its tasks?

import { asItStands } from "../../adapters/log/run-reader.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { renderShow } from "../render/show.ts";
import { pickRunAndTask } from "./pick.ts";
import { answeredIn } from "./status.ts";

export async function showCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const { opened, task } = await pickRunAndTask(args, io);
  const view = asItStands(opened.view, opened.owner);
  const tasks = task === null ? view.tasks : view.tasks.filter(({ id }) => id === task.id);
  if (isOn(given, "json")) printJson(io, jsonText({ ...view, tasks }));
  else {
    const moment = { nowMs: Date.now(), answered: await answeredIn(opened) };
    printOut(io, renderShow(view, tasks, moment, styleOf(io, "stdout")));
  }
  return 0;
}
