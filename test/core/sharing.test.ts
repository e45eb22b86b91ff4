// Is what two tasks have in common held once?

import { expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import type { TaskId } from "../../src/core/model/ids.ts";
import { sharing } from "../../src/core/run/reduce-task.ts";
import { attempt, runStarted, stateOf, task, taskStarted } from "../support/builders.ts";

const TASKS = ["a", "b", "c"].map((id) => task(id));

function worked(id: TaskId): readonly RunEvent[] {
  const end = { kind: "done", verified: true, grade: "proven" } as const;
  // As a log is read: nothing in one line is the object of another.
  const events = [taskStarted(id), ...attempt({ task: id }), { type: "task-ended", task: id, end }];
  return JSON.parse(JSON.stringify(events));
}

function objectsIn(value: unknown, seen = new Set<object>()): ReadonlySet<object> {
  if (typeof value !== "object" || value === null || seen.has(value)) return seen;
  seen.add(value);
  for (const part of Object.values(value)) objectsIn(part, seen);
  return seen;
}

test("a further task like the ones before holds less than a fifth of its objects for itself", () => {
  const defined: readonly RunEvent[] = JSON.parse(JSON.stringify(runStarted(TASKS)));
  const { tasks } = stateOf([...defined, ...TASKS.flatMap(({ id }) => worked(id))]);
  const [, before, last] = tasks.map((one) => objectsIn(one));
  const fresh = [...(last ?? [])].filter((one) => before?.has(one) !== true);
  expect(last?.size).toBeGreaterThan(100);
  expect(fresh.length).toBeLessThan((last?.size ?? 0) / 5);
});

test.each<[string, object, object]>([
  ["a list that is longer", { list: [1, [2]] }, { list: [1, [2], 3] }],
  ["a list that is shorter", { list: [1, [2], 3] }, { list: [1, [2]] }],
  ["a key more", { at: { x: 1 } }, { at: { x: 1, y: undefined } }],
  ["keys in another order", { at: { x: 1, y: 2 } }, { at: { y: 2, x: 1 } }],
  ["a list for an object", { at: [1] }, { at: { 0: 1 } }],
  ["nothing for something", { at: null }, { at: {} }],
])("with %s in the other, one stays as it is", (_case, one, other) => {
  expect(JSON.stringify(sharing(one, other))).toBe(JSON.stringify(one));
  expect(sharing(one, other)).toStrictEqual(one);
});

test("what is equal is the other's, however deep it lies", () => {
  const other = { deep: { same: [{ n: 1 }], else: 1 } };
  const shared = sharing({ deep: { same: [{ n: 1 }], else: 2 } }, other);
  expect(shared.deep.same).toBe(other.deep.same);
  expect(shared.deep.else).toBe(2);
});
