// Does git go by the settings that a run began with, whatever is written in them meanwhile?

import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { bytesIn } from "../adapters/files/small-file.ts";
import { digestOf } from "../core/model/ids.ts";
import { OrchError } from "../errors.ts";
import type { Environment } from "./git-environment.ts";
import { gitList, type Git, type HeldSettings, type OwnSettings } from "./git.ts";

/** null: what is seen first counts. */
export function createOwnSettings(begun: HeldSettings | null): OwnSettings {
  let base = begun;
  let seen: { readonly stamp: string; readonly files: readonly string[] } | null = null;
  let held: Environment = {};
  const differing = new Set<string>();
  const found = new Map<string, Git>();
  const place = (git: Git): Git => found.values().next().value ?? git;
  const hold: OwnSettings["hold"] = async (git) => {
    requireNoneOfItsOwn(git);
    const before = seen?.files ?? filesAlways(place(git));
    const stamp = before.map(stampOf).join("\n");
    if (stamp === seen?.stamp) return held;
    const { settings, files } = await settingsOf(place(git));
    base ??= settings;
    for (const key of changedSettings(base, settings)) differing.add(key);
    held = heldTo(base, settings, git.env);
    // Files that were not looked at before may have changed since: then it is listed once more.
    seen = { files, stamp: files.every((file) => before.includes(file)) ? stamp : "" };
    return held;
  };
  return {
    found,
    hold,
    begin: async (git) => {
      await hold(git);
      return base ?? {};
    },
    changed: () => [...differing],
  };
}

/** Keys, as far as a person is told. */
export function changedSettings(before: HeldSettings, now: HeldSettings): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...keys].filter((key) => before[key] !== now[key]);
}

/** Which programs git starts, and where it works; the user's other settings may change at any time. */
const RUNS =
  /^(?:core\.(?:worktree|bare|hookspath|fsmonitor|attributesfile|alternaterefscommand)|extensions\.worktreeconfig|filter\..*|diff\.external|diff\..*\.(?:command|textconv)|merge\..*\.driver|gpg\..*|uploadpack\.packobjectshook|alias\..*)$/;

/** How git gets to other repositories; keys and values can hold passwords. */
const REACHES =
  /^(?:core\.(?:sshcommand|gitproxy|askpass)|credential\..*|url\..*|protocol\..*|remote\..*\.(?:uploadpack|receivepack|vcs))$/;
export const REACHING = "addresses, credentials or transports";
const ATTRIBUTES = "info/attributes";

/** Of all others, what orch says with each call is without them: place, hooks, flags, signatures. */
const HELD = /^(?:filter\..*|merge\..*|core\.(?:attributesfile|alternaterefscommand))$/;
const UNHELD = /^(?:extensions\.worktreeconfig|uploadpack\.packobjectshook)$/;

function heldTo(base: HeldSettings, now: HeldSettings, env: Environment): Environment {
  const changed = changedSettings(base, now);
  const stop = changed.find((key) => UNHELD.test(key) || isNewProcess(key, base));
  if (stop !== undefined) throw configChanged(stop, now[stop]);
  const pairs = changed
    .filter((key) => HELD.test(key))
    .map((key) => [key, base[key] ?? (key.startsWith("merge.") ? CONFLICT : "")] as const);
  const reach = changed.includes(REACHING) ? { GIT_ALLOW_PROTOCOL: "file" } : {};
  if (pairs.length === 0) return reach;
  const first = Number.parseInt(env["GIT_CONFIG_COUNT"] ?? "0", 10) || 0;
  const said = pairs.map(([key, value], n) => ({
    [`GIT_CONFIG_KEY_${first + n}`]: key,
    [`GIT_CONFIG_VALUE_${first + n}`]: value,
  }));
  return Object.assign({ ...reach, GIT_CONFIG_COUNT: `${first + pairs.length}` }, ...said);
}

/** A merge driver that joins nothing. */
const CONFLICT = "exit 1";

/** An empty one would switch off the user's own `clean` and `smudge` beside it. */
function isNewProcess(key: string, base: HeldSettings): boolean {
  const [, filter] = /^(filter\..*\.)process$/.exec(key) ?? [];
  if (filter === undefined || base[key] !== undefined) return false;
  return Object.keys(base).some((one) => one.startsWith(filter));
}

/** From all files that git reads, included ones too; listing them obeys none of them. */
async function settingsOf(git: Git) {
  const all = ["config", "--list", "--show-origin", "-z"];
  const listed = await gitList({ ...git, settings: null }, all);
  const settings: Record<string, string> = {};
  const reaching: string[] = [];
  const files = new Set(filesAlways(git));
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [origin = "", setting = ""] = listed.slice(at, at + 2);
    if (!origin.startsWith("file:")) continue; // What orch, or the user's environment, says itself.
    const file = origin.slice("file:".length);
    const [key = "", ...lines] = setting.split("\n");
    const value = lines.length === 0 ? "true" : lines.join("\n");
    files.add(file);
    if (/^include(?:if\..*)?\.path$/.test(key)) files.add(pathFrom(file, value, git.env));
    if (REACHES.test(key)) reaching.push(setting);
    else if (RUNS.test(key)) settings[key] = value;
  }
  if (reaching.length > 0) settings[REACHING] = digestOf(reaching.join("\0"));
  const attributes = textOf(join(git.commonDir, ATTRIBUTES));
  if (attributes !== "") settings[ATTRIBUTES] = digestOf(attributes);
  return { settings, files: [...files] };
}

/** They count as soon as they are there. */
function filesAlways({ commonDir, gitDir, env }: Git): readonly string[] {
  const home = env["HOME"] ?? "/";
  const own = join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "git/config");
  const theirs = env["GIT_CONFIG_GLOBAL"];
  return [
    join(commonDir, "config"),
    join(gitDir, WORKTREE_CONFIG),
    join(commonDir, ATTRIBUTES),
    ...(theirs === undefined ? [join(home, ".gitconfig"), own] : [theirs]),
  ];
}

const WORKTREE_CONFIG = "config.worktree";

/** A folder that orch made for a task's tree has no settings of its own. */
function requireNoneOfItsOwn({ gitDir, commonDir }: Git): void {
  const path = join(gitDir, WORKTREE_CONFIG);
  if (!gitDir.startsWith(commonDir) && existsSync(path)) throw configChanged(path, undefined);
}

function pathFrom(file: string, path: string, env: Environment): string {
  return resolve(dirname(file), path.replace(/^~(?=\/)/, env["HOME"] ?? "~"));
}

/** Changed as often as the file is: no program can set the last of them. */
function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
}

function textOf(path: string): string {
  try {
    return bytesIn(path).toString("utf8");
  } catch {
    return ""; // Nothing is there, or git says what is the matter with it.
  }
}

const CHARS_MAX = 200;

function configChanged(what: string, value: string | undefined): OrchError {
  const now = value === undefined ? "" : ` = ${value}`;
  return new OrchError(
    "git-config-changed",
    `git's settings were changed since the run began, and orch cannot overrule them: ${JSON.stringify(`${what}${now}`.slice(0, CHARS_MAX))}`,
    "undo the change; if it is yours, accept it with `orch resume --reload-config`",
  );
}
