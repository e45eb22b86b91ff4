import { defineConfig } from "vitest/config";

/** Tests against real agent programs; see scripts/test-agents.mjs. */
export default defineConfig({
  test: {
    include: ["test/agents/**/*.test.ts"],
    globalSetup: ["test/support/scratch.ts", "test/support/programs.ts"],
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    // Each agent takes 200 MB, and a core while it starts; then it waits, as a person does.
    maxWorkers: 4,
  },
});
