// How is a process of the test's own started, listened to, killed and never left behind?

import { tmpdir } from "node:os";

import { startProgram, type Program } from "./whole-program.ts";

export interface Actor extends Pick<Program, "pid" | "kill" | "prints"> {
  /** The whole lines that it printed so far. */
  readonly lines: () => readonly string[];
  /** Resolves when it is gone. */
  readonly gone: Promise<unknown>;
}

export function startActor(program: string, args: readonly string[]): Actor {
  const command = [process.execPath, program, ...args];
  const actor = startProgram(command, { cwd: tmpdir(), env: process.env });
  return { ...actor, lines: () => actor.printed().split("\n").slice(0, -1), gone: actor.ended };
}
