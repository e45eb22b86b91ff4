// How is a row of a decision table checked?

import { expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/history.ts";
import type { RuleId } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { failureIdentity } from "../../src/readers/failure/identity.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import { failed, history, kindOf, streaks } from "./builders.ts";

/** A sentence; what was seen, what came before, under which policy; the decision, and its rule. */
export type Row = readonly [string, Evidence, History, Policy, string, RuleId];

export function decides(rows: readonly Row[]): void {
  test.each<Row>(rows)("%s", (...[, seen, past, under, kind, rule]) => {
    const decision = decide(seen, past, under);
    expect([kindOf(decision), decision.rule]).toEqual([kind, rule]);
  });
}

export const red = failed("logs in");
export const RED = failureIdentity(red)?.fp ?? "";

/** The red gate's failure was seen this often in a row before. */
export function seenBefore(times: number, over: Partial<History> = {}): History {
  return history({
    streaks: streaks({ sameFailure: times, lastFingerprint: RED, lastFailing: 1 }),
    ledger: { [RED]: times },
    ...over,
  });
}

/** The step's gates are explicitly "none". */
export const none = { gates: [], gatesDeclaredNone: true } as const;
