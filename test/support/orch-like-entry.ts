// A program that runs children as orch does, one after the other, for tests that kill it: pairs of
// marker and shell line in, the children's ends out. TIMEOUT_MS is the limit of each.

import { runProcess } from "../../src/adapters/process/process.ts";

const args = process.argv.slice(2);
const env = { PATH: process.env["PATH"] ?? "" };

for (let at = 0; at < args.length; at += 2) {
  const end = await runProcess(
    {
      program: { kind: "shell", line: args[at + 1] ?? "" },
      cwd: process.cwd(),
      env,
      input: null,
      marker: args[at] ?? "",
      timeoutMs: Number(process.env["TIMEOUT_MS"] ?? 0) || null,
      idleMs: null,
      stop: [],
      onStdout: (chunk) => void process.stdout.write(chunk),
      onStderr: (chunk) => void process.stderr.write(chunk),
      onSpawn: () => Promise.resolve(),
    },
    new AbortController().signal,
  );
  process.stdout.write(JSON.stringify(end));
}
