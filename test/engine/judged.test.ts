import { describe, expect, test } from "vitest";

import type { Integrity } from "../../src/core/model/evidence.ts";
import type { Task } from "../../src/core/model/task.ts";
import type { SessionEvent } from "../../src/core/model/session.ts";
import { ABILITIES, step, task } from "../support/builders.ts";
import { taskId } from "../core/builders.ts";
import { eventsOf, lived, rulesOf, works } from "./lives.ts";

const both = { "add-login": [works("good")], other: [works("good too")] };
const alone = (over: Partial<Task> = {}): Task =>
  task("add-login", { steps: [step({ level: 0 })], ...over });

describe("a session that goes round in circles", () => {
  const look = (n: number): readonly SessionEvent[] => [
    { type: "tool-call", id: `${n}`, tool: "Bash", input: '{"command":"ls"}' },
    { type: "tool-result", id: `${n}`, isError: false, output: "a b c" },
  ];
  const circles = works("good", { events: [1, 2, 3, 4].flatMap(look) });
  const plays = [circles, works("good")];

  test("is over, its attempt counts, and the next one is told so in its conversation", async () => {
    const { outer, log, code, state } = await lived([alone()], { plays });
    expect(code).toBe(0);
    expect(outer.sessions[1]?.start).toMatchObject({ kind: "follow-up", why: "feedback" });
    expect(outer.sessions[1]?.prompt).toMatch(/was looping:[^]*4 times/);
    expect(rulesOf(log)).toEqual(["session-looped", "gate-green"]);
    expect(state.tasks[0]?.steps[0]?.counted).toBe(2);
  });

  test("is told so in a new one where that cannot be taken up again", async () => {
    const abilities = { ...ABILITIES, resumes: false };
    const { outer, log } = await lived([alone()], { plays, abilities });
    expect(outer.sessions[1]?.start).toEqual({ kind: "fresh" });
    expect(eventsOf(log, "decided")[0]?.evidence.ending.kind).toBe("looped");
  });

  test("is not seen where the driver tells of no steps, and is where it tells of some", async () => {
    const abilities = { ...ABILITIES, tellsSteps: false };
    const says: SessionEvent = { type: "text", text: "Still here." };
    const wordy = works("good", { events: [says, says, says] });
    const none = await lived([alone()], { plays: [wordy, works("good")], abilities });
    expect(rulesOf(none.log)).toEqual(["gate-green"]);
    expect(eventsOf(none.log, "session-ended")[0]?.trace.toolCalls).toBeNull();
    const some = await lived([alone()], { plays, abilities });
    expect(rulesOf(some.log)).toEqual(["session-looped", "gate-green"]);
  });
});

describe("the tree a task began with", () => {
  test("is not tried with its sources unreadable where its gate takes ten minutes", async () => {
    const trialsAfter = async (baseMs: number): Promise<number> => {
      const tasks = [alone(), alone({ id: taskId("other") })];
      const { log } = await lived(tasks, { plays: both, base: "good base", baseMs });
      return eventsOf(log, "measured").filter(({ of }) => of === "trial").length;
    };
    expect(await trialsAfter(600_000)).toBe(0);
    expect(await trialsAfter(599_999)).toBe(2);
  });

  test("is looked at once for a gate that fails, and its copy is removed", async () => {
    const plays = [works("bad"), works("worse"), works("good")];
    const { outer, log, code } = await lived([alone()], { plays, base: "bad" });
    expect(code).toBe(0);
    expect(outer.baseRuns).toBe(1);
    expect(rulesOf(log)).toEqual([
      "gate-red-before",
      "same-failure-replan",
      "plan-made",
      "gate-green",
    ]);
  });
});

describe("a completion that is disputed", () => {
  const alarm = {
    kind: "checks-lost",
    path: "test/login.test.ts",
    detail: "`logs in` is gone",
    line: null,
  } as const;
  const tampered = (tree: string): Integrity => ({
    kind: "checked",
    alarms: tree.includes("without tests") ? [alarm] : [],
    notes: [],
    tests: [],
  });
  const plays = [works("good without tests"), works("good")];

  test("is not done; the agent is told what was weakened, and may undo it", async () => {
    const { outer, log, code } = await lived([alone()], { plays, integrity: tampered });
    expect(code).toBe(0);
    expect(rulesOf(log)).toEqual(["disputed", "gate-green"]);
    expect(outer.sessions[1]?.prompt).toContain("checks-lost in test/login.test.ts");
  });

  test("is looked for as well where what fails may have failed before", async () => {
    const bad = [works("bad without tests")];
    const { log } = await lived([alone()], { plays: bad, integrity: tampered, base: "bad" });
    expect(rulesOf(log)[0]).toBe("disputed");
  });

  test("is not looked for where the work itself fails", async () => {
    const bad = [works("bad without tests")];
    const { log } = await lived([alone()], { plays: bad, integrity: tampered, base: "good" });
    expect(rulesOf(log)[0]).toBe("gate-red");
  });
});

describe("what orch sees of a session", () => {
  test("is how many tools it used, and what it said last", async () => {
    const events: readonly SessionEvent[] = [
      { type: "text", text: "I look around." },
      { type: "tool-call", id: "1", tool: "Bash", input: "{}" },
      { type: "tool-result", id: "1", isError: false, output: "a" },
      { type: "text", text: "x".repeat(9_000) },
      { type: "text", text: "Login works." },
    ];
    const { log } = await lived([alone()], { plays: [works("good", { events })] });
    const [trace] = eventsOf(log, "decided").map(({ evidence }) => evidence.trace);
    expect(trace?.toolCalls).toBe(1);
    expect(trace?.closing).toMatch(/x\nLogin works\.$/);
    expect(trace?.closing.length).toBeLessThanOrEqual(4_000);
  });
});
