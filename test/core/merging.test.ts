import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import { NO_STREAKS, NOWHERE } from "../../src/core/decide/streaks.ts";
import type { MergeResult, RunEvent } from "../../src/core/model/event.ts";
import { due } from "../../src/core/run/due.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import {
  conclusion,
  gatesToPass,
  isNextToMerge,
  repairedBy,
  treeToRestore,
  worseThanBefore,
} from "../../src/core/run/merging.ts";
import { idOf, type SessionToken, type TaskId } from "../../src/core/model/ids.ts";
import { NO_USAGE } from "../../src/core/model/session.ts";
import { taskOf } from "../../src/core/run/select.ts";
import { assemblePrompt } from "../../src/core/run/prompt.ts";
import type { RunState, TaskState } from "../../src/core/model/state.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import {
  ADVANCE,
  at,
  attempt,
  commandGate,
  attemptBegun,
  evidence,
  FEEDBACK,
  firstTask,
  PASSED,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
  measured,
  unnamed,
} from "../support/builders.ts";
import { failed, limits, policy, taskId } from "./builders.ts";

const ID = taskId("add-login");
const DONE = { kind: "done", verified: true, grade: "proven" } as const;
const ONTO = "tip of the run";
const [RED] = failed("logs in");
const proven: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  ...attempt({ decision: ADVANCE }),
];

function ended(result: MergeResult): RunEvent {
  return { type: "merge-ended", task: ID, result };
}

function gate(result: GateResult): RunEvent {
  return measured("merged", result);
}

const conflict: MergeResult = {
  kind: "conflict",
  tree: "both with marks",
  onto: ONTO,
  paths: ["src/a.ts"],
  words: ["merged before it: docs (Docs), commit abc"],
};
const toProve = ended({ kind: "to-prove", commit: "both", tree: "tree of both", onto: ONTO });

function merging(...events: readonly RunEvent[]): RunState {
  return stateOf([...proven, ...events]);
}

function taskIn(...events: readonly RunEvent[]): TaskState {
  return firstTask(merging(...events));
}

function next(...events: readonly RunEvent[]) {
  const [action] = due(merging(...events), { asks: "never" });
  return action;
}

function concluded(state: RunState) {
  const task = firstTask(state);
  const proof = task.cursor.at === "merging" ? task.cursor.proof : null;
  return proof && conclusion(state, task, proof);
}

describe("finished work", () => {
  test("is joined with what was merged before it", () => {
    expect(next()).toEqual({ kind: "merge", task: ID });
  });

  test("that was being joined when orch died is joined with the same sides", () => {
    const sides = { commit: "mine", onto: ONTO };
    const { cursor } = taskIn({ type: "merge-started", task: ID, ...sides });
    expect(cursor).toMatchObject({ at: "merging", joining: sides });
  });

  test("runs its gates again where the joined tree is not the proven tree", () => {
    expect(next(toProve)).toMatchObject({ of: "merged", gate: { name: PASSED.name } });
  });

  test("is the run's when they pass there", () => {
    expect(concluded(merging(toProve, gate(PASSED)))).toEqual({ kind: "merged", commit: "both" });
  });

  test("goes back to the agent when they fail there, with what failed", () => {
    const red = { kind: "red", onto: ONTO, gates: [PASSED.name] };
    const failed = { ...PASSED, verdict: RED?.verdict ?? PASSED.verdict };
    expect(concluded(merging(toProve, gate(failed)))).toMatchObject(red);
  });

  test("passes the gates of all that was merged before it, too, but not what must fail", () => {
    const gates = (...names: readonly string[]) => [
      step({ gates: { kind: "gates", gates: names.map((name) => commandGate(name)) } }),
    ];
    const red = commandGate("red", { expect: "fail" });
    const before = task("before", {
      steps: [step({ gates: { kind: "gates", gates: [commandGate("lint"), red] } })],
    });
    const tasks = [before, task("add-login", { steps: gates("test") })];
    const mergedBefore: RunEvent = {
      type: "merge-ended",
      task: taskId("before"),
      result: { kind: "merged", commit: "theirs" },
    };
    const state = stateOf([
      ...runStarted(tasks),
      taskStarted("before"),
      ...attempt({ task: taskId("before") }),
      mergedBefore,
      { type: "task-ended", task: taskId("before"), end: DONE },
      taskStarted(),
      ...attempt({ decision: ADVANCE }),
      toProve,
    ]);
    const names = gatesToPass(state, taskOf(state, ID)).map(({ name }) => name);
    expect(names).toEqual(["lint", "test"]);
    expect(due(state, { asks: "never" })[0]).toMatchObject({
      of: "merged",
      gate: { name: "lint" },
    });
  });

  test("that was accepted red is no worse for being joined", () => {
    const red = { ...PASSED, verdict: RED?.verdict ?? PASSED.verdict };
    const state = stateOf([
      ...runStarted(),
      taskStarted(),
      ...attempt({ gates: [red] }),
      toProve,
      gate(red),
    ]);
    expect(concluded(state)).toMatchObject({ kind: "merged" });
  });
});

describe("on a base that is red, joined work", () => {
  const red = { ...PASSED, verdict: RED?.verdict ?? PASSED.verdict };
  const checks = (passed: readonly string[], failing: readonly string[]) =>
    ({ kind: "all", by: "report", passed, failed: failing, skipped: [] }) as const;
  const work = (id: string, ...named: Parameters<typeof checks>): readonly RunEvent[] => [
    taskStarted(id),
    ...attempt({ task: taskId(id), gates: [red] }).map((event) =>
      event.type === "measured" ? { ...event, checks: checks(...named) } : event,
    ),
  ];
  const state = stateOf([
    ...runStarted([task("before"), task("add-login")]),
    ...work("before", ["theirs"], ["mine", "old"]),
    { type: "merge-ended", task: taskId("before"), result: { kind: "merged", commit: "theirs" } },
    { type: "task-ended", task: taskId("before"), end: DONE },
    ...work("add-login", ["mine"], ["theirs", "old"]),
  ]);

  test.each<[string, readonly string[], boolean]>([
    ["is no worse where only what both left red fails", ["old"], false],
    ["is worse where a check fails that passed on their side", ["theirs", "old"], true],
    ["is worse where a check fails that passed on its own", ["mine", "old"], true],
    ["is worse where a check fails that neither side knew", ["new", "old"], true],
  ])("%s", (_name, failing, isWorse) => {
    const joined = { ...unnamed(red), checks: checks([], failing) };
    expect(worseThanBefore(state, taskOf(state, ID), [joined])).toHaveLength(isWorse ? 1 : 0);
  });
});

describe("finished work that is red for what others repaired", () => {
  const red = { ...PASSED, verdict: RED?.verdict ?? PASSED.verdict };
  const placed = { commit: "work", tree: "tree of the work" };
  const work = (id: string, result: GateResult, failing: readonly string[]) => [
    taskStarted(id),
    ...attempt({ task: taskId(id), gates: [result] }).map((event) =>
      event.type === "measured" ? { ...event, taken: placed, checks: named(failing) } : event,
    ),
  ];
  const ALL = ["old", "older"];
  const named = (failing: readonly string[]) => ({
    kind: "all" as const,
    by: "report",
    passed: ALL.filter((one) => !failing.includes(one)),
    failed: failing,
    skipped: [],
  });
  const mergedAs = (id: string): RunEvent => ({
    type: "merge-ended",
    task: taskId(id),
    result: { kind: "merged", commit: ONTO },
  });
  const started = (contest: TaskId | null = null) =>
    runStarted([task("before"), task("add-login", { contest })]);
  const mine = work("add-login", red, ["old"]);
  const attempted = [taskStarted(), ...attempt({ decision: ADVANCE })];
  const half = work("before", red, ["older"]);
  const whole = work("before", PASSED, []);
  const rows: readonly [string, string | null, readonly RunEvent[]][] = [
    ["is told who did", "before", [...started(), ...whole, ...mine, mergedAs("before")]],
    ["is so by check", "before", [...started(), ...half, ...mine, mergedAs("before")]],
    ["is not before that is merged", null, [...started(), ...whole, ...mine]],
    [
      "is not where one of its red checks is red there, too",
      null,
      [...started(), ...half, ...work("add-login", red, ALL), mergedAs("before")],
    ],
    ["is not where it is green", null, [...started(), ...whole, ...attempted, mergedAs("before")]],
    [
      "is not where it is one of several candidates",
      null,
      [...started(taskId("login")), ...whole, ...mine, mergedAs("before")],
    ],
  ];
  test.each(rows)("%s", (_sentence, by, events) => {
    const state = stateOf(events);
    expect(repairedBy(state, taskOf(state, ID))).toBe(by);
  });

  const decision = {
    rule: "repaired-meanwhile",
    kind: "continue",
    how: { kind: "bring-up" },
  } as const;
  const brought = [...started(), taskStarted(), ...attempt({ decision })];
  const after = (...events: readonly RunEvent[]) => {
    const state = stateOf([...brought, ...events]);
    return { task: taskOf(state, ID), action: due(state, { asks: "never" })[0] };
  };

  test("is joined with that, and then measured anew with it as the base, in the same attempt", () => {
    expect(after().action).toEqual({ kind: "merge", task: ID });
    const { task, action } = after(toProve);
    expect(action).toMatchObject({ kind: "measure", of: "base" });
    expect(task).toMatchObject({ cursor: { at: "proof" }, workspace: { base: ONTO } });
    expect(task.steps[0]?.attempts).toMatchObject([
      { n: 1, work: { commit: "both", tree: "tree of both" }, gates: [], original: null },
    ]);
  });

  test("gets an attempt to join both where they conflict", () => {
    const { task, action } = after(ended(conflict));
    expect(task.cursor).toEqual({ at: "ready" });
    expect(treeToRestore(task)).toBe("both with marks");
    expect(action).toMatchObject({ kind: "measure", of: "base" });
  });
});

describe("a conflict", () => {
  test("gets an attempt on the tree with both sides, measured from the other one", () => {
    const state = taskIn(ended(conflict));
    expect(state).toMatchObject({
      cursor: { at: "ready" },
      workspace: { base: ONTO },
      baseline: [],
    });
    expect(state.steps[0]?.done).toBe(false);
  });

  test("counts as no failure of the work: what failed before says nothing of both sides together", () => {
    const patient = step({ limits: limits({ attempts: 9, replans: 0 }) });
    const red = [1, 2, 3, 4].map((n) =>
      attempt({ n, gates: failed("logs in"), decision: FEEDBACK }),
    );
    const worked = [...red.flat(), ...attempt({ n: 5, decision: ADVANCE })];
    const begun = [...runStarted([task("add-login", { steps: [patient] })]), taskStarted()];
    const pastOf = (...events: readonly RunEvent[]): History => {
      const state = stateOf([...begun, ...worked, ...events, ...attemptBegun({ n: 6 })]);
      return historyOf(state, firstTask(state));
    };
    const seen = evidence({ gates: failed("logs in") });
    const rule = (past: History) => decide(seen, past, policy({ limits: patient.limits })).rule;
    const joined = pastOf(ended(conflict));
    expect(joined).toMatchObject({ streaks: NO_STREAKS, ledger: {}, visited: NOWHERE, granted: 1 });
    expect([rule(pastOf()), rule(joined)]).toEqual(["fingerprint-ever", "merge-not-joined"]);
  });

  test("is told to the agent with both sides", () => {
    const parts = {
      template: "{{task}}",
      contract: "",
      reportPath: "/r",
      planPath: "/p",
      successorOf: null,
    };
    const prompt = assemblePrompt(taskIn(ended(conflict)), { kind: "fresh" }, parts);
    expect(prompt).toContain("conflicts with work merged before it in src/a.ts");
    expect(prompt).toContain("docs (Docs), commit abc");
  });

  test("a second time ends the task as blocked, with both branches kept", () => {
    const again = [...attempt({ n: 2, decision: ADVANCE }), ended(conflict)];
    const { cursor } = taskIn(ended(conflict), ...again);
    expect(cursor).toMatchObject({ at: "closing", end: { kind: "blocked" } });
    expect(JSON.stringify(cursor)).toContain("both branches are kept");
  });

  test("with what was merged since gets an attempt of its own", () => {
    const newer = ended({ ...conflict, onto: "newer tip" });
    const task = taskIn(ended(conflict), ...attempt({ n: 2, decision: ADVANCE }), newer);
    expect(task).toMatchObject({ cursor: { at: "ready" }, workspace: { base: "newer tip" } });
  });

  test("holds the queue while an agent joins both sides", () => {
    const joining = [...runStarted([task("add-login"), task("other")]), taskStarted()];
    const first = [...attempt({ decision: ADVANCE }), ended(conflict), ...attemptBegun({ n: 2 })];
    const other = [taskStarted("other"), ...attempt({ task: taskId("other"), decision: ADVANCE })];
    const state = stateOf([...joining, ...first, ...other]);
    expect(isNextToMerge(state, taskOf(state, taskId("other")))).toBe(false);
    const of = { ...at(2), token: idOf<SessionToken>("token-2"), usage: NO_USAGE };
    const seen = { ...of, type: "session-progressed", elapsedMs: 30 * 60_000 } as const;
    const late = stateOf([...joining, ...first, ...other, seen]);
    expect(isNextToMerge(late, taskOf(late, taskId("other")))).toBe(true);
    const before = stateOf([...joining, ...other]);
    expect(isNextToMerge(before, taskOf(before, taskId("other")))).toBe(true);
  });

  test("that was cleared away is merged like any other work", () => {
    const events = [ended(conflict), ...attempt({ n: 2, decision: ADVANCE })];
    expect(next(...events)).toMatchObject({ kind: "merge" });
  });
});
