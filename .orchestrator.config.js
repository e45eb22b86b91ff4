// How orch is developed with orch, and a worked example of a config. `templates/config.js` explains every key.

/** @type {import("./src/index.ts").OrchConfig} */
export default {
  interactionThreshold: 2,
  taskFolder: "tasks",

  gates: {
    check: { run: "npm run check", timeout: "5m" },
    test: { run: "npm test", timeout: "15m" },
    changelog: { run: "git diff --name-only HEAD -- CHANGELOG.md | grep .", required: false },
  },

  pipelines: {
    // Most changes: one session, proved by everything there is.
    default: [{ name: "implement", prompt: "implement" }],

    // New behaviour: first a test that fails for the right reason, then the code, then a second look.
    "test-first": [
      {
        name: "red",
        prompt: "test",
        gates: [{ name: "red", run: "npx vitest run", expect: "fail", parse: "vitest" }],
        fileAccess: { allowWrite: ["test/**"] },
      },
      { name: "green", prompt: "implement", attempts: 4 },
      { name: "review", prompt: "review", interactionThreshold: 3 },
    ],

    // Documentation proves nothing, and says so.
    docs: [
      {
        name: "write",
        prompt: "self",
        gates: "none",
        fileAccess: { allowWrite: ["**/*.md"] },
      },
    ],
  },

  agents: {
    "claude-code": { driver: "claude-code" },
    // Anything that reads a prompt and leaves a report is an agent: orch run --agent by-hand …
    "by-hand": {
      driver: "command",
      command: 'cat "$ORCH_PROMPT" && exec "${SHELL:-sh}"',
      promptVia: "file",
    },
  },
  agent: "claude-code",

  budget: { costUsd: 5, time: "2h", run: { costUsd: 20, time: "12h" } },
  waitForRateLimitReset: { maxWait: "6h" },
};
