// Is this command called by the very agent it would decide about?

import { realpathSync } from "node:fs";

import { pathInside } from "../../adapters/files/inside.ts";
import { sessionFolderIn } from "../../mcp/ask-files.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

/**
 * Throws where this process belongs to a session inside `folder`: a run's own folder, or a whole
 * repository's. Questions are for people: an agent that answers its own was never asked anything.
 * Runs elsewhere are the agent's own affair.
 */
export function refuseInsideSession(env: CliIo["env"], what: string, folder: string): void {
  const session = sessionFolderIn(env);
  if (session === null || pathInside(real(folder), real(session)) === null) return;
  throw new OrchError(
    "usage",
    `\`${what}\` was called inside a session of the run it would act on`,
    "that is for people; an agent asks with ask_human or `orch ask`, and ends its turn",
  );
}

/** Through every link; what is not there any more is itself. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
