// How does a command come to the config that a run goes by?

import { environmentLevel } from "../../adapters/environment.ts";
import { openRun, type OpenRun, type StoreOptions } from "../../adapters/log/event-store.ts";
import { type LoadedConfig, loadConfig } from "../../adapters/project/config-loader.ts";
import { keepPinned, pin, pinnedIn, readPinned } from "../../adapters/project/pinned.ts";
import type { PinPlace } from "../../adapters/project/pinned.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { invariant } from "../../core/model/assert.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { RunState } from "../../core/model/state.ts";
import { fold } from "../../core/run/reduce.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { createPinnedSettings } from "../../workspace/git/pinned-settings.ts";
import type { RunPlace } from "./context.ts";
import type { CliIo } from "../io.ts";
import type { Given } from "../command-line/options.ts";
import { runPlace } from "./preflight.ts";

export interface Beginning extends Pick<Begun, "source" | "flags"> {
  readonly root: string;
  readonly io: CliIo;
}

export type Begun = NonNullable<RunState["run"]>;

/** Config and prompts as they are now. */
export type NewPolicy = Awaited<ReturnType<typeof newPolicy>>;

/** Taken from the form in which it is kept, so that the first process has what later ones will have. */
export async function newPolicy(config: LoadedConfig, { root, source, flags, io }: Beginning) {
  const at = { root, env: io.env };
  const pinnedGit = createPinnedSettings(null);
  const git = await gitSettings(at, pinnedGit);
  const pinning = pin(config, { source, level: environmentLevel(io.env), git }, at);
  const pinned = pinnedIn(pinning.text, { root, env: { ...io.env, ...pinning.made } });
  const keep = ({ files }: OpenRun): void => keepPinned(files, pinning);
  const place: RunPlace = { ...runPlace(root, pinned, { io, sandbox: flags.sandbox }), pinnedGit };
  return {
    pinned,
    policy: pinning.policy,
    place,
    /** To be called before the event that names it. */
    keep,
  };
}

/** What has git start programs here, as it is now; null: there is no repository. */
export async function gitSettings(at: PinPlace, pinnedGit = createPinnedSettings(null)) {
  const git = await findRepository(at.root, at.env, pinnedGit.repositories);
  return git === null ? null : pinnedGit.begin(git);
}

/** What the first event says, which every run has that was seen by people. */
export function begun(store: OpenRun): Begun {
  const { run } = fold(store.events);
  invariant(run !== null, "the run began");
  return run;
}

/** The config is run only where a person asks for it. */
export async function policyOfRun(
  { source, flags, pinned: named }: Begun,
  { store, root, given, io }: Going,
): Promise<Pick<NewPolicy, "pinned" | "place"> | NewPolicy> {
  if (given.reloadConfig === true)
    return newPolicy(await loadConfig(io.cwd), { root, source, flags, io });
  const pinned = readPinned(store.files, named, { root, env: io.env });
  return { pinned, place: runPlace(root, pinned, { io, sandbox: flags.sandbox }) };
}

export interface Going {
  readonly store: OpenRun;
  readonly root: string;
  readonly given: Given;
  readonly io: CliIo;
}

/** Its secrets are known only when its log is read: `redactAs` says what is taken out from then on. */
export function openLate(
  root: string,
  run: RunId,
  io: CliIo,
  options: Omit<StoreOptions, "redact"> = {},
): { readonly store: OpenRun; readonly redactAs: (place: RunPlace) => RunPlace } {
  let redact = createRedactor(io.env);
  const store = openRun(root, run, { ...options, redact: (text) => redact(text) });
  const redactAs = (place: RunPlace): RunPlace => {
    ({ redact } = place);
    return place;
  };
  return { store, redactAs };
}
