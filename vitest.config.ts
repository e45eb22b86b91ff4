import { defineConfig } from "vitest/config";

import { ClosingLine } from "./test/support/closing-line.ts";

/** Pure, or in memory alone: nothing that one file could leave behind for the next. */
const IN_MEMORY = [
  "test/core/**",
  "test/readers/**",
  "test/bench/**",
  "test/schema/**",
  "test/engine/**",
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // To load the core anew for each of its files takes as long as the tests do.
        test: {
          name: "memory",
          include: IN_MEMORY.map((glob) => `${glob}/*.test.ts`),
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "world",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/agents/**",
            "test/fleet/**",
            "test/page/**",
            "node_modules/**",
            ...IN_MEMORY,
          ],
          isolate: false,
          globalSetup: ["test/support/scratch.ts", "test/support/programs.ts"],
        },
      },
    ],
    reporters: ["default", new ClosingLine()],
    // A loaded machine takes several times as long as a quiet one; what hangs fails all the same.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 180_000,
    pool: "forks",
    // Most of the time they wait for other processes.
    maxWorkers: 4,
  },
});
