// How does `orch run` begin?

import { loadConfig, repositoryRoot } from "../../adapters/project/config-loader.ts";
import { createRun } from "../../adapters/log/event-store.ts";
import { newRunId } from "../../adapters/log/run-files.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { refuseSeveral, runSourceOf } from "../../adapters/project/task-argument.ts";
import { assertNever } from "../../core/model/assert.ts";
import type { RunEvent, RunSource } from "../../core/model/event.ts";
import type { Overrides } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import { requireStartable } from "../../workspace/require-startable.ts";
import type { RunPlace } from "../context.ts";
import { claimTree, drive } from "../drive.ts";
import { preparedAnswers, tellRejected } from "../people.ts";
import { refuseInsideSession } from "./inside-session.ts";
import type { CliIo } from "../io.ts";
import { type Given, type RunFlags, runFlags } from "../options.ts";
import { readyTasks, requireNames, runPlace, sayBefore } from "../preflight.ts";

/** Everything that can be wrong is found before the run exists and before anything is spent. */
export async function runCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const flags = runFlags(given);
  const argument = argumentOf(args);
  const config = await loadConfig(io.cwd);
  const root = repositoryRoot(io.cwd) ?? config.folder;
  refuseInsideSession(io.env, "orch run", root);
  const place = runPlace(root, config, io);
  const { settings } = config;
  const taskFolder = `${config.folder}/${settings.taskFolder}`;
  const argumentPlace = { cwd: io.cwd, root, taskFolder };
  refuseSeveral(args, argumentPlace);
  const source = runSourceOf(argument, argumentPlace);
  const overrides = overridesOf(flags);
  requireNames(overrides, settings);
  const ready = readyTasks(source, overrides, place, io);
  const { tasks } = ready;
  const prepared = preparedAnswers(flags, io);
  const tree = claimTree(root);
  try {
    await requireStartable(root, io.env, flags.isolation ?? settings.git.isolation);
    const name = tasks.length === 1 ? (tasks[0]?.id ?? "run") : nameOf(source);
    const id = newRunId(systemClock.nowMs(), name, () => systemClock.dice());
    const store = createRun(root, id, { redact: place.redact, onRejected: tellRejected(io) });
    sayBefore(ready, place, flags, io);
    const opening = openingOf({ run: id, source, flags, overrides, place, tasks });
    return await drive({ place, store, source: ready.source, opening, flags, prepared }, io);
  } finally {
    prepared?.stop();
    tree.release();
  }
}

function argumentOf(args: readonly string[]): string {
  if (args.length > 0) return args.join(" ");
  throw new OrchError(
    "usage",
    "`orch run` needs a task: a file, a folder, or words",
    'for example `orch run tasks/add-login.md` or `orch run "make the flaky test deterministic"`',
  );
}

function overridesOf({ level, agent, model, pipeline }: RunFlags): Overrides {
  return { level, agent, model, pipeline, limits: {} };
}

function nameOf(source: RunSource): string {
  switch (source.kind) {
    case "folder":
    case "file":
      return source.path.split("/").findLast((part) => part !== "" && part !== ".") ?? "tasks";
    case "words":
      return source.text;
    default:
      return assertNever(source, "source");
  }
}

interface Opening {
  readonly run: ReturnType<typeof newRunId>;
  readonly source: RunSource;
  readonly flags: RunFlags;
  readonly overrides: Overrides;
  readonly place: RunPlace;
  readonly tasks: readonly Task[];
}

function openingOf({ run, source, flags, overrides, place, tasks }: Opening): readonly RunEvent[] {
  const { git, runLimits } = place.settings;
  const isolation = flags.isolation ?? git.isolation;
  // Another place than the config's: what is committed there by default goes with the place.
  const autoCommit = isolation === git.isolation ? git.autoCommit : isolation === "branch";
  return [
    {
      type: "run-started",
      run,
      source,
      isolation,
      autoCommit: flags.autoCommit ?? autoCommit,
      limits: runLimits,
      flags: overrides,
      orch: VERSION,
      node: process.version,
    },
    ...tasks.map((task): RunEvent => ({ type: "task-defined", task })),
  ];
}
