// What would `orch run` do, and what would its agents be told? Nothing is spent, and no run is made.

import { repositoryRoot } from "../../adapters/project/config-loader.ts";
import { waves } from "../../core/run/waves.ts";
import type { RunPlace } from "../context.ts";
import { type CliIo, printResult } from "../io.ts";
import { type Given, parallelGiven } from "../options.ts";
import type { ReadyTasks } from "../preflight.ts";
import { type PlannedTask, renderPlan } from "../render/plan.ts";

export function showPlan(
  { tasks, notes }: ReadyTasks,
  { settings }: RunPlace,
  given: Given,
  io: CliIo,
): number {
  const isolation = given.isolation ?? settings.git.isolation;
  const isInPlace = isolation === "none" || repositoryRoot(io.cwd) === null;
  const parallel = isInPlace ? 1 : (parallelGiven(given) ?? settings.parallel);
  const plan = {
    parallel,
    waves: waves(tasks, parallel).map((wave) =>
      wave.map(({ task: { id, title, source, scope, dependsOn }, why }): PlannedTask => {
        const file = source.kind === "file" ? source.path : null;
        return { id, title, file, scope, dependsOn, why };
      }),
    ),
    notes: isInPlace && tasks.length > 1 ? [...notes, ONE_TREE] : notes,
  };
  printResult(io, given, plan, (style) => renderPlan(plan, style));
  return 0;
}

const ONE_TREE = "the tasks share one tree, so they run one at a time";
