import { expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import type { LandingHow, LandingIntent } from "../../src/core/model/landing.ts";
import type { RunState } from "../../src/core/model/state.ts";
import { due } from "../../src/core/run/due.ts";
import { isFinished } from "../../src/core/run/outcome.ts";
import { ADVANCE, attempt, runStarted, stateOf, taskStarted } from "../support/builders.ts";

const TASK = idOf<TaskId>("add-login");
const COMMIT = "c0ffee";
const INTENT: LandingIntent = { how: "merge", commit: COMMIT, branch: "main", of: null };
const BEGUN: RunEvent = { type: "landing-started", ...INTENT };
const LEFT = { kind: "left", why: "changes are in the way", next: null } as const;
const DONE = { kind: "done", verified: true, grade: "proven" } as const;

/** The only task was merged; `more` is what came after. */
function merged(landing: LandingHow, more: readonly RunEvent[] = [ENDED]): RunState {
  const begun = runStarted().map((event) =>
    event.type === "run-started" ? { ...event, landing } : event,
  );
  const result = { kind: "merged", commit: COMMIT } as const;
  const joined: RunEvent = { type: "merge-ended", task: TASK, result };
  return stateOf([...begun, taskStarted(), ...attempt({ decision: ADVANCE }), joined, ...more]);
}

const ENDED: RunEvent = { type: "task-ended", task: TASK, end: DONE };
const kinds = (state: RunState) => due(state, { asks: "never" }).map(({ kind }) => kind);

test.each<[string, RunState, readonly string[], boolean]>([
  ["work that is to be left is not landed", merged("leave"), [], true],
  ["work is landed when the last task has ended", merged("merge"), ["land"], false],
  ["and not before", merged("merge", []), ["close-task"], false],
  ["a landing that was cut short is done again", merged("merge", [ENDED, BEGUN]), ["land"], false],
  [
    "one that was left is not tried again by itself",
    merged("merge", [ENDED, BEGUN, { type: "landed", of: null, result: LEFT }]),
    [],
    true,
  ],
  [
    "one task that was merged by hand says nothing of the run",
    merged("merge", [ENDED, { ...BEGUN, of: TASK }, { type: "landed", of: TASK, result: LEFT }]),
    ["land"],
    false,
  ],
])("%s", (_name, state, actions, isOver) => {
  expect([kinds(state), isFinished(state)]).toEqual([actions, isOver]);
});

test("nothing is landed where nothing was merged", () => {
  const skipped = { kind: "skipped", reason: "by a person", gatesFailing: false } as const;
  const begun = runStarted().map((event) =>
    event.type === "run-started" ? { ...event, landing: "merge" as const } : event,
  );
  expect(kinds(stateOf([...begun, { type: "task-ended", task: TASK, end: skipped }]))).toEqual([]);
});
