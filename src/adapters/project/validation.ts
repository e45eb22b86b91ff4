// What is wrong with this project's config and tasks, all of it, without running anything?

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { RunSource } from "../../core/model/event.ts";
import type { Level } from "../../core/model/level.ts";
import { NO_OVERRIDES } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { closest, suggestName } from "../../schema/suggest.ts";
import { entriesIn, namesIn } from "../files/small-file.ts";
import { missingAgent } from "./agent-program.ts";
import { readConfig, repositoryRoot, type LoadedConfig } from "./config-loader.ts";
import { missingTask, runSourceOf, storedPath } from "./task-argument.ts";
import { npmScripts } from "./project-detect.ts";
import { readTasks, type TaskReading } from "./task-source.ts";
import { BUILT_IN_PROMPTS, PROMPT_FOLDER, promptPath } from "./templates.ts";

export interface ValidationRequest {
  readonly cwd: string;
  /** Task files and folders; empty: the config's task folder. */
  readonly paths: readonly string[];
  /** What ORCH_INTERACTION_THRESHOLD says. */
  readonly environmentLevel: Level | null;
  /** In which agents are looked for. */
  readonly env: NodeJS.ProcessEnv;
}

export interface Validation {
  /** As a person in `cwd` would name it; null: there is none. */
  readonly config: string | null;
  readonly tasks: readonly Task[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** Never throws for what the user can fix: that is what it is there to list. */
export async function validateProject(request: ValidationRequest): Promise<Validation> {
  try {
    const { settings, ...config } = await readConfig(request.cwd);
    if (!settings.ok)
      return { config: config.name, tasks: [], problems: settings.problems, notes: [] };
    const root = repositoryRoot(request.cwd) ?? config.folder;
    const project = { ...config, root, settings: settings.value };
    const found = validateTasks(request, project);
    const isBare = found.problems.length === 0 && found.tasks.length === 0;
    return isBare ? { ...found, problems: gateless(project) } : found;
  } catch (error) {
    return { config: null, tasks: [], problems: [asProblem(error)], notes: [] };
  }
}

interface Project extends LoadedConfig {
  readonly root: string;
}

function validateTasks(request: ValidationRequest, project: Project): Validation {
  const { root, settings, name } = project;
  const { environmentLevel } = request;
  const context = { root, settings, flags: NO_OVERRIDES, environmentLevel };
  const readings = sourcesOf(request, project).map((sourceOf): TaskReading => {
    try {
      return readTasks(sourceOf(), context);
    } catch (error) {
      return { tasks: [], problems: [asProblem(error)], notes: [] };
    }
  });
  const tasks = readings.flatMap((each) => each.tasks);
  const found = [
    ...configProblems(request, project, tasks),
    ...readings.flatMap((each) => [...each.problems, ...scopeProblems(each.tasks, root)]),
  ];
  return { config: name, tasks, problems: found, notes: readings.flatMap((each) => each.notes) };
}

function sourcesOf(
  { cwd, paths }: ValidationRequest,
  { root, folder, settings }: Project,
): readonly (() => RunSource)[] {
  const taskFolder = join(folder, settings.taskFolder);
  if (paths.length > 0)
    return paths.map((path) => () => {
      const source = runSourceOf([path], { cwd, root, taskFolder });
      if (source.kind === "words") throw missingTask(path, null);
      return source;
    });
  // A project may well begin without tasks: words are tasks too.
  return namesIn(taskFolder).some((name) => /\.md$/i.test(name) && !name.startsWith("_"))
    ? [() => ({ kind: "folder", path: storedPath(taskFolder, root) })]
    : [];
}

/** Where there are tasks, each that nothing would prove says so itself. */
function gateless({ settings: { gates, pipelines }, name }: Project): readonly Problem[] {
  const isProven = gates === "none" || gates.length > 0;
  if (isProven || pipelines.some(({ steps }) => steps.every((step) => step.gates !== null)))
    return [];
  const suggestion = 'add one under "gates", or say gates: "none"';
  return [problem(name, "no gate is configured, so nothing would prove a task", suggestion)];
}

function asProblem(error: unknown): Problem {
  if (error instanceof OrchError) return problem(error.code, error.message, error.hint);
  throw error;
}

/** What the config names must be there: prompts and programs. */
function configProblems(
  { env }: ValidationRequest,
  { settings, folder, root, name }: Project,
  tasks: readonly Task[],
): readonly Problem[] {
  const used = new Set([
    settings.agent,
    ...tasks.flatMap((task) => task.steps.map((step) => step.agent)),
  ]);
  const prompts = settings.pipelines.flatMap((pipeline) =>
    pipeline.steps.flatMap(({ prompt }) => {
      if (prompt.kind === "self" || promptPath(prompt.name, folder) !== null) return [];
      const message = `there is no prompt template ${JSON.stringify(prompt.name)}: neither ${PROMPT_FOLDER}/${prompt.name}.md nor a built-in one`;
      return [problem(name, message, suggestName(prompt.name, ["self", ...BUILT_IN_PROMPTS]))];
    }),
  );
  const agents = settings.agents.flatMap((agent) => {
    const missing = used.has(agent.name) ? missingAgent(agent, root, env) : null;
    return missing === null ? [] : [problem(name, missing.message, missing.hint)];
  });
  const gates = settings.gates === "none" ? [] : settings.gates;
  const scripts = Object.keys(npmScripts(root));
  const commands = gates.flatMap((gate) => {
    const [, test, script = test] = (gate.kind === "command" && NPM.exec(gate.run)) || [];
    if (script === undefined || scripts.includes(script)) return [];
    const message = `gate "${gate.name}" runs the npm script "${script}", which package.json does not have`;
    return [problem(name, message, suggestName(script, scripts))];
  });
  return [...prompts, ...agents, ...commands];
}

/** Where it is all that a gate runs: a script that is missing would be unknown in every attempt. */
const NPM = /^npm (?:(test)|run (?!-)([\w:.-]+))$/;

/**
 * A pattern may name files that are still to be written, and folders, too. One that begins with what is
 * nearly the name of a folder is a typo.
 */
function scopeProblems(tasks: readonly Task[], root: string): readonly Problem[] {
  return tasks.flatMap(({ id, scope, source }) =>
    scope.flatMap((pattern) => {
      const first = /^([^/*?[{\\]+)\//.exec(pattern)?.[1];
      if (first === undefined || existsSync(join(root, first))) return [];
      const folders = entriesIn(root).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
      const meant = closest(first, folders);
      if (meant === null) return [];
      const message = `scope: ${JSON.stringify(pattern)} matches nothing`;
      const where = source.kind === "file" ? source.path : id;
      return [problem(where, message, `did you mean "${meant}"?`)];
    }),
  );
}
