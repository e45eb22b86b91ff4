// Entry of the tool server that an agent starts beside itself: `node tool-server.cjs <control folder>`.

import { serveMcp } from "./mcp/server.ts";
import { VERSION } from "./version.ts";

const [folder = ""] = process.argv.slice(2);
void serveMcp({ folder, version: VERSION, input: process.stdin, output: process.stdout });
