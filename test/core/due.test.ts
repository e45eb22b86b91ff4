import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import type { AnswerAction } from "../../src/core/model/question.ts";
import type { Level } from "../../src/core/model/policy.ts";
import { due, type Situation } from "../../src/core/run/due.ts";
import type { Action } from "../../src/core/run/task-action.ts";
import type { ReportFinding } from "../../src/core/model/report.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import type { RunState } from "../../src/core/model/state.ts";
import type { Task } from "../../src/core/model/task.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { budgetQuestion } from "../../src/engine/answer.ts";
import {
  answer,
  at,
  attempt,
  attemptBegun,
  FAILED,
  FEEDBACK,
  PASSED,
  pauseFor,
  question,
  runStarted,
  sessionEnded,
  stateOf,
  step,
  task,
  taskDefined,
  taskStarted,
  usage,
  measured,
} from "../support/builders.ts";
import { asked, crashed, fault, finished, limits, noReport, read, taskId } from "./builders.ts";

const ID = taskId("add-login");
const AT = at();
const alone = { asks: "never" } as const;
const opened: readonly RunEvent[] = [...runStarted(), taskStarted()];
/** Its gate is known on the base. */
const begun: readonly RunEvent[] = [...opened, measured("base", PASSED)];
const originals: RunEvent = {
  ...AT,
  type: "mixed-taken",
  of: "original",
  mixed: { kind: "made", taken: { commit: "c", tree: "t" }, putBack: ["test/a.ts"], left: [] },
};
const named = { by: "tap", passed: [], failed: [], skipped: [] };
const counted = (result: GateResult, passed: number): GateResult => ({
  ...result,
  counts: { runner: "tap", passed, failed: 1 - passed, skipped: 0 },
});
/** A check that failed before the work, and passes with it. */
const turned: readonly RunEvent[] = [
  measured("base", counted(FAILED, 0), at(0), { kind: "all", ...named, failed: ["a"] }),
  measured("work", counted(PASSED, 1), at(1), {
    kind: "since-base",
    ...named,
    passed: ["a"],
    gone: [],
  }),
];
const workTaken: RunEvent = { ...AT, type: "work-taken", taken: null };
const done = (id: string): Extract<RunEvent, { type: "task-ended" }> => ({
  type: "task-ended",
  task: taskId(id),
  end: { kind: "done", verified: true, grade: "proven" },
});

const merged = (id: string, commit = `work of ${id}`): RunEvent => ({
  type: "merge-ended",
  task: taskId(id),
  result: { kind: "merged", commit },
});

const ended = (ending: SessionEnding, report: ReportFinding): readonly RunEvent[] => [
  ...begun,
  ...attemptBegun(),
  sessionEnded({ ending, report }),
];

/** The one thing that may happen, where it is one. */
function only(state: RunState, situation: Situation): Action | { readonly kind: "nothing" } {
  const [first, ...others] = due(state, situation);
  expect(others).toEqual([]);
  return first ?? { kind: "nothing" };
}

function onlyOf(events: readonly RunEvent[]) {
  return only(stateOf(events), alone);
}

describe("from the beginning to the end of a task", () => {
  const gate = measured("work", PASSED);
  test.each<readonly [string, readonly RunEvent[], string]>([
    ["a task that has not begun is opened", runStarted(), "open-task"],
    ["before the first attempt its gate is measured on the base", opened, "measure"],
    ["an open task gets an attempt", begun, "start-attempt"],
    ["an attempt gets a session", [...begun, ...attemptBegun().slice(0, 1)], "run-session"],
    [
      "a session the log does not see the end of is recovered",
      [...begun, ...attemptBegun()],
      "recover-session",
    ],
    ["what a session left becomes a commit", ended(finished, read()), "take-work"],
    ["its gate measures it", [...ended(finished, read()), workTaken], "measure"],
    [
      "what proves it is put back to how it was",
      [...ended(finished, read()), workTaken, gate],
      "take-mixed",
    ],
    [
      "with which the gate measures it once more",
      [...ended(finished, read()), workTaken, gate, originals],
      "measure",
    ],
    [
      "what is measured is decided",
      [...ended(finished, read()), workTaken, gate, originals, measured("original", PASSED)],
      "decide",
    ],
    [
      "where a check has turned, the product is put back to how it was",
      [
        ...begun,
        ...attemptBegun(),
        sessionEnded({ ending: finished, report: read() }),
        workTaken,
        ...turned,
        originals,
        measured("original", PASSED),
      ],
      "take-mixed",
    ],
    [
      "what is not claimed to be done is not measured with the old checks",
      [...ended(finished, noReport), workTaken, gate],
      "decide",
    ],
    ["a decision is settled", [...begun, ...attempt().slice(0, -1)], "settle"],
    ["a settled approval is merged", [...begun, ...attempt()], "merge"],
    ["what is merged closes the task", [...begun, ...attempt(), merged("add-login")], "close-task"],
    [
      "a settled feedback gets another attempt",
      [...begun, ...attempt({ decision: FEEDBACK })],
      "start-attempt",
    ],
    ["an ended task leaves nothing to do", [...begun, ...attempt(), done("add-login")], "nothing"],
  ])("%s", (_name, events, kind) => {
    expect(onlyOf(events).kind).toBe(kind);
  });
});

describe("gates are asked", () => {
  test.each<readonly [string, SessionEnding, ReportFinding, "take-work" | "decide"]>([
    ["after a session that finished", finished, read(), "take-work"],
    ["after a session that finished without a report", finished, noReport, "take-work"],
    ["after a crash: the work may be done", crashed, noReport, "take-work"],
    [
      "after a time-out: the work may be done",
      { kind: "timed-out", limit: "idle" },
      noReport,
      "take-work",
    ],
    ["after the limit of turns", { kind: "limit", limit: "turns" }, noReport, "take-work"],
    ["after a provider fault with a written report", fault("overloaded"), read(), "take-work"],
    ["not after a provider fault without one", fault("overloaded"), noReport, "decide"],
    ["after an interruption with a written report", { kind: "interrupted" }, read(), "take-work"],
    ["not after an interruption without one", { kind: "interrupted" }, noReport, "decide"],
    ["after a lost session with a written report", { kind: "lost" }, read(), "take-work"],
    ["not after a lost session without one", { kind: "lost" }, noReport, "decide"],
    ["not while the agent waits for an answer", asked("major"), read(), "decide"],
    [
      "not where nothing was started",
      { kind: "not-started", reason: "program-missing", detail: "" },
      noReport,
      "decide",
    ],
  ])("%s", (_name, ending, report, kind) => {
    expect(onlyOf(ended(ending, report)).kind).toBe(kind);
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
    expect(onlyOf(events).kind).toBe("take-work");
    const taken = [...events, workTaken];
    expect(onlyOf(taken)).toMatchObject({ kind: "measure", of: "work", gate: { name: "lint" } });
    const lint = measured("work", { ...PASSED, name: "lint" });
    expect(onlyOf([...taken, lint])).toMatchObject({ kind: "measure", gate: { name: "test" } });
  });

  test("nowhere if the step explicitly has none", () => {
    const bare = task("add-login", { steps: [step({ gates: { kind: "none" } })] });
    const events = [...runStarted([bare]), ...ended(finished, read()).slice(2)];
    expect(onlyOf([...events, workTaken]).kind).toBe("decide");
  });
});

describe("a question", () => {
  const asking = [
    ...begun,
    ...attempt({ decision: pauseFor(question()) }),
    { type: "question-asked" as const, question: question() },
  ];

  test("is put where a person can be asked", () => {
    expect(only(stateOf(asking), { asks: "now" })).toEqual({ kind: "ask", question: question() });
  });

  const docs: RunEvent = taskDefined(task("docs"));
  const later = { asks: "later" } as const;

  test("is left where nobody can be, and a task that does not need the answer begins", () => {
    expect(onlyOf([...asking, docs])).toEqual({ kind: "open-task", task: "docs" });
  });

  test("is waited for beside the work of others, where an answer can come later", () => {
    const [put, ...others] = due(stateOf([...asking, docs]), later);
    expect(put).toEqual({ kind: "ask", question: question() });
    expect(others).toEqual([{ kind: "open-task", task: "docs" }]);
  });

  test("keeps the tree where its work is not on a branch of its own", () => {
    const inPlace: RunEvent = {
      type: "task-started",
      task: ID,
      workspace: { kind: "in-place", root: "/work", base: "base" },
    };
    const events = asking.map((event): RunEvent => {
      if (event.type === "run-started") return { ...event, isolation: "none" };
      return event.type === "task-started" ? inPlace : event;
    });
    expect(onlyOf([...events, docs])).toEqual({ kind: "nothing" });
  });

  test("keeps those waiting that depend on its task, and does not skip them", () => {
    const after = task("docs", { dependsOn: [ID] });
    expect(onlyOf([...asking, taskDefined(after)])).toEqual({ kind: "nothing" });
  });

  test("of a run that was aborted is asked no more: its task is skipped", () => {
    const other = question({ id: idOf<QuestionId>("q2"), task: taskId("docs") });
    const events: readonly RunEvent[] = [
      ...asking,
      docs,
      taskStarted("docs"),
      { type: "question-asked", question: other },
      { type: "answered", answer: answer({ id: other.id, action: "abort" }), inbox: null },
      { ...done("docs"), end: { kind: "skipped", reason: "aborted", gatesFailing: false } },
    ];
    expect(only(stateOf(events), { asks: "now" })).toMatchObject({
      kind: "close-task",
      task: ID,
      end: { kind: "skipped" },
    });
  });

  test("of a session that orch lost is asked after what is left of the session is ended", () => {
    const lost = [...begun, ...attemptBegun(), asking.at(-1)].filter((e) => e !== undefined);
    expect(onlyOf(lost).kind).toBe("recover-session");
    expect(due(stateOf(lost), { asks: "now" }).map(({ kind }) => kind)).toEqual([
      "ask",
      "recover-session",
    ]);
  });
});

describe("money is checked before it is spent", () => {
  const spending = (costUsd: number, level: Level = 1): readonly RunEvent[] => {
    const limited = step({ level, limits: limits({ costUsd: 2 }) });
    const events = [
      ...runStarted([task("add-login", { steps: [limited] })]),
      taskStarted(),
      measured("base", PASSED),
      ...attempt({ decision: FEEDBACK }),
    ];
    return events.map((event) =>
      event.type === "session-ended" ? { ...event, usage: usage(costUsd) } : event,
    );
  };
  const limit = { name: "cost", used: 2, most: 2 } as const;

  test.each<readonly [string, number, Level, string]>([
    ["a cent below the limit another attempt begins", 1.99, 1, "start-attempt"],
    ["at the limit the task is closed", 2, 1, "close-task"],
    ["above the limit the task is closed", 2.01, 1, "close-task"],
    ["from level 2 on a person is asked for more first", 2, 2, "ask-budget"],
    ["but not before the limit is reached", 1.99, 5, "start-attempt"],
  ])("%s", (_name, costUsd, level, kind) => {
    expect(onlyOf(spending(costUsd, level)).kind).toBe(kind);
  });

  const asked = budgetQuestion(limit, ID, stateOf(spending(2, 2)), 0);
  const put: RunEvent = { type: "question-asked", question: asked };
  const answeredWith = (action: AnswerAction, text = ""): RunEvent => ({
    type: "answered",
    answer: answer({ id: asked.id, action, text }),
    inbox: null,
  });
  test("the question holds the task until it is answered", () => {
    expect(onlyOf([...spending(2, 2), put])).toEqual({ kind: "nothing" });
  });

  test("with more room the task goes on where it was", () => {
    expect(onlyOf([...spending(2, 2), put, answeredWith("extend", "0.5")]).kind).toBe(
      "start-attempt",
    );
  });

  test("where a person declines, the task ends over its budget, with the limit named", () => {
    expect(onlyOf([...spending(2, 2), put, answeredWith("skip")])).toMatchObject({
      kind: "close-task",
      end: { kind: "over-budget", reason: "cost: 2 USD of 2 USD" },
    });
  });
});

describe("several tasks", () => {
  const defined = (...tasks: readonly Task[]): RunState => stateOf(runStarted(tasks));
  const on = (...names: readonly string[]) => ({ dependsOn: names.map(taskId) });

  test("the first one that depends on nothing begins", () => {
    const state = defined(task("login", on("schema")), task("schema"));
    expect(only(state, alone)).toEqual({ kind: "open-task", task: "schema" });
  });

  test("a task is skipped when what it depends on is not there", () => {
    const state = defined(task("login", on("nowhere")));
    expect(only(state, alone)).toEqual({
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
    const events = [...runStarted([task("docs"), task()]), taskStarted(), measured("base", PASSED)];
    expect(onlyOf(events)).toEqual({
      kind: "start-attempt",
      task: "add-login",
      role: "work",
    });
  });

  const running = (parallel: number, tasks: readonly Task[], ...more: readonly RunEvent[]) =>
    stateOf([
      ...runStarted(tasks).map((event) =>
        event.type === "run-started" ? { ...event, parallel } : event,
      ),
      ...more,
    ]);
  const scoped = (id: string, scope: readonly string[], over: Partial<Task> = {}): Task =>
    task(id, { scope, ...over });
  const beginning = (state: RunState): readonly string[] =>
    due(state, alone).flatMap((one) => (one.kind === "open-task" ? [one.task] : []));

  test.each<readonly [string, number, readonly Task[], readonly string[]]>([
    ["never more than there are places", 1, [scoped("a", ["a/**"]), scoped("b", ["b/**"])], ["a"]],
    [
      "where scopes meet the later one waits",
      3,
      [scoped("a", ["src/**"]), scoped("b", ["src/b.ts"]), scoped("c", ["c"])],
      ["a", "c"],
    ],
    [
      "without a scope a task runs alone",
      3,
      [scoped("a", ["a/**"]), task("b"), scoped("c", ["c/**"])],
      ["a", "c"],
    ],
    [
      "what is not merged yet keeps those back that depend on it",
      3,
      [scoped("a", ["a"]), scoped("b", ["b"], on("a"))],
      ["a"],
    ],
  ])("%s", (_name, parallel, tasks, ids) => {
    expect(beginning(running(parallel, tasks))).toEqual(ids);
  });

  test("a task that depends on another begins when that one is merged and over", () => {
    const tasks = [scoped("a", ["a"]), scoped("b", ["b"], on("a"))];
    const worked = [taskStarted("a"), ...attempt({ task: taskId("a") })];
    expect(beginning(running(2, tasks, ...worked))).toEqual([]);
    expect(beginning(running(2, tasks, ...worked, merged("a"), done("a")))).toEqual(["b"]);
  });

  test("finished tasks are merged one after the other, in the order in which they finished", () => {
    const tasks = [scoped("a", ["a"]), scoped("b", ["b"])];
    const both = [taskStarted("a"), taskStarted("b")];
    const [last, first] = ["a", "b"].map((id) => attempt({ task: taskId(id) }));
    const state = running(2, tasks, ...both, ...(first ?? []), ...(last ?? []));
    expect(due(state, alone)).toEqual([{ kind: "merge", task: "b" }]);
  });

  test("in the user's own tree one task works at a time, whatever its scope", () => {
    const state = stateOf(
      runStarted([scoped("a", ["a"]), scoped("b", ["b"])]).map((event) =>
        event.type === "run-started" ? { ...event, parallel: 4, isolation: "none" } : event,
      ),
    );
    expect(beginning(state)).toEqual(["a"]);
  });
});

describe("two tasks whose work cannot be joined as it stands", () => {
  const [first, second] = ["a", "b"].map((id) => task(id, { scope: [`${id}/**`] }));
  const tasks = [first, second].filter((one) => one !== undefined);
  const both: readonly RunEvent[] = [
    ...runStarted(tasks).map((event) =>
      event.type === "run-started" ? { ...event, parallel: 2 } : event,
    ),
    ...["a", "b"].flatMap((id): readonly RunEvent[] => [
      taskStarted(id),
      measured("base", PASSED, at(0, id)),
      ...attempt({ task: id, decision: FEEDBACK }),
    ]),
  ];
  const meets = (one: string, other: string): RunEvent => ({
    type: "conflicts-predicted",
    task: taskId(one),
    conflicts: [{ with: taskId(other), paths: ["shared.ts"] }],
  });
  const atWork = (...events: readonly RunEvent[]): readonly string[] =>
    due(stateOf([...both, ...events]), alone).flatMap((one) => ("task" in one ? [one.task] : []));

  test.each([
    ["go on both while nothing is known of it", [], ["a", "b"]],
    ["let the one go first that began first", [meets("b", "a")], ["a"]],
    ["whichever of them it was found for", [meets("a", "b")], ["a"]],
    ["until that one is merged and over", [meets("b", "a"), done("a")], ["b"]],
    [
      "or no longer in the way",
      [meets("b", "a"), { type: "conflicts-predicted", task: taskId("b"), conflicts: [] } as const],
      ["a", "b"],
    ],
  ])("%s", (_name, events, ids) => {
    expect(atWork(...events)).toEqual(ids);
  });
});
