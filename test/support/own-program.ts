// How does a driver's agent in a test call orch?

import type { OwnProgram } from "../../src/drivers/question-channel.ts";
import { PROGRAM } from "./run-orch.ts";

/** The built program. */
export function ownProgram(): OwnProgram {
  return { node: process.execPath, cli: PROGRAM };
}
