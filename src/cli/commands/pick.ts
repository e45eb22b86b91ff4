// Which run and which task does "[run] [task]" mean?

import * as reader from "../../adapters/log/run-reader.ts";
import { readdirSync } from "node:fs";

import type { Owner } from "../../adapters/log/owner.ts";
import { isOfFleet } from "../../adapters/log/run-files.ts";
import { shortener } from "../../core/model/ids.ts";
import type { TaskView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

/** One name alone may be a task of the run a person means, or a run. `task` null: none was named. */
export async function pickRunAndTask(
  [first = null, second = null]: readonly (string | null)[],
  io: CliIo,
): Promise<{ readonly opened: PickedRun; readonly task: TaskView | null }> {
  const here = reader.requireRuns(io.cwd);
  const opened = await openPicked(here, second === null ? null : first);
  const wanted = second ?? first;
  const { tasks } = opened.view;
  if (wanted === null) return { opened, task: null };
  const names: readonly string[] = tasks.map(({ id }) => id);
  const isAlone = second === null;
  const isRun = isAlone && here.runs.some((run) => run.endsWith(`-${wanted}`));
  const which = { code: "task-missing", all: "tasks" } as const;
  const meant = isRun && !names.includes(wanted) ? null : reader.oneMeant(names, wanted, which);
  const task = tasks.find(({ id }) => id === meant) ?? null;
  if (task !== null) return { opened, task };
  const run = isAlone ? reader.matchRun(here, wanted) : null;
  if (run === opened.files.id) return { opened, task: null };
  if (run !== null) return { opened: await openPicked(here, run), task: null };
  const ids = names.slice(0, 10);
  throw new OrchError(
    "task-missing",
    `there is no run and no task ${JSON.stringify(wanted)} in ${opened.view.run}`,
    `its tasks: ${ids.join(", ")}`,
  );
}

/** null: the run that a person means who names none. */
export async function openPicked(here: reader.RunsHere, wanted: string | null): Promise<PickedRun> {
  const run = reader.pickRun(here, wanted);
  const opened = await reader.openRun(here.root, run);
  return { ...opened, id: shortener(here.runs)(run) };
}

export interface PickedRun extends reader.OpenedRun {
  /** As short as tells it from the other runs. */
  readonly id: string;
}

/** Its process lives, or may live: whether it does elsewhere cannot be checked from here. */
export function isTaken({ kind }: Owner): boolean {
  return kind === "live" || kind === "other-place";
}

/** Until it is over, the log of a fleet's run is written by its workers alone. */
export function refuseOfFleet(files: reader.OpenedRun["files"], what: string): void {
  if (!isOfFleet(files) || reader.hasResult(files)) return;
  const message = `${files.id} is a run of the fleet and not over; it cannot be ${what} from here`;
  const hint = "`orch resume` lets it go on; `git merge` takes its branch as it is";
  throw new OrchError("run-claimed", message, hint);
}

/** The parser of answers is slow to load: it is loaded where something lies in the inbox. */
export async function answeredIn(inbox: string): Promise<readonly string[]> {
  try {
    if (!readdirSync(inbox).some((name) => name.endsWith(".json"))) return [];
  } catch {
    return []; // No inbox: nobody has asked for anything.
  }
  const { answersIn } = await import("../../adapters/people/inbox.ts");
  return answersIn(inbox).map(({ question }) => question);
}
