import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { due } from "../../src/core/run/due.ts";
import { shareFor } from "../../src/core/run/charge.ts";
import type { RunState } from "../../src/core/model/state.ts";
import { attemptBegun, runStarted, stateOf, step, task, taskStarted } from "../support/builders.ts";
import { HOUR, limits, taskId } from "./builders.ts";

const IDS = ["a", "b", "c"] as const;

/** Three tasks with scopes apart, of which the first ones are in a session that keeps so much. */
function running(costUsd: number, ...reserves: readonly number[]): RunState {
  const unlimited = step({ gates: { kind: "none" }, limits: limits({ costUsd: null }) });
  const tasks = IDS.map((id) => task(id, { scope: [`${id}/**`], steps: [unlimited] }));
  const sessions = reserves.flatMap((reserved, at): readonly RunEvent[] => [
    taskStarted(IDS[at] ?? ""),
    ...attemptBegun({ task: IDS[at] ?? "" }).map((event) =>
      event.type === "session-started"
        ? { ...event, reserved: { costUsd: reserved, timeMs: 0 } }
        : event,
    ),
  ]);
  const events = [...runStarted(tasks), ...sessions].map((event) =>
    event.type === "run-started"
      ? { ...event, parallel: 3, limits: { costUsd, timeMs: 3 * HOUR, questions: 1 } }
      : event,
  );
  return stateOf(events);
}

function share(state: RunState, at: number): number | null {
  const taskState = state.tasks[at];
  return taskState === undefined ? null : shareFor(state, taskState).costUsd;
}

describe("what a session may spend of the run's money", () => {
  test.each([
    ["is an equal share where all may start", running(9), 0, 3],
    ["leaves what others keep", running(9, 3), 1, 3],
    ["is all that is left for the last one", running(9, 3, 3), 2, 3],
    ["is nothing where others keep everything", running(9, 4, 5), 2, 0],
  ] as const)("%s", (_name, state, at, usd) => {
    expect(share(state, at)).toBe(usd);
  });

  test("is never more than the task has left", () => {
    const state = stateOf(
      runStarted([task("a", { steps: [step({ limits: limits({ costUsd: 2 }) })] })]),
    );
    expect(share(state, 0)).toBe(2);
  });

  test("is an equal share of the time, too, and no more than one session may take", () => {
    const state = running(9);
    expect(state.tasks.map((one) => shareFor(state, one).timeMs)).toEqual([HOUR, HOUR, HOUR]);
    const short = stateOf(
      runStarted([task("a", { steps: [step({ limits: limits({ sessionMs: 60_000 }) })] })]),
    );
    expect(short.tasks.map((one) => shareFor(short, one).timeMs)).toEqual([60_000]);
  });
});

test("where running sessions keep all that is left, the next one waits for them", () => {
  const full = running(9, 4, 5, 0);
  const waiting: RunState = {
    ...full,
    tasks: full.tasks.map((one) =>
      one.task.id === taskId("c")
        ? { ...one, cursor: { at: "attempt", start: { kind: "fresh" } } }
        : one,
    ),
  };
  const kinds = due(waiting, { asks: "never" }).map(({ kind, ...rest }) => [
    kind,
    "task" in rest ? rest.task : "",
  ]);
  expect(kinds).toEqual([
    ["recover-session", "a"],
    ["recover-session", "b"],
  ]);
});
