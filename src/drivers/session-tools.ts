// Which program serves orch's tools to the agent of one session? One of its own: an agent waits while it starts.

import { VERSION } from "../version.ts";
import { serveMcp } from "../mcp/server.ts";

const [folder = ""] = process.argv.slice(2);
void serveMcp({ folder, version: VERSION, input: process.stdin, output: process.stdout });
