// What ends a child's tree when orch itself is killed?

import { spawn, type ChildProcessByStdio } from "node:child_process";
import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import type { Writable } from "node:stream";

import { packageFolder } from "../project/package-folder.ts";
import { identityOf, markOf } from "./identity.ts";
import { MARKER_VARIABLE, startTicks } from "./tree.ts";

/**
 * Sets a guard on the tree; a sentence where that is impossible. It must be there before the child:
 * the end of the pipe comes by the kernel's hand however orch dies, and a guard that looks before
 * the child has got its environment looks again. One guard per child at a time: it holds a pipe
 * whose only writer is orch. `onLost` is called where somebody ends the guard ("unguarded"), and where the
 * guard ends the tree because orch is stopped and the time of `watch` is over ("timed-out").
 *
 * What orch's death finds at work may go on for `patienceMs` before it is asked to end.
 */
export function startGuard(
  marker: string,
  onLost: (why: "unguarded" | "timed-out") => void,
  patienceMs = 0,
) {
  try {
    const guard = idleGuard(marker, patienceMs) ?? newGuard(marker, patienceMs);
    // Everywhere there is a /bin/sh, so it was a process that was missing.
    if (guard.pid === undefined) return `${NOT_STARTED} (EAGAIN)`;
    const lost = (_: number | null, signal: string | null): void =>
      onLost(signal === "SIGALRM" ? "timed-out" : "unguarded");
    guard.once("exit", lost);
    return {
      /** Names the child's process group, and its time from now on; null: any. */
      watch: (group: number, timeoutMs: number | null): void => {
        const seconds = timeoutMs === null ? "" : Math.ceil(timeoutMs / 1000);
        guard.stdin.write(`group ${group} ${seconds}\n`);
      },
      /** The tree is gone: the guard waits for the next one. */
      release: (): void => {
        guard.stdin.write("done\n");
        guard.off("exit", lost);
        idle.push(guard);
      },
    };
  } catch (error) {
    return `${NOT_STARTED}: ${String(error)}`;
  }
}

const NOT_STARTED = "the guard of the session could not be started";

type GuardProcess = ChildProcessByStdio<Writable, null, null>;

/** To start a process costs more than most of what else orch does around it. */
const idle: GuardProcess[] = [];

function idleGuard(marker: string, patienceMs: number): GuardProcess | null {
  const guard = idle.pop();
  if (guard === undefined) return null;
  if (guard.exitCode !== null || guard.signalCode !== null) return idleGuard(marker, patienceMs);
  // Written before the child is started: the pipe keeps it for the guard, whatever happens to orch.
  guard.stdin.write(`mark ${signsOf(marker, patienceMs).join(" ")}\n`);
  return guard;
}

function newGuard(marker: string, patienceMs: number): GuardProcess {
  // Its own session, so that no Ctrl-C and no hang-up of the terminal reaches it; its own small
  // environment, so that it is not taken for a part of any tree, and finds no program of an agent's.
  const guard = spawn("/bin/sh", guardArguments(marker, GRACE_MS, patienceMs), {
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => {}); // The missing pid says so already.
  if (guard.pid === undefined) return guard; // Nor has it any pipes.
  guard.stdin.on("error", () => {}); // Somebody ended the guard: its exit says so.
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

/** The shell's arguments: the script, the name that `ps` shows, and what the script looks for. */
export function guardArguments(marker: string, graceMs: number, patienceMs = 0): string[] {
  const self = identityOf(process.pid);
  const since = String(self === null ? 0 : startTicks(self));
  const grace = String(graceMs / TICK_MS);
  return ["-c", script(), "orch-guard", grace, since, ...signsOf(marker, patienceMs)];
}

/** What the tree's processes have in their environment, their mark, and the patience. */
function signsOf(marker: string, patienceMs: number): readonly string[] {
  const mark = markOf(marker) ?? "none";
  return [`${MARKER_VARIABLE}=${marker}`, mark, String(patienceMs / TICK_MS)];
}

const GRACE_MS = 10_000;
/** In which the script counts time. */
const TICK_MS = 10;

let text: string | null = null;

/** Handed over whole: what happens to the file while a guard lives is nothing to it. */
function script(): string {
  return (text ??= readFileSync(join(packageFolder(), "templates/guard.sh"), "utf8"));
}
