// Did the world fail rather than the work: interruption, provider, credentials, lost process?

import { machineRemedy } from "../model/machine.ts";
import { BACKOFF, RESET_MARGIN, RESET_POLL_MS, THROTTLE_MOST_MS } from "../model/policy.ts";
import type { Fault, FaultKind, NotStarted, SessionEnding } from "../model/session.ts";
import { inARow, madeNoCall } from "./endings.ts";
import type { Facts } from "./facts.ts";
import { soonestReset, successorIn } from "./team.ts";
import { CAUSES, REMEDIES } from "../run/outcome.ts";
import {
  continueWith,
  endingNeedsPerson,
  needsPerson,
  rule,
  stall,
  type Fired,
  type Rule,
} from "./rule.ts";

const AT_ONCE = 0;

/**
 * They look at the ending alone. A session that reported before it was cut short is heard first;
 * `decide` sees to that.
 */
export const WORLD_RULES: readonly Rule[] = [
  rule("interrupted", ({ evidence }) => {
    const why = "orch was stopped, and ended the session";
    return evidence.ending.kind === "interrupted" && backOffFor("interrupted", AT_ONCE, why);
  }),
  rule("session-lost", ({ evidence }) => {
    const why = howLost(evidence.ending);
    return why !== null && backOffFor("session-lost", AT_ONCE, why);
  }),
  rule("machine-fault", machineFault),
  rule("agent-fails-over", failOver),
  rule("agent-missing", agentMissing),
  rule("credential-missing", (facts) => onFault(facts, CREDENTIAL_FAULTS, credential)),
  rule("hard-blocker-said", hardBlockerInCrash),
  rule("usage-limit-defer", (facts) => atLimit(facts, deferred)),
  rule("usage-limit-wait", (facts) => atLimit(facts, waitForReset)),
  rule("usage-limit-poll", (facts) => atLimit(facts, poll)),
  rule("provider-backoff", (facts) => onFault(facts, RETRIED_FAULTS, backOff)),
  rule("provider-gives-up", (facts) => onFault(facts, RETRIED_FAULTS, giveUpOnProvider)),
  rule("agent-never-ran", neverRan),
];

/** Neither agent nor task can do anything about it, and nothing is lost by waiting. */
function machineFault({ evidence: { ending } }: Facts): Fired | null {
  if (ending.kind !== "not-started" || ending.reason !== "machine") return null;
  const remedy = machineRemedy(ending.detail) ?? "free what it is short of";
  return stall("deferred", `the machine could not start the agent: ${ending.detail}; ${remedy}`);
}

/** No gate has to do with it: only what keeps an agent from working at all. */
function failOver(facts: Facts): Fired | null {
  const { team } = facts.history;
  const outage = outageIn(facts);
  const to = successorIn(team, facts.evidence.at.nowMs);
  if (outage === null || to === null) return null;
  const how = { kind: "fail-over", from: team.present, to, untilMs: outage.untilMs } as const;
  return continueWith(how, outage.why, `${to} takes over from ${team.present}`);
}

/** null: the agent can work, or can be tried again soon. */
function outageIn(facts: Facts): { readonly untilMs: number | null; readonly why: string } | null {
  const { fault, evidence } = facts;
  const { ending, at } = evidence;
  if (ending.kind === "not-started" && ending.reason === "program-missing")
    return { untilMs: null, why: `the agent could not be started: ${ending.detail}` };
  if (fault === null) return null;
  const why = `${fault.kind}: ${fault.message}`;
  if (CREDENTIAL_FAULTS.includes(fault.kind)) return { untilMs: null, why };
  const limit = planLimit(facts, fault);
  if (limit !== null) {
    const delayMs = fault.retryAfterMs ?? pollDelay(limit);
    return { untilMs: fault.resetAtMs ?? at.nowMs + delayMs, why };
  }
  const hasTries = backOff(facts, fault) !== null;
  return RETRIED_FAULTS.includes(fault.kind) && !hasTries
    ? { untilMs: at.nowMs + (RESET_POLL_MS[0] ?? 0), why }
    : null;
}

function agentMissing(facts: Facts): Fired | null {
  const { ending } = facts.evidence;
  if (ending.kind !== "not-started") return null;
  const why = `the agent could not be started (${ending.reason}): ${ending.detail}`;
  return needsPerson(facts, why, [], "remedy");
}

/** What was lost; null: nothing. How the work goes on follows from the conversation: see `continueWith`. */
function howLost(ending: SessionEnding): string | null {
  if (ending.kind === "lost") return "orch ended during the session";
  if (ending.kind !== "not-started") return null;
  return LOST_WITH[ending.reason] ?? null;
}

const LOST_WITH: Partial<Record<NotStarted, string>> = {
  "conversation-unknown": "the agent no longer has the conversation",
  "call-unknown": "the agent no longer waits for the answer; it gets it in a prompt",
};

/** Nothing is known of the task: the same once more, then a person, and no new plan for it. */
function neverRan(facts: Facts): Fired | null {
  const { ended, evidence, fault } = facts;
  if (ended === null || fault !== null || !madeNoCall(evidence)) return null;
  const times = triesSoFar(facts, "no_call") + 1;
  return times < 2
    ? backOffFor("no_call", AT_ONCE, ended.words)
    : endingNeedsPerson(facts, { ...ended, words: inARow(ended.words, times) });
}

const CREDENTIAL_FAULTS: readonly FaultKind[] = [
  "authentication",
  "permission",
  "billing",
  "model-not-found",
];
const RETRIED_FAULTS: readonly FaultKind[] = [
  "rate-limit",
  "overloaded",
  "server-error",
  "network",
];

const CAUSE_OF: Partial<Record<FaultKind, keyof typeof BACKOFF>> = {
  "rate-limit": "rate_limit",
  overloaded: "overloaded",
  "server-error": "overloaded",
  network: "network_transient",
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
  const status = fault.httpStatus === null ? "" : `, HTTP ${fault.httpStatus}`;
  const reason = `the provider refused (${fault.kind}${status}): ${fault.message}`;
  return needsPerson(facts, reason, [REMEDIES[fault.kind] ?? CAUSES.provider], "remedy");
}

/** What no retry fixes, as the last words of a program that died of it. */
function hardBlockerInCrash(facts: Facts): Fired | null {
  const { crash, ended, fault, history } = facts;
  if (crash === null || fault !== null) return null;
  // Memory and disks are often full for a moment only: one more attempt is safe.
  const isFirst = history.streaks.crashed === 0;
  if (crash.type === "resource_exhausted" && isFirst) return null;
  if (ended?.id === "killed") {
    const words = `${inARow(ended.words, history.streaks.crashed + 1)}; out of memory?`;
    return endingNeedsPerson(facts, { ...ended, words });
  }
  const reason = `${crash.type}: ${crash.evidence}`;
  return needsPerson(facts, reason, [`recognised by the rule ${crash.rule}`]);
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
  return onFault(facts, ["usage-limit", ...RETRIED_FAULTS], (_, fault) => {
    const limit = planLimit(facts, fault);
    return limit === null ? null : then(facts, limit);
  });
}

/**
 * A stated delay too long for a throttle is a reset, whatever the provider calls it; a throttle
 * that no retry got past is a limit without a stated reset. null: neither.
 */
function planLimit(facts: Facts, fault: Fault): PlanLimit | null {
  const { kind, message, retryAfterMs } = fault;
  const resetAtMs = soonestReset(facts.history.team, fault.resetAtMs);
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

/** In a row for this cause, before this one. */
function triesSoFar({ history }: Facts, cause: string): number {
  const { providerCause, providerTries } = history.streaks;
  return providerCause === cause ? providerTries : 0;
}

/** With all that the task has waited before, whatever for. */
function mayWait({ history, policy }: Facts, delayMs: number): boolean {
  return history.waitedMs + delayMs <= policy.reset.maxWaitMs;
}

function deferred(facts: Facts, limit: PlanLimit): Fired | null {
  const { nowMs } = facts.evidence.at;
  const { resetAtMs, message } = limit;
  const defer = (why: string): Fired => stall("deferred", `${why}: ${message}`, resetAtMs);
  if (!facts.policy.reset.waits)
    return defer("a plan limit is reached, and waiting is switched off");
  const statedMs = resetAtMs === null ? null : Math.max(resetAtMs - nowMs, 0);
  if (mayWait(facts, statedMs === null ? pollDelay(limit) : statedMs + RESET_MARGIN.firstMs))
    return null;
  if (statedMs === null)
    return defer("a plan limit with no reset time lasted longer than orch may wait");
  const before = facts.history.waitedMs > 0 ? ", with what this task has waited before" : "";
  return defer(`a plan limit resets later than orch may wait${before}`);
}

function waitForReset(facts: Facts, { cause, resetAtMs, message }: PlanLimit): Fired | null {
  if (resetAtMs === null) return null;
  const { nowMs, dice } = facts.evidence.at;
  const margin = RESET_MARGIN.firstMs + Math.floor(dice * RESET_MARGIN.spreadMs);
  const untilMs = Math.max(resetAtMs, nowMs) + margin;
  return continueWith({ kind: "wait", untilMs, stated: true, cause }, message);
}

function poll(facts: Facts, limit: PlanLimit): Fired {
  const untilMs = facts.evidence.at.nowMs + pollDelay(limit);
  const wait = { kind: "wait", untilMs, stated: false, cause: limit.cause } as const;
  return continueWith(wait, limit.message);
}

function pollDelay({ looks }: PlanLimit): number {
  return RESET_POLL_MS[Math.min(looks, RESET_POLL_MS.length - 1)] ?? 0;
}

function backOff(facts: Facts, fault: Fault): Fired | null {
  const cause = CAUSE_OF[fault.kind];
  if (cause === undefined) return null;
  const backoff = BACKOFF[cause];
  const tries = triesSoFar(facts, cause);
  if (tries >= backoff.tries) return null;
  const ceiling = Math.min(backoff.mostMs, backoff.firstMs * 2 ** tries);
  const delayMs = fault.retryAfterMs ?? Math.ceil(ceiling * facts.evidence.at.dice);
  if (!mayWait(facts, delayMs)) return null;
  const why = `${fault.kind}: ${fault.message}`;
  return backOffFor(cause, delayMs, why, `try ${tries + 1} of ${backoff.tries}`);
}

/** Every retry or wait is used up: a sealed network needs a person; anything else is worth trying later. */
function giveUpOnProvider(facts: Facts, fault: Fault): Fired {
  const reason = `the provider kept failing (${fault.kind}): ${fault.message}`;
  const isSealed =
    fault.kind === "network" &&
    triesSoFar(facts, "network_transient") >= BACKOFF.network_transient.tries;
  if (isSealed || facts.policy.level > 0) return needsPerson(facts, reason);
  return stall("deferred", reason);
}

function backOffFor(cause: string, delayMs: number, ...because: readonly string[]): Fired {
  return continueWith({ kind: "backoff", delayMs, cause }, ...because);
}
