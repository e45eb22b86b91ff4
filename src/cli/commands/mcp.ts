// How does an agent's ask_human reach orch?

import { readChannel, sessionFolderIn } from "../../mcp/channel.ts";
import { serveMcp } from "../../mcp/server.ts";
import { VERSION } from "../../version.ts";
import { type Command, usage } from "../command-line/options.ts";

/** Started by agents, with the session's control folder as its argument or in its environment. */
export const mcpCommand: Command = async ([named], _given, io) => {
  const folder = named ?? sessionFolderIn(io.env);
  if (folder === null || readChannel(folder) === null)
    throw usage(
      "`orch mcp` works only inside a running session",
      "orch starts it for the agent; you never need to",
    );
  await serveMcp({ folder, version: VERSION, input: io.stdin, output: io.stdout });
  return 0;
};
