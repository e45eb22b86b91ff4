// Bundles bench/ beside the built program and runs it: `npm run bench`, or with the names of areas.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

import { agentProgram } from "./agent-programs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Inside the project, because the program looks for its own files from where its code is. */
const folder = join(root, `.dist-bench-${process.pid}`);

/** Fetched only where it is asked for. */
const isAsked = (...names) => names.some((name) => process.argv.includes(name));
const agent = {
  ...(isAsked("beside", "endings", "agents") && { ORCH_CLAUDE_BIN: agentProgram("claude-code") }),
  ...(isAsked("agents") && { ORCH_CODEX_BIN: agentProgram("codex") }),
};

/** Each a program of its own; all others are areas of one. */
const PROGRAMS = {
  proof: "bench/proof/main.ts",
  eval: "bench/eval/main.ts",
  endings: "bench/endings/main.ts",
};
const [, , first = "", ...rest] = process.argv;
const program = PROGRAMS[first];

try {
  const bundle = await rolldown({
    cwd: root,
    input: { main: program ?? "bench/main.ts" },
    platform: "node",
    external: ["pg", "playwright-core"],
    tsconfig: false,
    logLevel: "warn",
  });
  await bundle.write({ dir: folder, format: "esm" });
  await bundle.close();
  const given = program === undefined ? process.argv.slice(2) : rest;
  const args = [join(folder, "main.js"), join(root, "dist/cli.cjs"), ...given];
  const env = { ...process.env, ...agent };
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit", env });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
