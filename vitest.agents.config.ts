import { defineConfig } from "vitest/config";

/** Tests against real agent programs; see scripts/test-agents.mjs. */
export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    globalSetup: "test/support/programs.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Each agent takes 200 MB and a core.
    maxWorkers: 2,
  },
});
