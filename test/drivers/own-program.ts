// Which orch do agents in a test call, where none of them calls it?

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OwnProgram } from "../../src/drivers/question-channel.ts";

export const UNCALLED: OwnProgram = {
  node: process.execPath,
  cli: "/nowhere/cli.js",
  mcp: ["/nowhere/cli.js", "mcp"],
  bin: mkdtempSync(join(tmpdir(), "orch-bin-")),
};
