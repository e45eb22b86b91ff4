// What does the way a process ended say, when its words say little?

import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { EndingContext } from "./ending-context.ts";

interface ExitRule {
  readonly id: string;
  readonly type: BlockerType;
  readonly class: BlockerClass;
  readonly codes: readonly number[];
  readonly signals: readonly string[];
}

/** Codes of shells, and of the signals a supervisor or the kernel sends. */
const EXIT_RULES = [
  {
    id: "exit-killed",
    type: "resource_exhausted",
    class: "hard",
    codes: [137],
    signals: ["SIGKILL"],
  },
  {
    id: "exit-interrupted",
    type: "phase_incomplete",
    class: "soft",
    codes: [129, 130, 143],
    signals: ["SIGINT", "SIGTERM", "SIGHUP"],
  },
  {
    id: "exit-not-executable",
    type: "agent_usage_error",
    class: "soft",
    codes: [126],
    signals: [],
  },
  {
    id: "exit-command-missing",
    type: "missing_dependency",
    class: "hard",
    codes: [127],
    signals: [],
  },
] as const satisfies readonly ExitRule[];

export type ExitRuleId = (typeof EXIT_RULES)[number]["id"] | "exit-failed";

export interface ExitMeaning {
  readonly rule: ExitRuleId;
  readonly type: BlockerType;
  readonly class: BlockerClass;
  /** Says more than that something failed. */
  readonly isParticular: boolean;
}

/** null: it ended well, or nothing is known about it. */
export function exitMeaning({ exitCode, signal, isError }: EndingContext): ExitMeaning | null {
  const found = EXIT_RULES.find(
    ({ codes, signals }: ExitRule) =>
      (exitCode !== null && codes.includes(exitCode)) ||
      (signal !== null && signals.includes(signal)),
  );
  if (found !== undefined)
    return { rule: found.id, type: found.type, class: found.class, isParticular: true };
  const failed = (exitCode !== null && exitCode !== 0) || signal !== null || isError === true;
  return failed
    ? { rule: "exit-failed", type: "code_defect", class: "soft", isParticular: false }
    : null;
}
