// Runs the tests against real agent programs, of the pinned versions. Arguments are passed on to vitest:
// a word chooses the files whose names hold it, and an agent's name its program, too.
//   npm run test:agents codex -- -t "a question"
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { AGENTS, agentProgram } from "./agent-programs.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const config = ["run", "--config", "vitest.agents.config.ts"];
const words = process.argv.slice(2);
const named = Object.keys(AGENTS).filter((name) => words.includes(name));
const env = { ...process.env };
for (const name of named.length > 0 ? named : Object.keys(AGENTS))
  env[AGENTS[name].variable] = agentProgram(name);
const { status } = spawnSync(process.execPath, [vitest, ...config, ...words], {
  cwd: root,
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
