// Entry of a tool server for tests that run without the command line: `node mcp-entry.js <folder>`.

import { serveMcp } from "../../src/mcp/server.ts";

await serveMcp({
  folder: process.argv[2] ?? "",
  version: "0.0.0",
  input: process.stdin,
  output: process.stdout,
});
