// How does the work of a run, or of one of its tasks, get into the branch the run started from?

import { currentOwner } from "../../adapters/log/owner.ts";
import { requireRuns } from "../../adapters/log/run-reader.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { RunId, TaskId } from "../../core/model/ids.ts";
import type { LandingIntent } from "../../core/model/landing.ts";
import type { RunState } from "../../core/model/state.ts";
import { exitCodeOf } from "../../core/run/outcome.ts";
import { endOf } from "../../core/run/select.ts";
import { fold } from "../../core/run/reduce.ts";
import { Stop } from "../../engine/interrupt.ts";
import { land } from "../../engine/land.ts";
import { Log } from "../../engine/log.ts";
import { OrchError } from "../../errors.ts";
import { realPorts } from "../running/context.ts";
import { listen, writeResult } from "../running/drive.ts";
import { printResult, type CliIo } from "../io.ts";
import type { Command, Given } from "../command-line/options.ts";
import { begun, openLate, policyOfRun } from "../running/pinned-run.ts";
import { landedLines } from "../render/landing.ts";
import { hanging } from "../layout.ts";
import { isTaken, pickRunAndTask, refuseOfFleet } from "./pick.ts";
import { refuseInsideSession } from "./inside-session.ts";

/** As a task that a person has to help. */
const LEFT = 3;
const INTERRUPTED = 130;

export const mergeCommand: Command = async (args, given, io) => {
  const { root } = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch merge", root);
  const { opened, task } = await pickRunAndTask(args, io);
  const { id, files } = opened;
  if (isTaken(currentOwner(files.folder)))
    throw new OrchError(
      "run-claimed",
      `run ${id} is still running; its work can be merged when it ends`,
      `wait for it with \`orch watch ${id}\`, or \`orch stop ${id}\``,
    );
  refuseOfFleet(files, "merged");
  return mergeRun({ root, run: files.id, id, task: task?.id }, given, io);
};

interface Meant {
  readonly root: string;
  readonly run: RunId;
  /** The run, as short as tells it from the others. */
  readonly id: string;
  /** All that is merged, where none is named. */
  readonly task: string | undefined;
}

async function mergeRun({ root, run, id, task }: Meant, given: Given, io: CliIo): Promise<number> {
  const { store, redactAs } = openLate(root, run, io);
  const stop = new Stop();
  const unlisten = listen(stop);
  try {
    const going = { store, root, given, io };
    const place = redactAs((await policyOfRun(begun(store), going)).place);
    const state = fold(store.events);
    const of = state.tasks.find((one) => one.task.id === task)?.task.id ?? null;
    const intent = intentOf(state, of, id);
    const log = new Log(state, store, { recorded: () => {}, activity: () => {} });
    const { places, ...ports } = realPorts(place, store);
    const landing = land(intent, log, { ...ports, stop });
    await landing.catch(() => undefined);
    await places.close();
    const result = await landing;
    writeResult(log.state, log.state.exitCode ?? exitCodeOf(log.state), store.files);
    const along = builtOn(state, intent.of);
    printResult(
      io,
      given,
      { run, task: intent.of, branch: intent.branch, along, result },
      (style) =>
        [
          ...(along.length === 0 ? [] : [`with what it was built on: ${along.join(", ")}`]),
          ...landedLines(intent.branch, result, id),
        ]
          .map((text) => hanging(style, text))
          .join("\n"),
    );
    return result?.kind === "landed" ? 0 : result === null ? INTERRUPTED : LEFT;
  } finally {
    unlisten();
    store.release();
  }
}

function intentOf({ run, merged, tasks }: RunState, id: TaskId | null, as: string): LandingIntent {
  const last = id === null ? merged.at(-1) : merged.find(({ task }) => task === id);
  const branch = run?.base?.branch ?? null;
  const open = tasks
    .flatMap(({ pendingQuestion }) => pendingQuestion ?? [])
    .find((one) => one.kind === "dispute" && (id ?? one.task) === one.task);
  if (last === undefined && open !== undefined)
    throw new OrchError(
      "question-unknown",
      `${open.task} is finished, and a person must look: ${excerpt(open.question, 200)}`,
      `take it as it is: \`orch answer ${open.id} --run ${as} --accept --resume\`, and merge again`,
    );
  const end = tasks.flatMap((one) => (one.task.id === id ? (endOf(one) ?? []) : []))[0];
  if (end?.kind === "outdone")
    throw new OrchError(
      "run-unknown",
      `${id} is outdone: ${end.reason}`,
      `\`orch diff ${id}\` shows its work; take it with git from the branch that \`orch show\` names`,
    );
  if (last === undefined)
    throw new OrchError(
      "run-unknown",
      id === null ? "no task of the run is finished yet" : `${id} is not finished`,
      "`orch show` says where it stands; `orch diff` shows work that is not finished",
    );
  if (branch === null)
    throw new OrchError(
      "branch-in-use",
      "no branch was checked out when the run began, so there is none to merge into",
      `check out a branch, then \`git merge ${run?.base?.into ?? ""}\``,
    );
  return { how: "merge", commit: last.commit, branch, of: id };
}

/** Tasks that were merged before it, whose work its own goes on from. */
function builtOn({ merged }: RunState, id: TaskId | null): readonly TaskId[] {
  const at = merged.findIndex(({ task }) => task === id);
  return merged.slice(0, Math.max(0, at)).map(({ task }) => task);
}
