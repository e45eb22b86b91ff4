// Did the world fail rather than the work: interruption, provider, credentials, lost process?

import { assertNever } from "../model/assert.ts";
import type { Continuation } from "../model/decision.ts";
import { BACKOFF, RESET_MARGIN, RESET_POLL_MS, THROTTLE_MOST_MS } from "../model/policy.ts";
import type { Backoff } from "../model/policy.ts";
import type { Fault, FaultKind, SessionEnding } from "../model/session.ts";
import type { Facts } from "./facts.ts";
import { continueWith, needsPerson, stall } from "./rule.ts";
import type { Fired, Rule } from "./rule.ts";

const AT_ONCE = 0;

/**
 * They look at the ending alone. A session that reported before it was cut short is heard first;
 * `decide` sees to that.
 */
export const WORLD_RULES: readonly Rule[] = [
  {
    id: "interrupted",
    apply: ({ evidence }) =>
      evidence.ending.kind === "interrupted"
        ? continueWith(
            "interrupted",
            again("interrupted", AT_ONCE),
            "the session was stopped by orch itself",
          )
        : null,
  },
  {
    id: "session-lost",
    apply: ({ evidence: { ending } }) => {
      const why = howLost(ending);
      return why === null
        ? null
        : continueWith("session-lost", again("session-lost", AT_ONCE), why);
    },
  },
  {
    id: "agent-missing",
    apply: (facts) => {
      const { ending } = facts.evidence;
      if (ending.kind !== "not-started") return null;
      const reason = `the agent could not be started (${ending.reason}): ${ending.detail}`;
      return needsPerson(facts, "agent-missing", reason, []);
    },
  },
  { id: "credential-missing", apply: (facts) => onFault(facts, CREDENTIAL_FAULTS, credential) },
  { id: "hard-blocker-said", apply: hardBlockerSaid },
  { id: "usage-limit-defer", apply: (facts) => atLimit(facts, deferred) },
  { id: "usage-limit-wait", apply: (facts) => atLimit(facts, waitForReset) },
  { id: "usage-limit-poll", apply: (facts) => atLimit(facts, poll) },
  { id: "provider-backoff", apply: (facts) => onFault(facts, RETRIED_FAULTS, backOff) },
  { id: "provider-gives-up", apply: (facts) => onFault(facts, RETRIED_FAULTS, giveUpOnProvider) },
];

/** What was lost; null: nothing. How the work goes on follows from the conversation: see `continueWith`. */
function howLost(ending: SessionEnding): string | null {
  if (ending.kind === "lost") return "orch ended during the session";
  if (ending.kind !== "not-started") return null;
  switch (ending.reason) {
    case "conversation-unknown":
      return "the agent no longer has the conversation";
    case "call-unknown":
      return "the agent no longer waits for the answer; it is told in a prompt";
    case "program-missing":
    case "refused":
    case "channel-missing":
      return null;
    default:
      return assertNever(ending.reason, "reason");
  }
}

const CREDENTIAL_FAULTS: readonly FaultKind[] = [
  "authentication",
  "permission",
  "billing",
  "model-not-found",
];
const LIMIT_FAULTS: readonly FaultKind[] = ["usage-limit"];
const RETRIED_FAULTS: readonly FaultKind[] = [
  "rate-limit",
  "overloaded",
  "server-error",
  "network",
];

const BACKOFF_OF: Partial<Record<FaultKind, { cause: string; backoff: Backoff }>> = {
  "rate-limit": { cause: "rate_limit", backoff: BACKOFF.rate_limit },
  overloaded: { cause: "overloaded", backoff: BACKOFF.overloaded },
  "server-error": { cause: "overloaded", backoff: BACKOFF.overloaded },
  network: { cause: "network_transient", backoff: BACKOFF.network_transient },
};

function onFault(
  facts: Facts,
  kinds: readonly FaultKind[],
  then: (facts: Facts, fault: Fault) => Fired | null,
): Fired | null {
  const { fault } = facts;
  return fault !== null && kinds.includes(fault.kind) ? then(facts, fault) : null;
}

function credential(facts: Facts, fault: Fault): Fired {
  const words = `the provider refused (${fault.kind}${fault.httpStatus === null ? "" : `, HTTP ${fault.httpStatus}`}): ${fault.message}`;
  return needsPerson(facts, "credential-missing", words, []);
}

/** What no retry fixes, said by a program that died of it and could declare nothing any more. */
function hardBlockerSaid(facts: Facts): Fired | null {
  const { crash, history } = facts;
  if (crash === null || crash.class !== "hard") return null;
  // Memory and disks are often full for a moment only: one more attempt is safe (policy section 3).
  const isFirst = history.streaks.crashed === 0;
  if (crash.type === "resource_exhausted" && isFirst) return null;
  const reason = `${crash.type}: ${crash.evidence}`;
  return needsPerson(facts, "hard-blocker-said", reason, [`named by the rule ${crash.rule}`]);
}

/** A limit that outlasts every retry: when it ends, and how often it was looked at in vain. */
interface PlanLimit {
  readonly cause: string;
  /** null: not stated. */
  readonly resetAtMs: number | null;
  readonly looks: number;
  readonly message: string;
}

function atLimit(
  facts: Facts,
  then: (facts: Facts, limit: PlanLimit) => Fired | null,
): Fired | null {
  return onFault(facts, [...LIMIT_FAULTS, ...RETRIED_FAULTS], (_, fault) => {
    const limit = planLimit(facts, fault);
    return limit === null ? null : then(facts, limit);
  });
}

/**
 * A stated delay too long for a throttle is a reset, whatever the provider calls it; a throttle
 * that no retry got past is a limit without a stated reset (policy section 3). null: neither.
 */
function planLimit(facts: Facts, fault: Fault): PlanLimit | null {
  const { kind, message, resetAtMs, retryAfterMs } = fault;
  const looks = triesSoFar(facts, "usage_limit");
  if (kind === "usage-limit") return { cause: "usage_limit", resetAtMs, looks, message };
  if (retryAfterMs !== null && retryAfterMs > THROTTLE_MOST_MS) {
    const stated = facts.evidence.at.nowMs + retryAfterMs;
    return { cause: "usage_limit", resetAtMs: stated, looks, message };
  }
  const beyond = triesSoFar(facts, "rate_limit") - BACKOFF.rate_limit.tries;
  if (kind !== "rate-limit" || beyond < 0) return null;
  return { cause: "rate_limit", resetAtMs, looks: beyond, message };
}

/** Tries in a row for this cause, before this one. */
function triesSoFar(facts: Facts, cause: string): number {
  const { streaks } = facts.history;
  return streaks.providerCause === cause ? streaks.providerTries : 0;
}

function waitedSoFar(facts: Facts, cause: string): number {
  const { streaks } = facts.history;
  return streaks.providerCause === cause ? streaks.providerWaitedMs : 0;
}

function deferred(facts: Facts, limit: PlanLimit): Fired | null {
  const { reset } = facts.policy;
  const { nowMs } = facts.evidence.at;
  const { cause, resetAtMs, message } = limit;
  const defer = (why: string): Fired =>
    stall("usage-limit-defer", "deferred", `${why}: ${message}`, resetAtMs);
  if (!reset.waits) return defer("plan limit; waiting is switched off");
  if (resetAtMs !== null)
    return resetAtMs + RESET_MARGIN.firstMs - nowMs <= reset.maxWaitMs
      ? null
      : defer("plan limit resets later than orch may wait");
  return waitedSoFar(facts, cause) + pollDelay(limit) <= reset.maxWaitMs
    ? null
    : defer("plan limit without a stated reset outlasted the longest wait");
}

function waitForReset(facts: Facts, { cause, resetAtMs, message }: PlanLimit): Fired | null {
  if (resetAtMs === null) return null;
  const { nowMs, dice } = facts.evidence.at;
  const margin = RESET_MARGIN.firstMs + Math.floor(dice * RESET_MARGIN.spreadMs);
  const untilMs = Math.max(resetAtMs, nowMs) + margin;
  return continueWith("usage-limit-wait", { kind: "wait", untilMs, stated: true, cause }, message);
}

function poll(facts: Facts, limit: PlanLimit): Fired {
  const untilMs = facts.evidence.at.nowMs + pollDelay(limit);
  const wait = { kind: "wait", untilMs, stated: false, cause: limit.cause } as const;
  return continueWith("usage-limit-poll", wait, limit.message);
}

function pollDelay({ looks }: PlanLimit): number {
  return RESET_POLL_MS[Math.min(looks, RESET_POLL_MS.length - 1)] ?? 0;
}

function backOff(facts: Facts, fault: Fault): Fired | null {
  const entry = BACKOFF_OF[fault.kind];
  if (entry === undefined) return null;
  const { cause, backoff } = entry;
  const tries = triesSoFar(facts, cause);
  if (tries >= backoff.tries) return null;
  const ceiling = Math.min(backoff.mostMs, backoff.firstMs * 2 ** tries);
  const delayMs = fault.retryAfterMs ?? Math.ceil(ceiling * facts.evidence.at.dice);
  return continueWith(
    "provider-backoff",
    again(cause, delayMs),
    `${fault.kind}: ${fault.message}`,
    `try ${tries + 1} of ${backoff.tries}`,
  );
}

/** Every retry is used up: a sealed network needs a person; anything else is worth trying later. */
function giveUpOnProvider(facts: Facts, fault: Fault): Fired {
  const reason = `the provider kept failing (${fault.kind}): ${fault.message}`;
  if (fault.kind === "network" || facts.policy.level > 0)
    return needsPerson(facts, "provider-gives-up", reason, []);
  return stall("provider-gives-up", "deferred", reason);
}

function again(cause: string, delayMs: number): Continuation {
  return { kind: "backoff", delayMs, cause };
}
