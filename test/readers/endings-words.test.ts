import { describe, expect, test } from "vitest";

import { classifyEnding } from "../../src/readers/endings/classify-ending.ts";
import type { EndingVerdict } from "../../src/readers/endings/classify-ending.ts";
import { NO_CONTEXT } from "../../src/readers/endings/ending-context.ts";
import { TEXT_ROWS } from "../../src/readers/endings/text-rows.ts";

function ending(text: string): EndingVerdict {
  return classifyEnding({
    text,
    context: NO_CONTEXT,
    nowMs: Date.UTC(2026, 5, 10, 12),
    zone: "UTC",
  });
}

/** One plain example for each rule that looks at words; what is hard or soft by the rule says so. */
const EXAMPLES: readonly (readonly [name: string, text: string, rule: string, type: string])[] = [
  [
    "a quota of zero never comes back",
    "Quota exceeded for metric x, limit: 0",
    "quota-of-zero",
    "resource_exhausted",
  ],
  [
    "a quota of a day is a window",
    "Quota exceeded for metric x per day",
    "quota-for-a-day",
    "usage_limit",
  ],
  [
    "a quota that is back in seconds is a throttle",
    "You exceeded your current quota. Please retry in 20s.",
    "quota-with-short-delay",
    "rate_limit",
  ],
  [
    "an empty balance needs a person",
    "Your credit balance is too low",
    "billing",
    "resource_exhausted",
  ],
  [
    "a throttle that denies being the usage limit is believed",
    "Slowed (not your usage limit), resets 5pm",
    "not-the-usage-limit",
    "rate_limit",
  ],
  ["a plan window is waited for", "You've reached your weekly limit", "plan-window", "usage_limit"],
  [
    "a server without room is overloaded, whatever its status",
    "429: No capacity available for model m",
    "no-capacity",
    "overloaded",
  ],
  [
    "too many tokens in a minute is a throttle, not an overflow",
    "Too many tokens, please wait",
    "throttle",
    "rate_limit",
  ],
  [
    "a prompt that does not fit is handed over",
    "prompt is too long: 210000 tokens",
    "context-overflow",
    "context_exhaustion",
  ],
  [
    "a deadline of a server is a time-out",
    "request deadline exceeded",
    "server-deadline",
    "timeout",
  ],
  ["a fault of the provider is retried", "502 Bad Gateway", "provider-fault", "overloaded"],
  [
    "a full disk needs a person",
    "write failed: No space left on device",
    "disk-or-memory",
    "resource_exhausted",
  ],
  [
    "a script without its execute bit is the agent's to mend",
    "sh: 1: ./build.sh: Permission denied",
    "execute-bit",
    "agent_usage_error",
  ],
  [
    "a missing key needs a person",
    "PAYMENT_API_KEY is not set",
    "credential",
    "missing_credential",
  ],
  [
    "a model nobody has is the configuration's fault",
    "model m-9 does not exist",
    "configured-model",
    "invalid_specification",
  ],
  [
    "a refusal by policy needs a person",
    "EPERM: operation not permitted",
    "permission",
    "permission_policy",
  ],
  [
    "a counterexample refutes",
    "plausible found a counterexample: n = 4",
    "refuted",
    "mathematically_false",
  ],
  [
    "two criteria that exclude each other need a person",
    "Criteria 2 and 3 are mutually exclusive.",
    "contradictory-task",
    "invalid_specification",
  ],
  [
    "a spent plan needs another",
    "All three approaches have been tried and fail.",
    "strategy-spent",
    "strategy_failed",
  ],
  [
    "a compiler that crashes is not the agent's to mend",
    "internal compiler error: in fold",
    "broken-toolchain",
    "unresolvable_build_error",
  ],
  ["a broken connection is retried", "socket hang up", "stream-cut", "network_transient"],
  [
    "a held lock is retried",
    "Another git process seems to be running",
    "held-lock",
    "tool_transient",
  ],
  [
    "a tool server that died is retried",
    "MCP server docs disconnected",
    "tool-server",
    "tool_transient",
  ],
  ["a slow command goes on, narrower", "the command timed out", "time-out", "timeout"],
  [
    "a skipped gate is unfinished work",
    "The gates were not evaluated",
    "phase-left-out",
    "phase_incomplete",
  ],
  [
    "a refused publication needs a person",
    "404 Not Found - PUT https://r.dev/x",
    "publish-refused",
    "missing_dependency (hard)",
  ],
  [
    "a library that lacks a lemma needs a person",
    "Mathlib has no such lemma",
    "private-registry",
    "missing_dependency (hard)",
  ],
  [
    "a tool of the project is installed by the agent",
    "sh: 1: eslint: not found",
    "project-tool",
    "missing_dependency (soft)",
  ],
  [
    "a public package is installed by the agent",
    "No module named 'attrs'",
    "package-not-installed",
    "missing_dependency (soft)",
  ],
  [
    "a program of the system needs a person",
    "bash: helm: command not found",
    "system-package",
    "missing_dependency (hard)",
  ],
  [
    "an uncaught exception is a defect",
    "Traceback (most recent call last)\nKeyError: 'id'",
    "failed-test",
    "code_defect",
  ],
  [
    "a wrong flag is the agent's to correct",
    "error: unknown option '--fast'",
    "wrong-call",
    "agent_usage_error",
  ],
  ["any other error is fed back", "error: x is immutable here", "ordinary-error", "code_defect"],
];

describe("an ending told by its words", () => {
  test.each(EXAMPLES)("%s", (_name, text, rule, type) => {
    const verdict = ending(text);
    const shown = type.includes("(") ? `${verdict.type} (${verdict.class})` : verdict.type;
    expect([verdict.rule, shown]).toEqual([rule, type]);
  });

  test("has an example here for every rule", () => {
    const ids = TEXT_ROWS.map(({ id }) => id);
    expect(EXAMPLES.map(([, , rule]) => rule).sort()).toEqual([...ids].sort());
  });
});
