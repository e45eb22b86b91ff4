// A process that runs a command in the shell, prints what it printed, and never comes to its end by itself.

import { runInShell } from "../../src/workspace/git/shell.ts";

const limits = { confinement: [], timeoutMs: 600_000, bytesMax: 1_000 };
const env = { PATH: process.env["PATH"] ?? "" };
const { stdout } = await runInShell({ ...limits, env, cwd: "/", script: process.argv[2] ?? "" });
process.stdout.write(stdout);
setInterval(() => undefined, 1_000);
