import { describe, expect, test } from "vitest";

import { classifyEnding, type EndingVerdict } from "../../src/readers/endings/classify-ending.ts";
import { contextFrom, NO_CONTEXT } from "../../src/readers/endings/ending-context.ts";
import { FAULT_ROWS } from "../../src/readers/endings/faults.ts";
import { EVENT_ROWS } from "../../src/readers/endings/structure.ts";

const NOON = Date.UTC(2026, 5, 10, 12);

function ending(text: string, context: object = {}): EndingVerdict {
  return classifyEnding({ text, context: contextFrom(context), nowMs: NOON, zone: "UTC" });
}

/** One example for each rule that looks at structure alone. */
const STRUCTURED: readonly (readonly [context: object, rule: string, type: string])[] = [
  [{ event: "rate_limit_event", status: "rejected" }, "limit-rejected", "usage_limit"],
  [{ event: "rate_limit_event", status: "allowed_warning" }, "limit-allowed", "none"],
  [{ subtype: "error_max_turns" }, "turns-spent", "phase_incomplete"],
  [{ subtype: "error_max_budget_usd" }, "budget-spent", "resource_exhausted"],
  [{ terminal_reason: "prompt_too_long" }, "context-full", "context_exhaustion"],
  [{ stop_reason: "refusal" }, "refused", "permission_policy"],
  [{ event: "result", subtype: "success", is_error: false }, "event-succeeded", "none"],
  [{ exit_code: 124 }, "command-timed-out", "timeout"],
  [{ http_status: 529 }, "api-overloaded", "overloaded"],
  [{ http_status: 503 }, "api-server", "overloaded"],
  [{ http_status: 504 }, "api-deadline", "overloaded"],
  [{ http_status: 402 }, "api-billing", "resource_exhausted"],
  [{ http_status: 401 }, "api-credential", "missing_credential"],
  [{ http_status: 429 }, "api-throttle", "rate_limit"],
  [{ http_status: 429, api_error_type: "usage_limit_reached" }, "api-window", "usage_limit"],
  [{ http_status: 413 }, "api-context", "context_exhaustion"],
  [{ http_status: 404, error_type: "model_not_found" }, "api-model", "invalid_specification"],
  [{ http_status: 403 }, "api-permission", "permission_policy"],
  [{ http_status: 400 }, "api-rejected", "unresolvable_build_error"],
  [{ http_status: 404 }, "api-not-found", "invalid_specification"],
];

describe("structure", () => {
  test.each(STRUCTURED)("%j falls under %s: %s", (context, rule, type) => {
    // Words of another kind, which must not matter.
    expect(ending("ready in 4 ms", context)).toMatchObject({ rule, type });
  });

  test("has an example here for every rule", () => {
    const ids = [...EVENT_ROWS, ...FAULT_ROWS].map(({ id }) => id);
    expect(STRUCTURED.map(([, rule]) => rule)).toEqual(expect.arrayContaining(ids));
  });

  test.each<[string, object, EndingVerdict["type"]]>([
    [
      "prompt is too long",
      { http_status: 400, api_error_type: "invalid_request_error" },
      "context_exhaustion",
    ],
    ["credit balance too low", { http_status: 400 }, "resource_exhausted"],
    ["API key not valid", { http_status: 400 }, "missing_credential"],
    ["API rate limit exceeded for user ID 1", { http_status: 403 }, "rate_limit"],
    ["usage limit reached", { http_status: 429 }, "usage_limit"],
    ["insufficient_quota", { http_status: 429 }, "resource_exhausted"],
    ["permission denied", { http_status: 529 }, "overloaded"],
    ["", { http_status: 400, api_error_type: "overloaded_error" }, "overloaded"],
    ["error: permission denied", { exit_code: 0 }, "none"],
    ["", { exit_code: 0, http_status: 401 }, "missing_credential"],
    ["socket hang up", { exit_code: 0, is_error: true }, "network_transient"],
    ["ETIMEDOUT", { exit_code: 1 }, "network_transient"],
    ["error: it ended", { exit_code: 127 }, "missing_dependency"],
    ["", { exit_code: 3 }, "code_defect"],
    ["", { exit_code: 137 }, "resource_exhausted"],
    ["", { signal: "SIGKILL" }, "resource_exhausted"],
    ["", { exit_code: 143 }, "phase_incomplete"],
    ["", { exit_code: 126 }, "agent_usage_error"],
    ["", {}, "none"],
  ])("%j with %j is %s", (text, context, type) => {
    expect(ending(text, context).type).toBe(type);
  });
});

describe("what the agent declared", () => {
  test.each<[string, string, object, Partial<EndingVerdict>]>([
    [
      "a known type is believed over words",
      "usage limit reached",
      { declared_type: "invalid_specification" },
      { rule: "declared-type", type: "invalid_specification", decision: "pause_human" },
    ],
    [
      "a soft type is soft",
      "",
      { declared_type: "timeout" },
      { type: "timeout", class: "soft", decision: "continue" },
    ],
    [
      "a dependency out of reach is hard",
      "",
      { declared_type: "missing_dependency", recoverable: false },
      { class: "hard", decision: "pause_human" },
    ],
    [
      "a dependency within reach is soft",
      "",
      { declared_type: "missing_dependency", recoverable: true },
      { class: "soft", decision: "continue" },
    ],
    [
      "an unknown type without recovery pauses",
      "",
      { declared_type: "gremlins", recoverable: false },
      { rule: "declared-review", class: "hard" },
    ],
    [
      "an unknown type with recovery is not a type",
      "",
      { declared_type: "gremlins", recoverable: true },
      { rule: "nothing-said" },
    ],
    [
      "a wish for review pauses without a reason",
      "",
      { requires_user_review: true },
      { rule: "declared-review", type: "strategy_failed", class: "hard" },
    ],
    [
      "partial work goes on",
      "",
      { declared_status: "partial" },
      { rule: "declared-partial", type: "phase_incomplete" },
    ],
    [
      "completed work blocks nothing",
      "error: none",
      { declared_status: "completed" },
      { rule: "declared-completed", type: "none" },
    ],
    [
      "an uncertain status is no state",
      "",
      { declared_status: "uncertain" },
      { rule: "nothing-said" },
    ],
    [
      "a state file in the text counts",
      '{"status":"blocked","errors":[{"type":"missing_credential"}]}',
      {},
      { rule: "declared-type", type: "missing_credential" },
    ],
    [
      "a recoverable error in it does not outweigh partial",
      '{"status":"partial","errors":[{"type":"timeout","recoverable":true}]}',
      {},
      { type: "phase_incomplete" },
    ],
    [
      "an event on the last line counts",
      'some log\n{"type":"result","subtype":"error_max_turns"}',
      {},
      { type: "phase_incomplete" },
    ],
    [
      "a line of a structured log does not",
      '{"level":"info","status":"blocked","errors":[{"type":"missing_credential"}]}',
      {},
      { type: "none" },
    ],
  ])("%s", (_name, text, context, verdict) => {
    expect(ending(text, context)).toMatchObject(verdict);
  });
});

describe("the verdict", () => {
  test.each<[string, string, EndingVerdict["type"]]>([
    ["five minutes is a throttle", "usage limit reached, try again in 5 minutes", "rate_limit"],
    ["more is a window", "usage limit reached, try again in 301 seconds", "usage_limit"],
    [
      "an hour of throttling is a throttle",
      "rate limit exceeded, retry after 3600 seconds",
      "rate_limit",
    ],
    ["more is a window too", "rate limit exceeded, retry after 3601 seconds", "usage_limit"],
  ])("%s", (_name, text, type) => {
    expect(ending(text).type).toBe(type);
  });

  test("quotes the decisive words, inert, on one line and bounded", () => {
    const text = `${"lead ".repeat(80)}\u001b[31mERROR\u001b[0m:\tPermission\u0000 denied\n${"tail ".repeat(80)}`;
    const { evidence } = ending(text);
    expect(evidence).toContain("Permission denied");
    expect(evidence.length).toBeLessThanOrEqual(200);
    expect(evidence).not.toContain("\n");
    expect(evidence).not.toContain("\u0000");
  });

  test("takes a stated reset from structure before words", () => {
    const stated = { http_status: 429, reset_at_ms: NOON + 7_200_000 };
    expect(ending("usage limit reached, resets 5pm", stated)).toMatchObject({
      type: "usage_limit",
      resetAtMs: NOON + 7_200_000,
    });
    expect(ending("too many requests", { retry_after: 12 })).toMatchObject({
      resetAtMs: NOON + 12_000,
      retryAfterMs: 12_000,
    });
  });

  test("gives no reset to what no clock clears", () => {
    expect(ending("credit balance is too low, try again in 3 days")).toMatchObject({
      resetAtMs: null,
      retryAfterMs: null,
    });
  });

  test("needs no context", () => {
    expect(contextFrom(null)).toEqual(NO_CONTEXT);
    expect(
      contextFrom({ exit_code: "x", http_status: true, signal: 9, recoverable: "yes" }),
    ).toEqual(NO_CONTEXT);
  });
});
