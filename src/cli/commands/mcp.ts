// How does an agent's ask_human reach orch?

import { statSync } from "node:fs";

import { sessionFolderIn } from "../../mcp/ask-files.ts";
import { serveMcp } from "../../mcp/server.ts";
import { VERSION } from "../../version.ts";
import { type Command, usage } from "../options.ts";

/** Started by agents, with the session's control folder as its argument or in its environment. */
export const mcpCommand: Command = async ([named], _given, io) => {
  const folder = named ?? sessionFolderIn(io.env);
  if (folder === null || !isFolder(folder))
    throw usage(
      "`orch mcp` needs the control folder of a session that goes on",
      "agents start it by themselves; to be asked, run a task",
    );
  await serveMcp({ folder, version: VERSION, input: io.stdin, output: io.stdout });
  return 0;
};

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // Not there, or nowhere that this user may go: no session of theirs.
  }
}
