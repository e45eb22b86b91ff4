// What must be there before a run starts, room on the disk too, and what should the user know?

import { join } from "node:path";

import { createRedactor, namedSecrets, tellingSecrets } from "../../adapters/redact.ts";
import { missingAgent, signInTrouble } from "../../adapters/project/agent-program.ts";
import type { Pinned } from "../../adapters/project/pinned.ts";
import { promptIn } from "../../adapters/project/templates.ts";
import { readTasks, tasksOf, type TaskContext } from "../../adapters/project/task-source.ts";
import type { RunSource } from "../../core/model/event.ts";
import type { Overrides, Settings, SandboxKind } from "../../core/model/settings.ts";
import { templatesOf, type Task } from "../../core/model/task.ts";
import { agentsOf } from "../../core/run/select.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { agentsOf as driversOf, type RunPlace } from "./context.ts";
import { createPinnedSettings } from "../../workspace/git/pinned-settings.ts";
import { printErr, styleOf, type CliIo } from "../io.ts";
import { paragraph } from "../layout.ts";
import { type Given, usage } from "../command-line/options.ts";
import { orchFolder } from "../../adapters/log/run-files.ts";
import { BYTES_MIN, FILES_MIN, hasRoom } from "../../workspace/room.ts";
import { worktreesFolder } from "../../workspace/worktrees/places.ts";

/** What a command that starts or resumes a run works with. What the command line says of the sandbox stands over the config. */
export function runPlace(
  root: string,
  pinned: Pinned,
  { io, sandbox: use }: { readonly io: CliIo; readonly sandbox: SandboxKind | null },
): RunPlace {
  const { level, prompts } = pinned;
  const { sandbox } = pinned.settings;
  const settings = { ...pinned.settings, sandbox: { ...sandbox, use: use ?? sandbox.use } };
  const pinnedGit = createPinnedSettings(pinned.git);
  // Knows the secrets of the environment, and those that the config gives to agents.
  const given = settings.agents.map((agent) => agent.env);
  const secrets = [io.env, ...given].flatMap(tellingSecrets);
  const values = given.flatMap(namedSecrets).map(([value]) => value);
  const redact = createRedactor(io.env, values, secrets);
  // As the config left it; a copy, because each look at the process's own is slow.
  return { root, settings, level, prompts, pinnedGit, env: { ...io.env }, redact, secrets };
}

export interface ReadyTasks {
  readonly tasks: readonly Task[];
  readonly notes: readonly string[];
}

/** The tasks with all that they need; throws OrchError where something is wrong or missing. */
export function readyTasks(source: RunSource, flags: Overrides, place: RunPlace): ReadyTasks {
  const reading = readTasks(source, contextOf(flags, place));
  const tasks = tasksOf(reading);
  requireAgents(tasks, place);
  requirePrompts(tasks, place);
  return { tasks, notes: reading.notes };
}

/** What stands above every task of the run, from its beginning to its end. */
export function contextOf(flags: Overrides, { level, settings, root }: RunPlace): TaskContext {
  return { flags, environmentLevel: level, settings, root };
}

/** Throws OrchError "agent-missing" where the program of no agent of a step is there. */
export function requireAgents(tasks: readonly Task[], { settings, root, env }: RunPlace): void {
  const teams = tasks.flatMap(({ steps }) =>
    steps.map((step) => [agentsOf(step).join(), step] as const),
  );
  for (const step of new Map(teams).values()) {
    const team = agentsOf(step);
    const specs = settings.agents.filter(({ name }) => team.includes(name));
    const missing = specs.flatMap((spec) => missingAgent(spec, root, env) ?? []);
    const [first] = missing;
    if (first !== undefined && missing.length === specs.length)
      throw new OrchError("agent-missing", first.message, first.hint);
  }
}

/** Throws OrchError "prompt-missing" where a step's template is in neither the project nor orch. */
function requirePrompts(tasks: readonly Task[], { prompts }: RunPlace): void {
  const named = tasks.flatMap(({ steps }) => steps.flatMap(templatesOf));
  for (const name of new Set(named)) promptIn(prompts, name);
}

/** A name from the command line that nothing answers to is the command line's fault, not a task's. */
export function requireNames(flags: Overrides, settings: Settings): void {
  const { agent, pipeline, bestOf } = flags;
  const candidates = (bestOf ?? []).filter((one) => one !== null);
  for (const [flag, what, all] of [
    ["agent", "agent", agent ?? []],
    ["best-of", "agent", candidates],
    ["pipeline", "pipeline", pipeline === null ? [] : [pipeline]],
  ] as const) {
    const names = settings[`${what}s`].map(({ name }) => name);
    for (const given of all)
      if (!names.includes(given))
        throw usage(
          `--${flag} is ${JSON.stringify(given)}; the config has ${names.join(", ")}`,
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
  const named = agentNames(tasks);
  const agents = place.settings.agents.filter(({ name }) => named.has(name));
  const drivers = driversOf(place);
  const costless = agents.filter(({ name }) => !drivers.driver(name).abilities.tellsCost);
  const signIns = agents.flatMap((agent) => {
    const trouble = missingAgent(agent, place.root, place.env) ?? signInTrouble(agent, place.env);
    return trouble === null ? [] : [`${trouble.message}; ${trouble.hint}`];
  });
  const style = styleOf(io, "stderr");
  const lines = [
    ...notes,
    ...signIns,
    ...costless.map((agent) => {
      const isBlind = agent.driver === "command" && agent.prints === "text";
      const how = isBlind ? "" : ", which is reckoned from its tokens where its model has a price";
      return `the agent "${agent.name}" does not report its cost${how}; limits on sessions and time apply in any case`;
    }),
  ];
  for (const note of lines) printErr(io, paragraph(style, `note: ${note}`, { hanging: "  " }));
}

function agentNames(tasks: readonly Task[]): ReadonlySet<string> {
  const named = tasks.flatMap(({ steps }) =>
    steps.flatMap((step) => [...agentsOf(step), step.coach?.agent ?? step.agent]),
  );
  return new Set(named);
}

/** Throws OrchError "disk-full": better than to find it in the middle of a session that was paid for. */
export function requireRoom({ root, env, settings }: RunPlace): void {
  const trees = worktreesFolder(settings.worktree.root, env, root);
  const needed = [
    { what: "trees of tasks", folder: trees, bytes: BYTES_MIN.tree },
    { what: "records of runs", folder: orchFolder(root), bytes: BYTES_MIN.records },
    { what: "what git keeps", folder: join(root, ".git", "objects"), bytes: BYTES_MIN.records },
  ];
  for (const { what, folder, bytes } of needed) {
    if (hasRoom(folder, bytes)) continue;
    throw new OrchError(
      "disk-full",
      `no space left for ${what} in ${JSON.stringify(folder)}: it needs ${bytes / 1024 ** 2} MiB, and names for ${FILES_MIN} files`,
      `free some space there (\`orch clean\` removes what runs left behind) or name another place under \`worktree.root\` in the config, ${THEN_RESUME}`,
      { exitCode: 75 },
    );
  }
}
