// How is a row of a decision table checked?

import { expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import type { RuleId } from "../../src/core/model/decision.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { failureIdentity } from "../../src/readers/failure/normalise.ts";
import type { Level, Policy } from "../../src/core/model/policy.ts";
import { evidence } from "../support/builders.ts";
import { atLevel, failed, history, kindOf, streaks } from "./builders.ts";

/** The decision in short ("advance gate-green", "blocked review-flag"): what it does, by which rule. */
type Outcome = `${string} ${RuleId}`;

/**
 * A sentence and the decision; then what was seen and what came before, where that is not calm, and the
 * policy where it is not the table's. A level alone is the table's policy at that level.
 */
export type Row = readonly [
  sentence: string,
  outcome: Outcome,
  seen?: Partial<Evidence>,
  past?: Partial<History>,
  under?: Level | Policy,
];

export function decides(rows: readonly Row[], table: Level | Policy = 0): void {
  const common = typeof table === "number" ? atLevel(table) : table;
  const named = rows.map((row) => [row[0], row] as const);
  test.each(named)("%s", (_sentence, [, outcome, seen, past, under = common]) => {
    const rules = typeof under === "number" ? { ...common, level: under } : under;
    const decision = decide(evidence(seen), history(past), rules);
    const kind = kindOf(decision).replace(/^(?:continue|stall)\//, "");
    expect(`${kind} ${decision.rule}`).toBe(outcome);
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
