import { describe, expect, test } from "vitest";

import type { Decision } from "../../src/core/model/decision.ts";
import type { SessionStart } from "../../src/core/model/event.ts";
import { sessionDue } from "../../src/core/run/session-due.ts";
import {
  at,
  attemptBegun,
  decided,
  firstTask,
  runStarted,
  sessionEnded,
  stateOf,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { fault, HOUR, MINUTE, noReport, NOW_MS, streaks, token } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

describe("an agent of several that cannot work", () => {
  const world = { report: noReport, gates: [] };
  const team = { present: "one", others: ["two", "three"], outages: {} };
  const alone = { team: { ...team, others: [] } };
  const spare = { team };
  const others = { team: { ...team, outages: { two: NOW_MS + HOUR, three: null } } };
  const signedOut = { ...world, ending: fault("authentication") };
  const limit = { ...world, ending: fault("usage-limit", { resetAtMs: NOW_MS + 2 * HOUR }) };
  const missing = {
    ...world,
    ending: { kind: "not-started", reason: "program-missing", detail: "claude" },
  } as const;
  const tried = { streaks: streaks({ providerCause: "overloaded", providerTries: 99 }) };
  const down = { ...world, ending: fault("overloaded") };
  decides([
    ["is followed by the next one at a limit", "fail-over agent-fails-over", limit, spare],
    ["is followed where it is signed out", "fail-over agent-fails-over", signedOut, spare],
    ["is followed where its program is missing", "fail-over agent-fails-over", missing, spare],
    ["is tried again while its provider may recover", "backoff provider-backoff", down, spare],
    [
      "is followed once all tries are used up",
      "fail-over agent-fails-over",
      down,
      { ...spare, ...tried },
    ],
    ["is waited for where nobody else is there", "wait usage-limit-wait", limit, alone],
    ["is waited for where nobody else can work either", "wait usage-limit-wait", limit, others],
    ["needs a person where nobody else can work", "blocked credential-missing", signedOut, others],
    ["is not replaced for a red gate", "feedback gate-red", { gates: red }, spare],
  ]);
});

describe("the next session of a step", () => {
  const both = task("add-login", { steps: [step({ agent: "one", fallbacks: ["two"] })] });
  const place = at();
  const over = (untilMs: number | null): Decision => ({
    rule: "agent-fails-over",
    kind: "continue",
    how: { kind: "fail-over", from: "one", to: "two", untilMs },
  });
  const by = (agent: string) =>
    attemptBegun().map((event) => (event.type === "session-started" ? { ...event, agent } : event));
  const begun = [...runStarted([both]), taskStarted(), ...by("one")];
  const ending = fault("usage-limit");
  const failed = sessionEnded({ ending, sessionId: "c-1", report: noReport });
  const after = (untilMs: number | null) =>
    stateOf([...begun, failed, decided(over(untilMs), { ending, report: noReport, gates: [] })]);
  const resumed = (why: "go-on" | "feedback", sessionId = "c-1"): SessionStart => ({
    kind: "follow-up",
    sessionId,
    why,
  });
  const due = (state: ReturnType<typeof after>, start: SessionStart, nowMs = NOW_MS) => {
    const { agent, model, start: begins } = sessionDue(state, firstTask(state), start, nowMs);
    return `${agent} ${model ?? "its own model"} ${begins.kind}`;
  };

  test("belongs to the preferred agent, with the step's model", () => {
    expect(due(stateOf(begun), { kind: "fresh" })).toBe("one opus fresh");
  });

  test("belongs to the next one while that cannot work, afresh and with its own model", () => {
    const state = after(NOW_MS + HOUR);
    for (const start of [{ kind: "fresh" } as const, resumed("feedback"), resumed("go-on")])
      expect(due(state, start)).toBe("two its own model fresh");
    expect(sessionDue(state, firstTask(state), { kind: "fresh" }, NOW_MS).successorOf).toBe("one");
  });

  test("goes back to the preferred agent after its reset", () => {
    expect(due(after(NOW_MS + MINUTE), { kind: "fresh" }, NOW_MS + MINUTE)).toBe("one opus fresh");
  });

  test("of every task knows the limit, and a new process forgets what has no end", () => {
    const other = task("other", { steps: both.steps });
    const [how] = [decided(over(null), { ending, report: noReport, gates: [] })];
    const events = [...runStarted([both, other]), taskStarted(), ...by("one"), failed, how];
    const agentOf = (state: ReturnType<typeof after>) => {
      const [, second] = state.tasks;
      if (second === undefined) throw new Error("there are two tasks");
      return sessionDue(state, second, { kind: "fresh" }, NOW_MS).agent;
    };
    expect(agentOf(stateOf(events))).toBe("two");
    const again = { type: "run-resumed", stopped: "in-order", orch: "1.0.0" } as const;
    expect(agentOf(stateOf([...events, again]))).toBe("one");
  });

  test("in a conversation of the second agent stays there until there are findings", () => {
    const second = [
      ...begun,
      failed,
      decided(over(NOW_MS + MINUTE), { ending, report: noReport, gates: [] }),
      { ...place, type: "attempt-settled", checkpoint: null, commit: null } as const,
      ...by("two")
        .filter(({ type }) => type === "session-started")
        .map((event) => ({ ...event, token: token("token-2") })),
    ];
    const ended = sessionEnded({ token: token("token-2"), sessionId: "c-2" });
    const state = stateOf([...second, ended]);
    const later = NOW_MS + HOUR;
    expect(due(state, resumed("go-on", "c-2"), later)).toBe("two its own model follow-up");
    expect(due(state, resumed("feedback", "c-2"), later)).toBe("one opus fresh");
  });
});
