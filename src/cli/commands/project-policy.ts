// Which config, tasks and pipeline count here, and what sets the values of their policy?

import { relative } from "node:path";

import {
  findConfig,
  loadConfig,
  repositoryRoot,
  readPolicyFile,
} from "../../adapters/project/config-loader.ts";
import { LEVEL_VARIABLE } from "../../adapters/environment.ts";
import { problemError, VALIDATE_HINT } from "../../adapters/project/problem-error.ts";
import { runSourceOf } from "../../adapters/project/task-argument.ts";
import { readTaskFiles, type ReadFile } from "../../adapters/project/task-files.ts";
import type { Level } from "../../core/model/level.ts";
import {
  NO_TASK_SETTINGS,
  type Pipeline,
  type Settings,
  type StepSettings,
} from "../../core/model/settings.ts";
import {
  keysOfLimits,
  policyOfStep,
  type Layer,
  type Source,
  type StepPolicy,
} from "../../core/views/policy-sources.ts";
import { OrchError } from "../../errors.ts";
import { defaultSettings } from "../../schema/config.ts";
import { lineOfKey } from "../../schema/locate.ts";
import { keysWritten, POLICY_KEYS } from "../../schema/policy-keys.ts";
import { suggestName } from "../../schema/suggest.ts";

/** The config with what is needed to say where in it something stands; without one, the defaults. */
export interface Project {
  readonly root: string;
  readonly folder: string;
  /** null: there is no config. */
  readonly config: { readonly name: string; readonly text: string; readonly raw: unknown } | null;
  readonly settings: Settings;
}

export async function projectAt(cwd: string): Promise<Project> {
  const root = repositoryRoot(cwd);
  if (findConfig(cwd) === null)
    return { root: root ?? cwd, folder: root ?? cwd, config: null, settings: defaultSettings() };
  // First with all that guards a config, then again for the keys it names: it is run only once.
  const { path, folder, settings } = await loadConfig(cwd);
  const { text, raw } = await readPolicyFile(path, cwd);
  const name = relative(cwd, path);
  return { root: root ?? folder, folder, config: { name, text, raw }, settings };
}

/** The task files that are meant; words are a task without settings of its own, and no file. */
export function tasksNamed(
  named: string,
  { root, folder, settings }: Project,
  cwd: string,
): readonly ReadFile[] {
  const taskFolder = `${folder}/${settings.taskFolder}`;
  const source = runSourceOf(named, { cwd, root, taskFolder });
  if (source.kind === "words") return [];
  const { files, problems } = readTaskFiles(source, root);
  if (problems.length === 0) return files;
  throw problemError("task-invalid", problems, "fix the task", VALIDATE_HINT);
}

export interface Asked {
  readonly project: Project;
  /** null: none was named. */
  readonly task: ReadFile | null;
  /** A pipeline of the command line; null: task and config say which. */
  readonly pipeline: string | null;
  /** Of the environment. */
  readonly level: Level | null;
  /** What the command line sets. */
  readonly flags: Layer;
}

/** The policy of each step, with who sets its values, from the strongest to the weakest. */
export function stepPolicies(asked: Asked): {
  readonly pipeline: Pipeline;
  readonly steps: readonly StepPolicy[];
} {
  const { project, task, level, flags } = asked;
  const pipeline = pipelineOf(asked);
  const environment = { kind: "environment", variable: LEVEL_VARIABLE } as const;
  const steps = pipeline.steps.map((step, index) => ({
    step: step.id,
    policy: policyOfStep({
      settings: project.settings,
      environmentLevel: level,
      task: task?.file.settings ?? NO_TASK_SETTINGS,
      step,
    }),
    layers: [
      flags,
      layer(level === null ? [] : [LEVEL], () => environment),
      taskLayer(task),
      stepLayer(step, ["pipelines", pipeline.name, index], project),
      configLayer(project),
    ],
  }));
  return { pipeline, steps };
}

function pipelineOf({ project: { settings }, task, pipeline: chosen }: Asked): Pipeline {
  const wanted = chosen ?? task?.file.settings.pipeline ?? settings.defaultPipeline;
  const pipeline = settings.pipelines.find(({ name }) => name === wanted);
  if (pipeline !== undefined) return pipeline;
  const known = settings.pipelines.map(({ name }) => name);
  throw new OrchError(
    chosen === null ? "task-invalid" : "usage",
    `${task?.name ?? "the config"}: unknown pipeline ${JSON.stringify(wanted)}`,
    suggestName(wanted, known) ?? "name a pipeline of the config",
  );
}

export const LEVEL = "interactionThreshold";

export function layer(keys: readonly string[], sourceOf: (key: string) => Source): Layer {
  return new Map(keys.map((key) => [key, sourceOf(key)]));
}

function taskLayer(task: ReadFile | null): Layer {
  if (task === null) return new Map();
  const { name, file } = task;
  const { level, limits } = file.settings;
  const keys = [...(level === null ? [] : [LEVEL]), ...keysOfLimits(limits, POLICY_KEYS)];
  return layer(keys, (key) => ({ kind: "task", file: name, line: file.lineOf(key.split(".")) }));
}

function stepLayer(
  { id, level, attempts }: StepSettings,
  path: readonly (string | number)[],
  { config }: Project,
): Layer {
  const said = [level === null ? [] : LEVEL, attempts === null ? [] : "budget.attempts"].flat();
  return layer(said, (key) => {
    const own = key === LEVEL ? key : "attempts";
    const line = config === null ? null : lineOfKey(config.text, [...path, own]);
    return { kind: "step", step: id, file: config?.name ?? "", line };
  });
}

function configLayer({ config }: Project): Layer {
  if (config === null) return new Map();
  const { name, text, raw } = config;
  const keys = keysWritten(raw).map(({ key }) => key);
  return layer(keys, (key) => {
    return { kind: "config", file: name, line: lineOfKey(text, key.split(".")) };
  });
}
