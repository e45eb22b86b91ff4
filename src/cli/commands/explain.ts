// Why was the last decision made?

import { OrchError } from "../../errors.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { decisionsOf, renderExplained } from "../render/explain.ts";
import { pickRunAndTask } from "./pick.ts";

export const explainCommand: Command = async (args, given, io) => {
  const { opened, task } = await pickRunAndTask(args, io);
  const { run, tasks } = opened.view;
  const perTask = (task === null ? tasks : [task]).map(decisionsOf);
  // The last decision of the task, or of the task that was decided on last.
  const lasts = perTask.flatMap((decisions) => decisions.slice(-1));
  const decisions = given.all === true ? perTask.flat() : lasts.slice(-1);
  if (decisions.length === 0)
    throw new OrchError(
      "run-unknown",
      `no decision has been made yet in run ${run}`,
      "a decision follows every attempt; `orch status` says where the run stands",
    );
  printResult(io, given, { run, decisions }, (style) =>
    decisions.map((one) => renderExplained(one, style)).join("\n\n"),
  );
  return 0;
};
