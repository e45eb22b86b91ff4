// How does orch talk to git, so that nothing prompts, nothing runs besides it, and errors can be acted on?

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import type { Confine } from "../../adapters/process/confine.ts";
import { shellWord } from "../../adapters/process/program.ts";
import { OrchError } from "../../errors.ts";
import { firstLine, gitFailure } from "./failure.ts";
import type { Environment } from "./shell.ts";
import { notStarted, runInShell, type ShellCall, type ShellEnd } from "./shell.ts";

/** One working tree of a repository. */
export interface Git {
  /** The top folder of the working tree; every command runs here and every path is relative to it. */
  readonly root: string;
  /** The git folder of this working tree: of a linked worktree, its own. */
  readonly gitDir: string;
  /** The git folder that all trees of the repository share. */
  readonly commonDir: string;
  readonly env: Environment;
  /** git itself, by absolute path. */
  readonly program: string;
  /** What its calls go by; null: what is written in the repository. */
  readonly pinned: Pinned | null;
  /** Holds what git starts in a tree; null: nothing does. */
  readonly sandbox: GitSandbox | null;
}

export interface GitSandbox {
  readonly confine: Confine;
  /** There git works for the user, with what the user has there; null: an agent works there, too. */
  readonly checkout: string | null;
}

export interface GitSetting {
  readonly scope: string;
  /** The file that it stands in. */
  readonly file: string;
  /** Section and name in small letters. */
  readonly key: string;
  /** null: the key stands there without one, which means true. */
  readonly value: string | null;
}

export interface Pinned {
  /** Stands for `commonDir`, with settings of its own. */
  readonly folder: string;
  readonly settings: readonly Pick<GitSetting, "key" | "value" | "scope">[];
}

export interface GitCall {
  readonly input?: string;
  readonly env?: Environment;
  readonly bytesMax?: number;
  readonly encoding?: "latin1";
}

/** Standard output of a command that has to work. Throws OrchError. */
export async function gitText(
  git: Git,
  args: readonly string[],
  call: GitCall = {},
): Promise<string> {
  return (await gitAnswer(git, args, OK, call)).stdout;
}

/** First line of the output, or null where git's answer is "no". Any other end is an error. */
export async function gitAsk(git: Git, args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await gitAnswer(git, args, OK_OR_NO);
  return exitCode === NO ? null : firstLine(stdout);
}

/**
 * As `gitAsk`, for what git refuses with an error: null only where it does the control right after,
 * which differs in nothing but that.
 */
export async function gitTry(
  git: Git,
  args: readonly string[],
  control: readonly string[],
  call: GitCall = {},
): Promise<string | null> {
  const result = await gitAnswer(git, args, REFUSALS, call);
  if (result.exitCode === 0) return firstLine(result.stdout);
  await gitText(git, control);
  return null;
}

/** For commands whose exit code says something. Throws OrchError at any other. */
export async function gitAnswer(
  git: Git,
  args: readonly string[],
  codes: readonly number[],
  call: GitCall = {},
): Promise<ShellEnd> {
  const result = await runGit(git, args, call);
  if (result.exitCode === null || result.missing || !codes.includes(result.exitCode))
    throw gitFailure(git, args, result);
  return result;
}

export const OK = [0];
const NO = 1;
export const OK_OR_NO = [0, NO];
/** An error besides: whoever takes it for an answer looks for himself. */
export const REFUSALS = [0, NO, 128];

/** Parts of an output made with `-z`. */
export async function gitList(
  git: Git,
  args: readonly string[],
  call: GitCall = {},
): Promise<readonly string[]> {
  const result = await gitAnswer(git, args, OK, call);
  if (result.cut)
    throw new OrchError(
      "git-failed",
      `\`git ${args[0] ?? ""}\` lists more than ${LIST_BYTES_MAX} bytes of paths in ${JSON.stringify(git.root)}`,
      "add generated folders to .gitignore",
    );
  return result.stdout.split("\0").filter((part) => part !== "");
}

const LIST_BYTES_MAX = 64 * 1024 * 1024;
const TIMEOUT_MS = 10 * 60_000;

/**
 * Settings for every command. Programs that a repository's config can name (hooks, a file system
 * monitor) do not run: an agent could have put them there. Clean and smudge filters do, because
 * without them content would be stored wrongly.
 */
const SETTINGS = [
  "core.quotePath=false",
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.safecrlf=false",
  "core.splitIndex=false",
  // What is recorded outlives the machine's power before anything is removed because of it.
  "core.fsync=objects,reference",
  "core.fsyncMethod=batch",
  "checkout.workers=0",
  "protocol.file.allow=always",
  // Another program is about to let go of it.
  "core.filesRefLockTimeout=3000",
  "core.packedRefsTimeout=5000",
  "reftable.lockTimeout=3000",
  "submodule.recurse=false",
  "log.showSignature=false",
  "advice.detachedHead=false",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

export function runGit(git: Git, args: readonly string[], call: GitCall = {}): Promise<ShellEnd> {
  return runScript(git, args, commandLine(git, args, call), call);
}

async function runScript(
  git: Git,
  [command]: readonly string[],
  script: string,
  call: GitCall,
): Promise<ShellEnd> {
  const where = confinementOf(git, command, call.env?.["GIT_INDEX_FILE"]);
  const options = {
    ...where,
    cwd: git.root,
    timeoutMs: TIMEOUT_MS,
    bytesMax: call.bytesMax ?? LIST_BYTES_MAX,
    ...(call.encoding === undefined ? {} : { encoding: call.encoding }),
  };
  const { input } = call;
  if (input === undefined) return runInShell({ ...options, script });
  // Absolute, because the shell goes to the tree first, and TMPDIR need not be.
  const folder = where.confinement.length === 0 ? tmpdir() : git.gitDir;
  const inputFile = resolve(folder, `orch-git-${randomUUID()}`);
  try {
    writeFileSync(inputFile, input, { mode: 0o600, flag: "wx" });
    return await runInShell({ ...options, script, inputFile });
  } catch (error) {
    return notStarted(error);
  } finally {
    rmSync(inputFile, { force: true });
  }
}

/** They start nothing, and look at no file of a tree. */
const ON_REFS: ReadonlySet<string | undefined> = new Set(["update-ref", "symbolic-ref"]);

/**
 * What stands before the shell that runs the command. An agent chooses by what it writes which filters and drivers of
 * merges run, on what, and what its own repository leads git to. All of these see the user's repository, and write
 * in the tree, its index and the repository's objects; they reach no network.
 */
function confinementOf(
  { root, gitDir, commonDir, pinned, env, sandbox }: Git,
  command: string | undefined,
  index = env["GIT_INDEX_FILE"],
): Pick<ShellCall, "confinement" | "env"> {
  if (sandbox === null || sandbox.checkout === root || ON_REFS.has(command))
    return { confinement: [], env };
  const folder = index === undefined ? gitDir : dirname(index);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settings = pinned === null ? [] : [pinned.folder, ...namedFiles(pinned)];
  const read = [gitDir, commonDir, ...settings];
  const write = [folder, ...["objects", "lfs"].map((name) => join(commonDir, name))];
  const confinement = sandbox.confine({ who: "git", cwd: root, env, read, write });
  // A folder that was made anew is none that an older shell has.
  return {
    confinement,
    env: { ...env, ORCH_FOLDERS: [root, ...read, ...write].map(madeAt).join() },
  };
}

function madeAt(folder: string): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.birthtimeMs}`;
}

const LISTS: readonly string[] = ["core.excludesfile", "core.attributesfile"];

/** The user's lists of ignored files and of attributes. */
function namedFiles({ settings }: Pinned): readonly string[] {
  const named = settings.filter(({ key }) => LISTS.includes(key));
  return named.map(({ value }) => (value ?? "").replace(/^~(?=\/)/, homedir()));
}

/** A command of git as the shell reads it. */
function commandLine(git: Git, args: readonly string[], { env = {} }: GitCall): string {
  const set = Object.entries({ ...placeOf(git), ...env });
  const words = set.map(([name, value]) => `${name}=${shellWord(value)}`);
  return [...words, ...[git.program, ...SETTINGS, ...args].map(shellWord)].join(" ");
}

/** Said with every call, so that nothing written in a repository leads git elsewhere. */
function placeOf({ root, gitDir, commonDir, pinned }: Git): Environment {
  if (gitDir === "") return {}; // It is being looked for.
  const place = { GIT_DIR: gitDir, GIT_WORK_TREE: root };
  const objects = { GIT_OBJECT_DIRECTORY: join(commonDir, "objects") };
  if (pinned !== null)
    return { ...place, ...ONLY_PINNED, ...objects, GIT_COMMON_DIR: pinned.folder };
  return commonDir === gitDir ? place : { ...place, GIT_COMMON_DIR: commonDir };
}

const ONLY_PINNED = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
