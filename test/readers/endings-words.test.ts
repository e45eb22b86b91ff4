import { describe, expect, test } from "vitest";

import { classifyEnding, type EndingVerdict } from "../../src/readers/endings/classify-ending.ts";
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

/** Plain examples for each rule that looks at words; what is hard or soft by the rule says so. */
const EXAMPLES: readonly (readonly [text: string, rule: string, type: string])[] = [
  ["Quota exceeded for metric x, limit: 0", "billing", "resource_exhausted"],
  ["Quota exceeded for metric x per day", "quota-for-a-day", "usage_limit"],
  ["You exceeded your current quota. Please retry in 20s.", "quota-with-short-delay", "rate_limit"],
  ["Your credit balance is too low", "billing", "resource_exhausted"],
  ["Slowed (not your usage limit): temporarily limiting requests", "throttle", "rate_limit"],
  ["You've reached your weekly limit", "plan-window", "usage_limit"],
  ["429: No capacity available for model m", "provider-fault", "overloaded"],
  ["Too many tokens, please wait", "throttle", "rate_limit"],
  ["prompt is too long: 210000 tokens", "context-overflow", "context_exhaustion"],
  ["request deadline exceeded", "time-out", "timeout"],
  ["502 Bad Gateway", "provider-fault", "overloaded"],
  ["write failed: No space left on device", "disk-or-memory", "resource_exhausted"],
  ["sh: 1: ./build.sh: Permission denied", "execute-bit", "agent_usage_error"],
  ["PAYMENT_API_KEY is not set", "credential", "missing_credential"],
  ["model m-9 does not exist", "configured-model", "invalid_specification"],
  ["EPERM: operation not permitted", "permission", "permission_policy"],
  ["plausible found a counterexample: n = 4", "refuted", "mathematically_false"],
  ["Criteria 2 and 3 are mutually exclusive.", "contradictory-task", "invalid_specification"],
  ["All three approaches have been tried and fail.", "strategy-spent", "strategy_failed"],
  ["internal compiler error: in fold", "broken-toolchain", "unresolvable_build_error"],
  ["socket hang up", "stream-cut", "network_transient"],
  ["Another git process seems to be running", "held-lock", "tool_transient"],
  ["MCP server docs disconnected", "tool-server", "tool_transient"],
  ["the command timed out", "time-out", "timeout"],
  ["The gates were not evaluated", "phase-left-out", "phase_incomplete"],
  ["404 Not Found - PUT https://r.dev/x", "system-package", "missing_dependency (hard)"],
  ["sh: 1: eslint: not found", "project-tool", "missing_dependency (soft)"],
  ["No module named 'attrs'", "package-not-installed", "missing_dependency (soft)"],
  ["bash: helm: command not found", "system-package", "missing_dependency (hard)"],
  ["Traceback (most recent call last)\nKeyError: 'id'", "failed-test", "code_defect"],
  ["error: unknown option '--fast'", "wrong-call", "agent_usage_error"],
  ["error: x is immutable here", "ordinary-error", "code_defect"],
];

describe("an ending told by its words", () => {
  test.each(EXAMPLES)("%j falls under %s: %s", (text, rule, type) => {
    const verdict = ending(text);
    const shown = type.includes("(") ? `${verdict.type} (${verdict.class})` : verdict.type;
    expect([verdict.rule, shown]).toEqual([rule, type]);
  });

  test("has an example here for every rule", () => {
    const ids = TEXT_ROWS.map(({ id }) => id);
    expect(new Set(EXAMPLES.map(([, rule]) => rule))).toEqual(new Set(ids));
  });
});
