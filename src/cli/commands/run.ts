// How does `orch run` begin?

import { loadConfig, repositoryRoot } from "../../adapters/project/config-loader.ts";
import { createRun } from "../../adapters/log/event-store.ts";
import { newRunId } from "../../adapters/log/run-files.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { refuseSeveral, runSourceOf } from "../../adapters/project/task-argument.ts";
import type { RunEvent, RunSource } from "../../core/model/event.ts";
import { VERSION } from "../../version.ts";
import { requireStartable } from "../../workspace/require-startable.ts";
import { claimTree, drive } from "../drive.ts";
import { preparedAnswers, tellRejected } from "../people.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { type Command, levelGiven, parallelGiven, usage } from "../options.ts";
import { readyTasks, requireNames, runPlace, sayBefore } from "../preflight.ts";

/** Everything that can be wrong is found before the run exists and before anything is spent. */
export const runCommand: Command = async (args, given, io) => {
  if (args.length === 0)
    throw usage(
      "`orch run` needs a task: a file, a folder, or words",
      'for example `orch run tasks/add-login.md` or `orch run "make the flaky test deterministic"`',
    );
  parallelGiven(given);
  const config = await loadConfig(io.cwd);
  const root = repositoryRoot(io.cwd) ?? config.folder;
  refuseInsideSession(io.env, "orch run", root);
  const place = runPlace(root, config, io);
  const { git, runLimits, taskFolder } = config.settings;
  const argumentPlace = { cwd: io.cwd, root, taskFolder: `${config.folder}/${taskFolder}` };
  refuseSeveral(args, argumentPlace);
  const source = runSourceOf(args.join(" "), argumentPlace);
  const { agent = null, model = null, pipeline = null } = given;
  const proof = given.proof === "strict" ? ({ changedChecks: "refuse" } as const) : null;
  const flags = { level: levelGiven(given), agent, model, pipeline, limits: {}, proof };
  requireNames(flags, config.settings);
  const ready = readyTasks(source, flags, place, io);
  if (given.plan === true || given.dryRun === true)
    return (await import("./plan.ts")).showPlan(ready, place, given, io);
  const prepared = preparedAnswers(given, io);
  const tree = claimTree(root);
  try {
    const isolation =
      given.isolation === "branch" || given.isolation === "none" ? given.isolation : git.isolation;
    await requireStartable(root, io.env, isolation);
    const name = ready.tasks.length === 1 ? (ready.tasks[0]?.id ?? "run") : nameOf(source);
    const run = newRunId(systemClock.nowMs(), name, () => systemClock.dice());
    const store = createRun(root, run, { redact: place.redact, onRejected: tellRejected(io) });
    sayBefore(ready, place, given, io);
    // Another place than the config's: what is committed there by default goes with the place.
    const commits = isolation === git.isolation ? git.autoCommit : isolation === "branch";
    const autoCommit = given.autoCommit ?? commits;
    const by = { orch: VERSION, node: process.version };
    const opening: readonly RunEvent[] = [
      { type: "run-started", run, source, isolation, autoCommit, limits: runLimits, flags, ...by },
      ...ready.tasks.map((task): RunEvent => ({ type: "task-defined", task })),
    ];
    return await drive({ place, store, source: ready.source, opening, flags: given, prepared }, io);
  } finally {
    prepared?.stop();
    tree.release();
  }
};

function nameOf(source: RunSource): string {
  if (source.kind === "words") return source.text;
  return source.path.split("/").findLast((part) => part !== "" && part !== ".") ?? "tasks";
}
