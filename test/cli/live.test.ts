import { expect, test } from "vitest";

import { doingAfter, liveLines, type Moment } from "../../src/cli/render/live.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { cells } from "../../src/core/model/excerpt.ts";
import {
  at,
  attempt,
  attemptBegun,
  commandGate,
  measured,
  PASSED,
  question,
  runStarted,
  step,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";
import { finished, killed, paused } from "../support/stories.ts";

const style = { color: false, columns: 80, wraps: false };
function linesOf(
  events: readonly RunEvent[],
  doings: Readonly<Record<string, string>>,
  { columns = 80, rows = 12 } = {},
): readonly string[] {
  const moments = new Map<string, Moment>(
    Object.entries(doings).map(([id, doing]) => [id, { doing, since: null }]),
  );
  const state = stateOf(events);
  const nowMs = Date.parse(state.lastAt) + 192_000;
  return liveLines({ state, moments, nowMs }, { columns, rows }, style);
}

/** One is done, one asks, one waits out a limit, one works. */
const several: readonly RunEvent[] = [
  ...runStarted([
    task("01-schema"),
    task(),
    task("mail"),
    task("03-a-task-with-quite-a-long-name"),
  ]),
  ...paused.filter((event) => !["run-started", "task-defined", "run-ended"].includes(event.type)),
  taskStarted("mail"),
  ...attemptBegun({ task: "mail" }),
  taskStarted("03-a-task-with-quite-a-long-name"),
  ...attemptBegun({ task: "03-a-task-with-quite-a-long-name" }),
];

test.each([80, 40])("a run with several tasks, %d columns wide", async (columns) => {
  const doings = {
    mail: "runs npm test -- --watch=false, then looks at what is red",
    "03-a-task-with-quite-a-long-name": "edits src/a/folder/with/a/long/name/漢字.js",
  };
  const lines = linesOf(several, doings, { columns });
  expect(Math.max(...lines.map(cells))).toBeLessThanOrEqual(columns);
  await expect(lines.join("\n")).toMatchFileSnapshot(`../golden/live-${columns}.txt`);
});

test("one task alone has one line, and none when it is over", () => {
  expect(linesOf(killed, { "add-login": "runs npm test" })).toEqual([
    "▸ add-login · runs npm test · 3m 22s",
  ]);
  expect(linesOf(finished, {})).toEqual([]);
});

test("while no agent is at work, the gate that runs is named with its place among all", () => {
  const gates = [commandGate("test"), commandGate("lint")];
  const taken = { ...at(), type: "work-taken" as const, taken: null };
  const events = [
    ...runStarted([task("add-login", { steps: [step({ gates: { kind: "gates", gates } })] })]),
    taskStarted(),
    ...gates.map(({ name }) => measured("base", { ...PASSED, name })),
    ...attempt({ gates: gates.map(({ name }) => ({ ...PASSED, name })) }).toSpliced(3, 0, taken),
  ];
  const doings = events.flatMap((event, at) => {
    const doing = doingAfter(event, stateOf(events.slice(0, at + 1)));
    return typeof doing === "string" ? [doing] : [];
  });
  expect(doings).toEqual([
    "gate test runs (1 of 2), before the work",
    "gate lint runs (2 of 2), before the work",
    "the agent starts",
    "the agent starts",
    "the work becomes a commit",
    "gate test runs (1 of 2)",
    "gate lint runs (2 of 2)",
    "its checks are looked at",
  ]);
});

test("a gate tells how long it runs, an agent how long its attempt takes", () => {
  const state = stateOf(killed);
  const nowMs = Date.parse(state.lastAt) + 192_000;
  const moments = new Map([["add-login", { doing: "gate test runs", since: nowMs - 7_000 }]]);
  expect(liveLines({ state, moments, nowMs }, { columns: 80, rows: 9 }, style)).toEqual([
    "▸ add-login · gate test runs · 7s",
  ]);
});

test("more tasks than fit are counted, and who waits for a person stands first", () => {
  const names = Array.from({ length: 500 }, (_, n) => `task-${n}`);
  const asks = question({ task: idOf<TaskId>("task-499"), question: "Which way?" });
  const events: readonly RunEvent[] = [
    ...runStarted(names.map((name) => task(name))),
    ...names.flatMap((name) => [taskStarted(name), ...attemptBegun({ task: name })]),
    { type: "question-asked", question: asks },
  ];
  const doings = Object.fromEntries(names.map((name) => [name, "thinks"]));
  const lines = linesOf(events, doings, { rows: 5 });
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain("task-499 · asks: Which way?");
  expect(lines.at(-1)).toBe("  and 497 more");
});
