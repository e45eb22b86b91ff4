// Is this command called by the very agent it would decide about?

import { pathInside } from "../../adapters/files/small-file.ts";
import { procStat } from "../../adapters/process/identity.ts";
import { realOf } from "../../adapters/process/program.ts";
import { environmentOf } from "../../adapters/process/tree.ts";
import { FOLDER_VARIABLE, sessionFolderIn } from "../../mcp/channel.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

/**
 * Throws where this process, or one that it descends from, belongs to a session inside `folder`: a run's
 * own folder, or a whole repository's. Questions are for people: an agent that answers its own was never
 * asked anything. A process can clean its own environment, and not that of its parents. Runs elsewhere
 * are the agent's own affair.
 */
export function refuseInsideSession(env: CliIo["env"], what: string, folder: string): void {
  const sessions = [sessionFolderIn(env), ...ancestors(process.ppid).map(sessionFolderOf)];
  const isInside = (session: string | null): boolean =>
    session !== null && pathInside(realOf(folder), realOf(session)) !== null;
  if (!sessions.some(isInside)) return;
  throw new OrchError(
    "usage",
    `\`${what}\` was called from inside a session of the run`,
    "this command is for people; agents ask with ask_human or `orch ask`",
  );
}

/** Empty where the system does not tell. */
function ancestors(pid: number): readonly number[] {
  const ancestors: number[] = [];
  for (let next = pid; next > 1 && !ancestors.includes(next); next = procStat(next)?.parent ?? 0)
    ancestors.push(next);
  return ancestors;
}

function sessionFolderOf(pid: number): string | null {
  const variables = environmentOf(pid)?.toString("utf8").split("\0") ?? [];
  const line = variables.find((one) => one.startsWith(`${FOLDER_VARIABLE}=`));
  return sessionFolderIn({ [FOLDER_VARIABLE]: line?.slice(FOLDER_VARIABLE.length + 1) });
}
