// Why was the last decision made?

import { OrchError } from "../../errors.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { decisionsOf, renderExplained, type Explained } from "../render/explain.ts";
import { jsonText } from "../render/json.ts";
import { pickRunAndTask } from "./pick.ts";

export async function explainCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const { opened, task } = await pickRunAndTask(args, io);
  const { view } = opened;
  const tasks = task === null ? view.tasks : [task];
  const perTask = tasks.map(decisionsOf).filter((decisions) => decisions.length > 0);
  const shown = isOn(given, "all") ? perTask.flat() : latest(perTask, task !== null);
  if (shown.length === 0)
    throw new OrchError(
      "run-unknown",
      `nothing was decided yet in run ${view.run}`,
      "a decision follows every attempt; `orch status` says where the run stands",
    );
  if (isOn(given, "json")) printJson(io, jsonText({ run: view.run, decisions: shown }));
  else printOut(io, shown.map((one) => renderExplained(one, styleOf(io, "stdout"))).join("\n\n"));
  return 0;
}

/** The last decision of the task, or of the task that was decided on last. */
function latest(perTask: readonly (readonly Explained[])[], isOne: boolean): readonly Explained[] {
  const lasts = perTask.flatMap((decisions) => decisions.at(-1) ?? []);
  return isOne ? lasts : lasts.slice(-1);
}
