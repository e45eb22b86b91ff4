// Which real adapters stand behind the loop's ports?

import { join } from "node:path";

import { createAttemptFiles } from "../../adapters/session/attempt-files.ts";
import {
  agentEnvironment,
  environmentAt,
  gateEnvironment,
  rootsOf,
} from "../../adapters/environment.ts";
import type { OpenRun } from "../../adapters/log/event-store.ts";
import { createConfine, UNCONFINED, type Confine } from "../../adapters/process/confine.ts";
import { createOrphans } from "../../adapters/process/tree.ts";
import { packageFolder } from "../../adapters/project/templates.ts";
import { tellingSecrets, type Redact } from "../../adapters/redact.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { assertNever, invariant } from "../../core/model/assert.ts";
import type { Level } from "../../core/model/policy.ts";
import { type Settings, type WorktreeSettings } from "../../core/model/settings.ts";
import { createClaudeCode, PATIENCE } from "../../drivers/claude-code.ts";
import { createCommandDriver } from "../../drivers/command.ts";
import { STOP_STEPS } from "../../drivers/session-run.ts";
import type { Agents, EventStore, Gates, Places, Ports } from "../../engine/ports.ts";
import { createBaseIndex } from "../../adapters/log/base-index.ts";
import { createGates } from "../../gates/gates.ts";
import { createPlaces } from "../../workspace/place/places.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import type { Git } from "../../workspace/git/git.ts";
import type { PinnedSettings } from "../../workspace/git/pinned-settings.ts";
import { VERSION } from "../../version.ts";
import { createLanding } from "../../workspace/join/landing.ts";
import { createWorkspaces } from "../../workspace/workspaces.ts";

/** A run in its repository, with what the user chose for it. */
export interface RunPlace {
  /** Absolute; `.orch` lies here. */
  readonly root: string;
  readonly settings: Settings;
  /** The level that the environment said when the run began. */
  readonly level: Level | null;
  /** By name. */
  readonly prompts: Readonly<Record<string, string>>;
  /** What git goes by for all of the run. */
  readonly pinnedGit: PinnedSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redact;
}

/** The ports that touch the world; people, tasks and the stop signal are the caller's. */
export function realPorts(
  place: RunPlace,
  store: EventStore & Pick<OpenRun, "files">,
): Pick<
  Ports,
  "agents" | "store" | "workspaces" | "landing" | "gates" | "bases" | "files" | "orphans" | "clock"
> & { readonly places: Places } {
  const { root, env, redact, settings } = place;
  const run = store.files.id;
  const confine = confineIn(place);
  const how = { confine, pinnedGit: place.pinnedGit };
  const logs = join(store.files.folder, "setup");
  const places = placesIn({ root, env, redact, settings: settings.worktree }, { ...how, logs });
  const workspaces = {
    cwd: root,
    run: store.files.id,
    runDir: store.files.folder,
    branchPrefix: settings.git.branchPrefix,
    settings: settings.worktree,
    gateEnv: gateEnvironment(env),
    confine,
    redact,
    env,
    secrets: [env, ...settings.agents.map((agent) => agent.env)].flatMap(tellingSecrets),
    pinnedGit: place.pinnedGit,
  };
  return {
    agents: agentsOf(place, confine),
    store,
    workspaces: createWorkspaces(workspaces),
    landing: createLanding(workspaces),
    places,
    gates: gatesIn({ root, env, redact }, { confine, places }),
    bases: createBaseIndex({
      root,
      run,
      orch: VERSION,
      environment: gateEnvironment(env),
      worktree: settings.worktree,
    }),
    files: createAttemptFiles({ run: store.files, prompts: place.prompts, redact }),
    orphans: createOrphans(),
    clock: systemClock,
  };
}

/** Where a run's gates are measured; the folders stay for the next run. */
export function placesIn(
  {
    root,
    env,
    redact,
    settings,
  }: Pick<RunPlace, "root" | "env" | "redact"> & { readonly settings: WorktreeSettings },
  {
    pinnedGit,
    ...how
  }: { readonly pinnedGit?: PinnedSettings; readonly confine: Confine; readonly logs: string },
): Places {
  // A run has asked git as it began.
  const first = { refs: null, ignored: null, ...pinnedGit?.first };
  const repository = async (): Promise<Git> => {
    const git = pinnedGit?.pinned() ?? (await findRepository(root, env, pinnedGit?.repositories));
    invariant(git !== null, `${root} is in a repository`);
    return git;
  };
  const commands = { ...how, redact, settings, env: gateEnvironment(env) };
  return createPlaces({ repository, first, commands, settings, env });
}

export function gatesIn(
  { root, env, redact }: Pick<RunPlace, "root" | "env" | "redact">,
  { confine, places }: { readonly confine: Confine; readonly places: Places },
): Gates {
  return createGates({ root, environment: gateEnvironment(env), confine, redact, places });
}

/** Throws OrchError where the sandbox that is asked for cannot be made. */
export function confineIn({
  root,
  env,
  settings,
}: Pick<RunPlace, "root" | "env" | "settings">): Confine {
  return createConfine(settings.sandbox, { root, folders: [packageFolder()], env });
}

/** The configured agents as drivers, by the names that the config gives them. */
export function agentsOf({ root, env, redact, settings }: RunPlace, confine = UNCONFINED): Agents {
  const outer = agentEnvironment(env);
  const inTree = (tree: string) => environmentAt(outer, rootsOf(root), tree);
  const program = { node: process.execPath, cli: ownEntry() };
  const deps = { env: inTree, confine, redact, stop: STOP_STEPS, ...program };
  return {
    driver: (name) => {
      const spec = settings.agents.find((one) => one.name === name);
      invariant(spec !== undefined, `there is an agent ${name}`);
      switch (spec.driver) {
        case "claude-code":
          return createClaudeCode(spec, { ...deps, patience: PATIENCE });
        case "command":
          return createCommandDriver(spec, deps);
        default:
          return assertNever(spec, "driver");
      }
    },
  };
}

/** The built program itself. */
export function ownEntry(): string {
  return join(packageFolder(), "dist/cli.cjs");
}
