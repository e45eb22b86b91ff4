// Where are the hook and the tool server that a driver's agent calls back?

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import type { OwnProgram } from "../../src/drivers/question-channel.ts";
import type { Callbacks } from "../../src/drivers/claude-code/control-files.ts";
import { PROGRAM } from "./run-orch.ts";

/** The entries of the built program, and a new folder for the agent's PATH. */
export function callbacks(): Callbacks & OwnProgram {
  return {
    node: process.execPath,
    cli: PROGRAM,
    hook: join(dirname(PROGRAM), "hook.cjs"),
    mcp: [join(dirname(PROGRAM), "tool-server.cjs")],
    bin: mkdtempSync(join(tmpdir(), "orch-bin-")),
  };
}
