import { expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { refusedChanges } from "../../src/core/run/scopes.ts";
import { taskOf } from "../../src/core/run/select.ts";
import { runStarted, stateOf, task } from "../support/builders.ts";
import { taskId, tree } from "./builders.ts";

const ID = taskId("first");
const pinned = { sha256: "a1", paths: [".orchestrator.config.js", "tasks/_style.md"] };
const taken: RunEvent = { type: "settings-pinned", pinned, changed: [] };
const begun = [...runStarted([task("first"), task("second")]), taken];

function refused(changed: readonly string[], events: readonly RunEvent[] = begun) {
  const state = stateOf(events);
  return refusedChanges(state, taskOf(state, ID), tree({ changed }));
}

test("config, context and tasks are told, whoever's; the work itself is not", () => {
  const changed = [".orchestrator.config.js", "src/a.ts", "tasks/_style.md", "tasks/second.md"];
  expect(refused(changed)).toEqual(changed.filter((path) => path !== "src/a.ts"));
  expect(refused(["tasks/third.md"])).toEqual([]);
});

test("each is told once", () => {
  const paths = ["tasks/second.md"];
  const refusedChange: RunEvent = { type: "task-change-refused", task: ID, paths };
  expect(refused(paths, [...begun, refusedChange])).toEqual([]);
});
