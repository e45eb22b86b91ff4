import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { due } from "../../src/core/run/due.ts";
import { shareFor } from "../../src/core/run/charge.ts";
import type { RunState } from "../../src/core/model/state.ts";
import { attemptBegun, runStarted, stateOf, step, task, taskStarted } from "../support/builders.ts";
import { at, attempt } from "../support/builders.ts";
import { HOUR, limits, taskId, token } from "./builders.ts";

const IDS = ["a", "b", "c"] as const;

/** Three tasks with scopes apart, of which the first ones are in a session that keeps so much. */
function begun(costUsd: number, ...reserves: readonly number[]): readonly RunEvent[] {
  const coach = { prompt: "coach", agent: "eyes", model: null, share: 1 };
  const unlimited = step({ gates: { kind: "none" }, coach, limits: limits({ costUsd: null }) });
  const tasks = IDS.map((id) => task(id, { scope: [`${id}/**`], steps: [unlimited] }));
  const sessions = reserves.flatMap((reserved, at): readonly RunEvent[] => [
    taskStarted(IDS[at] ?? ""),
    ...attemptBegun({ task: IDS[at] ?? "" }).map((event) =>
      event.type === "session-started"
        ? { ...event, reserved: { costUsd: reserved, tokens: null, timeMs: 0 } }
        : event,
    ),
  ]);
  return [...runStarted(tasks), ...sessions].map((event) =>
    event.type === "run-started"
      ? { ...event, parallel: 3, limits: { costUsd, timeMs: 3 * HOUR, questions: 1 } }
      : event,
  );
}

const running = (costUsd: number, ...reserves: readonly number[]): RunState =>
  stateOf(begun(costUsd, ...reserves));

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

  test("leaves what the coach of another task keeps", () => {
    const reserved = { costUsd: 6, tokens: null, timeMs: 0 };
    const who = { token: token("c"), agent: "eyes", model: null };
    const looks: RunEvent = { type: "coach-started", ...at(1, "a"), ...who, reserved };
    expect(share(stateOf([...begun(9, 0), looks]), 1)).toBe(1.5);
  });

  test("leaves what a session keeps that a person ended, until it is gone", () => {
    const state = running(9, 6);
    const end = { kind: "skipped", reason: "", gatesFailing: true } as const;
    const tasks = state.tasks.map((one) => ({ ...one, cursor: { at: "closing" as const, end } }));
    expect(share({ ...state, tasks }, 1)).toBe(1.5);
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

test.each([
  ["waits for a share while others keep all that is left", 9, []],
  ["looks at the work where there is one", 10, ["coach"]],
])("a coach %s", (_name, usd, kinds) => {
  const [, , ended] = attempt({ task: "c" });
  const taken: RunEvent = { type: "work-taken", ...at(1, "c"), taken: null };
  const state = stateOf([...begun(usd, 4, 5, 0), ...(ended ? [ended] : []), taken]);
  const all = due(state, { asks: "never" }).map(({ kind }) => kind);
  expect(all.filter((kind) => kind !== "recover-session")).toEqual(kinds);
});
