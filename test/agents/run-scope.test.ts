// Does a task with the real Claude Code stay in its scope?

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { bash, writesReport } from "./support.ts";
import { calls, told, usePeople } from "./people.ts";
import { MENDS, rulesOf, SUCCEEDS } from "./runs.ts";
import type { Turn } from "../support/messages-server.mjs";

const person = usePeople();

async function scoped(turns: readonly Turn[]) {
  const ada = await person(turns);
  const task = ada.read("tasks/add.md");
  writeFileSync(join(ada.tree, "tasks/add.md"), `---\nscope: ["src/**"]\n---\n${task}`);
  return ada;
}

test("a file outside it is refused, and the agent goes on without it", async () => {
  const notes = { file_path: "docs/notes.md", content: "a note\n" };
  const ada = await scoped([calls(["call_1", "Write", notes]), ...SUCCEEDS]);
  expect((await ada.types("orch run tasks/add.md --threshold 0")).exitCode).toBe(0);
  expect(told(ada, "call_1")[0]).toContain(
    "docs/notes.md must not be changed. You may write only `src/**`.",
  );
  expect(JSON.stringify(ada.server.requests[0]?.body)).toContain("you may write only `src/**`");
  expect(ada.events("decided").map(({ decision }) => decision.rule)).toEqual(["gate-green"]);
});

test("what a command wrote there is measured, and the reason for it is asked for", async () => {
  const reason = "the task says so";
  const because = {
    version: 1,
    status: "completed",
    summary: "Did it.",
    changed_checks: [{ check: "log.txt", reason }],
  };
  const ada = await scoped([
    MENDS,
    bash("echo fixed > log.txt"),
    writesReport(),
    { text: "Done." },
    writesReport(because),
    { text: "Done." },
  ]);
  const ran = await ada.types("orch run tasks/add.md --threshold 0");
  expect([ran.exitCode, rulesOf(ada.recorded().map(({ event }) => event))]).toEqual([
    0,
    ["disputed", "gate-green"],
  ]);
  // Wherever the screen breaks its lines.
  expect(ran.shown.replace(/\s+/g, " ")).toContain(
    `log.txt is outside the task's scope (the agent says: ${reason})`,
  );
});
