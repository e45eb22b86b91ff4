// Which limits does a config set, and do they agree with each other?

import {
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
  type RunLimits,
  type StallTable,
} from "../core/model/policy.ts";
import type { LimitChoice } from "../core/model/settings.ts";
import type { ConfigShape } from "./config-shape.ts";
import type { KeyProblem } from "./key-problems.ts";
import { contradiction, given, limitChoice, milliseconds } from "./limit-choice.ts";

export function limitsOf(config: ConfigShape): LimitChoice {
  return {
    ...limitChoice(config.budget ?? {}),
    ...given({
      replans: config.replans ?? config.budget?.replans,
      idleMs: milliseconds(config.timeouts?.idle),
      sessionMs: milliseconds(config.timeouts?.session),
    }),
  };
}

/** A run may at least cost and take what one of its tasks may. */
export function runLimitsOf(config: ConfigShape): RunLimits {
  const { run, costUsd, time } = config.budget ?? {};
  const standard = DEFAULT_RUN_LIMITS;
  return {
    costUsd: run?.costUsd === undefined ? atLeast(standard.costUsd, costUsd) : run.costUsd,
    timeMs: milliseconds(run?.time) ?? Math.max(standard.timeMs, milliseconds(time) ?? 0),
    questions: run?.questions ?? standard.questions,
  };
}

export function stallOf({ stall }: ConfigShape): StallTable {
  return {
    sameFailure: { ...STALL_TABLE.sameFailure, ...given(stall?.sameFailure ?? {}) },
    unknownGate: { ...STALL_TABLE.unknownGate, ...given(stall?.unknownGate ?? {}) },
    noChange: { ...STALL_TABLE.noChange, ...given(stall?.noChange ?? {}) },
    timedOut: { ...STALL_TABLE.timedOut, ...given(stall?.timedOut ?? {}) },
    stateReturns: { ...STALL_TABLE.stateReturns, ...given(stall?.stateReturns ?? {}) },
    sameFingerprintEver: stall?.sameFingerprintEver ?? STALL_TABLE.sameFingerprintEver,
  };
}

export function limitProblems(config: ConfigShape): readonly KeyProblem[] {
  const { sameFailure, unknownGate } = stallOf(config);
  const attempts = contradiction(given(config.budget ?? {}));
  const twice =
    config.replans !== undefined &&
    config.budget?.replans !== undefined &&
    config.replans !== config.budget.replans;
  return [
    ...(attempts === null ? [] : [said(["budget", "attemptsWithProgress"], attempts)]),
    ...(twice ? [said(["budget", "replans"], "replans and budget.replans differ; keep one")] : []),
    ...outOfOrder("sameFailure", [sameFailure.demand, sameFailure.replan, sameFailure.stall]),
    ...outOfOrder("unknownGate", [unknownGate.demand, unknownGate.stall]),
  ];
}

/** Each rung of the ladder must come before the next, or it would never be reached. */
function outOfOrder(
  row: "sameFailure" | "unknownGate",
  rungs: readonly number[],
): readonly KeyProblem[] {
  const ordered = rungs.every((rung, index) => index === 0 || rung > (rungs[index - 1] ?? 0));
  if (ordered) return [];
  const words = row === "sameFailure" ? "demand < replan < stall" : "demand < stall";
  return [said(["stall", row], `stall.${row}: expected ${words}, found ${rungs.join(", ")}`)];
}

function said(path: readonly string[], message: string): KeyProblem {
  return { path, message, suggestion: null };
}

function atLeast(standard: number | null, task: number | null | undefined): number | null {
  return standard === null ? null : Math.max(standard, task ?? 0);
}
