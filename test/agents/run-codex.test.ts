// Does orch, as users get it, carry a task to its end with the real Codex?

import { describe, expect, test } from "vitest";

import { MAKES_SANDBOXES } from "../support/sandboxes.ts";
import { calls, CODEX_KIT, shell, writesReport } from "./codex-support.ts";
import { QUESTION, rulesOf, RUNS_TESTS, startsOf, useProjectsOf } from "./runs.ts";

const project = useProjectsOf(CODEX_KIT);

const MENDS = shell("sed -i 's/a - b/a + b/' src/add.js");
const STOPS = { text: "Done." };

describe("a task", () => {
  test("is proven done by its gate, in two sessions of one conversation", async () => {
    const turns = [
      writesReport({ version: 1, status: "partial", summary: "I looked at it." }),
      STOPS,
      MENDS,
      calls("report", { version: 1, status: "completed", summary: "It adds." }),
      STOPS,
    ];
    const { orch, git, server } = await project(turns, { gate: RUNS_TESTS });
    const end = await orch("run", "tasks/add.md", "--json");
    expect([end.exitCode, rulesOf(end.events)]).toEqual([0, ["gate-red", "gate-green"]]);
    expect(end.result?.tasks).toMatchObject([{ id: "add", end: "done", verified: true }]);
    expect(git("show", "orch/add:src/add.js")).toContain("a + b");
    expect(startsOf(end.events)).toEqual(["fresh", "feedback"]);
    // The second session is the same conversation, and knows which check failed.
    expect(JSON.stringify(server.requests.at(-1)?.body.input)).toContain("adds two numbers");
    expect(end.stderr).not.toContain("sign-in");
  });

  test("asks a person, ends, and goes on with the answer in the same conversation", async () => {
    const config = "interactionThreshold: 3,";
    const { orch, server } = await project([calls("ask_human", QUESTION), STOPS, STOPS], {
      config,
    });
    const first = await orch("run", "tasks/add.md", "--json");
    expect([first.exitCode, rulesOf(first.events)]).toEqual([4, ["agent-asked"]]);
    server.replace(MENDS, writesReport(), STOPS);
    await orch("answer", "2");
    const end = await orch("resume", "--json");
    expect([end.exitCode, startsOf(end.events)]).toEqual([0, ["answer"]]);
    expect(JSON.stringify(server.requests.at(-1)?.body.input)).toContain("half even");
  });
});

test("by its name on the command line, and in a sandbox of orch's in place of its own", async () => {
  const { orch, git } = await project([MENDS, writesReport(), STOPS], {
    config: 'sandbox: "bwrap",',
    // A folder below /tmp is not there in the sandbox.
    env: { TMPDIR: "/var/tmp" },
  });
  const end = await orch("run", "tasks/add.md", "--agent", "codex", "--json");
  if (!MAKES_SANDBOXES) return expect(end.stderr).toContain("sandbox");
  expect(end.result?.tasks).toMatchObject([{ id: "add", end: "done" }]);
  expect(git("show", "orch/add:src/add.js")).toContain("a + b");
});
