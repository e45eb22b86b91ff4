import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { decisionBefore, runSpent, taskOf } from "../../src/core/run/select.ts";
import {
  attempt,
  attemptBegun,
  FEEDBACK,
  pauseFor,
  question,
  runStarted,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";
import { taskId } from "./builders.ts";

const ID = taskId("add-login");
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];

describe("what a decision may know", () => {
  const state = stateOf([
    ...runStarted([task(), task("docs")]),
    taskStarted(),
    ...attempt({ decision: FEEDBACK }),
    ...attemptBegun({ n: 2 }),
    taskStarted("docs"),
    ...attempt({ task: "docs", decision: pauseFor(question({ task: taskId("docs") })) }),
    { type: "question-asked", question: question({ task: taskId("docs") }) },
  ]);

  test("is summed over all tasks of the run", () => {
    expect(runSpent(state)).toEqual({ costUsd: 0.84, workMs: 126_000 });
  });
});

describe("the decision that led to an attempt", () => {
  const before = (...events: readonly RunEvent[]) =>
    decisionBefore(taskOf(stateOf([...begun, ...events]), ID));

  test("is none for the first one", () => {
    expect(before(...attempt({ decision: FEEDBACK }))).toBeNull();
  });

  test("is that of the attempt before", () => {
    expect(before(...attempt({ decision: FEEDBACK }), ...attemptBegun({ n: 2 }))).toEqual(FEEDBACK);
  });

  test("is an earlier one where the attempt before met only a failed world", () => {
    const refused = {
      ...pauseFor(question({ kind: "blocker" })),
      rule: "credential-missing" as const,
    };
    const events = [
      ...attempt({ decision: FEEDBACK }),
      ...attempt({ n: 2, decision: refused }),
      ...attemptBegun({ n: 3 }),
    ];
    expect(before(...events)).toEqual(FEEDBACK);
  });
});
