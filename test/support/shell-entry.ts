// A process that runs a long command in the shell and never comes to its end by itself.

import { runInShell } from "../../src/workspace/shell.ts";

const limits = { timeoutMs: 600_000, bytesMax: 1_000 };
const env = { PATH: process.env["PATH"] ?? "", ORCH_SESSION: process.env["ORCH_SESSION"] ?? "" };
await runInShell({ ...limits, env, cwd: "/", script: "true" });
process.stdout.write("ready\n");
setInterval(() => undefined, 1_000);
