// By which limits and tables are attempts decided here, and where is each value set?

import { environmentLevel } from "../../adapters/project/environment-level.ts";
import { runSourceOf } from "../../adapters/project/task-argument.ts";
import type { ReadFile } from "../../adapters/project/task-files.ts";
import { policySections } from "../../core/views/policy-sections.ts";
import type { Layer, Source } from "../../core/views/policy-sources.ts";
import { OrchError } from "../../errors.ts";
import { POLICY_KEYS } from "../../schema/policy-keys.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn, wordsGiven } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { policyForPrograms, renderPolicy, type PolicyShown } from "../render/policy.ts";
import { laidOver, NO_CHOICE, wordsAndRest, wordsChoice, type Chosen } from "./policy-choice.ts";
import {
  type Asked,
  filesOf,
  pipelineOf,
  type Project,
  projectAt,
  stepPolicies,
} from "./project-policy.ts";

export async function policyCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const { words, rest } = wordsAndRest(wordsGiven(given, "set"));
  const [named = null, ...more] = [...args, ...rest];
  if (more.length > 0)
    throw new OrchError(
      "usage",
      `one task was expected, and ${more.length + 1} were found`,
      "name one task file, or none for the repository as a whole",
    );
  const project = await projectAt(io.cwd);
  const task = named === null ? null : taskAt(named, project, io.cwd);
  const chosen = words.length === 0 ? NO_CHOICE : await wordsChoice(words, "all");
  const asked = { project, task, pipeline: null, level: environmentLevel(io.env) };
  const shown = await shownOf({ ...asked, flags: flagLayer(chosen) }, chosen);
  if (isOn(given, "json")) printJson(io, jsonText(policyForPrograms(shown)));
  else printOut(io, renderPolicy(shown, styleOf(io, "stdout")));
  return 0;
}

function taskAt(named: string, { root, folder, settings }: Project, cwd: string): ReadFile {
  const source = runSourceOf(named, { cwd, root, taskFolder: `${folder}/${settings.taskFolder}` });
  const [file] = source.kind === "file" ? filesOf(source, root) : [];
  if (file !== undefined) return file;
  throw new OrchError(
    "task-missing",
    source.kind === "folder"
      ? `${JSON.stringify(named)} is a folder of tasks; one task was expected`
      : `there is no task file ${JSON.stringify(named)}`,
    "name one Markdown file; without one the repository's own policy is shown",
  );
}

async function shownOf(asked: Asked, chosen: Chosen): Promise<PolicyShown> {
  const { project, task } = asked;
  const under = await laidOver([chosen]);
  const steps = stepPolicies(asked).map((one) => ({ ...one, policy: under(one.policy) }));
  return {
    config: project.config?.name ?? null,
    task: task === null ? null : { id: task.id, file: task.name },
    allow: [
      ...(task?.file.settings.allow ?? []).map((what) => ({ what, by: "task" as const })),
      ...project.settings.allowedActions.map((what) => ({ what, by: "config" as const })),
    ],
    pipeline: pipelineOf(asked).name,
    steps: steps.map(({ step }) => step),
    sections: policySections(steps, POLICY_KEYS),
  };
}

function flagLayer({ choice }: Chosen): Layer {
  const source: Source = { kind: "flag", flag: "--set" };
  return new Map(choice?.named.map(({ key }) => [key, source]));
}
