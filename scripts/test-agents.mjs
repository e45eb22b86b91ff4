// Runs the tests against real agent programs, of the pinned versions. Arguments are passed on to vitest.
//   npm run test:agents -- -t "a question"
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { claudeBinary } from "./claude-binary.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const config = ["run", "--config", "vitest.agents.config.ts"];
const { status } = spawnSync(process.execPath, [vitest, ...config, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, ORCH_CLAUDE_BIN: claudeBinary() },
});
process.exitCode = status ?? 1;
