import { describe, expect, test } from "vitest";

import type { RuleId } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { causeOf, causeOfRule, type StallCause } from "../../src/core/run/outcome.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import {
  attempt,
  evidence,
  runStarted,
  stateOf,
  taskAfter,
  taskStarted,
  measured,
} from "../support/builders.ts";
import { fault, blocker, gateResult, read, taskId, unknown } from "./builders.ts";
import { red } from "./decision-table.ts";

const says = (type: string): Partial<Evidence> => ({
  report: read({ status: "blocked", blockers: [blocker(type, { recoverable: false })] }),
});
const dying = (type: "missing_credential"): Partial<Evidence> => ({
  readings: {
    ...evidence().readings,
    crash: { type, rule: "r", evidence: "e", resetAtMs: null, retryAfterMs: null },
  },
});
const mixed = { gates: [...red, ...unknown("tool-missing")] };
const unread = { gates: unknown("output-unreadable") };
const optional = {
  gates: [gateResult({ kind: "unknown", why: "tool-missing", detail: "" }, { required: false })],
};

describe("a task ends without being done because of", () => {
  test.each<[StallCause, string, RuleId, Partial<Evidence>?]>([
    ["agent", "the same failure several times in a row", "same-failure-stall", { gates: red }],
    ["agent", "attempts that are used up", "attempts-spent", { gates: red }],
    ["agent", "a completion that was disputed twice", "disputed"],
    ["agent", "gates whose output nobody can read", "gate-unknown-stall", unread],
    ["agent", "a failing gate beside one that is missing", "attempts-spent", mixed],
    ["agent", "a gate that is not required and missing", "attempts-spent", optional],
    [
      "environment",
      "a tool that is missing",
      "gate-unknown-stall",
      { gates: unknown("tool-missing") },
    ],
    ["environment", "an agent that is not installed", "agent-missing"],
    [
      "environment",
      "a blocker of the machine",
      "hard-blocker-declared",
      says("resource_exhausted"),
    ],
    ["environment", "a blocker in a word of its own", "hard-blocker-declared", says("no_docker")],
    ["environment", "last words that name a key", "hard-blocker-said", dying("missing_credential")],
    ["provider", "refused credentials", "credential-missing"],
    ["provider", "a provider that fails through every retry", "provider-gives-up"],
    [
      "specification",
      "a blocker of the task",
      "hard-blocker-declared",
      says("invalid_specification"),
    ],
    ["specification", "a question that nobody answered", "agent-asked"],
    [
      "context-pollution",
      "a full context",
      "handoffs-spent",
      { ending: fault("context-overflow") },
    ],
    ["agent", "handoffs without one", "handoffs-spent"],
  ])("%s: %s", (cause, _sentence, rule, seen = {}) => {
    expect(causeOfRule(rule, evidence(seen))).toBe(cause);
  });
});

const stalled: RunEvent = {
  type: "task-ended",
  task: taskId("add-login"),
  end: { kind: "stalled", reason: "because", gatesFailing: false },
};

describe("before anything was decided", () => {
  const missing = unknown("tool-missing").map((result) => measured("base", result));
  test.each<[StallCause, string, readonly RunEvent[]]>([
    ["environment", "a gate whose program is missing", missing],
    ["specification", "a text that leaves too much open", []],
  ])("%s: %s", (cause, _sentence, events) => {
    expect(causeOf(taskAfter([...events, stalled]))).toBe(cause);
  });
});

describe("the cause and its advice", () => {
  const spent = {
    kind: "stall",
    end: "stalled",
    rule: "attempts-spent",
    reason: "",
    retryAtMs: null,
  } as const;
  const decided = attempt({ gates: red, decision: spent });
  const viewed = (...events: readonly RunEvent[]) =>
    projectRun(stateOf([...runStarted(), taskStarted(), ...events]))?.tasks[0];

  test("are told of a task that ended", () => {
    expect(viewed(...decided, stalled)).toMatchObject({
      cause: "agent",
      advice: expect.stringContaining("smaller or clearer"),
    });
  });

  test("are contention where the work could not be joined, whatever followed", () => {
    const task = taskId("add-login");
    const conflict = {
      kind: "conflict",
      tree: "both",
      onto: "o",
      paths: ["a"],
      words: [],
    } as const;
    const merging: readonly RunEvent[] = [
      { type: "merge-started", task, commit: "b", onto: "o" },
      { type: "merge-ended", task, result: conflict },
    ];
    expect(viewed(...attempt(), ...merging, ...decided, stalled)?.cause).toBe("contention");
  });

  test("of one over budget is what to raise", () => {
    const end = { kind: "over-budget", reason: "cost: 10 of 10 USD", gatesFailing: false } as const;
    const { cause, advice } = viewed(...attempt(), { ...stalled, end }) ?? {};
    expect([cause, advice]).toEqual([null, expect.stringContaining("raise that limit")]);
  });

  test("are not told of one that goes on, or is done", () => {
    expect(viewed(...decided)).toMatchObject({ cause: null, advice: null });
    const done = { kind: "done", verified: true, grade: "proven" } as const;
    expect(viewed(...attempt(), { ...stalled, end: done })?.cause).toBeNull();
  });
});
