// What may a program of an agent's side see and write, where it runs in a sandbox?

import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";

import { assertNever } from "../../core/model/assert.ts";
import type { SandboxSettings } from "../../core/model/settings.ts";
import { OrchError } from "../../errors.ts";
import { readSmallFile } from "../files/small-file.ts";
import { findProgram, ownProgram } from "./program.ts";

export interface Confined {
  /** An agent, or a check: a gate or a setup command. */
  readonly who: "agent" | "check";
  /** May be written. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its program, by name or by path; it is seen with the folder it lies in. */
  readonly program?: string;
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** Seen and not written, though a folder above may be. */
  readonly keep?: readonly string[];
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
 * Throws OrchError where the sandbox is asked for and cannot be made here.
 */
export function createConfine(settings: SandboxSettings, deps: ConfineDeps): Confine {
  if (settings.use === "none") return UNCONFINED;
  const bwrap = workingBwrap(deps);
  const given = settings.read.map(expand);
  const seen = [
    ...deps.folders,
    ...nodeFolders(),
    ...RESOLVERS,
    ...GIT_SETTINGS.map(expand),
    objectsOf(deps.root),
  ];
  const hidden = [homedir(), tmpdir(), "/tmp", "/var/tmp", "/run", deps.root];
  const kept = ["config", "hooks"].map((name) => join(deps.root, ".git", name));
  return ({ who, cwd, env, program, read = [], write = [], keep = [] }) => {
    const path = env["PATH"] ?? "";
    const folder = program === undefined ? [] : folderOf(program, cwd, path);
    const mounts = mountsOf([
      ["read", [...seen, ...path.split(delimiter), ...folder]],
      ["hide", hidden],
      ["read", [...given, ...read]],
      ["write", [...settings.write.map(expand), ...write, cwd]],
      ["keep", [...keep, ...kept]],
      // In place, the tree is the checkout.
      ["hide", [join(deps.root, ".orch")]],
    ]);
    const isCutOff =
      settings.network === "none" || (settings.network === "agents" && who === "check");
    return [
      bwrap,
      ...FIXED,
      ...mounts,
      ...(isCutOff ? ["--unshare-net"] : []),
      "--chdir",
      cwd,
      "--",
    ];
  };
}

const FIXED = "--unshare-pid --unshare-ipc --ro-bind / / --dev /dev --proc /proc".split(" ");

/** What name services are asked through, below /run. */
const RESOLVERS = ["/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager/resolv.conf"];

/** Throws OrchError "sandbox-missing". */
function workingBwrap({ env, root }: ConfineDeps): string {
  const bwrap = ownProgram("bwrap", env["PATH"], root);
  if (bwrap === null)
    throw new OrchError(
      "sandbox-missing",
      "the sandbox needs the program bwrap, which is not installed",
      "install bubblewrap (Linux), or run without `sandbox`",
    );
  const tried = spawnSync(bwrap, [...FIXED, "--", "/bin/sh", "-c", ":"], {
    encoding: "utf8",
    timeout: 10_000,
  });
  if (tried.status === 0) return bwrap;
  const why = (tried.stderr || String(tried.error ?? `exit code ${tried.status}`))
    .trim()
    .split("\n")[0];
  throw new OrchError(
    "sandbox-missing",
    `bwrap cannot make a sandbox here: ${why}`,
    "allow user namespaces on this machine, or run without `sandbox`",
  );
}

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

/** The history that the agent's own repository reads from. */
function objectsOf(root: string): string {
  const dotGit = join(root, ".git");
  // A linked worktree has a file there, and in its git folder one that names the common one.
  const named = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit, WORDS_BYTES_MAX) ?? "")?.[1];
  if (named === undefined) return join(dotGit, "objects");
  const gitDir = resolve(root, named);
  const common = readSmallFile(join(gitDir, "commondir"), WORDS_BYTES_MAX)?.trim() ?? ".";
  return join(resolve(gitDir, common), "objects");
}

const WORDS_BYTES_MAX = 4 * 1024;

type How = "hide" | "read" | "write" | "keep";

/** What is said last of a path counts; of two paths the deeper one. */
function mountsOf(all: readonly (readonly [How, readonly string[]])[]): readonly string[] {
  const mounts = new Map<string, How>();
  for (const [how, paths] of all)
    for (const path of paths.flatMap(realOf)) if (path !== "/") mounts.set(path, how);
  const sorted = [...mounts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([path, how]) => {
    const above = sorted.findLast(([other]) => path.startsWith(`${other}/`))?.[1] ?? "read";
    return mountFor(path, how, above);
  });
}

function mountFor(path: string, how: How, above: How): readonly string[] {
  switch (how) {
    case "hide":
      return above === "hide" ? [] : ["--tmpfs", path];
    case "write":
      return above === "write" ? [] : ["--bind", path, path];
    case "keep":
      return above === "write" ? ["--ro-bind", path, path] : [];
    case "read":
      return above === "hide" ? ["--ro-bind", path, path] : [];
    default:
      return assertNever(how, "mount");
  }
}

/** Nothing is mounted where nothing is. */
function realOf(path: string): readonly string[] {
  return isAbsolute(path) && existsSync(path) ? [realpathSync(path)] : [];
}
