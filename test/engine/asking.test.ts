import { describe, expect, test } from "vitest";

import { NO_ONE_AVAILABLE } from "../../src/core/decide/asking.ts";
import type { Question } from "../../src/core/model/question.ts";
import type { Level } from "../../src/core/model/policy.ts";
import type { AskedQuestion } from "../../src/core/model/session.ts";
import type { Task } from "../../src/core/model/task.ts";
import type { PreparedAnswer } from "../../src/engine/ports.ts";
import { question, step, task } from "../support/builders.ts";
import { asked, HOUR, limits } from "../core/builders.ts";
import {
  ends,
  eventsOf,
  live,
  lived,
  lives,
  reply,
  rulesOf,
  says,
  scenario,
  whenPut,
  works,
} from "./lives.ts";
import type { Play } from "./ports-in-memory.ts";

const named = (id: string, level: Level = 3): Task => task(id, { steps: [step({ level })] });
const asks = ends(asked("major"));
const which: AskedQuestion = {
  question: "Which port?",
  options: ["80", "8080"],
  default: "80",
  impact: "major",
  context: null,
  toolUseId: null,
};

test("a question of an agent at work is put once, though a person speaks meanwhile", async () => {
  const { outer, log } = lives(named("add-login"));
  const shown: string[] = [];
  const says = (q: Question): "waits" => (shown.push(q.id), "waits");
  const plays = [works("good", { askedBeside: [which] })];
  const remark = { task: named("add-login").id, text: "Use lib/.", by: "ada" };
  await live(outer, log, scenario({ plays, human: { present: true, says } }), {
    onAppend: ([event]) => {
      if (event?.type === "person-spoke") outer.inbox.push(reply(question(), "answer", "80"));
    },
    meanwhile: (outside) => {
      whenPut(outside, () => outside.store.drop({ kind: "tell", id: "t1", remark }));
    },
  });
  expect([shown, outer.agentReplies]).toEqual([["q1"], ["80"]]);
});

describe("several tasks that wait for a person", () => {
  const three = [named("a"), named("b"), named("c", 0)];
  const both = { a: [asks, works("good a")], b: [asks, works("good b")], c: [works("good c")] };

  test("are all asked for, in the order of their age, while what can run goes on", async () => {
    const { state, code } = await lived(three, { plays: both });
    expect(code).toBe(4);
    expect(state.tasks.map(({ phase }) => phase)).toEqual([
      "waiting_for_input",
      "waiting_for_input",
      "done",
    ]);
    expect(state.tasks.map(({ pendingQuestion: q }) => q?.id)).toEqual(["q1", "q2", undefined]);
  });

  test("go on one by one as answers come to a process that waits, whatever their order", async () => {
    const { outer, log } = lives(named("a"), named("b"));
    const patient = scenario({ plays: both, waits: true });
    const { code } = await live(outer, log, patient, {
      meanwhile: (outside) => {
        const open: Question[] = [];
        whenPut(outside, (q) => {
          if (open.some(({ id }) => id === q.id)) return;
          open.push(q);
          // The second is answered first.
          if (open.length === 2)
            for (const one of open.toReversed())
              outside.store.drop(reply(one, "answer", "80", `r-${one.id}`));
        });
      },
    });
    expect(code).toBe(0);
    expect(eventsOf(log, "answered").map(({ answer }) => answer.id)).toEqual(["q2", "q1"]);
  });
});

describe("a question of a running agent", () => {
  const beside = works("good", { askedBeside: [which] });

  test("is put at once, and the words come back while the session runs", async () => {
    const human = says("answer", "8080");
    const { outer, log, code } = await lived([named("add-login")], { plays: [beside], human });
    expect(code).toBe(0);
    expect(outer.agentReplies).toEqual(["8080"]);
    expect(outer.notes).toEqual([
      "add-login/1 question q1: Which port?",
      "add-login/1 question q1 answered by prompt: answer: 8080",
    ]);
    expect(outer.sessions).toHaveLength(1);
    expect(rulesOf(log)).toEqual(["gate-green"]);
  });

  test.each<[string, Level, AskedQuestion["impact"], number]>([
    ["below its level", 2, "major", 3],
    ["beyond the task's number of questions", 3, "major", 0],
  ])("%s is answered by orch, whatever the agent's own files say", async (_n, level, impact, q) => {
    const one = task("add-login", { steps: [step({ level, limits: limits({ questions: q }) })] });
    const eager = works("good", { askedBeside: [{ ...which, impact }] });
    const { outer, log } = await lived([one], { plays: [eager], human: says("answer", "8080") });
    expect(outer.agentReplies).toEqual([NO_ONE_AVAILABLE]);
    expect(eventsOf(log, "question-asked")).toEqual([]);
  });

  test.each(["skip", "abort"] as const)("ends the session where a person says %s", async (no) => {
    const human = says(no);
    const { outer, log, state, code } = await lived([named("add-login")], {
      plays: [beside],
      human,
    });
    expect(code).toBe(3);
    expect(state.tasks[0]?.phase).toBe("skipped");
    expect(outer.agentReplies).toEqual([null]);
    expect(eventsOf(log, "session-ended").map(({ ending }) => ending.kind)).toEqual([
      "interrupted",
    ]);
    expect(eventsOf(log, "decided")).toEqual([]);
  });

  test("that outlives its session is asked once, and its answer starts the next one", async () => {
    const { outer, log } = lives(named("add-login"));
    const late = ends(asked("major", { ...which }), { askedBeside: [which] });
    const script = [late, works("good")];
    const silent = scenario({ plays: script, waits: true });
    const { code } = await live(outer, log, silent, {
      meanwhile: (outside) =>
        whenPut(outside, (q) => outside.store.drop(reply(q, "answer", "8080"))),
    });
    expect(code).toBe(0);
    expect(eventsOf(log, "question-asked")).toHaveLength(1);
  });

  test("is still asked where the agent goes on as if it had not asked", async () => {
    const careless = works("good", { askedBeside: [which], leaves: true });
    const { log, code, state } = await lived([named("add-login")], { plays: [careless] });
    expect(state.tasks[0]?.pendingQuestion).toMatchObject({ question: "Which port?" });
    expect([code, rulesOf(log)]).toEqual([4, ["agent-asked"]]);
  });

  test("keeps the time a person thought out of the working time", async () => {
    const { outer, log } = lives(named("add-login"));
    const slow = {
      present: true,
      says: (q: Question) => {
        outer.nowMs += HOUR;
        return says("answer", "8080").says(q);
      },
    };
    const { state } = await live(outer, log, scenario({ plays: [beside], human: slow }));
    expect(state.tasks[0]?.spent.pausedMs).toBe(HOUR);
    expect(state.tasks[0]?.spent.workMs).toBeLessThan(HOUR);
  });
});

describe("answers that were there before their question", () => {
  test("are given without a person, and nothing waits", async () => {
    const answers: Readonly<Record<string, PreparedAnswer>> = {
      "Which port?": { action: "answer", text: "8080", by: "answers file" },
    };
    const { log, code } = await lived([named("add-login")], {
      plays: [asks, works("good")],
      prepared: ({ question }) => answers[question] ?? null,
    });
    expect(code).toBe(0);
    expect(eventsOf(log, "answered")).toMatchObject([{ answer: { by: "answers file" } }]);
  });
});

describe("a question with a deadline", () => {
  const inAnHour: Task = task("add-login", {
    steps: [step({ level: 3, asking: { expiresInMs: HOUR } })],
  });
  const silent = { present: true, says: () => "waits" as const };

  test.each<[string, Play]>([
    ["lets the agent go on with its default", ends(asked("major", { default: "80" }))],
    ["lets it go on carefully without one", asks],
  ])("%s", async (_name, first) => {
    const { outer, log } = lives(inAnHour);
    const script = scenario({ plays: [first, works("good")], human: silent });
    const lived = await live(outer, log, script);
    expect(lived.code).toBe(0);
    expect(eventsOf(log, "answered")).toMatchObject([
      { answer: { action: "answer", by: "deadline" } },
    ]);
    expect(lived.state.tasks[0]?.spent.pausedMs).toBe(HOUR);
  });

  test("takes effect when the run is resumed after it, before anything else", async () => {
    const { outer, log } = lives(inAnHour);
    const script = scenario({ plays: [asks, works("good")] });
    expect((await live(outer, log, script)).code).toBe(4);
    outer.nowMs += 2 * HOUR;
    expect((await live(outer, log, script)).code).toBe(0);
    expect(outer.sessions[1]?.start).toMatchObject({ kind: "deliver", answer: NO_ONE_AVAILABLE });
  });

  test("is not answered by anybody after it, and the answer is told so", async () => {
    const { outer, log } = lives(inAnHour);
    const script = scenario({ plays: [asks, works("good")] });
    const { state } = await live(outer, log, script);
    outer.nowMs += 2 * HOUR;
    const pending = state.tasks[0]?.pendingQuestion;
    if (pending) outer.inbox.push(reply(pending, "answer", "8080"));
    await live(outer, log, script);
    expect(eventsOf(log, "answer-refused").map(({ why }) => why)).toEqual(["expired"]);
    expect(eventsOf(log, "answered").map(({ answer }) => answer.by)).toEqual(["deadline"]);
  });

  test("is kept by an answer that was left in time, however late the run gets to it", async () => {
    const { outer, log } = lives(inAnHour);
    const script = scenario({ plays: [asks, works("good")] });
    const { state } = await live(outer, log, script);
    const pending = state.tasks[0]?.pendingQuestion;
    if (!pending) throw new Error("it asks");
    const inTime = { leftAtMs: Date.parse(pending.askedAt) + HOUR - 1 };
    outer.inbox.push({ ...reply(pending, "answer", "8080"), ...inTime });
    outer.nowMs += 2 * HOUR;
    expect((await live(outer, log, script)).code).toBe(0);
    expect(eventsOf(log, "answered").map(({ answer }) => answer.by)).toEqual(["orch answer"]);
  });
});
