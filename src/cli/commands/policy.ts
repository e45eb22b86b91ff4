// By which limits and tables are attempts decided here, and where is each value set?

import { basename, dirname, relative } from "node:path";

import { findConfig, loadConfig, repositoryRoot } from "../../adapters/project/config-loader.ts";
import { environmentLevel, LEVEL_VARIABLE } from "../../adapters/project/environment-level.ts";
import { readPolicyFile } from "../../adapters/project/policy-file.ts";
import { runSourceOf, sourcePath } from "../../adapters/project/task-argument.ts";
import { readTaskFolder, type ReadFile } from "../../adapters/project/task-files.ts";
import { policySections } from "../../core/views/policy-sections.ts";
import {
  keysOfLimits,
  policyOfStep,
  type Layer,
  type Source,
  type StepPolicy,
} from "../../core/views/policy-sources.ts";
import type { Level } from "../../core/model/level.ts";
import {
  NO_TASK_SETTINGS,
  type Pipeline,
  type Settings,
  type StepSettings,
} from "../../core/model/settings.ts";
import { OrchError } from "../../errors.ts";
import { defaultSettings } from "../../schema/config.ts";
import { lineOfKey } from "../../schema/locate.ts";
import { keysWritten, POLICY_KEYS } from "../../schema/policy-keys.ts";
import { suggestName } from "../../schema/suggest.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import type { ReadFlags } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { policyForPrograms, renderPolicy, type PolicyShown } from "../render/policy.ts";
import { laidOver, NO_CHOICE, wordsAndRest, wordsChoice, type Chosen } from "./policy-choice.ts";

export interface PolicyFlags extends ReadFlags {
  /** `key=value`, as given; a task that was taken for one of them stands here too. */
  readonly set: readonly string[];
}

export async function policyCommand(
  args: readonly string[],
  flags: PolicyFlags,
  io: CliIo,
): Promise<number> {
  const { words, rest } = wordsAndRest(flags.set);
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
  const shown = await shownOf({ project, task, chosen, level: environmentLevel(io.env) });
  if (flags.json) printJson(io, jsonText(policyForPrograms(shown)));
  else printOut(io, renderPolicy(shown, styleOf(io, "stdout")));
  return 0;
}

/** The config with what is needed to say where in it something stands; without one, the defaults. */
interface Project {
  readonly root: string;
  readonly folder: string;
  /** null: there is no config. */
  readonly config: { readonly name: string; readonly text: string; readonly raw: unknown } | null;
  readonly settings: Settings;
}

async function projectAt(cwd: string): Promise<Project> {
  const root = repositoryRoot(cwd);
  if (findConfig(cwd) === null)
    return { root: root ?? cwd, folder: root ?? cwd, config: null, settings: defaultSettings() };
  // First with all that guards a config, then again for the keys it names: it is run only once.
  const { path, folder, settings } = await loadConfig(cwd);
  const { text, raw } = await readPolicyFile(path, cwd);
  const name = relative(cwd, path);
  return { root: root ?? folder, folder, config: { name, text, raw }, settings };
}

function taskAt(named: string, { root, folder, settings }: Project, cwd: string): ReadFile {
  const source = runSourceOf(named, { cwd, root, taskFolder: `${folder}/${settings.taskFolder}` });
  if (source.kind !== "file")
    throw new OrchError(
      "task-missing",
      source.kind === "folder"
        ? `${JSON.stringify(named)} is a folder of tasks; one task was expected`
        : `there is no task file ${JSON.stringify(named)}`,
      "name one Markdown file; without one the repository's own policy is shown",
    );
  const path = sourcePath(source.path, root);
  const { files, problems } = readTaskFolder(dirname(path), root, basename(path));
  const [first] = problems;
  const [file] = files;
  if (file !== undefined && first === undefined) return file;
  throw new OrchError(
    "task-invalid",
    first === undefined ? `${named} cannot be read` : `${first.where}: ${first.message}`,
    `${first?.suggestion ?? "fix the task"}; \`orch validate\` lists everything`,
  );
}

interface Asked {
  readonly project: Project;
  readonly task: ReadFile | null;
  readonly chosen: Chosen;
  /** Of the environment. */
  readonly level: Level | null;
}

async function shownOf(asked: Asked): Promise<PolicyShown> {
  const { project, task, chosen } = asked;
  const pipeline = pipelineOf(project, task);
  const under = await laidOver([chosen]);
  const steps = pipeline.steps.map((step, index): StepPolicy => {
    const { policy, step: name, layers } = stepPolicy(asked, pipeline, index, step);
    return { step: name, policy: under(policy), layers };
  });
  return {
    config: project.config?.name ?? null,
    task: task === null ? null : { id: task.id, file: task.name },
    allow: [
      ...(task?.file.settings.allow ?? []).map((what) => ({ what, by: "task" as const })),
      ...project.settings.allowedActions.map((what) => ({ what, by: "config" as const })),
    ],
    pipeline: pipeline.name,
    steps: steps.map(({ step }) => step),
    sections: policySections(steps, POLICY_KEYS),
  };
}

function pipelineOf({ settings }: Project, task: ReadFile | null): Pipeline {
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

function stepPolicy(
  { project, task, chosen, level }: Asked,
  pipeline: Pipeline,
  index: number,
  step: StepSettings,
): StepPolicy {
  const layers = [
    flagLayer(chosen),
    environmentLayer(level),
    taskLayer(task),
    stepLayer(step, index, pipeline, project),
    configLayer(project),
  ];
  const settings = task?.file.settings ?? NO_TASK_SETTINGS;
  const policy = policyOfStep({
    settings: project.settings,
    environmentLevel: level,
    task: settings,
    step,
  });
  return { step: step.id, policy, layers };
}

const LEVEL = "interactionThreshold";

function flagLayer({ choice }: Chosen): Layer {
  const source: Source = { kind: "flag", flag: "--set" };
  return new Map(choice?.named.map(({ key }) => [key, source]));
}

function environmentLayer(level: Level | null): Layer {
  const source: Source = { kind: "environment", variable: LEVEL_VARIABLE };
  return new Map(level === null ? [] : [[LEVEL, source]]);
}

function taskLayer(task: ReadFile | null): Layer {
  if (task === null) return new Map();
  const { name, file } = task;
  const { level, limits } = file.settings;
  const keys = [...(level === null ? [] : [LEVEL]), ...keysOfLimits(limits, POLICY_KEYS)];
  return new Map(
    keys.map((key) => [key, { kind: "task", file: name, line: file.lineOf(key.split(".")) }]),
  );
}

function stepLayer(
  step: StepSettings,
  index: number,
  pipeline: Pipeline,
  { config }: Project,
): Layer {
  const at = (key: string): Source => ({
    kind: "step",
    step: step.id,
    file: config?.name ?? "",
    line: config === null ? null : lineOfKey(config.text, ["pipelines", pipeline.name, index, key]),
  });
  return new Map([
    ...(step.level === null ? [] : [[LEVEL, at(LEVEL)] as const]),
    ...(step.attempts === null ? [] : [["budget.attempts", at("attempts")] as const]),
  ]);
}

function configLayer({ config }: Project): Layer {
  if (config === null) return new Map();
  const { name, text, raw } = config;
  return new Map(
    keysWritten(raw).map(({ key }) => [
      key,
      { kind: "config", file: name, line: lineOfKey(text, key.split(".")) },
    ]),
  );
}
