// What do git's settings say, and how does a run go by those it began with?

import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readFileBounded } from "../../adapters/files/small-file.ts";
import { UNCONFINED, type Confine } from "../../adapters/process/confine.ts";
import { shellWord } from "../../adapters/process/program.ts";
import { digestOf } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import type { UserRef } from "./branch.ts";
import { type Git, type GitSetting, type Pinned, gitList, runGit } from "./git.ts";

/** What has git start programs or work elsewhere, by key; a digest for what can hold secrets. */
export type SettingsByFile = Readonly<Record<string, string>>;

export type PinnedSettings = Readonly<ReturnType<typeof createPinnedSettings>>;

export interface FirstLook {
  refs: readonly UserRef[] | null;
  /** What git ignores in the checkout. */
  ignored: readonly string[] | null;
}

/** What a run knows of git's settings in the user's repository. null: what is there first counts. */
export function createPinnedSettings(begun: SettingsByFile | null) {
  let first: { readonly git: Git; readonly settings: readonly GitSetting[] } | null = null;
  let pinnedSettings = begun;
  let stamp = "";
  let last: Git | null = null;
  const differing = new Set<string>();
  const look = async (git: Git): Promise<void> => {
    const settings = await listSettings(git);
    first ??= { git, settings };
    stamp = stampOf(git, first.settings);
    const now = settingsToPin(settings);
    pinnedSettings ??= now;
    for (const key of changedSettings(pinnedSettings, now)) differing.add(key);
  };
  const noLook: FirstLook = { refs: null, ignored: null };
  return {
    /** Repositories that were found, by the folder they were looked for in. */
    repositories: new Map<string, Git>(),
    /** What was asked of the user's repository as the run began, for the first task to take. */
    first: noLook,
    /** What the run is held to: what it began with. */
    begin: async (git: Git): Promise<SettingsByFile> => {
      if (first === null) await look(git);
      return pinnedSettings ?? {};
    },
    /** All that was listed then. */
    listed: (): readonly GitSetting[] => first?.settings ?? [],
    /** git as it works by what the run began with; `runDir` is where that is written down. */
    pin: async (git: Git, runDir: string, confine: Confine): Promise<Git> => {
      if (first === null) await look(git);
      const settings = pinnedFor(git, first?.settings ?? [], pinnedSettings ?? {});
      const moved = movedSettings(git);
      const pinned = { folder: join(runDir, "git"), settings: [...settings, ...moved] };
      const sandbox = confine === UNCONFINED ? null : { confine, checkout: git.root };
      if (sandbox !== null) await bringEverything(git, settings);
      writePinned(git, { ...pinned, settings: [...filtersFor(git, settings, sandbox), ...moved] });
      last = { ...git, pinned, sandbox };
      return last;
    },
    /** The last that was pinned. */
    pinned: (): Git | null => last,
    /** Keys that differ from what the run began with, as far as was seen. */
    changed: async (): Promise<readonly string[]> => {
      if (first !== null && stampOf(first.git, first.settings) !== stamp) await look(first.git);
      return [...differing];
    },
  };
}

/** Keys, as far as a person is told. */
export function changedSettings(before: SettingsByFile, now: SettingsByFile): readonly string[] {
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

function settingsToPin(settings: readonly GitSetting[]): SettingsByFile {
  const runs = settings.filter(({ key }) => RUNS.test(key));
  const reaching = settings.filter(({ key }) => REACHES.test(key));
  return {
    ...Object.fromEntries(runs.map(({ key, value }) => [key, value ?? "true"])),
    ...(reaching.length === 0 ? {} : { [REACHING]: digestOf(settingsText(reaching)) }),
  };
}

/** orch says with each call where git works, and what is included was listed. */
const PLACE = /^(?:core\.(?:worktree|bare)|extensions\.worktreeconfig|include(?:if\..*)?\.path)$/;

/** Where the way to other repositories has changed since the run began, git goes to none. */
function pinnedFor(
  git: Git,
  settings: readonly GitSetting[],
  pinned: SettingsByFile,
): Pinned["settings"] {
  const isSame = settingsToPin(settings)[REACHING] === pinned[REACHING];
  const runs = Object.entries(pinned).flatMap(([key, value]) =>
    RUNS.test(key) ? [{ scope: "local", key, value }] : [],
  );
  const others = settings.filter(({ key }) => !RUNS.test(key) && (isSame || !REACHES.test(key)));
  return [
    { scope: PINNED, key: "lfs.storage", value: join(git.commonDir, "lfs") },
    ...[...others, ...runs].filter(({ key }) => !PLACE.test(key)),
    ...(isSame ? [] : [{ scope: PINNED, key: "protocol.allow", value: "never" }]),
  ];
}

/** What stands in no file of the user's. */
const PINNED = "pinned";

/**
 * A folder that git takes for the one that all trees of the repository share: what settings are read
 * from is a copy, and the rest are links to what the repository has. It leads to no objects, for
 * programs that watch the checkout may follow links.
 */
function writePinned({ commonDir }: Git, { folder, settings }: Pinned): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "info"), { recursive: true, mode: 0o700 });
  for (const name of new Set([...readdirSync(commonDir), ...LATER]))
    if (!NOT_LINKED.has(name)) symlinkSync(join(commonDir, name), join(folder, name));
  writeFileSync(join(folder, "config"), settingsText(settings), { mode: 0o600 });
  for (const [name, more] of Object.entries({ "info/exclude": "", "info/attributes": MOVED })) {
    const read = readFileBounded(join(commonDir, name), LIST_BYTES_MAX, "followed");
    const text = read.kind === "read" ? read.text : "";
    writeFileSync(join(folder, name), `${text}${more}`, { mode: 0o600 });
  }
}

/** Where a virtual environment that is committed names the checkout: in each tree it names that. */
const MOVED = ["pyvenv.cfg", "**/*env/bin/*", "**/site-packages/*.pth", "**/__editable__*"]
  .map((pattern) => `\n${pattern} filter=orch-moved`)
  .join("");

/** git runs filters in the top folder of the tree. Commits name the checkout. */
function movedSettings({ root }: Git): Pinned["settings"] {
  const [here, there] = ['"$(pwd -P)"', shellWord(root)];
  const escaped = (path: string, special: string) =>
    `$(printf %s ${path} | sed 's/[${special}]/\\\\&/g')`;
  const moved = (from: string, to: string) =>
    `LC_ALL=C sed -E "s#${escaped(from, "][\\.*^$|(){}?+#")}([^A-Za-z0-9._~+@-]|$)#${escaped(to, "\\&#")}\\1#g"`;
  return [
    { scope: "local", key: "filter.orch-moved.smudge", value: moved(there, here) },
    { scope: "local", key: "filter.orch-moved.clean", value: moved(here, there) },
  ];
}

/** Of these git is told with each call, or by the settings, or has no need. */
const NOT_LINKED: ReadonlySet<string> = new Set(
  "config config.worktree hooks info lfs modules objects".split(" "),
);
/** What may come to be there while the run goes on. */
const LATER = ["packed-refs", "shallow", "worktrees"];

const LIST_BYTES_MAX = 16 * 1024 * 1024;

/** In a sandbox git reaches no network: what is to be checked out has to be here. Throws OrchError where it cannot be. */
async function bringEverything(git: Git, settings: Pinned["settings"]): Promise<void> {
  const isSet = (key: RegExp): boolean => settings.some((one) => key.test(one.key));
  if (isSet(/^remote\..*\.promisor$/))
    throw new OrchError(
      "sandbox-missing",
      "this is a partial clone, and in the sandbox git cannot fetch what is missing",
      "work in a full clone, or run without `sandbox`",
    );
  // Where it cannot, the filter says so.
  if (isSet(/^filter\.lfs\./)) await runGit(git, ["lfs", "fetch"]);
}

const FILTER = /^filter\..*\.(?:clean|smudge|process)$/;

/** Filters that an agent could put something in the place of, in its tree; stores of git's look at what is there. */
export function filtersInTree(settings: Pinned["settings"]): Pinned["settings"] {
  return settings.filter(({ key, value }) => FILTER.test(key) && !OF_STORES.test(value ?? ""));
}

const OF_STORES = /^"?(?:\/\S*\/)?git[- ]/;

/** Those of the tree run where the user would run them. In a sandbox, where one can lack what it needs, none may fail. */
function filtersFor({ root }: Git, settings: Pinned["settings"], sandbox: Git["sandbox"]) {
  const filters = settings.filter(({ key }) => FILTER.test(key));
  const all = filters.flatMap((one) =>
    NONE_FAILS.map(([name, value]) => ({ ...one, key: one.key.replace(/\w+$/, name), value })),
  );
  if (sandbox !== null) return [...all, ...settings];
  const inTree = new Set(filtersInTree(filters));
  return settings.map((one) =>
    inTree.has(one) ? { ...one, value: `cd ${shellWord(root)} && ${one.value}` } : one,
  );
}

/** One that is required needs both. */
const NONE_FAILS = Object.entries({ required: "true", clean: "cat", smudge: "cat" });

/** Changed as often as one of the files is: no program can set the time of its last change. */
function stampOf({ commonDir }: Git, settings: readonly GitSetting[]): string {
  const files = new Set([join(commonDir, "config"), ...settings.map(({ file }) => file)]);
  const stats = [...files].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return stats.map((stat) => `${stat?.ino} ${stat?.ctimeNs}`).join("\n");
}

/** From all files that git reads, included ones too, in their order; to list them obeys none of them. */
export async function listSettings(git: Git): Promise<readonly GitSetting[]> {
  const parts = await gitList(git, ["config", "--list", "--show-scope", "--show-origin", "-z"]);
  const settings: GitSetting[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = parts.slice(at, at + 3);
    // Others are what orch, or the user's environment, says itself.
    if (!origin.startsWith("file:")) continue;
    const end = setting.indexOf("\n");
    const [key, value] =
      end < 0 ? [setting, null] : [setting.slice(0, end), setting.slice(end + 1)];
    settings.push({ scope, file: origin.slice("file:".length), key, value });
  }
  return settings;
}

/** As a file of git's. */
export function settingsText(settings: readonly Pick<GitSetting, "key" | "value">[]): string {
  return settings.map(({ key, value }) => `${settingLine(key, value)}\n`).join("");
}

function settingLine(key: string, value: string | null): string {
  const [from, to] = [key.indexOf("."), key.lastIndexOf(".")];
  const part = from === to ? "" : ` ${quotedSetting(key.slice(from + 1, to))}`;
  const end = value === null ? "" : ` = ${quotedSetting(value)}`;
  return `[${key.slice(0, from)}${part}]\n\t${key.slice(to + 1)}${end}`;
}

function quotedSetting(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
