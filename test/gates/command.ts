// A gate that runs a command, calm in all that a test does not say.

import type { CommandGate } from "../../src/core/model/task.ts";
import { commandGate } from "../support/builders.ts";

export function command(run: string, more: Partial<CommandGate> = {}): CommandGate {
  return commandGate("test", { run, ...more });
}
