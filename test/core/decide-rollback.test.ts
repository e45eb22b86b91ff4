import { describe, expect, test } from "vitest";
import type { History } from "../../src/core/decide/facts.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { Checkpoint, RunEvent, Workspace } from "../../src/core/model/event.ts";
import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import {
  ADVANCE,
  attempt,
  evidence,
  FEEDBACK,
  firstTask,
  PASSED,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { history, limits, policy, stepId, streaks, taskId, unknown } from "./builders.ts";
import { decides, none, RED, red } from "./decision-table.ts";

const PASS: Checkpoint = { commit: "c0ffee", ref: "refs/orch/run/add-login/2", tree: "good" };

describe("attempts that fail in a row", () => {
  const many = policy({
    limits: limits({ attempts: 9, attemptsWithProgress: 9 }),
    uncertainty: { ...DEFAULT_UNCERTAINTY, enabled: false },
  });
  const seen = evidence({ gates: red });
  /** So many failed before, the last one otherwise; this failure was seen before in the task. */
  const after = (anyFailure: number, over: Partial<History> = {}): History =>
    history({
      streaks: streaks({ anyFailure, sameFailure: 1, lastFingerprint: "other", lastFailing: 1 }),
      ledger: { other: 1, [RED]: 1 },
      ...over,
    });
  const again = (times: number): Partial<History> => ({
    streaks: streaks({
      anyFailure: times,
      sameFailure: times,
      lastFingerprint: RED,
      lastFailing: 1,
    }),
  });
  const nearer = {
    streaks: streaks({ anyFailure: 2, lastFingerprint: "other", lastFailing: 4, fewestFailing: 4 }),
  };
  const passed = { lastPass: PASS };
  const noPlan = { replans: 2 };
  const isNew = { ledger: { other: 1 } };
  decides(
    [
      ["are fed back twice", "feedback gate-red", seen, after(1, passed)],
      [
        "go back to what passed the third time",
        "replan/rollback failed-rollback",
        seen,
        after(2, passed),
      ],
      [
        "go back, and do not only plan anew, where all failed alike",
        "replan/rollback failed-rollback",
        seen,
        after(2, { ...passed, ...again(2) }),
      ],
      [
        "do not go back with fewer failing checks than ever",
        "feedback gate-red",
        seen,
        after(2, { ...passed, ...nearer }),
      ],
      [
        "do not go back where the gates were not evaluated",
        "feedback gate-unknown",
        { gates: unknown() },
        after(2, passed),
      ],
      [
        "do not go back a third time without a plan left, and end",
        "stalled failed-stall",
        seen,
        after(2, { ...passed, ...noPlan }),
      ],
      ["end where nothing ever passed", "stalled failed-stall", seen, after(2)],
      ["ask for guidance then, from level 2 on", "pause/guidance failed-stall", seen, after(2), 2],
      [
        "go on where the failure is new, which is progress",
        "feedback gate-red",
        seen,
        after(2, isNew),
      ],
      [
        "get a new plan in the tree as it is where all failed alike and nothing passed",
        "replan same-failure-replan",
        seen,
        after(2, again(2)),
      ],
    ],
    many,
  );
});

describe("the tree that a task may go back to", () => {
  const tree = (name: string): Checkpoint => ({ commit: name, ref: `refs/${name}`, tree: name });
  /** An attempt from one tree to another. */
  const from = (
    before: string,
    to: string,
    over: Parameters<typeof attempt>[0] & { readonly step?: string } = {},
  ): readonly RunEvent[] =>
    attempt(over).map((event) => {
      const at = "step" in event && over.step !== undefined ? { step: stepId(over.step) } : {};
      if (event.type === "attempt-started") return { ...event, ...at, checkpoint: tree(before) };
      if (event.type === "attempt-settled") return { ...event, ...at, checkpoint: tree(to) };
      return { ...event, ...at };
    });
  const partial = { gates: [PASSED], decision: FEEDBACK };
  const failed = { gates: red, decision: FEEDBACK, evidence: { gates: red } };
  const disputed: Decision = {
    rule: "disputed",
    kind: "continue",
    how: { kind: "feedback", feedback: "Undo it." },
  };
  const two = task("add-login", { steps: [step(), step({ id: stepId("tell") })] });
  const three = task("add-login", {
    steps: [step(), step({ id: stepId("check") }), step({ id: stepId("tell") })],
  });
  const check = { ...none, decision: ADVANCE, evidence: none, step: "check" };
  const started = taskStarted();
  const conflict = { kind: "conflict", tree: "both", onto: "o", paths: ["a"], words: [] } as const;
  const inPlace: Workspace = { kind: "in-place", root: "/repo", base: "b" };

  test.each<
    [string, string | null, readonly RunEvent[], { of?: typeof two; workspace?: Workspace }?]
  >([
    ["is none before anything passed", null, from("a", "b", failed)],
    [
      "is the last one of the step on which the gates passed",
      "c",
      [
        ...from("a", "b", partial),
        ...from("b", "c", { ...partial, n: 2 }),
        ...from("c", "d", { ...failed, n: 3 }),
      ],
    ],
    [
      "is none on which the gates passed because they were weakened",
      null,
      [
        ...from("a", "b", { ...partial, decision: disputed }),
        ...from("b", "c", { ...failed, n: 2 }),
      ],
    ],
    [
      "is none on which the gates were not evaluated",
      null,
      from("a", "b", { ...failed, evidence: { gates: unknown() } }),
    ],
    [
      "is what the step before left, proven",
      "b",
      [...from("a", "b"), ...from("b", "c", { ...failed, step: "tell" })],
      { of: two },
    ],
    [
      "is what a step before left, where none since wrote anything",
      "b",
      [...from("a", "b"), ...from("b", "b", check), ...from("b", "c", { ...failed, step: "tell" })],
      { of: three },
    ],
    [
      "is none where a finished step since would be undone",
      null,
      [
        ...from("a", "b"),
        ...from("b", "notes", check),
        ...from("notes", "c", { ...failed, step: "tell" }),
      ],
      { of: three },
    ],
    [
      "is none once the work is to be joined with that of others, which is not in it",
      null,
      [
        ...from("a", "b"),
        { type: "merge-started", task: taskId("add-login"), commit: "b", onto: "o" },
        { type: "merge-ended", task: taskId("add-login"), result: conflict },
        ...from("both", "c", { ...failed, n: 2 }),
      ],
    ],
    [
      "is none in place, where the files are the user's",
      null,
      from("a", "b", partial),
      { workspace: inPlace },
    ],
  ])("%s", (_sentence, expected, events, { of = task(), workspace } = {}) => {
    const opened = workspace === undefined ? started : { ...started, workspace };
    const state = stateOf([...runStarted([of]), opened, ...events]);
    expect(historyOf(state, firstTask(state)).lastPass?.tree ?? null).toBe(expected);
  });
});
