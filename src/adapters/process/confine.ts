// What may a program of an agent's side see and write, where it runs in a sandbox?

import { existsSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";

import type { SandboxSettings } from "../../core/model/settings.ts";
import { entryKind, pathInside, readSmallFile, realPath } from "../files/small-file.ts";
import { findBwrap, triedWords } from "./bwrap.ts";
import { findProgram } from "./program.ts";

export interface Confined {
  /** An agent; a check, which is a gate or a setup command; or git, with what it starts. */
  readonly who: "agent" | "check" | "git";
  /** May be written. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its program, by name or by path; it is seen with the folder it lies in. */
  readonly program?: string;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Folders that stand in place of what lies at these paths, and may be written. */
  readonly inPlace?: readonly OwnFolder[];
}

export interface OwnFolder {
  readonly at: string;
  readonly from: string;
}

/** The words that stand before a program and its arguments; none where it runs unconfined. */
export type Confine = (what: Confined) => readonly string[];

export const UNCONFINED: Confine = () => [];

export interface ConfineDeps {
  /** The user's checkout. */
  readonly root: string;
  /** orch's own programs. */
  readonly folders: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The whole system is seen and cannot be written. Hidden are the home folder, the checkout, other
 * programs' temporary files, and the sockets of the system's services; of these there is only what a program needs.
 * Throws OrchError where the sandbox is asked for and does not hold here.
 */
export function createConfine(settings: SandboxSettings, deps: ConfineDeps): Confine {
  if (settings.use === "none") return UNCONFINED;
  const bwrap = findBwrap(deps.env["PATH"], deps.root);
  const wordsOf = (what: Confined): readonly string[] => [
    ...mountsFor(what, settings, deps),
    ...(isOnline(what.who, settings.network) ? [] : ["--unshare-net"]),
  ];
  const given = [...settings.read, ...settings.write].map(expand);
  const wordsFor = (cwd: string, folder: string): readonly string[] =>
    wordsOf({ who: "check", cwd, env: {}, read: [folder] });
  const fixed = triedWords({ bwrap, userns: settings.userns, given, wordsFor });
  return (what) => {
    const words = wordsOf(what);
    for (const folder of what.inPlace ?? []) clearWays(folder, words);
    return [bwrap, ...fixed, ...words, "--chdir", what.cwd, "--"];
  };
}

/** bwrap makes what it mounts on, and follows links to do so: none that a session left may lie in its way. */
function clearWays({ at, from }: OwnFolder, paths: readonly string[]): void {
  for (const path of paths.filter((one) => one.startsWith(`${at}/`))) {
    const parts = path.slice(at.length + 1).split("/");
    for (const end of parts.keys()) {
      const way = join(from, ...parts.slice(0, end + 1));
      if (entryKind(way) === "a link") rmSync(way);
    }
  }
}

function mountsFor(what: Confined, given: SandboxSettings, deps: ConfineDeps): readonly string[] {
  const { cwd, env, program, read = [], write = [], inPlace = [] } = what;
  const { root, folders } = deps;
  const path = env["PATH"] ?? "";
  const folder = program === undefined ? [] : folderOf(program, cwd, path);
  const stands = new Map(inPlace.map(({ at, from }) => [realPath(at), from]));
  const seen = [...RESOLVERS, ...GIT_SETTINGS.map(expand), ...objectsOf(root)];
  const hidden = [homedir(), tmpdir(), "/tmp", "/var/tmp", "/run", root, ...stands.keys()];
  return mountsOf(stands, [
    ["read", [...folders, ...nodeFolders(), ...seen, ...path.split(delimiter), ...folder]],
    ["hide", hidden],
    ["read", [...given.read.map(expand), ...read]],
    ["write", [...given.write.map(expand), ...write, cwd]],
    // In place, the tree is the checkout.
    ["keep", pathInside(realPath(cwd), realPath(root)) === null ? [] : [join(cwd, ".git")]],
    ["hide", [join(root, ".orch")]],
  ]);
}

function isOnline(who: Confined["who"], network: SandboxSettings["network"]): boolean {
  return who === "agent" ? network !== "none" : who === "check" && network === "all";
}

/** What name services are asked through, below /run. */
const RESOLVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/** A program, and its own folder: beside it lies what it loads. */
function folderOf(program: string, cwd: string, path: string): readonly string[] {
  const file = program.includes("/") ? resolve(cwd, program) : findProgram(program, path);
  if (file === null || !existsSync(file)) return [];
  const real = realpathSync(file);
  return [dirname(real), real];
}

/** With what was installed beside it, npm for one. */
function nodeFolders(): readonly string[] {
  const bin = dirname(realpathSync(process.execPath));
  return basename(bin) === "bin" ? [bin, dirname(bin)] : [bin];
}

/** Who commits; no credentials. */
const GIT_SETTINGS = ["~/.gitconfig", "~/.config/git"];

function expand(path: string): string {
  return path.startsWith("~/") ? join(homedir(), path.slice(2)) : path;
}

/** The history that the agent's own repository reads from, with what it borrows. */
function objectsOf(root: string): readonly string[] {
  const dotGit = join(root, ".git");
  // A linked worktree has a file there, and in its git folder one that names the common one.
  const named = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit, WORDS_BYTES_MAX) ?? "")?.[1];
  const gitDir = named === undefined ? dotGit : resolve(root, named);
  const common = readSmallFile(join(gitDir, "commondir"), WORDS_BYTES_MAX)?.trim() ?? ".";
  const objects = join(resolve(gitDir, common), "objects");
  const borrowed = readSmallFile(join(objects, "info/alternates"), WORDS_BYTES_MAX) ?? "";
  return [objects, ...borrowed.split("\n").map((path) => resolve(objects, path))];
}

const WORDS_BYTES_MAX = 4 * 1024;

type How = "hide" | "read" | "write" | "keep";

/** What is said last of a path counts; of two paths the deeper one. */
function mountsOf(
  stands: ReadonlyMap<string, string>,
  all: readonly (readonly [How, readonly string[]])[],
): readonly string[] {
  const mounts = new Map<string, How>();
  for (const [how, paths] of all)
    for (const path of paths.flatMap(realOf)) if (path !== "/") mounts.set(path, how);
  const sorted = [...mounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([path, how]) => {
    const above = sorted.findLast(([other]) => path.startsWith(`${other}/`))?.[1] ?? "read";
    const source = how === "hide" ? stands.get(path) : undefined;
    return source === undefined ? MOUNTS[how](path, above) : ["--bind", source, path];
  });
}

/** Empty: what holds `above` it does that already. */
const MOUNTS: Readonly<Record<How, (path: string, above: How) => readonly string[]>> = {
  hide: (path, above) => (above === "hide" ? [] : ["--tmpfs", path]),
  write: (path, above) => (above === "write" ? [] : ["--bind", path, path]),
  keep: (path, above) => (above === "write" ? ["--ro-bind", path, path] : []),
  read: (path, above) => (above === "hide" ? ["--ro-bind", path, path] : []),
};

/** Nothing is mounted where nothing is. */
function realOf(path: string): readonly string[] {
  return isAbsolute(path) && existsSync(path) ? [realpathSync(path)] : [];
}
