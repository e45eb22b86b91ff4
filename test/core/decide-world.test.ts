import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import type { Decision } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { RESET_MARGIN } from "../../src/core/model/policy.ts";
import type { FaultKind, SessionEnding } from "../../src/core/model/session.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  blocker,
  crashed,
  fault,
  history,
  HOUR,
  kindOf,
  MINUTE,
  noReport,
  NOW_MS,
  policy,
  read,
  streaks,
} from "./builders.ts";
import { decides, red } from "./decision-table.ts";

/** A session whose provider or program failed before it could leave a report; gates did not run. */
function ended(ending: SessionEnding, dice = 0.5): Evidence {
  return evidence({
    ending,
    report: noReport,
    gates: [],
    at: { zone: "UTC", nowMs: NOW_MS, dice },
  });
}

function after(providerCause: string, providerTries: number, waitedMs = 0): History {
  return history({ streaks: streaks({ providerCause, providerTries }), waitedMs });
}

describe("when the world failed rather than the work", () => {
  const unstarted = (
    reason: "conversation-unknown" | "call-unknown" | "program-missing" | "machine",
  ) => ended({ kind: "not-started", reason, detail: "" });
  const missing = unstarted("program-missing");
  const overloaded = { ending: fault("overloaded") };
  const stopped = { ending: { kind: "interrupted" } } as const;
  const partly = { report: read({ status: "partial" }), gates: red };
  const gaveUp = { ...overloaded, report: read({ status: "failed" }) };
  const blockers = [blocker("missing_credential")];
  const hard = { ...overloaded, report: read({ status: "blocked", blockers }) };
  const green = "advance gate-green";
  decides([
    ["a session that orch stopped goes on at once", "backoff interrupted", ended(stopped.ending)],
    ["a session stopped after its report is judged by its gates", green, stopped],
    ["a stop amid unfinished work is free", "backoff interrupted", { ...stopped, ...partly }],
    ["a session lost without a report goes on", "backoff session-lost", ended({ kind: "lost" })],
    ["a session lost after its report is judged", green, { ending: { kind: "lost" } }],
    ["a lost conversation is new", "backoff session-lost", unstarted("conversation-unknown")],
    ["an answer comes too late for its call", "backoff session-lost", unstarted("call-unknown")],
    ["a machine without processes puts off", "deferred machine-fault", unstarted("machine")],
    ["an agent not installed blocks the task", "blocked agent-missing", missing],
    ["or needs a person from level 1 on", "pause/blocker agent-missing", missing, {}, 1],
    ["a provider fault after the report is judged by its gates", green, overloaded],
    ["a fault amid work is free", "backoff provider-backoff", { ...overloaded, ...partly }],
    ["a fault after the agent gave up is judged as that", "feedback work-claimed-failed", gaveUp],
    ["a fault after a claim lets gates speak", "feedback gate-red", { ...overloaded, gates: red }],
    ["a hard blocker beats the fault", "pause/blocker hard-blocker-declared", hard, {}, 1],
    [
      "a rejected conversation is fed back",
      "feedback session-crashed",
      ended(fault("bad-request")),
    ],
    ["a refusal is fed back", "feedback session-crashed", ended(fault("refusal"))],
    [
      "a fault without a report is none of the red gates",
      "backoff provider-backoff",
      { ...overloaded, report: noReport, gates: red },
    ],
  ]);

  test.each<[FaultKind, string]>([
    ["authentication", "sign in to the agent"],
    ["permission", "let the provider's account use"],
    ["billing", "pay: "],
    ["model-not-found", "name a model"],
  ])(
    "a provider that refuses for %s needs a person, who is told to %s, and blocks the task where nobody is asked",
    (kind, remedy) => {
      const refused = ended(fault(kind, { httpStatus: 401 }));
      expect(decide(refused, history(), atLevel(1))).toEqual<Decision>({
        rule: "credential-missing",
        kind: "pause",
        ask: {
          kind: "blocker",
          question: `the provider refused (${kind}, HTTP 401): it said no`,
          options: [],
          default: "retry",
          impact: "blocking",
          context: [expect.stringMatching(`^${remedy}`)],
          toolUseId: null,
        },
      });
      expect(decide(refused, history(), atLevel(0))).toEqual<Decision>({
        rule: "credential-missing",
        kind: "stall",
        end: "blocked",
        reason: `the provider refused (${kind}, HTTP 401): it said no`,
        retryAtMs: null,
      });
    },
  );
});

describe("backing off", () => {
  const delayOf = (seen: Evidence, past: History = history()): number | null => {
    const decision = decide(seen, past, policy());
    return decision.kind === "continue" && decision.how.kind === "backoff"
      ? decision.how.delayMs
      : null;
  };

  test.each<readonly [string, FaultKind, number, number, number]>([
    ["the first throttle may be retried at once", "rate-limit", 0, 0, 0],
    ["the first throttle waits half of five seconds at even odds", "rate-limit", 0, 0.5, 2_500],
    ["the first throttle waits at most five seconds", "rate-limit", 0, 0.999, 4_995],
    ["the second throttle waits up to ten seconds", "rate-limit", 1, 0.5, 5_000],
    ["the sixth throttle waits up to 160 seconds", "rate-limit", 5, 0.5, 80_000],
    ["the eighth throttle waits up to five minutes", "rate-limit", 7, 0.5, 150_000],
    ["an overloaded provider is given up to 30 seconds first", "overloaded", 0, 0.5, 15_000],
    ["an overloaded provider is given up to ten minutes", "overloaded", 5, 0.5, 300_000],
    ["a server error counts as overloaded", "server-error", 0, 0.5, 15_000],
    ["a lost network is tried again after seconds", "network", 0, 0.5, 2_500],
    ["a lost network is tried for the third time", "network", 2, 0.5, 10_000],
  ])("%s", (...[, kind, tries, dice, delayMs]) => {
    const causes = new Map([
      ["rate-limit", "rate_limit"],
      ["network", "network_transient"],
    ]);
    const past = after(causes.get(kind) ?? "overloaded", tries);
    expect(delayOf(ended(fault(kind), dice), past)).toBe(delayMs);
  });

  test("the server's own delay beats the doubling", () => {
    expect(delayOf(ended(fault("rate-limit", { retryAfterMs: 42_000 })))).toBe(42_000);
  });

  test.each<readonly [string, number, number, string]>([
    ["five minutes stated is a throttle", 5 * MINUTE, 0, "continue/backoff"],
    ["more than five minutes stated is a limit that resets", 5 * MINUTE + 1, 0, "continue/wait"],
    ["a stated delay beyond the longest wait defers the task", 7 * HOUR, 0, "stall/deferred"],
  ])("%s", (_name, retryAfterMs, tries, kind) => {
    const seen = ended(fault("overloaded", { retryAfterMs }));
    expect(kindOf(decide(seen, after("overloaded", tries), policy()))).toBe(kind);
  });

  const overloaded = ended(fault("overloaded"));
  const sealed = ended(fault("network"));
  const throttled = ended(fault("rate-limit"));
  const busy = (tries: number) => after("overloaded", tries);
  const cut = (tries: number) => after("network_transient", tries);
  const slowed = (tries: number) => after("rate_limit", tries);
  decides([
    ["the last retry if overloaded", "backoff provider-backoff", overloaded, busy(5)],
    [
      "an overloaded provider is left for later in CI",
      "deferred provider-gives-up",
      overloaded,
      busy(6),
    ],
    ["and put to a person", "pause/blocker provider-gives-up", overloaded, busy(6), 1],
    ["the last retry of a lost network", "backoff provider-backoff", sealed, cut(2)],
    ["a sealed network blocks: later will not help", "blocked provider-gives-up", sealed, cut(3)],
    ["and is put to a person", "pause/blocker provider-gives-up", sealed, cut(3), 1],
    ["the last retry of a throttle", "backoff provider-backoff", throttled, slowed(7), 1],
    [
      "an endless throttle is a limit without reset",
      "wait usage-limit-poll",
      throttled,
      slowed(8),
      1,
    ],
  ]);
});

describe("at a plan limit", () => {
  const limit = (resetAtMs: number | null, dice = 0.5): Evidence =>
    ended(fault("usage-limit", { resetAtMs }), dice);

  test.each([
    ["five seconds after the reset at the luckiest", 0, 5_000],
    ["seven and a half after it at even odds", 0.5, 7_500],
    ["ten after it at the unluckiest", 0.999, 9_995],
  ])("orch goes on %s, so that not everybody does at once", (_name, dice, marginMs) => {
    const resetAtMs = NOW_MS + HOUR;
    expect(decide(limit(resetAtMs, dice), history(), policy())).toEqual<Decision>({
      rule: "usage-limit-wait",
      kind: "continue",
      how: { kind: "wait", untilMs: resetAtMs + marginMs, stated: true, cause: "usage_limit" },
    });
  });

  test("a reset that has passed already is given its margin from now", () => {
    const decision = decide(limit(NOW_MS - HOUR), history(), policy());
    expect(decision).toMatchObject({ how: { untilMs: NOW_MS + 7_500 } });
  });

  test.each([
    ["the minute that words name is waited for to its end", 0, MINUTE],
    ["a second that they name is waited for", 1_000, 1_000],
  ])("%s", (_name, namedMs, resetMs) => {
    const full = Math.ceil(NOW_MS / MINUTE) * MINUTE + HOUR;
    const resetAtMs = full + namedMs;
    const words = { rule: "r", evidence: "it said no", retryAfterMs: null, resetAtMs };
    const crash = { type: "usage_limit", class: "soft", ...words } as const;
    const seen = { ...ended(crashed), readings: { ...evidence().readings, crash } };
    expect(decide(seen, history(), policy())).toMatchObject({
      how: { untilMs: full + resetMs + 7_500 },
    });
  });

  const most = policy({ reset: { waits: true, maxWaitMs: HOUR } });
  test.each<readonly [string, number, string]>([
    ["a reset one millisecond before the longest wait is waited for", -1, "continue/wait"],
    ["a reset at the longest wait is waited for", 0, "continue/wait"],
    ["a reset one millisecond later is not", 1, "stall/deferred"],
  ])("%s", (_name, ms, kind) => {
    const resetAtMs = NOW_MS + HOUR - RESET_MARGIN.firstMs + ms;
    expect(kindOf(decide(limit(resetAtMs), history(), most))).toBe(kind);
  });

  test("a deferred task says when trying again makes sense", () => {
    expect(decide(limit(NOW_MS + 9 * HOUR), history(), policy())).toEqual<Decision>({
      rule: "usage-limit-defer",
      kind: "stall",
      end: "deferred",
      reason: "a plan limit resets later than orch may wait: it said no",
      retryAtMs: NOW_MS + 9 * HOUR,
    });
  });

  test("where waiting is switched off even a near reset defers the task", () => {
    const off = policy({ reset: { waits: false, maxWaitMs: 6 * HOUR } });
    const decision = decide(limit(NOW_MS + MINUTE), history(), off);
    expect([kindOf(decision), decision.rule]).toEqual(["stall/deferred", "usage-limit-defer"]);
  });

  test.each([
    ["first after 15 minutes", 0, 15],
    ["then after 30 minutes", 1, 30],
    ["then after an hour", 2, 60],
    ["then every hour", 3, 60],
  ])("a limit without a stated reset is looked at %s", (_name, looks, minutes) => {
    const untilMs = NOW_MS + minutes * MINUTE;
    const how = { kind: "wait", untilMs, stated: false } as const;
    const poll = { rule: "usage-limit-poll", kind: "continue" } as const;
    expect(decide(limit(null), after("usage_limit", looks), policy())).toEqual<Decision>({
      ...poll,
      how: { ...how, cause: "usage_limit" },
    });
    // A throttle that outlasted its eight retries is looked at in the same rhythm.
    const throttled = decide(ended(fault("rate-limit")), after("rate_limit", looks + 8), policy());
    expect(throttled).toEqual<Decision>({ ...poll, how: { ...how, cause: "rate_limit" } });
  });

  test.each<readonly [string, number, string]>([
    ["the look that ends exactly at the longest wait still happens", 5 * HOUR, "continue/wait"],
    ["the look that would end after it does not", 5 * HOUR + 1, "stall/deferred"],
  ])("%s", (_name, waitedMs, kind) => {
    expect(kindOf(decide(limit(null), after("usage_limit", 6, waitedMs), policy()))).toBe(kind);
  });

  const faulty = (
    kind: "usage-limit" | "overloaded" | "network",
    resetAtMs: number | null = null,
  ) => ended(fault(kind, { resetAtMs }));
  const within = faulty("usage-limit", NOW_MS + HOUR - RESET_MARGIN.firstMs);
  const gone = (waitedMs: number) => history({ waitedMs });
  decides([
    ["waits of an hour and five make six", "wait usage-limit-wait", within, gone(5 * HOUR)],
    ["one longer is put off", "deferred usage-limit-defer", within, gone(5 * HOUR + 1)],
    [
      "one that does not is put off",
      "deferred provider-gives-up",
      faulty("overloaded"),
      gone(6 * HOUR),
    ],
  ]);
});
