// A gate that runs a command, calm in all that a test does not say.

import type { CommandGate } from "../../src/core/model/task.ts";
import type { GateRequest } from "../../src/engine/ports.ts";
import type { Places } from "../../src/engine/ports.ts";
import { commandGate } from "../support/builders.ts";

export function command(run: string, more: Partial<CommandGate> = {}): CommandGate {
  return commandGate("test", { run, ...more });
}

/** For gates that run where they are. */
export const NO_PLACES: Places = {
  with: () => Promise.reject(new Error("no commit is to be measured")),
  close: () => Promise.resolve(),
};

/** A gate that runs in the folder, as nobody's work and no base. */
export function inFolder(cwd: string, logPath: string): GateRequest {
  const plain = { checkout: null, isBase: false, isOriginal: false, beside: [] };
  return { cwd, logPath, variables: {}, ...plain };
}
