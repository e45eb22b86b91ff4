// What is wrong with this project's config and tasks, all of it, without running anything?

import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import type { AgentSpec } from "../../core/model/agent.ts";
import type { RunSource } from "../../core/model/event.ts";
import type { Level } from "../../core/model/level.ts";
import { NO_OVERRIDES, type Settings } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError } from "../../errors.ts";
import { readShell } from "../../readers/shell/parse.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { lineOfKey } from "../../schema/locate.ts";
import { suggestName } from "../../schema/suggest.ts";
import { readConfig, repositoryRoot } from "./config-loader.ts";
import { findProgram, packageScripts } from "./project-detect.ts";
import { scopeProblems } from "./scope-check.ts";
import { runSourceOf, storedPath } from "./task-argument.ts";
import { readTasks, type TaskContext, type TaskReading } from "./task-source.ts";
import { BUILT_IN_PROMPTS, PROMPT_FOLDER, promptPath } from "./templates.ts";

export interface ValidationRequest {
  readonly cwd: string;
  /** Task files and folders; empty: the config's task folder. */
  readonly paths: readonly string[];
  /** What ORCH_INTERACTION_THRESHOLD says. */
  readonly environmentLevel: Level | null;
  /** Stands in for `claude` where it is set: ORCH_CLAUDE_BIN. */
  readonly claudeBin: string | null;
  /** The PATH variable, in which agents are looked for. */
  readonly path: string;
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
    const { folder, name, text, settings } = await readConfig(request.cwd);
    if (!settings.ok) return { config: name, tasks: [], problems: settings.problems, notes: [] };
    const root = repositoryRoot(request.cwd) ?? folder;
    return validateTasks(request, { folder, name, text, root, settings: settings.value });
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { config: null, tasks: [], problems: [asProblem(error)], notes: [] };
  }
}

interface Project {
  readonly folder: string;
  readonly name: string;
  readonly text: string;
  readonly root: string;
  readonly settings: Settings;
}

function validateTasks(request: ValidationRequest, project: Project): Validation {
  const { root, settings, name } = project;
  const context: TaskContext = {
    root,
    settings,
    flags: NO_OVERRIDES,
    environmentLevel: request.environmentLevel,
  };
  const readings = sourcesOf(request, project).map((each) => reading(each, context));
  const tasks = readings.flatMap((each) => each.tasks);
  const found = [
    ...configProblems(request, project, tasks),
    ...readings.flatMap((each) => [...each.problems, ...scopeProblems(each, root)]),
  ];
  return {
    config: name,
    tasks,
    problems: found,
    notes: readings.flatMap((each) => each.notes),
  };
}

type Found = RunSource | OrchError;

function sourcesOf(
  { cwd, paths }: ValidationRequest,
  { root, folder, settings }: Project,
): readonly Found[] {
  const taskFolder = join(folder, settings.taskFolder);
  if (paths.length > 0)
    return paths.map((path) => caught(() => pathSource(path, { cwd, root, taskFolder })));
  // A project may well begin without tasks: words are tasks too.
  if (!hasTasks(taskFolder)) return [];
  return [{ kind: "folder", path: storedPath(taskFolder, root) }];
}

function pathSource(path: string, place: Parameters<typeof runSourceOf>[1]): RunSource {
  const source = runSourceOf(path, place);
  if (source.kind !== "words") return source;
  throw new OrchError(
    "task-missing",
    `there is no task file or folder ${JSON.stringify(path)}`,
    "check the path",
  );
}

function hasTasks(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /\.md$/i.test(name) && !name.startsWith("_"));
  } catch {
    return false; // No folder, no tasks.
  }
}

function reading(source: Found, context: TaskContext): TaskReading {
  const read = source instanceof OrchError ? source : caught(() => readTasks(source, context));
  if (!(read instanceof OrchError)) return read;
  return { tasks: [], problems: [asProblem(read)], notes: [], where: (task) => task };
}

function caught<T>(attempt: () => T): T | OrchError {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof OrchError) return error;
    throw error;
  }
}

function asProblem(error: OrchError): Problem {
  return problem(error.code, error.message, error.hint);
}

/** What the config names must be there: prompts, programs, scripts. */
function configProblems(
  request: ValidationRequest,
  project: Project,
  tasks: readonly Task[],
): readonly Problem[] {
  const { settings, folder } = project;
  const used = new Set([
    settings.agent,
    ...tasks.flatMap((task) => task.steps.map((step) => step.agent)),
  ]);
  return [
    ...settings.pipelines.flatMap((pipeline) =>
      pipeline.steps.flatMap(({ prompt }, index) =>
        prompt.kind === "self" || promptPath(prompt.name, folder) !== null
          ? []
          : [missingPrompt(prompt.name, project, ["pipelines", pipeline.name, index, "prompt"])],
      ),
    ),
    ...settings.agents
      .filter((agent) => used.has(agent.name))
      .flatMap((agent) => agentProblem(agent, request, project) ?? []),
    ...(settings.gates === "none" ? [] : settings.gates).flatMap((gate) =>
      gate.kind === "command" ? scriptProblems(gate.name, gate.run, project) : [],
    ),
  ];
}

function missingPrompt(
  name: string,
  project: Project,
  path: readonly (string | number)[],
): Problem {
  const own = `${PROMPT_FOLDER}/${name}.md`;
  return problem(
    at(project, path),
    `there is no prompt template ${JSON.stringify(name)}: neither ${own} nor a built-in one`,
    suggestName(name, ["self", ...BUILT_IN_PROMPTS]),
  );
}

function agentProblem(
  agent: AgentSpec,
  request: ValidationRequest,
  project: Project,
): Problem | null {
  const where = at(project, ["agents", agent.name]);
  if (agent.driver === "script") {
    if (existsSync(agent.script)) return null;
    return problem(where, `the script ${agent.script} of agent "${agent.name}" does not exist`);
  }
  const program = programOf(agent, request.claudeBin);
  if (program === null || isThere(program, request, project)) return null;
  return problem(
    where,
    `the program ${JSON.stringify(program)} of agent "${agent.name}" is not in PATH`,
    "install it, or name it with its path under agents",
  );
}

/** The first word of what will be started; null where only a shell could tell. */
function programOf(
  agent: Exclude<AgentSpec, { driver: "script" }>,
  claudeBin: string | null,
): string | null {
  const command = agent.command ?? [claudeBin ?? "claude"];
  const [program = "", , line = ""] = command;
  if (agent.driver !== "command" || program !== "/bin/sh" || command.length !== 3) return program;
  const word = /^\s*([\w./+-]+)(?:\s|$)/.exec(line)?.[1] ?? null;
  return word === null || SHELL_WORDS.has(word) ? null : word;
}

/** Built into the shell; PATH says nothing about them. */
const SHELL_WORDS = new Set([
  "cd",
  "exec",
  "export",
  "set",
  "if",
  "for",
  "while",
  "test",
  "echo",
  "true",
  "false",
  ".",
]);

function isThere(program: string, request: ValidationRequest, { root }: Project): boolean {
  if (isAbsolute(program)) return existsSync(program);
  if (program.includes("/")) return existsSync(resolve(root, program));
  return findProgram(program, request.path) !== null;
}

/** `npm run lint` without a script "lint" would be unknown in every attempt. */
function scriptProblems(gate: string, run: string, project: Project): readonly Problem[] {
  const scripts = packageScripts(project.root);
  return npmScripts(run)
    .filter((name) => scripts === null || !Object.hasOwn(scripts, name))
    .map((name) =>
      problem(
        at(project, ["gates", gate, "run"]),
        scripts === null
          ? `gate "${gate}" runs ${JSON.stringify(run)}, and there is no readable package.json`
          : `gate "${gate}" runs the script "${name}", which package.json does not have`,
        scripts === null ? null : suggestName(name, Object.keys(scripts)),
      ),
    );
}

/** The npm scripts a shell line names plainly; with options in between nothing is certain. */
function npmScripts(run: string): readonly string[] {
  return readShell(run).items.flatMap((item) => {
    if (item.kind !== "command" || item.words[0] !== "npm") return [];
    const [, verb = "", name = ""] = item.words;
    if (/--if-present|--prefix|-w\b|--workspace/.test(item.text)) return [];
    if (["test", "t", "tst"].includes(verb)) return ["test"];
    return ["run", "run-script"].includes(verb) && /^\w[\w:.-]*$/.test(name) ? [name] : [];
  });
}

function at({ name, text }: Project, key: readonly (string | number)[]): string {
  const line = lineOfKey(text, key);
  return line === null ? name : `${name}:${line}`;
}
