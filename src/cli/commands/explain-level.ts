// Which interaction level would count here, who says so, and what does each level ask?

import { environmentLevel } from "../../adapters/project/environment-level.ts";
import { refuseSeveral, runSourceOf } from "../../adapters/project/task-argument.ts";
import type { ReadFile } from "../../adapters/project/task-files.ts";
import { levelRules } from "../../core/views/level-table.ts";
import type { Layer } from "../../core/views/policy-sources.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, type RunFlags, runFlags } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { type LevelHere, renderLevels } from "../render/levels.ts";
import {
  type Asked,
  filesOf,
  LEVEL,
  pipelineOf,
  type Project,
  projectAt,
  stepPolicies,
} from "./project-policy.ts";

/** Reads what a run would read, and runs nothing. */
export async function explainLevel(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const flags = runFlags(given);
  const project = await projectAt(io.cwd);
  const tasks = args.length === 0 ? [] : tasksNamed(args, project, io.cwd);
  const level = environmentLevel(io.env);
  const asked = { project, pipeline: flags.pipeline, level, flags: flagLayer(flags) };
  const here = (tasks.length === 0 ? [null] : tasks).flatMap((task) =>
    levelsOf({ ...asked, task }, flags),
  );
  const levels = levelRules(project.settings.uncertainty);
  if (flags.json) printJson(io, jsonText({ here, levels }));
  else printOut(io, renderLevels(levels, here, styleOf(io, "stdout")));
  return 0;
}

function tasksNamed(
  args: readonly string[],
  { root, folder, settings }: Project,
  cwd: string,
): readonly ReadFile[] {
  const place = { cwd, root, taskFolder: `${folder}/${settings.taskFolder}` };
  refuseSeveral(args, place);
  return filesOf(runSourceOf(args.join(" "), place), root);
}

function flagLayer({ level }: RunFlags): Layer {
  const source = { kind: "flag", flag: "--interaction-threshold" } as const;
  return new Map(level === null ? [] : [[LEVEL, source]]);
}

/** The same precedence as a run has; only the flag is not part of what a step resolves to. */
function levelsOf(asked: Asked, flags: RunFlags): readonly LevelHere[] {
  const { steps } = pipelineOf(asked);
  return stepPolicies(asked).map(({ step, policy, layers }, index) => ({
    task: asked.task?.id ?? null,
    step,
    level: flags.level ?? policy.level,
    source: layers.find((layer) => layer.has(LEVEL))?.get(LEVEL) ?? { kind: "default" },
    confirm: steps[index]?.confirm ?? null,
  }));
}
