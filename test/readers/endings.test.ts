import { describe, expect, test } from "vitest";

import { classifyEnding } from "../../src/readers/endings/classify-ending.ts";
import type { EndingVerdict } from "../../src/readers/endings/classify-ending.ts";
import { contextFrom, NO_CONTEXT } from "../../src/readers/endings/ending-context.ts";
import { FAULT_ROWS } from "../../src/readers/endings/faults.ts";
import { EVENT_ROWS } from "../../src/readers/endings/structure.ts";

const NOON = Date.UTC(2026, 5, 10, 12);

function ending(text: string, context: object = {}): EndingVerdict {
  return classifyEnding({ text, context: contextFrom(context), nowMs: NOON, zone: "UTC" });
}

/** One example for each rule that looks at structure alone. */
const STRUCTURED: readonly (readonly [
  name: string,
  context: object,
  rule: string,
  type: string,
])[] = [
  [
    "a rejected limit event is definitive",
    { event: "rate_limit_event", status: "rejected" },
    "limit-rejected",
    "usage_limit",
  ],
  [
    "a warning event is none",
    { event: "rate_limit_event", status: "allowed_warning" },
    "limit-allowed",
    "none",
  ],
  [
    "a spent turn limit is unfinished work",
    { subtype: "error_max_turns" },
    "turns-spent",
    "phase_incomplete",
  ],
  [
    "a spent budget needs a person",
    { subtype: "error_max_budget_usd" },
    "budget-spent",
    "resource_exhausted",
  ],
  [
    "a full context is handed over",
    { terminal_reason: "prompt_too_long" },
    "context-full",
    "context_exhaustion",
  ],
  ["a refusal needs a person", { stop_reason: "refusal" }, "refused", "permission_policy"],
  [
    "a result that succeeded is none",
    { event: "result", subtype: "success", is_error: false },
    "event-succeeded",
    "none",
  ],
  ["the exit code of timeout is a time-out", { exit_code: 124 }, "command-timed-out", "timeout"],
  ["529 is overloaded", { http_status: 529 }, "api-overloaded", "overloaded"],
  ["503 is retried like it", { http_status: 503 }, "api-server", "overloaded"],
  ["504 is overloaded", { http_status: 504 }, "api-deadline", "overloaded"],
  ["402 is money", { http_status: 402 }, "api-billing", "resource_exhausted"],
  ["401 is a credential", { http_status: 401 }, "api-credential", "missing_credential"],
  ["429 is a throttle", { http_status: 429 }, "api-throttle", "rate_limit"],
  [
    "a window by name is a window",
    { http_status: 429, api_error_type: "usage_limit_reached" },
    "api-window",
    "usage_limit",
  ],
  ["413 is the context", { http_status: 413 }, "api-context", "context_exhaustion"],
  [
    "an unknown model is the configuration's fault",
    { http_status: 404, error_type: "model_not_found" },
    "api-model",
    "invalid_specification",
  ],
  ["403 is a permission", { http_status: 403 }, "api-permission", "permission_policy"],
  [
    "400 is a request that will never do",
    { http_status: 400 },
    "api-rejected",
    "unresolvable_build_error",
  ],
  ["404 is a wrong configuration", { http_status: 404 }, "api-not-found", "invalid_specification"],
];

describe("structure", () => {
  test.each(STRUCTURED)("%s", (_name, context, rule, type) => {
    // Words of another kind, which must not matter.
    expect(ending("ready in 4 ms", context)).toMatchObject({ rule, type });
  });

  test("has an example here for every rule", () => {
    const ids = [...EVENT_ROWS, ...FAULT_ROWS].map(({ id }) => id);
    expect(STRUCTURED.map(([, , rule]) => rule)).toEqual(expect.arrayContaining(ids));
  });

  test.each<[string, string, object, EndingVerdict["type"]]>([
    [
      "400 with an overflow is handed over",
      "prompt is too long",
      { http_status: 400, api_error_type: "invalid_request_error" },
      "context_exhaustion",
    ],
    [
      "400 with an empty balance needs a person",
      "credit balance too low",
      { http_status: 400 },
      "resource_exhausted",
    ],
    [
      "400 with a bad key needs a person",
      "API key not valid",
      { http_status: 400 },
      "missing_credential",
    ],
    [
      "403 with a throttle is a throttle",
      "API rate limit exceeded for user ID 1",
      { http_status: 403 },
      "rate_limit",
    ],
    [
      "429 with a plan window is a window",
      "usage limit reached",
      { http_status: 429 },
      "usage_limit",
    ],
    [
      "429 with no money left is money",
      "insufficient_quota",
      { http_status: 429 },
      "resource_exhausted",
    ],
    [
      "a status does not let other words in",
      "permission denied",
      { http_status: 529 },
      "overloaded",
    ],
    [
      "an exact name beats a status",
      "",
      { http_status: 400, api_error_type: "overloaded_error" },
      "overloaded",
    ],
    ["an exit code of zero beats words", "error: permission denied", { exit_code: 0 }, "none"],
    [
      "a status beats an exit code of zero",
      "",
      { exit_code: 0, http_status: 401 },
      "missing_credential",
    ],
    [
      "a failed result is no calm exit",
      "socket hang up",
      { exit_code: 0, is_error: true },
      "network_transient",
    ],
    ["words beat a plain exit code", "ETIMEDOUT", { exit_code: 1 }, "network_transient"],
    [
      "a shell's own code beats a general error",
      "error: it ended",
      { exit_code: 127 },
      "missing_dependency",
    ],
    ["no words and a code is a defect", "", { exit_code: 3 }, "code_defect"],
    ["a kill is a want of memory", "", { exit_code: 137 }, "resource_exhausted"],
    ["a kill by signal is one too", "", { signal: "SIGKILL" }, "resource_exhausted"],
    ["an interruption is unfinished work", "", { exit_code: 143 }, "phase_incomplete"],
    ["what cannot be executed was called wrongly", "", { exit_code: 126 }, "agent_usage_error"],
    ["nothing at all is none", "", {}, "none"],
  ])("%s", (_name, text, context, type) => {
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
      { rule: "declared-unrecoverable", class: "hard" },
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
      "a wish for review takes its reason from the words",
      "the deploy key has expired",
      { requires_user_review: true },
      { rule: "declared-review", type: "missing_credential" },
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
