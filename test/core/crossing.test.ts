import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import type { TreeChange } from "../../src/core/model/evidence.ts";
import { crossingWords } from "../../src/core/model/fence.ts";
import { crossingsOf, fenceOf } from "../../src/core/run/scopes.ts";
import { taskOf } from "../../src/core/run/select.ts";
import {
  at,
  attemptBegun,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { taskId, tree } from "./builders.ts";

const [API, DOCS] = [taskId("api"), taskId("docs")];
const api = task("api", { scope: ["src/api/**"] });
const docs = task("docs", { scope: ["docs/**"] });
const writes = (...changed: readonly string[]): TreeChange => tree({ changed });
const begun = attemptBegun({ task: "docs" });
const ended: RunEvent = {
  type: "task-ended",
  task: API,
  end: { kind: "done", verified: true, grade: "proven" },
};

function crossed(events: readonly RunEvent[], change = writes("src/api/x.ts", "docs/a.md")) {
  const state = stateOf([...runStarted([api, docs]), ...events]);
  return crossingsOf(state, taskOf(state, DOCS), change);
}

describe("a write into the scope of another task", () => {
  const one = { by: DOCS, into: API, paths: ["src/api/x.ts"] };
  const crossingEvent: RunEvent = {
    ...at(1, "docs"),
    type: "scope-crossed",
    peer: API,
    paths: one.paths,
  };

  test.each<[string, readonly RunEvent[], readonly unknown[]]>([
    ["that is at work is told", [taskStarted("api"), taskStarted("docs"), ...begun], [one]],
    [
      "that ended while the attempt ran is told",
      [taskStarted("api"), taskStarted("docs"), ...begun, ended],
      [one],
    ],
    [
      "that ended before the attempt began is nobody's trouble",
      [taskStarted("api"), taskStarted("docs"), ended, ...begun],
      [],
    ],
    ["that has not begun is nobody's trouble", [taskStarted("docs"), ...begun], []],
    ["is reported once", [taskStarted("api"), taskStarted("docs"), ...begun, crossingEvent], []],
  ])("%s", (_sentence, events, expected) => {
    expect(crossed(events)).toEqual(expected);
  });

  test("that an earlier attempt made and that still stands is told when that task is at work", () => {
    const events = [taskStarted("docs"), taskStarted("api"), ...begun];
    expect(crossed(events, tree({ changed: [], outOfScope: ["src/api/x.ts"] }))).toEqual([one]);
  });

  test.each<[readonly string[], string]>([
    [["a"], "docs wrote a, which is in the scope of api"],
    [["a", "b", "c", "d"], "docs wrote a, b, c and 1 more, which are in the scope of api"],
  ])("is said in words: %j", (paths, words) => {
    expect(crossingWords({ ...one, paths })).toBe(words);
  });
});

test("a task that is to join both sides may write the files in conflict", () => {
  const fenced = task("docs", { scope: ["docs/**"], steps: [step({ allowWrite: [] })] });
  const state = stateOf([...runStarted([fenced]), taskStarted("docs")]);
  const joining = taskOf(state, DOCS);
  const fence = { allowWrite: [], scope: ["docs/**"], conflicts: [] as readonly string[] };
  expect(fenceOf(joining)).toEqual(fence);
  const trouble = {
    kind: "conflict",
    onto: "x",
    paths: ["src/a.ts"],
    words: [],
    tree: "t",
  } as const;
  expect(fenceOf({ ...joining, mergeTrouble: trouble })).toEqual({
    ...fence,
    conflicts: ["src/a.ts"],
  });
});
