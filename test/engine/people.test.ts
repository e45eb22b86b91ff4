import { describe, expect, test } from "vitest";

import type { InboxRequest, Question } from "../../src/core/model/question.ts";
import type { Level } from "../../src/core/model/policy.ts";
import { idOf } from "../../src/core/model/ids.ts";
import type { Task } from "../../src/core/model/task.ts";
import { question, step, task } from "../support/builders.ts";
import { asked } from "../core/builders.ts";
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
  works,
} from "./lives.ts";

const atLevel = (level: Level): Task => task("add-login", { steps: [step({ level })] });
const asks = ends(asked("major"));

describe("a question with a person there", () => {
  test("is put, and the answer becomes the result of the pending call", async () => {
    const human = says("answer", "8080");
    const { outer, log, code } = await lived([atLevel(3)], { plays: [asks, works("good")], human });
    expect(code).toBe(0);
    expect(outer.sessions.map(({ start }) => start)).toEqual([
      { kind: "fresh" },
      { kind: "deliver", sessionId: "token-1", toolUseId: "tool-1", answer: "8080" },
    ]);
    expect(outer.published).toEqual({ q1: "answered" });
    expect(rulesOf(log)).toEqual(["agent-asked", "gate-green"]);
  });
});

describe("a question answered at the prompt and by another process in the same moment", () => {
  test("is answered once, and the other answer is told that it came too late", async () => {
    const { outer, log } = lives(atLevel(3));
    let drop = (_request: InboxRequest): void => undefined;
    const human = says("answer", "8080");
    const both = scenario({
      plays: [asks, works("good")],
      human: {
        present: true,
        says: (q) => {
          drop(reply(q, "answer", "80"));
          return human.says(q);
        },
      },
    });
    const { code } = await live(outer, log, both, {
      meanwhile: ({ store }) => {
        drop = (request) => store.drop(request);
      },
    });
    expect(code).toBe(0);
    expect(eventsOf(log, "answered").map(({ answer }) => answer.text)).toEqual(["8080"]);
    expect(eventsOf(log, "answer-refused").map(({ why }) => why)).toEqual(["already-answered"]);
    expect(outer.inbox).toEqual([]);
  });
});

describe("answers that other processes leave", () => {
  const waiting = async () => {
    const { outer, log } = lives(atLevel(3));
    const unattended = scenario({ plays: [asks, works("good")] });
    const { state } = await live(outer, log, unattended);
    const pending = state.tasks[0]?.pendingQuestion ?? question();
    return { outer, log, unattended, pending };
  };

  test("count once though the same request is found twice", async () => {
    const { outer, log, unattended, pending } = await waiting();
    outer.inbox.push(reply(pending, "answer", "80"));
    await live(outer, log, unattended);
    outer.inbox.push(reply(pending, "answer", "80"));
    await live(outer, log, unattended);
    expect(eventsOf(log, "answered")).toHaveLength(1);
    expect(eventsOf(log, "answer-refused")).toEqual([]);
    expect(outer.inbox).toEqual([]);
  });

  test.each<[string, (asked: Question) => InboxRequest, string]>([
    ["nobody asked", () => reply(question({ id: idOf("q9") }), "answer", "80"), "unknown"],
    ["the question cannot be answered like that", (q) => reply(q, "retry"), "not-allowed"],
  ])("are refused where %s", async (_sentence, request, why) => {
    const { outer, log, unattended, pending } = await waiting();
    outer.inbox.push(request(pending));
    const { code } = await live(outer, log, unattended);
    expect(code).toBe(4);
    expect(eventsOf(log, "answer-refused").map((one) => one.why)).toEqual([why]);
  });

  test("may be a request to stop", async () => {
    const { outer, log, unattended } = await waiting();
    outer.inbox.push({ kind: "cancel", id: "c1", by: "orch stop" });
    const { code, state } = await live(outer, log, unattended);
    expect(code).toBe(143);
    expect(state.tasks[0]?.phase).toBe("waiting_for_input");
    expect(outer.inbox).toEqual([]);
  });
});
