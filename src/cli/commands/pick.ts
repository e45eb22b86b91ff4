// Which run and which task does "[run] [task]" mean?

import type { Owner } from "../../adapters/log/owner.ts";
import * as reader from "../../adapters/log/run-reader.ts";
import type { TaskView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

/** One name alone may be a task of the run a person means, or a run. `task` null: none was named. */
export async function pickRunAndTask(
  [first = null, second = null]: readonly (string | null)[],
  io: CliIo,
): Promise<{ readonly opened: reader.OpenedRun; readonly task: TaskView | null }> {
  const here = reader.requireRuns(io.cwd);
  const opened = await openPicked(here, second === null ? null : first, io);
  const wanted = second ?? first;
  const task = opened.view.tasks.find(({ id }) => id === wanted) ?? null;
  if (wanted === null || task !== null) return { opened, task };
  if (second === null && reader.matchRun(here, wanted) !== null)
    return { opened: await openPicked(here, wanted, io), task: null };
  const ids = opened.view.tasks.slice(0, 10).map(({ id }) => id);
  throw new OrchError(
    "task-missing",
    `there is no run and no task ${JSON.stringify(wanted)} in ${opened.view.run}`,
    `its tasks: ${ids.join(", ")}`,
  );
}

/** null: the run that a person means who names none. */
export async function openPicked(
  here: reader.RunsHere,
  wanted: string | null,
  io: CliIo,
): Promise<reader.OpenedRun> {
  const opened = await reader.openRun(here.root, reader.pickRun(here, wanted));
  io.logAtHand.path = opened.files.log;
  return opened;
}

/** Its process lives, or may live: whether it does elsewhere cannot be checked from here. */
export function isTaken({ kind }: Owner): boolean {
  return kind === "live" || kind === "other-place";
}
