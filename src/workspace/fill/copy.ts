// How are files copied as fast as the system can, by processes that end when orch does?

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { ownProgram } from "../../adapters/process/find-program.ts";
import { runProcess } from "../../adapters/process/process.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import type { Git } from "../git.ts";
import { bytesOf, diskPath } from "../path-names.ts";
import { quoted } from "../shell.ts";
import { planCopies } from "./copy-plan.ts";
import type { Part } from "./survey.ts";

export interface CopyRequest {
  /** Of the checkout. */
  readonly git: Git;
  readonly parts: readonly Part[];
  /** The tree. */
  readonly to: string;
}

export interface Copied {
  /** Folders that were made anew, each after the one it is in. */
  readonly folders: readonly string[];
  /** What could not be read, as the system says it; bounded. */
  readonly unread: readonly string[];
}

/** One process leaves a disk waiting, and many are in each other's way. */
const LANES = Math.min(4, Math.max(2, availableParallelism()));
const TIMEOUT_MS = 2 * 60 * 60_000;
const SAID_CHARS_MAX = 64 * 1024;
const UNREAD_MAX = 20;

/** With GNU and busybox, on macOS, with any other; clones where the file system can. */
const WAYS = ["-a --reflink=auto", "-cpR", "-pPR"].map(quoted).join(" ");

/** Throws OrchError where the copies cannot be made, and the signal's reason where it aborts. */
export async function copyParts(
  { git, parts, to }: CopyRequest,
  signal: AbortSignal,
): Promise<Copied> {
  const { folders, lines } = planCopies(parts, LANES);
  for (const folder of [...parts.map(({ path }) => dirname(path)), ...folders])
    mkdirSync(diskPath(join(to, folder)), { recursive: true });
  const plan = resolve(tmpdir(), `orch-copies-${randomUUID()}`);
  try {
    writeFileSync(plan, bytesOf(`${lines.join("\0")}\0`), { mode: 0o600, flag: "wx" });
    const said = await runCopies(git, { to, plan }, signal);
    return { folders, unread: said.split("\n").filter(Boolean).slice(0, UNREAD_MAX) };
  } finally {
    for (const file of [plan, probeOf(plan)]) rmSync(file, { force: true });
  }
}

function probeOf(plan: string): string {
  return `${plan}-probe`;
}

/** `plan` holds lines for the shell, each ended by NUL. What was said about files that could not be copied. */
async function runCopies(
  git: Git,
  { to, plan }: { readonly to: string; readonly plan: string },
  signal: AbortSignal,
): Promise<string> {
  const own = { CP: programFor("cp", git, to), XARGS: programFor("xargs", git, to) };
  const probe = `"$CP" $HOW ${quoted(plan)} ${quoted(probeOf(plan))} 2>/dev/null && break`;
  const line = `for HOW in ${WAYS}; do ${probe}; done; export HOW
exec "$XARGS" -0 -n 1 -P ${LANES} /bin/sh -c <${quoted(plan)}`;
  let said = "";
  const end = await runProcess(
    {
      program: { kind: "shell", line },
      cwd: git.root,
      env: { ...git.env, TO: to, ...own },
      input: null,
      marker: `fill-${randomUUID()}`,
      timeoutMs: TIMEOUT_MS,
      idleMs: null,
      stop: [],
      onStdout: () => {},
      onStderr: (chunk) => {
        if (said.length < SAID_CHARS_MAX) said += chunk.toString();
      },
      onSpawn: () => Promise.resolve(),
    },
    signal,
  );
  signal.throwIfAborted();
  const isThrough = end.kind === "ended" && end.exitCode === 0 && end.cause === "self";
  if (isThrough && !NO_ROOM.test(said)) return said;
  throw copyFailure(to, end.kind === "ended" ? said.trim() || JSON.stringify(end) : end.detail);
}

/** As git itself: not one that lies where agents work. */
function programFor(name: string, { env, root }: Git, to: string): string {
  const found = ownProgram(name, env["PATH"], root);
  if (found === null) throw copyFailure(to, `the program ${name} was not found outside of ${root}`);
  return found;
}

const NO_ROOM = /No space left on device|Disk quota exceeded/;
const DETAIL_CHARS_MAX = 600;

function copyFailure(target: string, why: string): OrchError {
  const place = JSON.stringify(target);
  return NO_ROOM.test(why)
    ? new OrchError(
        "disk-full",
        `no space left to copy ignored files to ${place}`,
        `free some space, or name less in worktree.include, ${THEN_RESUME}`,
      )
    : new OrchError(
        "copy-failed",
        `ignored files could not be copied to ${place}: ${why.slice(0, DETAIL_CHARS_MAX)}`,
        `fix what is reported, ${THEN_RESUME}`,
      );
}
