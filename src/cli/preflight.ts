// What must be there before a run starts, and what should the user know before it does?

import { createRedactor } from "../adapters/redact.ts";
import { missingAgent } from "../adapters/project/agent-program.ts";
import { readPrompt } from "../adapters/project/templates.ts";
import type { LoadedConfig } from "../adapters/project/config-loader.ts";
import { environmentLevel } from "../adapters/environment.ts";
import { readTasks, taskSource, tasksOf } from "../adapters/project/task-source.ts";
import type { RunSource } from "../core/model/event.ts";
import type { TaskSource } from "../engine/ports.ts";
import type { Overrides, Settings } from "../core/model/settings.ts";
import type { SandboxKind } from "../core/model/settings.ts";
import type { RunState } from "../core/model/state.ts";
import type { Task } from "../core/model/task.ts";
import { OrchError } from "../errors.ts";
import { agentsOf, type RunPlace } from "./context.ts";
import { printErr, styleOf, type CliIo } from "./io.ts";
import { paragraph } from "./layout.ts";
import { type Given, usage } from "./options.ts";

/** What a command that starts or resumes a run works with. */
export function runPlace(root: string, config: LoadedConfig, io: CliIo): RunPlace {
  const { settings, folder: configFolder } = config;
  // Knows the secrets of the environment, and those that the config gives to agents.
  const secrets = settings.agents.flatMap((agent) =>
    Object.entries(agent.env).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : [])),
  );
  const redact = createRedactor(io.env, secrets);
  // As the config left it; a copy, because each look at the process's own is slow.
  return { root, configFolder, settings, env: { ...io.env }, redact };
}

/** What the run's command line says of the sandbox stands over the config. */
export function confinedAs(place: RunPlace, { run }: Pick<RunState, "run">): RunPlace {
  return confinedBy(place, run?.flags.sandbox ?? null);
}

export function confinedBy(place: RunPlace, sandbox: SandboxKind | null): RunPlace {
  if (sandbox === null) return place;
  const { settings } = place;
  return { ...place, settings: { ...settings, sandbox: { ...settings.sandbox, use: sandbox } } };
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i;

export interface ReadyTasks {
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
  /** Reads them again while the run goes on. */
  readonly source: TaskSource;
}

/** The tasks with all that they need; throws OrchError where something is wrong or missing. */
export function readyTasks(
  source: RunSource,
  flags: Overrides,
  place: RunPlace,
  io: CliIo,
): ReadyTasks {
  const { root, settings } = place;
  const context = { flags, environmentLevel: environmentLevel(io.env), settings, root };
  const reading = readTasks(source, context);
  const tasks = tasksOf(reading);
  requireAgents(tasks, place);
  requirePrompts(tasks, place);
  return { tasks, notes: reading.notes, source: taskSource(source, context) };
}

/** Throws OrchError "agent-missing" where the program of an agent that will be needed is not there. */
function requireAgents(tasks: readonly Task[], place: RunPlace): void {
  const needed = agentNames(tasks);
  for (const spec of place.settings.agents.filter((one) => needed.has(one.name))) {
    const missing = missingAgent(spec, place.root, place.env);
    if (missing !== null) throw new OrchError("agent-missing", missing.message, missing.hint);
  }
}

/** Throws OrchError "prompt-missing" where a step's template is in neither the project nor orch. */
function requirePrompts(tasks: readonly Task[], { configFolder }: RunPlace): void {
  const named = tasks.flatMap((task) =>
    task.steps.flatMap(({ prompt }) => (prompt.kind === "template" ? [prompt.name] : [])),
  );
  for (const name of new Set([...named, "replan", "report-contract"]))
    readPrompt(name, configFolder);
}

/** A name from the command line that nothing answers to is the command line's fault, not a task's. */
export function requireNames({ agent, pipeline }: Overrides, settings: Settings): void {
  const all = [
    ["agent", agent, settings.agents],
    ["pipeline", pipeline, settings.pipelines],
  ] as const;
  for (const [what, given, known] of all) {
    const names = known.map(({ name }) => name);
    if (given !== null && !names.includes(given))
      throw usage(
        `--${what} is ${JSON.stringify(given)}; the config has ${names.join(", ")}`,
        `name one of them, or add it under "${what}s" in the config`,
      );
  }
}

/** Said once, on stderr, before anything is spent. */
export function sayBefore(
  { tasks, notes }: ReadyTasks,
  place: RunPlace,
  flags: Given,
  io: CliIo,
): void {
  if (flags.quiet === true) return;
  const agents = agentsOf(place);
  const costless = [...agentNames(tasks)].filter(
    (name) => !agents.driver(name).abilities.tellsCost,
  );
  const style = styleOf(io, "stderr");
  const told = [
    ...notes,
    ...costless.map(
      (name) =>
        `the agent "${name}" cannot tell its cost; limits of sessions and time stand in for it`,
    ),
  ];
  for (const note of told) printErr(io, paragraph(style, `note: ${note}`, { hanging: "  " }));
}

function agentNames(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.flatMap((task) => task.steps.map((step) => step.agent)));
}
