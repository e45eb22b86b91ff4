// Which rules nearly fired, and what would have made them?

import { UNCOUNTED_RULES } from "../model/decision.ts";
import type { Explanation, RuleId } from "../model/decision.ts";
import type { Facts } from "./facts.ts";
import { scoreLimits, total } from "./uncertainty.ts";

type CloseCall = Explanation["close"][number];

const MOST = 4;

/** Rules one step away from firing, other than the one that fired. */
export function closeCalls(f: Facts, fired: RuleId): readonly CloseCall[] {
  // Where the world failed the attempt does not count, so no counter came any closer.
  const counters = UNCOUNTED_RULES.has(fired)
    ? []
    : [...streaks(f), ...attempts(f), ...uncertainty(f)];
  return [...approval(f), ...counters].filter((c) => c.rule !== fired).slice(0, MOST);
}

function approval(f: Facts): readonly CloseCall[] {
  if (f.sum === "passed" && f.report?.status !== "completed")
    return [{ rule: "gate-green", missing: "the gates passed; a report that says completed" }];
  if (f.sum === "failed" && f.report?.status === "completed") {
    const left = f.failure?.failingCount ?? 0;
    const checks = left === 1 ? "1 failing check" : `${left} failing checks`;
    return [{ rule: "gate-green", missing: `the report says completed; ${checks} to pass` }];
  }
  if (f.sum === "unknown" && f.report?.status === "completed")
    return [
      { rule: "gate-green", missing: "the report says completed; gates that can be evaluated" },
    ];
  return [];
}

function streaks(f: Facts): readonly CloseCall[] {
  const { sameFailure, unknownGate, noChange } = f.streaks;
  const table = f.policy.stall;
  const near: readonly [boolean, CloseCall][] = [
    [
      f.sum === "failed" && sameFailure + 1 === table.sameFailure.replan,
      { rule: "same-failure-replan", missing: "the same failure once more" },
    ],
    [
      f.sum === "failed" && sameFailure + 1 === table.sameFailure.stall,
      { rule: "same-failure-stall", missing: "the same failure once more" },
    ],
    [
      f.sum === "unknown" && unknownGate + 1 === table.unknownGate.stall,
      { rule: "gate-unknown-stall", missing: "one more attempt whose gates cannot be evaluated" },
    ],
    [
      noChange + 1 === table.noChange.stall,
      { rule: "no-change-stall", missing: "one more attempt without a change" },
    ],
  ];
  return near.flatMap(([isNear, call]) => (isNear ? [call] : []));
}

function attempts(f: Facts): readonly CloseCall[] {
  const left = f.attemptsMost - (f.history.counted + 1);
  return left === 1 ? [{ rule: "attempts-spent", missing: "one more attempt that counts" }] : [];
}

/** How many points from acting a score is worth a line. */
const POINTS_NEAR = 2;

function uncertainty(f: Facts): readonly CloseCall[] {
  const sum = total(f.score);
  const { asksFrom, skipsFrom } = scoreLimits(f.policy.uncertainty, f.policy.level);
  const near: readonly (readonly [RuleId, number | null])[] = [
    ["uncertain-ask", asksFrom],
    ["uncertain-skip", skipsFrom],
  ];
  return near.flatMap(([rule, from]) =>
    from === null || sum === 0 || sum >= from || from - sum > POINTS_NEAR
      ? []
      : [{ rule, missing: `a score of ${from}; it is ${sum}` }],
  );
}
