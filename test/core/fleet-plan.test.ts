import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { InboxRequest, Question } from "../../src/core/model/question.ts";
import { planOf, type Plan } from "../../src/fleet/coordinate.ts";
import type { PartRow } from "../../src/fleet/queue.ts";
import {
  answer,
  attempt,
  measured,
  PASSED,
  pauseFor,
  question,
  runStarted,
  started,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";
import { NOW_MS, taskId } from "./builders.ts";

type Look = Parameters<typeof planOf>[1];

const SOON_MS = NOW_MS + 3_600_000;

function plan(events: readonly RunEvent[], over: Partial<Look> = {}): Plan {
  const calm: Look = { standing: "open", parts: [], requests: [], resets: {}, nowMs: NOW_MS };
  return planOf(stateOf(events), { ...calm, ...over });
}

function part(state: PartRow["state"], of = "add-login", over: Partial<PartRow> = {}): PartRow {
  return { task: of, state, trouble: null, idle_ends: 0, ...over };
}

const onFleet: RunEvent = { ...started, parallel: 64 };
const [, ...defined] = runStarted([task("one"), task("two", { dependsOn: [taskId("one")] })]);
const [, ...apart] = runStarted(["one", "two"].map((name) => task(name, { scope: [name] })));
const begun: readonly RunEvent[] = [...runStarted(), taskStarted(), measured("base", PASSED)];

function asked(over: Partial<Question> = {}): readonly RunEvent[] {
  const put = question(over);
  return [
    ...begun,
    ...attempt({ decision: pauseFor(put) }),
    { type: "question-asked", question: put },
  ];
}

const left: RunEvent = { type: "run-ended", exitCode: 4 };
const stopped: readonly RunEvent[] = [...begun, { type: "run-interrupted", signal: "stop" }];
const finished: readonly RunEvent[] = [
  ...begun,
  {
    type: "task-ended",
    task: taskId("add-login"),
    end: { kind: "skipped", reason: "no need", gatesFailing: false },
  },
];

const answered: InboxRequest = {
  kind: "answer",
  id: "a1",
  answer: { question: question().id, action: "answer", text: "redis", by: "ada" },
  leftAtMs: NOW_MS,
};
const cancel: InboxRequest = { kind: "cancel", id: "stop", by: "ada" };
const request: InboxRequest = {
  kind: "tell",
  id: "t1",
  remark: { task: taskId("add-login"), text: "use redis", by: "ada" },
};

function waitsUntil(untilMs: number): readonly RunEvent[] {
  const how = { kind: "wait", untilMs, stated: true, cause: "usage_limit" } as const;
  const decision: Decision = { kind: "continue", rule: "usage-limit-wait", how };
  return [...begun, ...attempt({ decision })];
}

describe("what is begun", () => {
  test("all that is due at once, of any number of tasks", () => {
    expect(plan([onFleet, ...apart]).begin).toEqual(["one", "two"]);
  });

  test("nothing that rests on what is not done yet", () => {
    expect(plan([onFleet, ...defined]).begin).toEqual(["one"]);
  });

  test.each(["queued", "taken"] as const)("nothing twice: one part of it is %s", (state) => {
    const { begin, standing, events } = plan([onFleet, ...apart], { parts: [part(state, "one")] });
    expect({ begin, standing, events }).toEqual({ begin: ["two"], standing: "open", events: [] });
  });

  test("again what ended, while something is due of it", () => {
    expect(plan(begun, { parts: [part("ended")] }).begin).toEqual(["add-login"]);
  });

  test("what was stopped, once somebody resumed it, and the log says so", () => {
    expect(plan(stopped)).toMatchObject({
      standing: "open",
      begin: ["add-login"],
      events: [{ type: "run-resumed", stopped: "in-order" }],
    });
  });
});

describe("an agent at the limit of its plan", () => {
  const resets = { "claude-code": SOON_MS };

  test("begins no session of any run until that resets", () => {
    const held = plan([onFleet, ...apart], { resets });
    expect(held).toMatchObject({ standing: "open", begin: [], wakeMs: SOON_MS });
    const { begin } = plan([onFleet, ...apart], { resets, nowMs: SOON_MS });
    expect(begin).toEqual(["one", "two"]);
  });

  test("holds back no other one", () => {
    const { begin } = plan([onFleet, ...apart], { resets: { codex: SOON_MS } });
    expect(begin).toEqual(["one", "two"]);
  });

  test("holds back no answer", () => {
    expect(plan(asked(), { resets, requests: [answered] }).begin).toEqual(["add-login"]);
  });
});

describe("a question", () => {
  test("makes the run wait, and 4 is its exit code until somebody answers", () => {
    expect(plan(asked(), { parts: [part("ended")] })).toEqual({
      standing: "waiting",
      events: [{ type: "run-ended", exitCode: 4 }],
      begin: [],
      wakeMs: null,
      trouble: null,
    });
  });

  test("does not end the run while another task is at work", () => {
    const parts = [part("taken", "other")];
    expect(plan(asked(), { parts })).toMatchObject({ standing: "open", events: [], begin: [] });
  });

  test("is not told again of a run that waits", () => {
    const waits = plan([...asked(), left], { standing: "waiting" });
    expect(waits).toMatchObject({ standing: "waiting", events: [], begin: [] });
  });

  test("that is answered begins the part of its task, and resumes the run", () => {
    const look = { standing: "waiting", requests: [answered] } as const;
    expect(plan([...asked(), left], look)).toMatchObject({
      standing: "open",
      begin: ["add-login"],
      events: [{ type: "run-resumed" }],
    });
  });

  test("that has been answered already is the run's own to refuse", () => {
    const events = [
      ...asked(),
      { type: "answered", answer: answer(), inbox: null },
    ] satisfies RunEvent[];
    expect(plan(events, { parts: [part("taken")], requests: [answered] }).begin).toEqual([""]);
  });

  test("with a deadline wakes the fleet then, and begins its task", () => {
    const expiresAt = new Date(SOON_MS).toISOString();
    const events = [...asked({ expiresAt }), left];
    expect(plan(events, { standing: "waiting" })).toMatchObject({ wakeMs: SOON_MS, begin: [] });
    const later = plan(events, { standing: "waiting", nowMs: SOON_MS });
    expect(later).toMatchObject({ standing: "open", begin: ["add-login"] });
  });

  test("is not what words to a running task are: the run's own part takes them", () => {
    const look = { parts: [part("taken")], requests: [request] };
    expect(plan(begun, look).begin).toEqual([""]);
  });
});

describe("a stop", () => {
  test("waits for the parts that are at work, and begins nothing", () => {
    const look = { parts: [part("taken")], requests: [cancel] };
    expect(plan(begun, look)).toMatchObject({ standing: "stopping", events: [], begin: [] });
  });

  test("lets the run rest when the last part has ended", () => {
    expect(plan(begun, { standing: "stopping", parts: [part("ended")] })).toMatchObject({
      standing: "resting",
      events: [{ type: "run-interrupted", signal: "stop" }],
      begin: [],
    });
  });

  test("of a run that waits for an answer is nothing new to its log", () => {
    const look = { standing: "waiting", requests: [cancel] } as const;
    expect(plan([...asked(), left], look)).toMatchObject({ standing: "resting", events: [] });
  });

  test("is stronger than an answer: a run that was stopped begins nothing by one", () => {
    const look = { standing: "resting", requests: [answered] } as const;
    expect(plan([...asked(), left], look)).toMatchObject({ standing: "resting", begin: [] });
    const both = { standing: "waiting", requests: [answered, cancel] } as const;
    expect(plan([...asked(), left], both)).toMatchObject({ standing: "resting", begin: [] });
  });
});

describe("trouble", () => {
  const broken = part("ended", "add-login", { trouble: "no disk" });

  test("of a part stops the run, which can be resumed later", () => {
    expect(plan(begun, { parts: [broken] })).toMatchObject({
      standing: "resting",
      trouble: "no disk",
      events: [{ type: "run-ended", exitCode: 75 }],
    });
  });

  test("waits for the other parts first", () => {
    const look = { parts: [broken, part("taken", "other")] };
    expect(plan(begun, look)).toMatchObject({ standing: "stopping", begin: [], events: [] });
  });

  test("is a part that ends five times without a word, and not one that did so four times", () => {
    const idle = (times: number): Plan =>
      plan(begun, { parts: [part("ended", "add-login", { idle_ends: times })] });
    expect(idle(4)).toMatchObject({ standing: "open", begin: ["add-login"], trouble: null });
    expect(idle(5)).toMatchObject({ standing: "resting", trouble: "add-login does not go on" });
  });
});

describe("time", () => {
  test("that a task waits for is the moment to wake, and holds no place until then", () => {
    expect(plan(waitsUntil(SOON_MS), { parts: [part("ended")] })).toMatchObject({
      standing: "open",
      begin: [],
      events: [],
      wakeMs: SOON_MS,
    });
  });

  test("that has come begins the task", () => {
    const { begin } = plan(waitsUntil(SOON_MS), { nowMs: SOON_MS });
    expect(begin).toEqual(["add-login"]);
  });
});

describe("the end", () => {
  test("comes when every task has ended, with the exit code of one process", () => {
    expect(plan(finished)).toMatchObject({
      standing: "over",
      begin: [],
      events: [{ type: "run-ended", exitCode: 3 }],
    });
  });

  test("is said once, and nothing comes after it", () => {
    const events: RunEvent[] = [...finished, { type: "run-ended", exitCode: 3 }];
    expect(plan(events)).toMatchObject({ standing: "over", events: [] });
    const more = plan(events, { standing: "over", requests: [answered, cancel] });
    expect(more).toMatchObject({ standing: "over", begin: [], events: [] });
  });
});
