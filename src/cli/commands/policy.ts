// By which values are attempts decided here, and where is each of them set?

import { environmentLevel, LEVEL_VARIABLE } from "../../adapters/environment.ts";
import {
  loadConfig,
  repositoryRoot,
  type LoadedConfig,
  problemError,
  VALIDATE_HINT,
} from "../../adapters/project/config-loader.ts";
import { runSourceOf } from "../../adapters/project/task-argument.ts";
import { readTaskFiles, type ReadFile } from "../../adapters/project/task-files.ts";
import type { Level } from "../../core/model/policy.ts";
import type { Pipeline, Settings, StepSettings } from "../../core/model/settings.ts";
import { OrchError } from "../../errors.ts";
import { policyRows, type Layer, BUILT_IN, type PolicyRow } from "../../schema/policy-rows.ts";
import { suggestName } from "../../schema/suggest.ts";
import { printResult, type Style } from "../io.ts";
import { type Command, levelGiven } from "../command-line/options.ts";
import { inert } from "../../core/model/excerpt.ts";
import { extensionWords } from "../../core/run/extension.ts";
import { dotted, paint, paragraph, table, type Tone } from "../layout.ts";

/** Reads what a run would read, and runs nothing. */
export const policyCommand: Command = async (args, given, io) => {
  const config = await loadConfig(io.cwd);
  const { name, raw, settings } = config;
  const task = args.length === 0 ? null : taskNamed(args.join(" "), config, io.cwd);
  const pipeline = pipelineOf(settings, task);
  const above: readonly Layer[] = [
    { name: "--interaction-threshold", document: atLevel(levelGiven(given)) },
    { name: LEVEL_VARIABLE, document: atLevel(environmentLevel(io.env)) },
    ...(task === null ? [] : [{ name: `task, ${task.name}`, document: task.file.fields }]),
  ];
  const steps = pipeline.steps.map((step) => ({
    step: step.id,
    layers: [
      ...above,
      { name: `step ${step.id}, ${name}`, document: documentOf(step) },
      { name, document: raw },
    ],
  }));
  const shown = {
    config: name,
    task: task === null ? null : { id: task.id, file: task.name },
    allow: [
      ...(task?.file.settings.allow ?? []).map((what) => ({ what, by: "task" as const })),
      ...settings.allowedActions.map((what) => ({ what, by: "config" as const })),
    ],
    pipeline: pipeline.name,
    steps: steps.map(({ step }) => step),
    values: policyRows(steps),
  };
  printResult(io, given, shown, (style) => renderPolicy(shown, style));
  return 0;
};

function taskNamed(named: string, { folder, settings }: LoadedConfig, cwd: string): ReadFile {
  const root = repositoryRoot(cwd) ?? folder;
  const source = runSourceOf([named], {
    cwd,
    root,
    taskFolder: `${folder}/${settings.taskFolder}`,
  });
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

function pipelineOf({ pipelines, defaultPipeline }: Settings, task: ReadFile | null): Pipeline {
  const wanted = task?.file.settings.pipeline ?? defaultPipeline;
  const pipeline = pipelines.find(({ name }) => name === wanted);
  if (pipeline !== undefined) return pipeline;
  throw new OrchError(
    "task-invalid",
    `${task?.name ?? "the config"}: unknown pipeline ${JSON.stringify(wanted)}`,
    suggestName(
      wanted,
      pipelines.map(({ name }) => name),
    ) ?? "name a pipeline of the config",
  );
}

function atLevel(level: Level | null): object {
  return level === null ? {} : { interactionThreshold: level };
}

function documentOf({ level, attempts }: StepSettings): object {
  return { ...atLevel(level), ...(attempts === null ? {} : { budget: { attempts } }) };
}

interface PolicyShown {
  /** As a person in the working folder would name it. */
  readonly config: string;
  /** null: no task was named. */
  readonly task: { readonly id: string; readonly file: string } | null;
  /** Alarms, and what cannot be undone, that go without asking a person; as written. */
  readonly allow: readonly { readonly what: string; readonly by: "task" | "config" }[];
  readonly pipeline: string;
  readonly steps: readonly string[];
  readonly values: readonly PolicyRow[];
}

function renderPolicy(shown: PolicyShown, style: Style): string {
  const { config, task, allow, pipeline, steps, values } = shown;
  const facts = dotted([config, `pipeline ${pipeline} (${steps.join(", ")})`]);
  const whose = task === null ? "policy of this repository" : `policy of task ${task.id}`;
  const line = (text: string, tone: Tone | null): string =>
    paragraph(style, inert(text), { tone, hanging: "  " });
  const rowsOf = (group: string) =>
    values
      .filter(({ key }) => groupOf(key) === group)
      .map((row) => {
        const tone = row.source === BUILT_IN ? "quiet" : null;
        return [nameOf(row), valueWords(row), paint(style, tone, inert(row.source))];
      });
  const groups = [...new Set(values.map(({ key }) => groupOf(key)))];
  return [
    line(whose, "strong"),
    line(facts, "quiet"),
    ...allow.map(({ what, by }) => line(`the ${by} allows ${what}`, null)),
    ...groups.flatMap((group) => ["", ...table(style, rowsOf(group))]),
  ].join("\n");
}

function groupOf(key: string): string {
  return key.split(".", 1).join("");
}

function nameOf({ key, step }: PolicyRow): string {
  return step === null ? key : `${key} (${step})`;
}

/** Times as the config writes them, 5_000_000 as "5,000,000", whatever the machine's language. */
function valueWords({ value, unit, none }: PolicyRow): string {
  if (value === null) return none;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return typeof value === "string" ? value : JSON.stringify(value);
  if (unit === "usd") return `$${value}`;
  if (unit === "time") return extensionWords("time", value);
  return String(value).replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3}){1,9}$)/g, ","));
}
