import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { hasExpired } from "../../src/core/model/question.ts";
import type { RunState } from "../../src/core/model/state.ts";
import {
  attempt,
  attemptBegun,
  firstTask,
  question,
  runStarted,
  stateOf,
  taskStarted,
} from "../support/builders.ts";
import { taskId } from "./builders.ts";

const ID = taskId("add-login");
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];
const after = (...events: readonly RunEvent[]): RunState =>
  stateOf([...begun, ...attemptBegun(), ...events]);

describe("a tree of a task's own", () => {
  const plan = (event: RunEvent): RunEvent =>
    event.type === "task-started"
      ? { type: "tree-planned", task: event.task, workspace: event.workspace }
      : event;

  test("is known from its plan on, and the task begins when it stands", () => {
    const made: RunEvent = { type: "tree-made", task: ID, notes: [], ignored: [] };
    const state = firstTask(stateOf([...runStarted(), plan(taskStarted()), made]));
    expect(state.workspace).toEqual(firstTask(stateOf(begun)).workspace);
    expect(state.startedAt).toBeNull();
    const kept: RunEvent = { type: "tree-kept", task: ID, root: "/state/a" };
    expect(firstTask(after(kept)).workspace).toEqual(state.workspace);
  });
});

describe("what the run goes by", () => {
  test("asks as readily as whoever resumed it said; at level 0 nobody is waited for", () => {
    const asked: RunEvent = { type: "question-asked", question: question() };
    const changed = (level: 0 | 3) =>
      stateOf([...begun, asked, { type: "level-changed", level, by: "flag" }]);
    expect(changed(3).run?.flags.level).toBe(3);
    expect(firstTask(changed(3)).pendingQuestion?.expiresAt).toBeNull();
    const { pendingQuestion } = firstTask(changed(0));
    expect(pendingQuestion && hasExpired(pendingQuestion, Date.now())).toBe(true);
  });

  test("looks for what a finished task wrote, in a folder only", () => {
    const [first, ...others] = runStarted();
    const source = { kind: "folder", path: "tasks" } as const;
    const folder: readonly RunEvent[] =
      first?.type === "run-started" ? [{ ...first, source }, ...others] : [];
    const finished = [taskStarted(), ...attempt()];
    const read: RunEvent = { type: "tasks-read", after: ID, unusable: [] };
    expect(stateOf([...runStarted(), ...finished]).unread).toEqual([]);
    expect(stateOf([...folder, ...finished]).unread).toEqual([ID]);
    expect(stateOf([...folder, ...finished, read]).unread).toEqual([]);
  });
});
