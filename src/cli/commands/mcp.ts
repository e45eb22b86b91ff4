// How does an agent's ask_human reach orch, and how do other agents reach runs?

import { readChannel, sessionFolderIn } from "../../mcp/channel.ts";
import { serveMcp } from "../../mcp/server.ts";
import { VERSION } from "../../version.ts";
import { type Command, usage } from "../command-line/options.ts";

/** Without --serve started by agents of a run, with the session's control folder as its argument or in its environment. */
export const mcpCommand: Command = async ([named], given, io) => {
  if (given.serve === true)
    return (await import("./mcp-serve.ts")).serveRuns(named ?? ".", given, io);
  const folder = named ?? sessionFolderIn(io.env);
  if (folder === null || readChannel(folder) === null)
    throw usage(
      "`orch mcp` works only inside a running session",
      "orch starts it for the agent; for other agents there is `orch mcp --serve`",
    );
  await serveMcp({ folder, version: VERSION, input: io.stdin, output: io.stdout });
  return 0;
};
