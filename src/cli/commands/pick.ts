// Which run and which task does "[run] [task]" mean?

import {
  matchRun,
  openRun,
  type OpenedRun,
  pickRun,
  requireRuns,
} from "../../adapters/log/run-reader.ts";
import type { TaskView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

export interface Picked {
  readonly opened: OpenedRun;
  /** null: none was named. */
  readonly task: TaskView | null;
}

/** One name alone may be a task of the run a person means, or a run. */
export async function pickRunAndTask(
  [first, second]: readonly string[],
  io: CliIo,
): Promise<Picked> {
  const here = requireRuns(io.cwd);
  const open = async (wanted: string | null): Promise<OpenedRun> => {
    const opened = await openRun(here.root, pickRun(here, wanted));
    io.logAtHand.path = opened.files.log;
    return opened;
  };
  if (first === undefined) return { opened: await open(null), task: null };
  if (second !== undefined) {
    const opened = await open(first);
    return { opened, task: taskNamed(opened, second) };
  }
  const opened = await open(null);
  const task = opened.view.tasks.find(({ id }) => id === first);
  if (task !== undefined) return { opened, task };
  if (matchRun(here, first) !== null) return { opened: await open(first), task: null };
  return { opened, task: taskNamed(opened, first) };
}

function taskNamed({ view }: OpenedRun, wanted: string): TaskView {
  const task = view.tasks.find(({ id }) => id === wanted);
  if (task !== undefined) return task;
  const ids = view.tasks.map(({ id }) => id);
  throw new OrchError(
    "task-missing",
    `there is no run and no task ${JSON.stringify(wanted)} in ${view.run}`,
    `its tasks: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`,
  );
}
