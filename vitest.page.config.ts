import { defineConfig } from "vitest/config";

/** Tests of the page in a real browser: Chromium of the system, or the one that ORCH_CHROMIUM names. */
export default defineConfig({
  test: {
    include: ["test/page/**/*.test.ts"],
    globalSetup: ["test/support/scratch.ts", "test/support/programs.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
