import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/history.ts";
import type { Decision, RuleId } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import type { FaultKind, SessionEnding } from "../../src/core/model/session.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  blocker,
  failed,
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

/** A session whose provider or program failed before it could leave a report; gates did not run. */
function ended(ending: SessionEnding, dice = 0.5): Evidence {
  return evidence({
    ending,
    report: noReport,
    gates: [],
    at: { zone: "UTC", nowMs: NOW_MS, dice },
  });
}

function after(providerCause: string, providerTries: number, providerWaitedMs = 0): History {
  return history({ streaks: streaks({ providerCause, providerTries, providerWaitedMs }) });
}

type Row = readonly [string, Evidence, Policy, string, RuleId];

describe("when the world failed rather than the work", () => {
  test.each<Row>([
    [
      "a session that orch itself stopped goes on at once",
      ended({ kind: "interrupted" }),
      policy(),
      "continue/backoff",
      "interrupted",
    ],
    [
      "a session that orch stopped after the report was written is judged by its gates",
      evidence({ ending: { kind: "interrupted" } }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "a session lost in a crash without a report goes on at once",
      ended({ kind: "lost" }),
      policy(),
      "continue/backoff",
      "session-lost",
    ],
    [
      "a session lost in a crash after its report is judged by its gates",
      evidence({ ending: { kind: "lost" } }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "a conversation the agent no longer has is begun anew",
      ended({ kind: "not-started", reason: "conversation-unknown", detail: "" }),
      policy(),
      "continue/backoff",
      "session-lost",
    ],
    [
      "an answer that the agent no longer waits for reaches it in a prompt",
      ended({ kind: "not-started", reason: "call-unknown", detail: "" }),
      policy(),
      "continue/backoff",
      "session-lost",
    ],
    [
      "an answer for which the agent no longer waits is told in the conversation instead",
      ended({ kind: "not-started", reason: "call-unknown", detail: "" }),
      policy(),
      "continue/backoff",
      "session-lost",
    ],
    [
      "an agent that is not installed blocks the task where nobody is asked",
      ended({ kind: "not-started", reason: "program-missing", detail: "claude" }),
      atLevel(0),
      "stall/blocked",
      "agent-missing",
    ],
    [
      "an agent that is not installed needs a person from level 1 on",
      ended({ kind: "not-started", reason: "program-missing", detail: "claude" }),
      atLevel(1),
      "pause/blocker",
      "agent-missing",
    ],
    [
      "a provider fault after the report was written is judged by its gates",
      evidence({ ending: fault("overloaded") }),
      policy(),
      "continue/advance",
      "gate-green",
    ],
    [
      "a provider fault in the middle of reported, unfinished work uses up no attempt",
      evidence({
        ending: fault("overloaded"),
        report: read({ status: "partial" }),
        gates: failed(),
      }),
      policy(),
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "a provider fault after the agent gave up is judged as that",
      evidence({ ending: fault("overloaded"), report: read({ status: "failed" }) }),
      policy(),
      "continue/feedback",
      "work-claimed-failed",
    ],
    [
      "a provider fault after a claim of completion lets the red gates speak",
      evidence({ ending: fault("overloaded"), gates: failed() }),
      policy(),
      "continue/feedback",
      "gate-red",
    ],
    [
      "a session stopped by orch in the middle of reported, unfinished work uses up no attempt",
      evidence({
        ending: { kind: "interrupted" },
        report: read({ status: "partial" }),
        gates: failed(),
      }),
      policy(),
      "continue/backoff",
      "interrupted",
    ],
    [
      "a declared hard blocker beats the provider fault that came after it",
      evidence({
        ending: fault("overloaded"),
        report: read({ status: "blocked", blockers: [blocker("missing_credential")] }),
      }),
      atLevel(1),
      "pause/blocker",
      "hard-blocker-declared",
    ],
    [
      "a conversation the provider rejects is fed back, for a fresh one",
      ended(fault("bad-request")),
      policy(),
      "continue/feedback",
      "session-crashed",
    ],
    [
      "a refusal by the model is fed back, for a fresh conversation",
      ended(fault("refusal")),
      policy(),
      "continue/feedback",
      "session-crashed",
    ],
  ])("%s", (...[, seen, under, kind, rule]) => {
    const decision = decide(seen, history(), under);
    expect([kindOf(decision), decision.rule]).toEqual([kind, rule]);
  });

  test.each<FaultKind>(["authentication", "permission", "billing", "model-not-found"])(
    "a provider that refuses for %s needs a person, and blocks the task where nobody is asked",
    (kind) => {
      const refused = ended(fault(kind, { httpStatus: 401 }));
      expect(decide(refused, history(), atLevel(1))).toEqual<Decision>({
        rule: "credential-missing",
        kind: "pause",
        ask: {
          kind: "blocker",
          question: `the provider refused (${kind}, HTTP 401): it said no`,
          options: [],
          default: null,
          impact: "blocking",
          context: [],
          toolUseId: null,
          expiresInMs: null,
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

  test("refused credentials are named as the cause even when the budget is spent", () => {
    const spentAll = history({ spent: { ...history().spent, costUsd: 99 } });
    expect(decide(ended(fault("billing")), spentAll, atLevel(0)).rule).toBe("credential-missing");
  });
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

  test("tries for another cause do not count", () => {
    expect(delayOf(ended(fault("overloaded")), after("rate_limit", 7))).toBe(15_000);
  });

  test.each<readonly [string, number, number, string]>([
    ["five minutes stated is a throttle", 5 * MINUTE, 0, "continue/backoff"],
    ["more than five minutes stated is a limit that resets", 5 * MINUTE + 1, 0, "continue/wait"],
    ["a stated delay beyond the longest wait defers the task", 7 * HOUR, 0, "stall/deferred"],
  ])("%s", (_name, retryAfterMs, tries, kind) => {
    const seen = ended(fault("overloaded", { retryAfterMs }));
    expect(kindOf(decide(seen, after("overloaded", tries), policy()))).toBe(kind);
  });

  test.each<readonly [string, FaultKind, string, number, 0 | 1, string, RuleId]>([
    [
      "the last retry of an overloaded provider",
      "overloaded",
      "overloaded",
      5,
      0,
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "an overloaded provider is given up for later in CI",
      "overloaded",
      "overloaded",
      6,
      0,
      "stall/deferred",
      "provider-gives-up",
    ],
    [
      "an overloaded provider is put to a person",
      "overloaded",
      "overloaded",
      6,
      1,
      "pause/blocker",
      "provider-gives-up",
    ],
    [
      "the last retry of a lost network",
      "network",
      "network_transient",
      2,
      0,
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "a sealed network blocks the task in CI: later will not help",
      "network",
      "network_transient",
      3,
      0,
      "stall/blocked",
      "provider-gives-up",
    ],
    [
      "a sealed network is put to a person",
      "network",
      "network_transient",
      3,
      1,
      "pause/blocker",
      "provider-gives-up",
    ],
    [
      "the last retry of a throttle",
      "rate-limit",
      "rate_limit",
      7,
      1,
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "a throttle that never ends is a limit without a stated reset",
      "rate-limit",
      "rate_limit",
      8,
      1,
      "continue/wait",
      "usage-limit-poll",
    ],
  ])("%s", (...[, kind, cause, tries, level, expected, rule]) => {
    const decision = decide(ended(fault(kind)), after(cause, tries), atLevel(level));
    expect([kindOf(decision), decision.rule]).toEqual([expected, rule]);
  });

  test.each([
    ["first after 15 minutes", 8, 15],
    ["then after 30 minutes", 9, 30],
    ["then every hour", 10, 60],
    ["and every hour again", 11, 60],
  ])("an endless throttle is looked at %s", (_name, tries, minutes) => {
    expect(decide(ended(fault("rate-limit")), after("rate_limit", tries), policy())).toEqual({
      rule: "usage-limit-poll",
      kind: "continue",
      how: {
        kind: "wait",
        untilMs: NOW_MS + minutes * MINUTE,
        stated: false,
        cause: "rate_limit",
      },
    });
  });
});

describe("at a plan limit", () => {
  const limit = (resetAtMs: number | null, dice = 0.5): Evidence =>
    ended(fault("usage-limit", { resetAtMs }), dice);

  test.each([
    ["one minute after the reset at the luckiest", 0, 60_000],
    ["ninety seconds after it at even odds", 0.5, 90_000],
    ["two minutes after it at the unluckiest", 0.999, 119_940],
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
    expect(decision).toMatchObject({ how: { untilMs: NOW_MS + 90_000 } });
  });

  const most = policy({ reset: { waits: true, maxWaitMs: HOUR } });
  test.each<readonly [string, number, string]>([
    ["a reset one millisecond before the longest wait is waited for", -1, "continue/wait"],
    ["a reset at the longest wait is waited for", 0, "continue/wait"],
    ["a reset one millisecond later is not", 1, "stall/deferred"],
  ])("%s", (_name, ms, kind) => {
    const resetAtMs = NOW_MS + HOUR - MINUTE + ms;
    expect(kindOf(decide(limit(resetAtMs), history(), most))).toBe(kind);
  });

  test("a deferred task says when trying again makes sense", () => {
    expect(decide(limit(NOW_MS + 9 * HOUR), history(), policy())).toEqual<Decision>({
      rule: "usage-limit-defer",
      kind: "stall",
      end: "deferred",
      reason: "plan limit resets later than orch may wait: it said no",
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
    expect(decide(limit(null), after("usage_limit", looks), policy())).toEqual<Decision>({
      rule: "usage-limit-poll",
      kind: "continue",
      how: {
        kind: "wait",
        untilMs: NOW_MS + minutes * MINUTE,
        stated: false,
        cause: "usage_limit",
      },
    });
  });

  test.each<readonly [string, number, string]>([
    ["the look that ends exactly at the longest wait still happens", 5 * HOUR, "continue/wait"],
    ["the look that would end after it does not", 5 * HOUR + 1, "stall/deferred"],
  ])("%s", (_name, waitedMs, kind) => {
    expect(kindOf(decide(limit(null), after("usage_limit", 6, waitedMs), policy()))).toBe(kind);
  });

  test("time waited for another cause does not shorten the wait", () => {
    const decision = decide(limit(null), after("overloaded", 6, 6 * HOUR), policy());
    expect(decision.rule).toBe("usage-limit-poll");
  });
});

describe("precedence", () => {
  test("a provider fault without a report is no failure of the gates, red as they may have been", () => {
    const seen = evidence({ ending: fault("overloaded"), report: noReport, gates: failed() });
    expect(decide(seen, history(), policy()).rule).toBe("provider-backoff");
  });
});
