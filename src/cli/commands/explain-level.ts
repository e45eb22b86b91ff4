// Which interaction level would count here, who says so, and what does each level ask?

import { readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";

import { findConfig, loadConfig, repositoryRoot } from "../../adapters/project/config-loader.ts";
import { environmentLevel, LEVEL_VARIABLE } from "../../adapters/project/environment-level.ts";
import { refuseSeveral, runSourceOf, sourcePath } from "../../adapters/project/task-argument.ts";
import { readTaskFolder, type ReadFile } from "../../adapters/project/task-files.ts";
import { assertNever } from "../../core/model/assert.ts";
import { levelRules } from "../../core/views/level-table.ts";
import { policyOfStep, type Source } from "../../core/views/policy-sources.ts";
import {
  NO_TASK_SETTINGS,
  type Pipeline,
  type Settings,
  type StepSettings,
} from "../../core/model/settings.ts";
import { OrchError } from "../../errors.ts";
import { defaultSettings } from "../../schema/config.ts";
import { lineOfKey } from "../../schema/locate.ts";
import { suggestName } from "../../schema/suggest.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import type { RunFlags } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { type LevelHere, renderLevels } from "../render/levels.ts";

/** Reads what a run would read, and runs nothing. */
export async function explainLevel(
  args: readonly string[],
  flags: RunFlags,
  io: CliIo,
): Promise<number> {
  const project = await projectAt(io.cwd);
  const tasks = args.length === 0 ? [] : tasksNamed(args, project, io.cwd);
  const asked = { project, flags, environment: environmentLevel(io.env) };
  const here = (tasks.length === 0 ? [null] : tasks).flatMap((task) => levelsOf(task, asked));
  const levels = levelRules(project.settings.uncertainty);
  if (flags.json) printJson(io, jsonText({ here, levels }));
  else printOut(io, renderLevels(levels, here, styleOf(io, "stdout")));
  return 0;
}

/** The config with its text, to say where in it something stands; without one, the defaults. */
interface Project {
  readonly root: string;
  readonly taskFolder: string;
  readonly config: { readonly name: string; readonly text: string } | null;
  readonly settings: Settings;
}

async function projectAt(cwd: string): Promise<Project> {
  const root = repositoryRoot(cwd);
  if (findConfig(cwd) === null) {
    const settings = defaultSettings();
    const taskFolder = `${root ?? cwd}/${settings.taskFolder}`;
    return { root: root ?? cwd, taskFolder, config: null, settings };
  }
  const { path, folder, settings } = await loadConfig(cwd);
  const config = { name: relative(cwd, path), text: readFileSync(path, "utf8") };
  return { root: root ?? folder, taskFolder: `${folder}/${settings.taskFolder}`, config, settings };
}

/** Words are a task without settings of its own: they change nothing. */
function tasksNamed(
  args: readonly string[],
  { root, taskFolder }: Project,
  cwd: string,
): readonly ReadFile[] {
  const place = { cwd, root, taskFolder };
  refuseSeveral(args, place);
  const source = runSourceOf(args.join(" "), place);
  switch (source.kind) {
    case "words":
      return [];
    case "folder":
      return filesIn(sourcePath(source.path, root), root, null);
    case "file": {
      const path = sourcePath(source.path, root);
      return filesIn(dirname(path), root, basename(path));
    }
    default:
      return assertNever(source, "source");
  }
}

function filesIn(folder: string, root: string, chosen: string | null): readonly ReadFile[] {
  const { files, problems } = readTaskFolder(folder, root, chosen);
  const [first] = problems;
  if (first === undefined) return files;
  throw new OrchError(
    "task-invalid",
    `${first.where}: ${first.message}`,
    `${first.suggestion ?? "fix the task"}; \`orch validate\` lists everything`,
  );
}

interface Asked {
  readonly project: Project;
  readonly flags: RunFlags;
  readonly environment: ReturnType<typeof environmentLevel>;
}

function levelsOf(task: ReadFile | null, asked: Asked): readonly LevelHere[] {
  const pipeline = pipelineOf(task, asked);
  return pipeline.steps.map((step, index) => ({
    task: task?.id ?? null,
    step: step.id,
    level: levelIn(task, step, asked),
    source: sourceOf(task, { pipeline, step, index }, asked),
    confirm: step.confirm,
  }));
}

/** The same precedence as a run has; only the flag is not part of what a step resolves to. */
function levelIn(task: ReadFile | null, step: StepSettings, asked: Asked): LevelHere["level"] {
  const { project, flags, environment: environmentLevel } = asked;
  const settings = task?.file.settings ?? NO_TASK_SETTINGS;
  const layers = { settings: project.settings, environmentLevel, task: settings, step };
  return flags.level ?? policyOfStep(layers).level;
}

interface InPipeline {
  readonly pipeline: Pipeline;
  readonly step: StepSettings;
  readonly index: number;
}

const KEY = "interactionThreshold";

/** Who says it, from the strongest to the weakest. */
function sourceOf(
  task: ReadFile | null,
  { pipeline, step, index }: InPipeline,
  { project: { config, settings }, flags, environment }: Asked,
): Source {
  const lineAt = (path: readonly (string | number)[]): number | null =>
    config === null ? null : lineOfKey(config.text, path);
  if (flags.level !== null) return { kind: "flag", flag: "--interaction-threshold" };
  if (environment !== null) return { kind: "environment", variable: LEVEL_VARIABLE };
  if (task !== null && task.file.settings.level !== null)
    return { kind: "task", file: task.name, line: task.file.lineOf([KEY]) };
  const file = config?.name ?? "";
  if (step.level !== null) {
    const line = lineAt(["pipelines", pipeline.name, index, KEY]);
    return { kind: "step", step: step.id, file, line };
  }
  if (settings.level !== null) return { kind: "config", file, line: lineAt([KEY]) };
  return { kind: "default" };
}

function pipelineOf(task: ReadFile | null, { project: { settings }, flags }: Asked): Pipeline {
  const wanted = flags.pipeline ?? task?.file.settings.pipeline ?? settings.defaultPipeline;
  const pipeline = settings.pipelines.find(({ name }) => name === wanted);
  if (pipeline !== undefined) return pipeline;
  const known = settings.pipelines.map(({ name }) => name);
  throw new OrchError(
    flags.pipeline === null ? "task-invalid" : "usage",
    `${task?.name ?? "the config"}: unknown pipeline ${JSON.stringify(wanted)}`,
    suggestName(wanted, known) ?? "name a pipeline of the config",
  );
}
