// By which limits and tables are attempts decided here, and where is each value set?

import { environmentLevel, LEVEL_VARIABLE } from "../../adapters/environment.ts";
import {
  findConfig,
  loadConfig,
  repositoryRoot,
  type LoadedConfig,
} from "../../adapters/project/config-loader.ts";
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
import { policySections } from "../../core/views/policy-sections.ts";
import { policyOfStep, type Layer, type Source } from "../../core/views/policy-sources.ts";
import { OrchError } from "../../errors.ts";
import { defaultSettings } from "../../schema/config.ts";
import { POLICY_KEYS } from "../../schema/policy-keys.ts";
import { suggestName } from "../../schema/suggest.ts";
import { printResult } from "../io.ts";
import { type Command, levelGiven } from "../options.ts";
import { renderPolicy } from "../render/policy.ts";

/** Reads what a run would read, and runs nothing. */
export const policyCommand: Command = async (args, given, io) => {
  const project = await projectAt(io.cwd);
  const { config, settings } = project;
  const task = args.length === 0 ? null : taskNamed(args.join(" "), project, io.cwd);
  const pipeline = pipelineOf(settings, task);
  const level = environmentLevel(io.env);
  const asked = task?.file.settings ?? NO_TASK_SETTINGS;
  const flag = levelGiven(given);
  const stronger: readonly Layer[] = [
    levelLayer(flag, { kind: "flag", flag: "--interaction-threshold" }),
    levelLayer(level, { kind: "environment", variable: LEVEL_VARIABLE }),
  ];
  const steps = pipeline.steps.map((step) => ({
    step: step.id,
    policy: policyOfStep({ settings, environmentLevel: flag ?? level, task: asked, step }),
    layers: [
      ...stronger,
      ...(task === null ? [] : [taskLayer(task)]),
      ...(config === null ? [] : [stepLayer(step, config.name), configLayer(config)]),
    ],
  }));
  const sections = policySections(steps, POLICY_KEYS);
  const shown = {
    config: config?.name ?? null,
    task: task === null ? null : { id: task.id, file: task.name },
    allow: [
      ...asked.allow.map((what) => ({ what, by: "task" as const })),
      ...settings.allowedActions.map((what) => ({ what, by: "config" as const })),
    ],
    pipeline: pipeline.name,
    steps: steps.map(({ step }) => step),
    sections,
  };
  printResult(io, given, shown, (style) => renderPolicy(shown, style));
  return 0;
};

interface Project {
  readonly root: string;
  readonly folder: string;
  /** null: there is none, and the settings are the defaults. */
  readonly config: Pick<LoadedConfig, "name" | "raw"> | null;
  readonly settings: Settings;
}

async function projectAt(cwd: string): Promise<Project> {
  const root = repositoryRoot(cwd);
  if (findConfig(cwd) === null)
    return { root: root ?? cwd, folder: root ?? cwd, config: null, settings: defaultSettings() };
  const config = await loadConfig(cwd);
  return { root: root ?? config.folder, folder: config.folder, config, settings: config.settings };
}

function taskNamed(named: string, { root, folder, settings }: Project, cwd: string): ReadFile {
  const taskFolder = `${folder}/${settings.taskFolder}`;
  const source = runSourceOf([named], { cwd, root, taskFolder });
  const { files, problems } =
    source.kind === "file" ? readTaskFiles(source, root) : { files: [], problems: [] };
  if (problems.length > 0)
    throw problemError("task-invalid", problems, "fix what is named", VALIDATE_HINT);
  const [task] = files;
  if (task !== undefined) return task;
  throw new OrchError(
    "task-missing",
    `${JSON.stringify(named)} is no task file`,
    "name one Markdown file; without one the repository's own policy is shown",
  );
}

function pipelineOf(settings: Settings, task: ReadFile | null): Pipeline {
  const wanted = task?.file.settings.pipeline ?? settings.defaultPipeline;
  const pipeline = settings.pipelines.find(({ name }) => name === wanted);
  if (pipeline !== undefined) return pipeline;
  const known = settings.pipelines.map(({ name }) => name);
  throw new OrchError(
    "task-invalid",
    `${task?.name ?? "the config"}: unknown pipeline ${JSON.stringify(wanted)}`,
    suggestName(wanted, known) ?? "name a pipeline of the config",
  );
}

function levelLayer(level: Level | null, source: Source): Layer {
  return { document: { interactionThreshold: level ?? undefined }, source };
}

function taskLayer({ name, file }: ReadFile): Layer {
  return { document: file.fields, source: { kind: "task", file: name } };
}

function stepLayer({ id, level, attempts }: StepSettings, file: string): Layer {
  const document = {
    interactionThreshold: level ?? undefined,
    budget: { attempts: attempts ?? undefined },
  };
  return { document, source: { kind: "step", step: id, file } };
}

function configLayer({ name, raw }: Pick<LoadedConfig, "name" | "raw">): Layer {
  return { document: raw, source: { kind: "config", file: name } };
}
