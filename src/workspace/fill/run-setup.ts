// What makes a fresh tree ready, once for each state of what it installs?

import { createHash, randomUUID } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { quietEnvironment } from "../../adapters/environment.ts";
import { writeCopyAtomic } from "../../adapters/files/atomic-file.ts";
import { BoundedLog } from "../../adapters/files/bounded-log.ts";
import { readFileBounded } from "../../adapters/files/small-file.ts";
import { runProcess, type ProcessEnd } from "../../adapters/process/process.ts";
import type { SetupCommand } from "../../core/model/settings.ts";
import { tailOf } from "../../readers/failure/findings.ts";
import { gitList, type Git } from "../git.ts";

export interface SetupRequest {
  /** The tree. */
  readonly git: Git;
  /** The checkout: the command finds its path in `ORCH_CHECKOUT`. */
  readonly from: string;
  readonly command: SetupCommand;
  /** The folder beside the tree, in which it is noted what was set up. */
  readonly slot: string;
  readonly logPath: string;
  /** As gates have it: without what agents sign in with. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes secrets out of text that is written or shown. */
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

export type SetupEnd =
  | { readonly kind: "passed" }
  /** It passed in this tree before, and neither it nor a lock file changed since. */
  | { readonly kind: "unchanged" }
  /** `exitCode` null: a signal ended it, or it could not be started. */
  | { readonly kind: "failed"; readonly exitCode: number | null; readonly lastLines: string }
  | { readonly kind: "timed-out"; readonly lastLines: string }
  | { readonly kind: "aborted" };

const STOP_GRACE_MS = 5_000;

/** Runs the command where something changed. What it leaves in the tree is the caller's to look at. */
export async function runSetup(request: SetupRequest): Promise<SetupEnd> {
  const { git, command, slot } = request;
  const note = join(slot, "set-up");
  const was = readFileBounded(note, NOTE_BYTES_MAX);
  if (was.kind === "read" && was.text === (await setupKey(git, command)))
    return { kind: "unchanged" };
  // What is cut off was not set up.
  rmSync(note, { force: true });
  const end = await runLogged(request);
  // The command may have written lock files itself. Not flushed: nor is what it installed.
  if (end.kind === "passed") writeCopyAtomic(note, await setupKey(git, command));
  return end;
}

async function runLogged(request: SetupRequest): Promise<SetupEnd> {
  const { git, from, command, logPath, env, signal } = request;
  const log = new BoundedLog(logPath, request.redact);
  const end = await runProcess(
    {
      program: { kind: "shell", line: command.run },
      cwd: git.root,
      env: { ...quietEnvironment(env), ORCH_CHECKOUT: from },
      input: null,
      marker: `setup-${randomUUID()}`,
      timeoutMs: command.timeoutMs,
      idleMs: null,
      stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
      onStdout: (chunk) => log.write("stdout", chunk),
      onStderr: (chunk) => log.write("stderr", chunk),
      onSpawn: () => Promise.resolve(),
    },
    signal,
  );
  return endOf(end, tailOf(log.close()));
}

function endOf(end: ProcessEnd, lastLines: string): SetupEnd {
  if (end.kind === "not-started") return { kind: "failed", exitCode: null, lastLines: end.detail };
  if (end.cause === "aborted") return { kind: "aborted" };
  if (end.cause !== "self") return { kind: "timed-out", lastLines };
  if (end.exitCode === 0) return { kind: "passed" };
  return { kind: "failed", exitCode: end.exitCode, lastLines };
}

/** Files in which package managers write down what is installed. */
const LOCK_FILES: ReadonlySet<string> = new Set(
  `package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb deno.lock
   uv.lock poetry.lock pdm.lock Pipfile.lock Cargo.lock go.sum Gemfile.lock composer.lock mix.lock
   pubspec.lock packages.lock.json Package.resolved Podfile.lock gradle.lockfile flake.lock`.split(
    /\s+/,
  ),
);
const REQUIREMENTS = /^requirements[\w.-]*\.txt$/;
const LOCK_BYTES_MAX = 64 * 1024 * 1024;
const NOTE_BYTES_MAX = 1024;

async function setupKey(git: Git, { run }: SetupCommand): Promise<string> {
  const paths = await gitList(git, LIST);
  const isLock = (name: string): boolean => LOCK_FILES.has(name) || REQUIREMENTS.test(name);
  const locks = paths.filter((path) => isLock(basename(path))).toSorted();
  // A tree that is made anew has the place of the old one, and nothing of what was installed there.
  const { ino, birthtimeMs } = lstatSync(git.root);
  const hash = createHash("sha256");
  hash.update(JSON.stringify([run, process.version, process.arch, ino, birthtimeMs]));
  for (const path of locks) {
    const found = readFileBounded(join(git.root, path), LOCK_BYTES_MAX);
    hash.update(JSON.stringify([path, found.kind === "read" ? found.text : found.kind]));
  }
  return hash.digest("hex");
}

const LIST = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
