// How is a process run that stays, and does one thing after the other?

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";

import { startGuard } from "./guard.ts";
import { identityOf, markOf } from "./identity.ts";
import { wordsFor } from "./program.ts";
import { MARKER_VARIABLE, endTree, releasePipes, startTicks, treeFinder } from "./tree.ts";

export type Staying = Readonly<ReturnType<typeof startStaying>>;

/** Its end is the caller's to see, and so is a start that fails. */
export function startStaying(program: readonly string[], env: Readonly<Record<string, string>>) {
  const marker = randomUUID();
  const [file = "", ...words] = wordsFor(program, markOf(marker), env);
  const child = spawn(file, words, {
    cwd: "/",
    env: { ...env, [MARKER_VARIABLE]: marker },
    // No Ctrl-C of the terminal reaches it, and without a terminal of its own nothing can prompt.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const group = child.pid ?? null;
  const identity = group === null ? null : identityOf(group);
  return {
    child,
    /** For as long as it does something; a sentence where that is impossible. */
    guard: (patienceMs: number) => startGuard(marker, () => {}, patienceMs),
    /** With all that it started, wherever that went; outputs that are held nevertheless are let go. */
    end: async (graceMs: number): Promise<void> => {
      const roots = identity === null ? [] : [identity];
      const sinceTicks = identity === null ? 0 : startTicks(identity);
      await endTree(treeFinder({ roots, group, marker, sinceTicks }), graceMs);
      await releasePipes(child);
    },
  };
}
