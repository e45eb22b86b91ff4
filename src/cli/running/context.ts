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
import { packageFolder } from "../../adapters/project/package-folder.ts";
import type { NamedSecret, Redact } from "../../adapters/redact.ts";
import { ignoredIn, secretsIn } from "../../adapters/tree-secrets.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { invariant } from "../../core/model/assert.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { Level } from "../../core/model/policy.ts";
import type { Settings } from "../../core/model/settings.ts";
import { createDriver } from "../../drivers/registry.ts";
import { STOP_STEPS } from "../../drivers/session-run.ts";
import type { Agents, EventStore, Places, Ports } from "../../engine/ports.ts";
import { createBaseIndex } from "../../adapters/log/base-index.ts";
import { createGates } from "../../gates/gates.ts";
import { patternsOf } from "../../workspace/git/sparse.ts";
import { createPlaces } from "../../workspace/place/places.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import type { Git } from "../../workspace/git/git.ts";
import { taskRefs, tipRef } from "../../workspace/git/refs.ts";
import type { PinnedSettings } from "../../workspace/git/pinned-settings.ts";
import { VERSION } from "../../version.ts";
import type { Shown } from "../../workspace/join/task-line.ts";
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
  /** Those that no work may hold, as far as they are known by now: `redact` knows them, too. */
  readonly secrets: NamedSecret[];
}

/** The ports that touch the world; people, tasks and the stop signal are the caller's. */
export function realPorts(
  place: RunPlace,
  store: EventStore & Pick<OpenRun, "files" | "events">,
): Pick<
  Ports,
  "agents" | "store" | "workspaces" | "landing" | "gates" | "bases" | "files" | "orphans" | "clock"
> & { readonly places: Places } {
  const { root, env, redact, settings } = place;
  const run = store.files.id;
  const confine = confineIn(place);
  const places = placesIn(place, { confine, logs: join(store.files.folder, "setup") });
  const environment = gateEnvironment(env);
  const ignored = ignoredIn(store.events);
  const learn = (paths: readonly string[]): void => learnSecrets(place, paths);
  learn(ignored);
  const workspaces = {
    cwd: root,
    run,
    runDir: store.files.folder,
    branchPrefix: settings.git.branchPrefix,
    settings: settings.worktree,
    gateEnv: environment,
    confine,
    redact,
    env,
    secrets: place.secrets,
    learn,
    ignored,
    pinnedGit: place.pinnedGit,
    before: { shown: shownBy(run, store.events), sinceMs: Date.parse(store.events[0]?.at ?? "") },
  };
  const ofBase = { root, run, environment, patterns: () => patternsOf(place.pinnedGit.pinned()) };
  return {
    agents: agentsOf(place, confine),
    store,
    workspaces: createWorkspaces(workspaces),
    landing: createLanding(workspaces),
    places,
    gates: createGates({ root, environment, confine, redact, places }),
    bases: createBaseIndex({ ...ofBase, orch: VERSION, worktree: settings.worktree }),
    files: createAttemptFiles({ run: store.files, prompts: place.prompts, redact }),
    orphans: createOrphans(),
    clock: systemClock,
  };
}

/** The branches that the run's log names, with the refs that they show. */
function shownBy(run: RunId, events: readonly Recorded[]): readonly Shown[] {
  return events.flatMap(({ event }) => {
    if (event.type === "run-started" && event.base !== null)
      return [{ ref: tipRef(run), branch: event.base.into }];
    return event.type === "tree-planned" && event.workspace.kind === "worktree"
      ? [{ ref: taskRefs(run, event.task).head, branch: event.workspace.branch }]
      : [];
  });
}

/** From ignored files of the checkout. */
function learnSecrets({ root, secrets }: RunPlace, paths: readonly string[]): void {
  for (const one of secretsIn(root, paths))
    if (!secrets.some(([value]) => value === one[0])) secrets.push(one);
}

/** Where a run's gates are measured; the folders stay for the next run. */
function placesIn(
  { root, env, redact, settings, pinnedGit }: RunPlace,
  how: { readonly confine: Confine; readonly logs: string },
): Places {
  // A run has asked git as it began; the first task takes its own.
  const first = { ...pinnedGit.first };
  const repository = async (): Promise<Git> => {
    const git = pinnedGit.pinned() ?? (await findRepository(root, env, pinnedGit.repositories));
    invariant(git !== null, `${root} is in a repository`);
    return git;
  };
  const commands = { ...how, redact, settings: settings.worktree, env: gateEnvironment(env) };
  return createPlaces({ repository, first, commands, settings: settings.worktree, env });
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
  const program = { node: process.execPath, cli: join(packageFolder(), "dist/cli.cjs") };
  const { prices } = settings;
  const deps = { env: inTree, confine, redact, prices, stop: STOP_STEPS, ...program };
  return {
    driver: (name) => {
      const spec = settings.agents.find((one) => one.name === name);
      invariant(spec !== undefined, `there is an agent ${name}`);
      return createDriver(spec, deps);
    },
  };
}
