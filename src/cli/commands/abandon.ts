// How is a run, or one of its tasks, ended for good, with its work kept?

import type { OpenRun } from "../../adapters/log/event-store.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { hasResult, requireRuns, unfinishedRuns } from "../../adapters/log/run-reader.ts";
import { exitCodeOf, isFinished } from "../../core/run/outcome.ts";
import { fold } from "../../core/run/reduce.ts";
import type { RunEvent } from "../../core/model/event.ts";
import { shortener, type TaskId } from "../../core/model/ids.ts";
import type { RunState } from "../../core/model/state.ts";
import { landingDue } from "../../core/run/merging.ts";
import { abandonTask } from "../../engine/begin-and-end.ts";
import { Log } from "../../engine/log.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { realPorts, type RunPlace } from "../running/context.ts";
import { type CliIo, printResult } from "../io.ts";
import { writeResult } from "../running/drive.ts";
import { usage, type Command } from "../command-line/options.ts";
import { begun, openLate, policyOfRun } from "../running/pinned-run.ts";
import { hanging } from "../layout.ts";
import { plural } from "../render/text.ts";
import { isTaken, pickRunAndTask } from "./pick.ts";
import { refuseInsideSession } from "./inside-session.ts";

export const abandonCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch abandon", here.root);
  const open = unfinishedRuns(here);
  if (args[0] === undefined && open.length > 1) throw whichOne(open.map(shortener(here.runs)));
  const { opened, task } = await pickRunAndTask(args, io);
  const { id: run, folder } = opened.files;
  const { id } = opened;
  const owner = currentOwner(folder);
  if (isTaken(owner))
    throw new OrchError(
      "run-claimed",
      `run ${id} is still running; only a stopped run can be abandoned`,
      `stop it with \`orch stop ${id}\``,
    );
  if (hasResult(here, run) || (task !== null && task.end !== null)) throw overAlready(id, task?.id);
  const { store, redactAs } = openLate(here.root, run, io);
  try {
    const going = { store, root: here.root, given, io };
    const place = redactAs((await policyOfRun(begun(store), going)).place);
    const state = await abandon(store, place, task?.id ?? null);
    return tell(state, { run, id, given, io, before: fold(store.events) });
  } finally {
    store.release();
  }
};

async function abandon(store: OpenRun, place: RunPlace, only: string | null): Promise<RunState> {
  const state = fold(store.events);
  const log = new Log(state, store, { recorded: () => {}, activity: () => {} });
  const stopped = state.process === "live" ? "killed" : "in-order";
  await log.append({ type: "run-resumed", stopped, orch: VERSION });
  const ports = realPorts(place, store);
  const open = openTasks(state).filter((id) => only === null || id === only);
  for (const id of open) await abandonTask(id, log, ports);
  // What tasks may have written for further ones is given up with them.
  if (only === null && log.state.unread.length > 0)
    await log.append({ type: "tasks-read", count: state.tasks.length, after: null, unusable: [] });
  const landing = only === null ? landingDue(log.state) : null;
  if (landing !== null) await log.append({ type: "landing-started", ...landing }, NOT_LANDED);
  await log.append({ type: "run-ended", exitCode: exitCodeOf(log.state) });
  writeResult(log.state, exitCodeOf(log.state), store.files);
  return log.state;
}

/** The run may still have been about to carry its work on: that is for a person now. */
const NOT_LANDED: RunEvent = {
  type: "landed",
  of: null,
  result: { kind: "left", why: "the run was abandoned", next: null },
};

function openTasks({ tasks }: RunState): readonly TaskId[] {
  return tasks.flatMap(({ task, cursor }) => (cursor.at === "ended" ? [] : [task.id]));
}

interface Telling {
  readonly run: string;
  /** The run as commands take it. */
  readonly id: string;
  readonly given: Parameters<Command>[1];
  readonly io: CliIo;
  readonly before: RunState;
}

function tell(state: RunState, { run, id, given, io, before }: Telling): number {
  const abandoned = openTasks(before).filter((id) => !openTasks(state).includes(id));
  const rescues = state.tasks
    .filter(({ task }) => abandoned.includes(task.id))
    .flatMap(({ rescues: kept }) => kept.map(({ ref }) => ref));
  const finished = isFinished(state);
  printResult(io, given, { run, abandoned, rescues, finished }, (style) =>
    [
      `abandoned: ${abandoned.join(", ")}`,
      ...(rescues.length === 0
        ? []
        : [`kept: the work of ${plural(rescues.length, "task")}: orch rescue list ${id}`]),
      ...(finished ? [] : [`next: orch resume ${id}, for the other tasks`]),
    ]
      .map((text) => hanging(style, text))
      .join("\n"),
  );
  return 0;
}

const NAMED_MAX = 5;

/** What ends for good is named, where there is more than one. */
function whichOne(ids: readonly string[]): OrchError {
  const more = ids.length > NAMED_MAX ? ", …" : "";
  return usage(
    `${ids.length} runs could be meant: ${ids.slice(0, NAMED_MAX).join(", ")}${more}`,
    `name one: orch abandon ${ids[0] ?? "<run>"}`,
  );
}

function overAlready(run: string, task: string | undefined): OrchError {
  return new OrchError(
    "run-ended",
    `${task === undefined ? `the run ${run}` : `${task} of run ${run}`} has already ended`,
    "`orch show` tells how it ended; `orch clean` removes what is left of it",
  );
}
