// What becomes of finished work that is red only for what another task has repaired meanwhile?

import { expect, test } from "vitest";

import type { RunResult } from "../../src/core/views/run-view.ts";
import { eventsOf, expectSound, filesOf } from "../support/run-record.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const write = (path: string, text: string) => ({ write: { path, text } });
const ADDS = "exports.add = (a, b) => a + b;\n";
const SCALES = "exports.scaled = (x) => x * 1;\n";
const TEST = `
const { test } = require("node:test");
const { equal } = require("node:assert");
const { add } = require("../src/add.cjs");
const { scaled } = require("../src/scaled.cjs");
test("adds", () => equal(scaled(add(2, 3)), 5));
test("scales", () => equal(scaled(0), 0));
`;
/** Until the run's log says that the other task is merged. */
const MERGED = {
  run: `until grep -q '"kind":"merged"' "$BESIDE"/project/.orch/runs/*/events.jsonl; do sleep 0.05; done`,
};

/** One task repairs what is red on the base; the other one, which ends after it, does this. */
function project(work: object, level: number): Sandbox {
  return smallProject({
    config: `interactionThreshold: ${level}, parallel: 2, gates: { test: { run: "node --test" } },`,
    files: {
      "package.json": JSON.stringify({ type: "module" }),
      "src/add.cjs": "exports.add = (a, b) => a - b;\n",
      "src/scaled.cjs": "exports.scaled = (x) => x;\n",
      "test/add.test.cjs": TEST,
      "tasks/repair.md": '---\nscope: ["src/add.cjs"]\n---\n# Repair\n\nMake it add.\n',
      "tasks/scale.md": '---\nscope: ["src/scaled.cjs"]\n---\n# Scale\n\nScale it.\n',
    },
    sessions: [
      { task: "repair", do: [write("src/add.cjs", ADDS), COMPLETED] },
      { task: "scale", attempt: 1, do: [MERGED, work, COMPLETED] },
      { task: "scale", do: [COMPLETED] },
    ],
  });
}

async function ran(box: Sandbox): Promise<RunResult> {
  await box.inProcess(["run", "tasks"]);
  expectSound(box);
  return JSON.parse(box.read(filesOf(box).result.slice(box.root.length + 1)));
}

const rules = (box: Sandbox, task: string) =>
  eventsOf(box, "decided").flatMap((one) => (one.task === task ? [one.decision.rule] : []));

test("it is joined with the repair and measured again, in the same session, and nobody is asked", async () => {
  const box = project(write("src/scaled.cjs", SCALES), 3);
  const { exitCode, tasks } = await ran(box);
  expect(rules(box, "scale")).toEqual(["repaired-meanwhile", "gate-green"]);
  expect(tasks).toMatchObject([
    { id: "repair", end: "done", grade: "proven" },
    { id: "scale", end: "done", grade: "nothing-broke" },
  ]);
  expect(exitCode).toBe(0);
  expect(eventsOf(box, "question-asked")).toEqual([]);
  expect(eventsOf(box, "session-started")).toHaveLength(2);
  // What was measured of the repair is the base of both.
  const bases = eventsOf(box, "measured").filter(
    ({ task, of }) => task === "scale" && of === "base",
  );
  expect(bases.map(({ from, result }) => [from !== null, result.verdict.kind])).toEqual([
    [expect.any(Boolean), "failed"],
    [true, "passed"],
  ]);
  for (const [path, text] of [
    ["src/add.cjs", ADDS],
    ["src/scaled.cjs", SCALES],
  ] as const)
    expect(`${box.git("show", `orch/scale:${path}`)}\n`).toBe(text);
});

test("where both together are still red, that is the work's own, and the task ends as it did", async () => {
  const bad = "exports.scaled = (x) => (x > 0 ? x + 1 : x);\n";
  const box = project(write("src/scaled.cjs", bad), 0);
  const { exitCode, tasks } = await ran(box);
  const [first, second, ...others] = rules(box, "scale");
  expect([first, second]).toEqual(["repaired-meanwhile", "gate-red"]);
  // Once for the end of the run's branch, whatever follows.
  expect(others).not.toContain("repaired-meanwhile");
  expect(others.at(-1)).toBe("no-change-stall");
  expect(tasks).toMatchObject([{ end: "done" }, { end: "stalled" }]);
  expect(exitCode).toBe(1);
});
