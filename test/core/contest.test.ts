import { expect, test } from "vitest";

import type { Grade } from "../../src/core/model/decision.ts";
import type { Entry, RunEvent } from "../../src/core/model/event.ts";
import type { RunState } from "../../src/core/model/state.ts";
import { ranked } from "../../src/core/run/contest.ts";
import { due } from "../../src/core/run/due.ts";
import { exitCodeOf } from "../../src/core/run/outcome.ts";
import { taskOf } from "../../src/core/run/select.ts";
import {
  ADVANCE,
  attempt,
  FEEDBACK,
  started,
  stateOf,
  task,
  taskDefined,
  taskStarted,
} from "../support/builders.ts";
import { taskId } from "./builders.ts";

const entry = (name: string, grade: Grade | null, alarms = 0, lines = 10): Entry => ({
  task: taskId(name),
  agent: "a",
  grade,
  alarms,
  lines,
});

test.each<[string, readonly Entry[], string]>([
  ["the better grade", [entry("a", "nothing-broke"), entry("b", "proven", 3, 900)], "b"],
  [
    "changed checks before nothing that broke",
    [entry("a", "nothing-broke"), entry("b", "proven-checks-changed")],
    "b",
  ],
  ["anything that is finished", [entry("a", null, 0, 0), entry("b", "not-verified")], "b"],
  [
    "of equal grades the one with fewer alarms",
    [entry("a", "proven", 1), entry("b", "proven")],
    "b",
  ],
  ["then the smaller change", [entry("a", "proven"), entry("b", "proven", 0, 9)], "b"],
  ["then the one that was defined first", [entry("a", "proven"), entry("b", "proven")], "a"],
])("the best is %s", (_sentence, entries, best) => {
  expect(ranked(entries)[0]?.task).toBe(best);
});

const [ONE, TWO, AFTER] = ["t.1", "t.2", "after"] as const;
const CANDIDATE = { contest: taskId("t") };
const AHEAD: readonly RunEvent[] = [
  { ...started, parallel: 4 },
  taskDefined(task(ONE, CANDIDATE)),
  taskDefined(task(TWO, CANDIDATE)),
  taskDefined(task(AFTER, { dependsOn: [taskId(ONE), taskId(TWO)] })),
];
const works = (name: string): readonly RunEvent[] => [
  taskStarted(name),
  ...attempt({ task: name, decision: ADVANCE }),
];
const stalls = (name: string): RunEvent => ({
  type: "task-ended",
  task: taskId(name),
  end: { kind: "stalled", reason: "no way", gatesFailing: true },
});
const actions = (state: RunState, asks: "now" | "never" = "never"): readonly string[] =>
  due(state, { asks }).map((one) => `${one.kind} ${"task" in one ? one.task : ""}`.trim());

test("candidates begin side by side, although neither says where it writes", () => {
  expect(actions(stateOf(AHEAD))).toEqual([`open-task ${ONE}`, `open-task ${TWO}`]);
});

test("one that is finished takes no place, and is merged by nobody before its siblings rest", () => {
  const state = stateOf([
    ...AHEAD,
    ...works(ONE),
    taskStarted(TWO),
    ...attempt({ task: TWO, decision: FEEDBACK }),
  ]);
  expect(actions(state)).toEqual([`measure ${TWO}`]);
});

test.each<[string, readonly RunEvent[]]>([
  ["finished, too", works(TWO)],
  ["given up", [taskStarted(TWO), stalls(TWO)]],
])("they are compared when the others are %s", (_sentence, others) => {
  expect(actions(stateOf([...AHEAD, ...works(ONE), ...others]))).toEqual([`decide-contest ${ONE}`]);
});

test("what depends on a task waits for all candidates, also where the first gave up", () => {
  const state = stateOf([...AHEAD, taskStarted(ONE), stalls(ONE), taskStarted(TWO)]);
  expect(actions(state)).not.toContain(`close-task ${AFTER}`);
});

test("the winner is merged, the other ends as outdone, and what depends on them may begin", () => {
  const ranking = [entry(TWO, "proven", 0, 2), entry(ONE, "proven", 0, 5)];
  const decided: RunEvent = { type: "contest-decided", task: taskId(TWO), ranking };
  const state = stateOf([...AHEAD, ...works(ONE), ...works(TWO), decided]);
  expect(actions(state)).toEqual([`close-task ${ONE}`, `merge ${TWO}`]);
  expect(taskOf(state, taskId(ONE)).cursor).toMatchObject({
    end: {
      reason:
        "t.2 is better: proven by its gates, no alarm, 2 lines; this one proven by its gates, no alarm, 5 lines",
    },
  });
  const ended = stateOf([
    ...AHEAD,
    ...works(ONE),
    ...works(TWO),
    decided,
    {
      type: "task-ended",
      task: taskId(ONE),
      end: { kind: "outdone", reason: "", gatesFailing: false },
    },
    {
      type: "task-ended",
      task: taskId(TWO),
      end: { kind: "done", verified: true, grade: "proven" },
    },
  ]);
  expect(actions(ended)).toEqual([`open-task ${AFTER}`]);
  expect(exitCodeOf({ ...ended, tasks: ended.tasks.slice(0, 2) })).toBe(0);
});
