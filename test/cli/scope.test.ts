// What becomes of two tasks side by side where one writes in the scope of the other?

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { RunResult } from "../../src/core/views/run-view.ts";
import { eventsOf, expectSound } from "../support/run-record.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const writes = (path: string, text = "here\n") => ({ write: { path, text } });
const PARTIAL = { report: { ...COMPLETED.report, status: "partial" } };
const because = (...paths: readonly string[]) => ({
  report: {
    ...COMPLETED.report,
    changed_checks: paths.map((check) => ({ check, reason: "the docs quote it" })),
  },
});
/** Each waits for the other: both sessions run. */
const MEETS = { api: { run: 'cat "$BESIDE/meet"' }, docs: { run: 'echo > "$BESIDE/meet"' } };

interface Plays {
  readonly api: readonly object[];
  readonly docs: readonly object[];
  /** The second attempt of either. */
  readonly again?: readonly object[];
}

function project({ api, docs, again = [COMPLETED] }: Plays): Sandbox {
  const box = smallProject({
    config: "interactionThreshold: 0, parallel: 2,",
    gate: "true",
    files: {
      "tasks/api.md": '---\nscope: ["src/api/**"]\n---\n# API\n',
      "tasks/docs.md": '---\nscope: ["docs/**"]\n---\n# Docs\n',
    },
    sessions: [
      { task: "api", attempt: 1, do: [MEETS.api, writes("src/api/a.ts"), ...api] },
      { task: "docs", attempt: 1, do: [MEETS.docs, writes("docs/a.md"), ...docs] },
      { attempt: 2, do: again },
    ],
  });
  execFileSync("mkfifo", [join(box.beside, "meet")]);
  return box;
}

async function ran(box: Sandbox): Promise<RunResult & { readonly summary: string }> {
  const { stdout } = await box.inProcess(["run", "tasks"]);
  expectSound(box);
  const [run = ""] = box.git("for-each-ref", "--format=%(refname)", "refs/orch/").split("\n");
  const id = run.split("/")[2] ?? "";
  return { ...JSON.parse(box.read(`.orch/runs/${id}/result.json`)), summary: stdout };
}

const ALARM = "docs wrote src/api/x.ts, which is in the scope of api";
const rules = (box: Sandbox, task: string) =>
  eventsOf(box, "decided").flatMap((one) => (one.task === task ? [one.decision.rule] : []));

test("it is an alarm in both tasks, and what was written there is to be undone", async () => {
  const box = project({
    api: [COMPLETED],
    docs: [writes("src/api/x.ts"), COMPLETED],
    again: [{ remove: "src/api/x.ts" }, COMPLETED],
  });
  const { exitCode, tasks, summary } = await ran(box);
  expect(exitCode).toBe(0);
  expect(rules(box, "docs")).toEqual(["disputed", "gate-green"]);
  expect(rules(box, "api")).toEqual(["gate-green"]);
  const crossing = { by: "docs", into: "api", paths: ["src/api/x.ts"] };
  expect(tasks.map(({ crossings }) => crossings)).toEqual([[crossing], [crossing]]);
  // Both began at one commit: what the gate says of it was found out once.
  const measured = eventsOf(box, "measured").flatMap(({ of, result }) =>
    of === "base" ? [result.elapsedMs > 0] : [],
  );
  expect(measured).toHaveLength(2);
  expect(measured.filter(Boolean)).toHaveLength(1);
  expect(summary.replace(/\s+/g, " ").split(`alarm ${ALARM}`)).toHaveLength(3);
  for (const command of ["show", "log"]) {
    const { stdout } = await box.inProcess([command]);
    expect(stdout.replace(/\s+/g, " ")).toContain(ALARM);
  }
});

test("with a reason it is accepted, and both the alarm and the reason are told", async () => {
  const box = project({
    api: [COMPLETED],
    docs: [writes("src/api/x.ts"), because("src/api/x.ts")],
  });
  const { exitCode, tasks, summary } = await ran(box);
  expect(exitCode).toBe(0);
  expect(rules(box, "docs")).toEqual(["gate-green"]);
  expect(tasks.find(({ id }) => id === "docs")?.outOfScope).toEqual([
    { path: "src/api/x.ts", reason: "the docs quote it" },
  ]);
  expect(summary).toMatch(new RegExp(`alarm +${ALARM}`));
  expect(summary.replace(/\s+/g, " ")).toContain(
    "src/api/x.ts is outside the task's scope (the agent says: the docs quote it)",
  );
});

test("work that cannot be joined ends its task, and the cause is not the agent", async () => {
  const log = (text: string) => [writes("CHANGELOG.md", text), because("CHANGELOG.md")];
  const box = project({ api: log("api\n"), docs: log("docs\n"), again: [PARTIAL] });
  const { exitCode, tasks, summary } = await ran(box);
  expect(exitCode).toBe(3);
  const lost = tasks.filter(({ end }) => end !== "done");
  expect(lost).toMatchObject([{ end: "blocked", cause: "contention" }]);
  expect(summary).toMatch(/cause +contention/);
  expect(summary.replace(/\s+/g, " ")).toContain("next make one task depend on the other");
  const { stdout } = await box.inProcess(["explain", lost[0]?.id ?? ""]);
  expect(stdout).toMatch(/cause +contention\n +next +make one task depend on the other/);
});
