// How does a driver's agent in a test call orch?

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OwnProgram } from "../../src/drivers/question-channel.ts";
import { PROGRAM } from "./run-orch.ts";

/** The built program, and a new folder for the agent's PATH. */
export function ownProgram(): OwnProgram {
  return {
    node: process.execPath,
    cli: PROGRAM,
    bin: mkdtempSync(join(tmpdir(), "orch-bin-")),
  };
}
