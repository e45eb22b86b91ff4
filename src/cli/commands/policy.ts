// By which limits and tables are attempts decided here, and where is each value set?

import { environmentLevel } from "../../adapters/environment.ts";
import { policySections } from "../../core/views/policy-sections.ts";
import { OrchError } from "../../errors.ts";
import { POLICY_KEYS } from "../../schema/policy-keys.ts";
import { printResult } from "../io.ts";
import { type Command, usage } from "../options.ts";
import { policyForPrograms, renderPolicy } from "../render/policy.ts";
import { laidOver, wordsChoice } from "./policy-choice.ts";
import * as project from "./project-policy.ts";

export const policyCommand: Command = async (args, given, io) => {
  const { choice, rest } = await wordsChoice(given.set ?? [], "all");
  const [named, ...more] = [...args, ...rest];
  if (more.length > 0)
    throw usage(`one task was expected, and ${more.length + 1} were found`, NAME_ONE);
  const here = await project.projectAt(io.cwd);
  const [task = null, ...others] =
    named === undefined ? [] : project.tasksNamed(named, here, io.cwd);
  if (named !== undefined && (task === null || others.length > 0))
    throw new OrchError("task-missing", `${JSON.stringify(named)} is no task file`, NAME_ONE);
  const flags = project.layer(choice?.named.map(({ key }) => key) ?? [], () => {
    return { kind: "flag", flag: "--set" };
  });
  const level = environmentLevel(io.env);
  const asked = { project: here, task, pipeline: null, level, flags };
  const { pipeline, steps } = project.stepPolicies(asked);
  const under = await laidOver(choice === null ? [] : [choice]);
  const policies = steps.map((one) => ({ ...one, policy: under(one.policy) }));
  const shown = {
    config: here.config?.name ?? null,
    task: task === null ? null : { id: task.id, file: task.name },
    allow: [
      ...(task?.file.settings.allow ?? []).map((what) => ({ what, by: "task" as const })),
      ...here.settings.allowedActions.map((what) => ({ what, by: "config" as const })),
    ],
    pipeline: pipeline.name,
    steps: steps.map(({ step }) => step),
    sections: policySections(policies, POLICY_KEYS),
  };
  printResult(io, given, policyForPrograms(shown), (style) => renderPolicy(shown, style));
  return 0;
};

const NAME_ONE = "name one Markdown file; without one the repository's own policy is shown";
