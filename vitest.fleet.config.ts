import { defineConfig } from "vitest/config";

/** Tests of runs on several machines, over a PostgreSQL that is started for them. */
export default defineConfig({
  test: {
    include: ["test/fleet/**/*.test.ts"],
    globalSetup: [
      "test/support/scratch.ts",
      "test/support/programs.ts",
      "test/support/postgres.ts",
    ],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 180_000,
    pool: "forks",
    maxWorkers: 3,
  },
});
