// Which interaction level would count here, who says so, and what does each level ask?

import { environmentLevel } from "../../adapters/environment.ts";
import { levelRules } from "../../core/views/level-table.ts";
import { printResult } from "../io.ts";
import { type Command, levelGiven } from "../options.ts";
import { renderLevels } from "../render/levels.ts";
import { layer, LEVEL, projectAt, stepPolicies, tasksNamed } from "./project-policy.ts";

/** Reads what a run would read, and runs nothing. */
export const explainLevel: Command = async (args, given, io) => {
  const project = await projectAt(io.cwd);
  const tasks = args.length === 0 ? [] : tasksNamed(args.join(" "), project, io.cwd);
  const level = environmentLevel(io.env);
  const chosen = levelGiven(given);
  const flags = layer(chosen === null ? [] : [LEVEL], () => {
    return { kind: "flag", flag: "--interaction-threshold" };
  });
  const asked = { project, pipeline: given.pipeline ?? null, level, flags };
  // The same precedence as a run has; only the flag is not part of what a step resolves to.
  const here = (tasks.length === 0 ? [null] : tasks).flatMap((task) => {
    const { pipeline, steps } = stepPolicies({ ...asked, task });
    return steps.map(({ step, policy, layers }, index) => ({
      task: task?.id ?? null,
      step,
      level: chosen ?? policy.level,
      source: layers.flatMap((one) => one.get(LEVEL) ?? [])[0] ?? { kind: "default" as const },
      confirm: pipeline.steps[index]?.confirm ?? null,
    }));
  });
  const levels = levelRules(project.settings.uncertainty);
  printResult(io, given, { here, levels }, (style) => renderLevels(levels, here, style));
  return 0;
};
