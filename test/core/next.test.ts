import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/event.ts";
import { next, type Action } from "../../src/core/next.ts";
import type { ReportFinding } from "../../src/core/report.ts";
import type { SessionEnding } from "../../src/core/session.ts";
import type { RunState } from "../../src/core/state.ts";
import type { Task } from "../../src/core/task.ts";
import {
  UNSEEN,
  answer,
  attempt,
  attemptBegun,
  FEEDBACK,
  PASSED,
  pauseFor,
  question,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
  usage,
} from "../support/builders.ts";
import {
  asked,
  crashed,
  fault,
  finished,
  limits,
  noReport,
  read,
  stepId,
  taskId,
  token,
} from "./builders.ts";

const ID = taskId("add-login");
const AT = { task: ID, step: stepId("implement"), attempt: 1 } as const;
const alone = { canAsk: false };
const begun: readonly RunEvent[] = [...runStarted(), taskStarted()];
const done = (id: string): RunEvent => ({
  type: "task-ended",
  task: taskId(id),
  end: { kind: "done", verified: true },
});

function ended(ending: SessionEnding, report: ReportFinding): readonly RunEvent[] {
  return [
    ...begun,
    ...attemptBegun(),
    {
      ...AT,
      type: "session-ended",
      token: token("token-1"),
      ending,
      report,
      usage: usage(1),
      sessionId: "session-1",
      totals: null,
      agentVersion: null,
      unasked: [],
      ...UNSEEN,
      elapsedMs: 1,
    },
  ];
}

function nextOf(events: readonly RunEvent[]): Action {
  return next(stateOf(events), alone);
}

describe("from the beginning to the end of a task", () => {
  const gate: RunEvent = { ...AT, type: "gate-ended", result: PASSED };
  test.each<readonly [string, readonly RunEvent[], string]>([
    ["a task that has not begun is opened", runStarted(), "open-task"],
    ["an open task gets an attempt", begun, "start-attempt"],
    ["an attempt gets a session", [...begun, ...attemptBegun().slice(0, 1)], "run-session"],
    [
      "a session the log does not see the end of is recovered",
      [...begun, ...attemptBegun()],
      "recover-session",
    ],
    ["a session that ended is proved by its gate", ended(finished, read()), "run-gate"],
    ["a gate that spoke is not asked again", [...ended(finished, read()), gate], "decide"],
    ["a decision is settled", [...begun, ...attempt().slice(0, -1)], "settle"],
    ["a settled approval closes the task", [...begun, ...attempt()], "close-task"],
    [
      "a settled feedback gets another attempt",
      [...begun, ...attempt({ decision: FEEDBACK })],
      "start-attempt",
    ],
    ["an ended task leaves nothing to do", [...begun, ...attempt(), done("add-login")], "finish"],
  ])("%s", (_name, events, kind) => {
    expect(nextOf(events).kind).toBe(kind);
  });
});

describe("gates are asked", () => {
  test.each<readonly [string, SessionEnding, ReportFinding, "run-gate" | "decide"]>([
    ["after a session that finished", finished, read(), "run-gate"],
    ["after a session that finished without a report", finished, noReport, "run-gate"],
    ["after a crash: the work may be done", crashed, noReport, "run-gate"],
    [
      "after a time-out: the work may be done",
      { kind: "timed-out", limit: "idle" },
      noReport,
      "run-gate",
    ],
    ["after the limit of turns", { kind: "limit", limit: "turns" }, noReport, "run-gate"],
    ["after a provider fault with a written report", fault("overloaded"), read(), "run-gate"],
    ["not after a provider fault without one", fault("overloaded"), noReport, "decide"],
    ["after an interruption with a written report", { kind: "interrupted" }, read(), "run-gate"],
    ["not after an interruption without one", { kind: "interrupted" }, noReport, "decide"],
    ["after a lost session with a written report", { kind: "lost" }, read(), "run-gate"],
    ["not after a lost session without one", { kind: "lost" }, noReport, "decide"],
    ["not while the agent waits for an answer", asked("major"), read(), "decide"],
    [
      "not where nothing was started",
      { kind: "not-started", reason: "program-missing", detail: "" },
      noReport,
      "decide",
    ],
  ])("%s", (_name, ending, report, kind) => {
    expect(nextOf(ended(ending, report)).kind).toBe(kind);
  });

  test("one after the other, in their order", () => {
    const gates = ["lint", "test"].map((name) => ({
      kind: "file-exists" as const,
      name,
      required: true,
      path: "x",
    }));
    const two = task("add-login", { steps: [step({ gates: { kind: "gates", gates } })] });
    const events = [...runStarted([two]), ...ended(finished, read()).slice(2)];
    expect(nextOf(events)).toMatchObject({ kind: "run-gate", gate: { name: "lint" } });
    const lint: RunEvent = { ...AT, type: "gate-ended", result: { ...PASSED, name: "lint" } };
    expect(nextOf([...events, lint])).toMatchObject({ kind: "run-gate", gate: { name: "test" } });
  });

  test("nowhere if the step explicitly has none", () => {
    const bare = task("add-login", { steps: [step({ gates: { kind: "none" } })] });
    const events = [...runStarted([bare]), ...ended(finished, read()).slice(2)];
    expect(nextOf(events).kind).toBe("decide");
  });
});

describe("a question", () => {
  const asking = [
    ...begun,
    ...attempt({ decision: pauseFor(question()) }),
    { type: "question-asked" as const, question: question() },
  ];

  test("is put where a person can be asked", () => {
    expect(next(stateOf(asking), { canAsk: true })).toEqual({ kind: "ask", question: question() });
  });

  test("is left where nobody can be, and nothing else is begun in its tree", () => {
    const docs: RunEvent = { type: "task-defined", task: task("docs") };
    expect(nextOf([...asking, docs])).toEqual({ kind: "finish" });
  });

  test("that was answered goes on in the attempt", () => {
    const said: RunEvent = { type: "answered", answer: answer(), inbox: null };
    expect(nextOf([...asking, said]).kind).toBe("start-attempt");
  });
});

describe("money is checked before it is spent", () => {
  const spending = (costUsd: number): readonly RunEvent[] => {
    const cheap = task("add-login", { steps: [step({ limits: limits({ costUsd: 2 }) })] });
    const [started, defined, ...more] = [
      ...runStarted([cheap]),
      taskStarted(),
      ...attempt({ decision: FEEDBACK }),
    ];
    if (started === undefined || defined === undefined) return [];
    return [started, defined, ...more].map((event) =>
      event.type === "session-ended" ? { ...event, usage: usage(costUsd) } : event,
    );
  };

  test.each([
    ["a cent below the limit another attempt begins", 1.99, "start-attempt"],
    ["at the limit the task is closed", 2, "close-task"],
    ["above the limit the task is closed", 2.01, "close-task"],
  ])("%s", (_name, costUsd, kind) => {
    expect(nextOf(spending(costUsd)).kind).toBe(kind);
  });

  test("a task closed for it says which limit it was", () => {
    expect(nextOf(spending(2))).toMatchObject({
      end: { kind: "over-budget", reason: "cost: 2.00 of 2 USD" },
    });
  });
});

describe("several tasks", () => {
  const defined = (...tasks: readonly Task[]): RunState => stateOf(runStarted(tasks));
  const on = (...names: readonly string[]) => ({ dependsOn: names.map(taskId) });

  test("the first one that depends on nothing begins", () => {
    const state = defined(task("login", on("schema")), task("schema"));
    expect(next(state, alone)).toEqual({ kind: "open-task", task: "schema" });
  });

  test("a task is skipped when what it depends on is not there", () => {
    const state = defined(task("login", on("nowhere")));
    expect(next(state, alone)).toEqual({
      kind: "close-task",
      task: "login",
      end: {
        kind: "skipped",
        reason: "it depends on nowhere, which is not done",
        gatesFailing: false,
      },
    });
  });

  test("a task that has begun goes on before another one begins", () => {
    const events = [...runStarted([task("docs"), task()]), taskStarted()];
    expect(nextOf(events)).toEqual({
      kind: "start-attempt",
      task: "add-login",
      role: "work",
    });
  });

  test("nothing defined is nothing to do", () => {
    expect(next(defined(), alone)).toEqual({ kind: "finish" });
  });
});
