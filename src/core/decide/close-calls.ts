// Which rules nearly fired, and what would have made them?

import { UNCOUNTED_RULES, type Explanation, type RuleId } from "../model/decision.ts";
import { claimsDone, type Facts } from "./facts.ts";
import { scoreLimits, total } from "./uncertainty.ts";

type CloseCall = Explanation["close"][number];

const MOST = 4;

/** Rules one step away from firing, other than the one that fired. */
export function closeCalls(f: Facts, fired: RuleId): readonly CloseCall[] {
  // Where the world failed the attempt does not count, so no counter came any closer.
  const counters = UNCOUNTED_RULES.has(fired) ? [] : [...streaks(f), ...uncertainty(f)];
  return [...approval(f), ...counters].filter((c) => c.rule !== fired).slice(0, MOST);
}

function approval(f: Facts): readonly CloseCall[] {
  const claims = claimsDone(f);
  const left = f.failure?.failingCount ?? 0;
  const checks = left === 1 ? "1 failing check" : `${left} failing checks`;
  const claimed = "the report says completed";
  const gates = "gate-green";
  return [
    ...near(f.sum === "passed" && !claims, gates, "the gates passed; a report that says completed"),
    ...near(f.sum === "failed" && claims, gates, `${claimed}; ${checks} to pass`),
    ...near(f.sum === "unknown" && claims, gates, `${claimed}; gates that give a verdict`),
  ];
}

function streaks(f: Facts): readonly CloseCall[] {
  const { sum, attemptsMost, history } = f;
  const { sameFailure, anyFailure, unknownGate, noChange } = f.policy.stall;
  const same = sum === "failed" ? f.streaks.sameFailure + 1 : 0;
  const any = sum === "failed" && history.lastPass !== null ? f.streaks.anyFailure + 1 : 0;
  const unknown = sum === "unknown" ? f.streaks.unknownGate + 1 : 0;
  const none = f.streaks.noChange + 1;
  const left = attemptsMost - (history.counted + 1);
  const again = "the same failure once more";
  return [
    ...near(any === anyFailure.rollback, "failed-rollback", "one more attempt that fails"),
    ...near(same === sameFailure.replan, "same-failure-replan", again),
    ...near(same === sameFailure.stall, "same-failure-stall", again),
    ...near(
      unknown === unknownGate.stall,
      "gate-unknown-stall",
      "one more attempt whose gates give no verdict",
    ),
    ...near(none === noChange.stall, "no-change-stall", "one more attempt without a change"),
    ...near(left === 1, "attempts-spent", "one more attempt that counts"),
  ];
}

/** How many points from acting a score is worth a line. */
const POINTS_NEAR = 2;

function uncertainty(f: Facts): readonly CloseCall[] {
  const sum = total(f.score);
  const { asksFrom, skipsFrom } = scoreLimits(f.policy.uncertainty, f.policy.level);
  const scored = (rule: RuleId, from: number | null): readonly CloseCall[] => {
    const isNear = from !== null && sum > 0 && sum < from && from - sum <= POINTS_NEAR;
    return near(isNear, rule, `a score of ${from}; it is ${sum}`);
  };
  return [...scored("uncertain-ask", asksFrom), ...scored("uncertain-skip", skipsFrom)];
}

function near(is: boolean, rule: RuleId, missing: string): readonly CloseCall[] {
  return is ? [{ rule, missing }] : [];
}
