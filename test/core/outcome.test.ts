import { expect, test } from "vitest";

import type { RunEvent, TaskEnd } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { exitCodeOf, isFinished, type StopSignal } from "../../src/core/run/outcome.ts";
import type { RunState } from "../../src/core/model/state.ts";
import {
  attempt,
  pauseFor,
  question,
  runStarted,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";

const id = (name: string): TaskId => idOf<TaskId>(name);
const left = (kind: Exclude<TaskEnd["kind"], "done">, gatesFailing = false): TaskEnd => ({
  kind,
  reason: "because",
  gatesFailing,
});
const DONE: TaskEnd = { kind: "done", verified: true, grade: "proven" };

/** A run in which each task ended as given; null: it has not begun. */
function ended(...ends: readonly (TaskEnd | null)[]): RunState {
  const names = ends.map((_end, index) => `task-${index + 1}`);
  const events: RunEvent[] = [...runStarted(names.map((name) => task(name)))];
  ends.forEach((end, index) => {
    const name = names[index] ?? "";
    if (end !== null) events.push(taskStarted(name), { type: "task-ended", task: id(name), end });
  });
  return stateOf(events);
}

const asking = stateOf([
  ...runStarted(),
  taskStarted(),
  ...attempt({ decision: pauseFor(question()) }),
  { type: "question-asked", question: question() },
]);

const deferred = stateOf([
  ...runStarted(),
  taskStarted(),
  ...attempt({
    gates: [],
    decision: {
      kind: "stall",
      rule: "usage-limit-defer",
      end: "deferred",
      reason: "the plan's limit resets tomorrow",
      retryAtMs: 1_795_000_000_000,
    },
  }),
]);

const withoutAgent = stateOf([
  ...runStarted(),
  taskStarted(),
  ...attempt({
    gates: [],
    decision: {
      kind: "stall",
      rule: "agent-missing",
      end: "blocked",
      reason: "claude was not found",
      retryAtMs: null,
    },
  }),
  { type: "task-ended", task: id("add-login"), end: left("blocked") },
]);

test.each<[string, RunState, number]>([
  ["every task proven done is 0", ended(DONE, DONE), 0],
  [
    "a step without gates still ends done",
    ended({ kind: "done", verified: false, grade: "not-verified" }),
    0,
  ],
  ["stalled with failing gates is a failure", ended(left("stalled", true)), 1],
  ["stalled without failing gates is stalled", ended(left("stalled")), 5],
  ["blocked needs a person", ended(left("blocked")), 3],
  ["skipped counts as blocked", ended(left("skipped")), 3],
  ["blocked with failing gates still needs a person", ended(left("blocked", true)), 3],
  ["over budget is 6, failing gates or not", ended(left("over-budget", true)), 6],
  ["a waiting question is 4", asking, 4],
  ["a limit that outlasts the process is deferred", deferred, 75],
  ["an agent that cannot be started is a matter of setup", withoutAgent, 2],
  ["a run without tasks could not start", stateOf(runStarted([])), 2],
  ["an empty log could not start", stateOf([]), 2],
  ["work that is left without a cause is interrupted, never 0", ended(DONE, null), 130],
  ["failed beats blocked", ended(left("blocked"), left("stalled", true)), 1],
  ["blocked beats stalled", ended(left("stalled"), left("blocked")), 3],
  ["stalled beats over budget", ended(left("over-budget"), left("stalled")), 5],
  ["one task that is not done is enough", ended(DONE, left("over-budget"), DONE), 6],
])("%s", (_name, state, code) => {
  expect(exitCodeOf(state)).toBe(code);
});

test.each<[StopSignal, number]>([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 143],
])("%s beats every other cause", (signal, code) => {
  expect(exitCodeOf(asking, signal)).toBe(code);
  expect(exitCodeOf(withoutAgent, signal)).toBe(code);
});

test.each<[string, RunState, boolean]>([
  ["a run whose tasks all ended is finished", ended(DONE, left("stalled")), true],
  ["a run with a task ahead is not", ended(DONE, null), false],
  ["a run that waits for a person is not", asking, false],
  ["a run that is put off is not", deferred, false],
  ["a run without tasks is not", stateOf(runStarted([])), false],
])("%s", (_name, state, finished) => {
  expect(isFinished(state)).toBe(finished);
});
