// A gate that runs a command, calm in all that a test does not say.

import type { CommandGate } from "../../src/core/model/task.ts";

export function command(run: string, more: Partial<CommandGate> = {}): CommandGate {
  return {
    kind: "command",
    name: "test",
    required: true,
    run,
    expect: "pass",
    timeoutMs: 60_000,
    retries: 0,
    failedRetries: 0,
    parse: "auto",
    report: null,
    proves: "auto",
    ...more,
  };
}
