import { array, assert, boolean, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { decide, decideExplained } from "../../src/core/decide/decide.ts";
import { RESET_MARGIN, levelFrom } from "../../src/core/model/policy.ts";
import { RULES } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { due } from "../../src/core/run/due.ts";
import { INITIAL_STATE, reduce } from "../../src/core/run/reduce.ts";
import { historyOf } from "../../src/core/run/history-of.ts";
import { policyOf, runSpent, taskOf } from "../../src/core/run/select.ts";
import type { Task } from "../../src/core/model/task.ts";
import { evidence, step, task } from "../support/builders.ts";
import { anyEvidence, anyHistory, anyLevel, anyPolicy } from "./arbitraries.ts";
import { asked, crashed, failed, fault, noReport, read, resumePoint, unknown } from "./builders.ts";
import { simulate, type Script } from "./simulate.ts";

const anything = tuple(anyEvidence, anyHistory, anyPolicy);
const RUNS = { numRuns: 500 };

describe("whatever happens", () => {
  test("there is exactly one decision, the same one each time, by a rule of the policy", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        const decision = decide(seen, past, under);
        expect(decide(seen, past, under)).toEqual(decision);
        expect(Object.keys(RULES)).toContain(decision.rule);
      }),
      RUNS,
    );
  });

  test("the explanation explains the decision that was made", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        const explained = decideExplained(seen, past, under).explanation;
        expect(explained.rule).toBe(decide(seen, past, under).rule);
        expect(explained.evidence.length).toBeGreaterThan(0);
        expect(explained.close.map(({ rule }) => rule)).not.toContain(explained.rule);
      }),
      RUNS,
    );
  });

  test("level 0 never pauses", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        expect(decide(seen, past, { ...under, level: 0 }).kind).not.toBe("pause");
      }),
      RUNS,
    );
  });

  test("a higher level never asks less", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        const higher = levelFrom(under.level + 1) ?? 5;
        const [low, high] = [under, { ...under, level: higher }];
        const [asks, asksToo] = [low, high].map((p) => decide(seen, past, p).kind === "pause");
        expect(asks === true && asksToo === false).toBe(false);
      }),
      RUNS,
    );
  });

  test("a step is complete only when it is claimed and every required gate passed, or none is wanted", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        const decision = decide(seen, past, under);
        if (decision.kind !== "continue" || decision.how.kind !== "advance") return;
        // What failed before the task began is another proof, with rows of its own.
        if (decision.rule === "failed-before") return;
        const required = seen.gates.filter((gate) => gate.required);
        expect(required.every((gate) => gate.verdict.kind === "passed")).toBe(true);
        expect(required.length > 0 || seen.gatesDeclaredNone).toBe(true);
        // Where the base or the original checks could not be run, green gates are no proof.
        if (decision.how.verified) expect(required.length).toBeGreaterThan(0);
        expect(decision.how.verified).toBe(decision.how.grade !== "not-verified");
        expect(seen.report).toMatchObject({ report: { status: "completed" } });
      }),
      RUNS,
    );
  });

  test("nothing is waited for beyond the longest wait", () => {
    assert(
      property(anything, ([seen, past, under]) => {
        const decision = decide(seen, past, under);
        if (decision.kind !== "continue" || decision.how.kind !== "wait") return;
        const waitMs = decision.how.untilMs - seen.at.nowMs;
        expect(waitMs).toBeGreaterThan(0);
        // The margin after a stated reset is spread.
        const mostMs = under.reset.maxWaitMs + RESET_MARGIN.spreadMs;
        expect(past.waitedMs + waitMs).toBeLessThanOrEqual(mostMs);
      }),
      RUNS,
    );
  });
});

const same =
  (seen: Evidence): Script =>
  () =>
    seen;
/** Work is claimed to be done, and a gate that names no check is red as it was before the task. */
function redAsBefore(check: string, failedBefore = true): Evidence {
  const seen = evidence({ gates: failed(check) });
  return { ...seen, readings: { ...seen.readings, failedBefore } };
}

const ENDLESS: readonly (readonly [string, Script])[] = [
  ["the same failing check", same(evidence({ gates: failed("logs in") }))],
  ["another failing check each time", (n) => evidence({ gates: failed(`check ${n}`) })],
  ["two failures in turn", (n) => evidence({ gates: failed(n % 2 === 0 ? "a" : "b") })],
  ["gates that never can be evaluated", same(evidence({ gates: unknown() }))],
  ["no report, ever", same(evidence({ report: noReport }))],
  ["work that is always partly done", same(evidence({ report: read({ status: "partial" }) }))],
  [
    "a resume point that never moves",
    same(evidence({ report: read({ status: "partial", progress: resumePoint() }) })),
  ],
  [
    "a resume point that always moves",
    (n) =>
      evidence({
        report: read({ status: "partial", progress: resumePoint({ details: `part ${n}` }) }),
      }),
  ],
  [
    "a context that is always full",
    same(evidence({ ending: fault("context-overflow"), report: noReport })),
  ],
  [
    "a provider that is always overloaded",
    same(evidence({ ending: fault("overloaded"), report: noReport })),
  ],
  ["an endless throttle", same(evidence({ ending: fault("rate-limit"), report: noReport }))],
  [
    "faults that take turns",
    (n) => evidence({ ending: fault(n % 2 === 0 ? "overloaded" : "network"), report: noReport }),
  ],
  ["a session that always crashes", same(evidence({ ending: crashed, report: noReport }))],
  ["a claim on a gate that is red as before", same(redAsBefore("logs in"))],
  [
    "such a claim, and another failure in turn",
    (n) => (n % 2 === 0 ? redAsBefore("logs in") : redAsBefore(`check ${n}`, false)),
  ],
  ["a question that nobody answers", same(evidence({ ending: asked("minor"), report: noReport }))],
  [
    "an agent that only asks",
    (n) => evidence({ ending: asked("blocking", { question: `q ${n}` }), report: noReport }),
  ],
];

describe.each(ENDLESS)("%s", (_name, script) => {
  const at = (level: 0 | 1 | 5): Task => task("add-login", { steps: [step({ level })] });

  test.each([0, 1, 5] as const)(
    "ends unattended at level %i, after a bounded number of sessions",
    (level) => {
      const { isOver, sessions } = simulate(at(level), script, false);
      expect(isOver).toBe(true);
      expect(sessions).toBeLessThanOrEqual(25);
    },
  );

  test("ends even if a person always says retry", () => {
    const { isOver, sessions } = simulate(at(5), script, true);
    expect(isOver).toBe(true);
    expect(sessions).toBeLessThanOrEqual(25);
  });
});

describe("any history", () => {
  const anyScript = array(anyEvidence, { minLength: 1, maxLength: 8 });
  const anyRun = tuple(anyScript, anyLevel, boolean()).map(([script, level, canAsk]) => {
    const last = script.at(-1) ?? evidence();
    return simulate(
      task("add-login", { steps: [step({ level })] }),
      (n) => script[n] ?? last,
      canAsk,
    );
  });
  const COUNTERS = ["sessions", "costUsd", "workMs", "replans", "handoffs", "asked"] as const;
  const few = { numRuns: 60 };

  test("comes to an end", () => {
    assert(
      property(anyRun, ({ isOver, sessions }) => {
        expect(isOver).toBe(true);
        expect(sessions).toBeLessThanOrEqual(25);
      }),
      few,
    );
  });

  test("only ever counts up, and can be gone on with at any line", () => {
    assert(
      property(anyRun, ({ log }) => {
        let before = { sessions: 0, costUsd: 0, workMs: 0, replans: 0, handoffs: 0, asked: 0 };
        let state = INITIAL_STATE;
        for (const line of log) {
          state = reduce(state, line);
          expect(due(state, { asks: "now" })).toEqual(expect.any(Array));
          const [one] = state.tasks;
          if (one === undefined) continue;
          const now = {
            sessions: one.spent.sessions,
            ...runSpent(state),
            replans: one.replans,
            handoffs: one.handoffs,
            asked: one.questionsAsked,
          };
          const shrunk = COUNTERS.filter((name) => now[name] < before[name]);
          expect(shrunk).toEqual([]);
          before = now;
        }
      }),
      few,
    );
  });

  test("decided again from its log alone gives every decision that was made", () => {
    assert(
      property(anyRun, ({ log }) => {
        let state = INITIAL_STATE;
        for (const line of log) {
          const { event } = line;
          if (event.type === "decided") {
            const one = taskOf(state, event.task);
            const [past, under] = [historyOf(state, one), policyOf(state, one)];
            expect(decide(event.evidence, past, under)).toEqual(event.decision);
            expect(decideExplained(event.evidence, past, under).explanation).toEqual(
              event.explanation,
            );
          }
          state = reduce(state, line);
        }
      }),
      few,
    );
  });
});
