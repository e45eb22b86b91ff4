// What is wrong with this project's config and tasks, all of it, without running anything?

import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { Level } from "../../core/model/policy.ts";
import { NO_OVERRIDES } from "../../core/model/settings.ts";
import { templatesOf, type Task } from "../../core/model/task.ts";
import { agentsOf } from "../../core/run/select.ts";
import { OrchError } from "../../errors.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { suggestName } from "../../schema/suggest.ts";
import { missingAgent } from "./agent-program.ts";
import { repositoryRoot } from "../files/small-file.ts";
import { readConfig, type LoadedConfig } from "./config-loader.ts";
import { existing, missingTask, runSourceOf, storedPath } from "./task-argument.ts";
import { markdownNames } from "./task-files.ts";
import { readTasks } from "./task-source.ts";
import { BUILT_IN_PROMPTS, PROMPT_FOLDER, promptPath } from "./templates.ts";

export interface ValidationRequest {
  readonly cwd: string;
  /** Task files of one folder, or a folder; empty: the config's task folder. */
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
  let config: string | null = null;
  try {
    const { settings, ...read } = await readConfig(request.cwd);
    config = read.name;
    const root = repositoryRoot(request.cwd) ?? read.folder;
    // What it names is not known, and tasks are held to that.
    if (!settings.ok) return { config, tasks: [], problems: settings.problems, notes: [] };
    const project = { ...read, root, settings: settings.value };
    const { tasks, problems, notes } = tasksOf(request, project);
    const ofConfig = [
      ...missingPrompts(project),
      ...missingAgents(request, project, tasks),
      // Where there are tasks, each that nothing would prove says so itself.
      ...(tasks.length + problems.length === 0 ? gateless(project) : []),
    ];
    return { config, tasks, problems: [...ofConfig, ...problems], notes };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    const problems = [problem(error.code, error.message, error.hint)];
    return { config, tasks: [], problems, notes: [] };
  }
}

interface Project extends LoadedConfig {
  readonly root: string;
}

/** A project may well begin without tasks: words are tasks too. */
function tasksOf(request: ValidationRequest, project: Project) {
  const { root, settings } = project;
  const { environmentLevel } = request;
  const readings = sourcesOf(request, project).map((source) =>
    readTasks(source, { root, settings, flags: NO_OVERRIDES, environmentLevel }),
  );
  return {
    tasks: readings.flatMap(({ tasks }) => tasks),
    problems: readings.flatMap(({ problems }) => problems),
    notes: readings.flatMap(({ notes }) => notes),
  };
}

function sourcesOf({ cwd, paths }: ValidationRequest, { root, folder, settings }: Project) {
  const taskFolder = join(folder, settings.taskFolder);
  if (paths.length === 0)
    return foldersIn(taskFolder).map(
      (path) => ({ kind: "folder", path: storedPath(path, root) }) as const,
    );
  const source = runSourceOf(paths, { cwd, root, taskFolder });
  if (source.kind === "words") throw missingTask(source.text);
  return [source];
}

/** The folder itself and those in it, where tasks are. */
function foldersIn(folder: string): readonly string[] {
  if (existing(folder) !== "folder") return [];
  const inner = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
  );
  return [folder, ...inner].filter((path) =>
    markdownNames(path).some((name) => !name.startsWith("_")),
  );
}

function gateless({ settings: { gates, pipelines }, name }: LoadedConfig): readonly Problem[] {
  const isProven = gates === "none" || gates.length > 0;
  if (isProven || pipelines.some(({ steps }) => steps.every((step) => step.gates !== null)))
    return [];
  const suggestion = 'add one under "gates", or say gates: "none"';
  return [problem(name, "no gate is configured, so nothing would prove a task", suggestion)];
}

function missingPrompts({ settings, folder, name }: LoadedConfig): readonly Problem[] {
  const names = settings.pipelines.flatMap(({ steps }) => steps.flatMap(templatesOf));
  return names.flatMap((prompt) => {
    if (promptPath(prompt, folder) !== null) return [];
    const message = `there is no prompt template ${JSON.stringify(prompt)}: neither ${PROMPT_FOLDER}/${prompt}.md nor a built-in one`;
    return [problem(name, message, suggestName(prompt, ["self", ...BUILT_IN_PROMPTS]))];
  });
}

function missingAgents(
  { env }: ValidationRequest,
  { root, settings, name }: Project,
  tasks: readonly Task[],
): readonly Problem[] {
  const teams = [settings.agent, ...tasks.flatMap(({ steps }) => steps.map(agentsOf))];
  const missing = new Map(
    settings.agents.flatMap((agent) => {
      const why = missingAgent(agent, root, env);
      return why === null ? [] : [[agent.name, why] as const];
    }),
  );
  // Where another one of the list is there, that one works.
  const needed = teams.filter((team) => team.every((one) => missing.has(one))).flat();
  return [...new Set(needed)].flatMap((agent) => {
    const why = missing.get(agent);
    return why === undefined ? [] : [problem(name, why.message, why.hint)];
  });
}
