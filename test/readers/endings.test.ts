import { anything, array, assert, constantFrom, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { CrashCause } from "../../src/core/model/evidence.ts";
import { isObject } from "../../src/core/model/json.ts";
import { crashCause, EXIT_ROWS, WORD_ROWS } from "../../src/readers/endings/crash-cause.ts";
import { FAULT_ROWS } from "../../src/readers/endings/faults.ts";
import { history, noReport, policy, streaks } from "../core/builders.ts";
import { evidence } from "../support/builders.ts";

const NOON = Date.UTC(2026, 5, 10, 12);

/** As the driver of any program reports that it died: its exit, and the end of its error output. */
function died(detail: string, exitCode = 1, signal: string | null = null) {
  const ending = { kind: "crashed", exitCode, signal, detail } as const;
  const at = { nowMs: NOON, zone: "UTC", dice: 0.5 };
  return evidence({ ending, report: noReport, gates: [], at });
}

function cause(detail: string, exitCode = 1, signal: string | null = null): CrashCause | null {
  return died(detail, exitCode, signal).readings.crash;
}

const body = (fields: object): string => JSON.stringify({ type: "error", error: fields });

/** What a program printed, how it left, and the row that names the cause: one for each row there is. */
const FIRED: readonly (readonly [rule: string, type: string, detail: string, exitCode?: number])[] =
  [
    ["api-overloaded", "overloaded", body({ type: "overloaded_error" })],
    ["api-server", "overloaded", '{"statusCode":504}'],
    ["api-billing", "resource_exhausted", body({ code: "insufficient_quota" })],
    ["api-credential", "missing_credential", '{"type":"result","api_error_status":401}'],
    ["api-throttle", "rate_limit", body({ type: "rate_limit_error", message: "slower" })],
    ["api-window", "usage_limit", body({ type: "usage_limit_reached", resets_in_seconds: 3600 })],
    ["api-context", "context_exhaustion", '{"terminal_reason":"prompt_too_long"}'],
    ["api-model", "invalid_specification", '{"status":404}'],
    ["api-permission", "permission_policy", '{"stop_reason":"refusal"}'],
    ["api-rejected", "unresolvable_build_error", body({ code: 400, message: "odd blocks" })],
    ["exit-command-missing", "missing_dependency", "sh: 1: agent: not found", 127],
    ["exit-killed", "resource_exhausted", "", 137],
    ["billing", "resource_exhausted", "Your credit balance is too low"],
    ["plan-window", "usage_limit", "You've reached your weekly limit"],
    ["throttle", "rate_limit", "ThrottlingException: Too many tokens, please wait"],
    ["context-overflow", "context_exhaustion", "prompt is too long: 210000 tokens"],
    ["provider-fault", "overloaded", "502 Bad Gateway"],
    ["disk-or-memory", "resource_exhausted", "write failed: No space left on device"],
    ["credential", "missing_credential", "ANTHROPIC_API_KEY is not set"],
    ["model-refused", "invalid_specification", "The model `m-9` does not exist"],
    ["policy-refused", "permission_policy", "the request appears to violate our Usage Policy"],
    ["network", "network_transient", "API Error: socket hang up"],
  ];

describe("the end of a program that died", () => {
  const rows = FIRED.map(([rule, type, ...output]) => [rule, type, output] as const);
  test.each(rows)("falls under %s: %s, and that decides", (rule, type, output) => {
    const seen = died(...output);
    expect(seen.readings.crash).toMatchObject({ rule, type });
    const again = history({ streaks: streaks({ crashed: 1 }) });
    expect(decide(seen, again, policy()).rule).not.toBe("session-crashed");
  });

  test("has an example here for every row", () => {
    const ids = [...FAULT_ROWS, ...EXIT_ROWS, ...WORD_ROWS].map(({ id }) => id);
    expect(FIRED.map(([rule]) => rule).toSorted()).toEqual(ids.toSorted());
  });

  test.each([
    ["Rate limit exceeded. Please retry after 60 seconds.", "rate_limit"],
    [
      "You have exhausted your capacity on this model. Your quota will reset after 4h.",
      "usage_limit",
    ],
    [
      "You have exhausted your capacity on this model. Your quota will reset after 53s.",
      "rate_limit",
    ],
    ["Slowed (not your usage limit): temporarily limiting requests", "rate_limit"],
    ["Quota exceeded for metric x per day", "usage_limit"],
    ["Quota exceeded for metric x, limit: 0", "resource_exhausted"],
    ["You exceeded your current quota, check your plan and billing", "resource_exhausted"],
    ["You exceeded your current quota. Please retry in 20s.", "rate_limit"],
    ["429: No capacity available for model m", "overloaded"],
    ["We're currently experiencing high demand", "overloaded"],
    ["context window exceeds limit", "context_exhaustion"],
    ["Please run /login · API Error", "missing_credential"],
    [
      "fatal: could not read Username for 'https://x.dev': terminal prompts disabled",
      "missing_credential",
    ],
    ["JavaScript heap out of memory", "resource_exhausted"],
    ["Selected model is not available on your plan", "invalid_specification"],
    ["dial tcp: lookup x.dev: no such host", "network_transient"],
  ])("%j is %s", (detail, type) => {
    expect(cause(detail)?.type).toBe(type);
  });

  test.each([
    [
      "a test that failed",
      "FAIL test/api.test.ts\nError: expected 429 Too Many Requests\nTests: 1 failed",
    ],
    ["the name of a passed test", "✓ says 'usage limit reached' on 429 (4 ms)"],
    ["a diff", '+  fail("no space left on device")'],
    ["source code", 'throw new Error("No space left on device");'],
    ["a quotation", "> Error: connect ECONNREFUSED 10.0.0.1"],
    ["a fenced block", "Before:\n```\nfatal: Authentication failed\n```\nafter."],
    [
      "a calm line of a log",
      "2026-06-10 11:00:00 INFO throttled by upstream: 429 Too Many Requests",
    ],
    ["a limit that is near", "You have used 91% of your weekly limit"],
    ["an account of work", "Added a retry for 503 Service Unavailable."],
    ["a commit", "fix(auth): report an expired token"],
    ["a condition", "If you see 'usage limit reached', wait."],
    ["an ordinary error", "TypeError: x is not a function"],
    ["a program's own permissions", "EACCES: permission denied, open '/etc/x'"],
    [
      "a record of a success",
      '{"type":"result","is_error":false,"result":"429 Too Many Requests"}',
    ],
    ["a line of a structured log", '{"level":"info","status":401}'],
    ["nothing", ""],
  ])("names nothing by %s", (_what, detail) => {
    expect(cause(detail)).toBeNull();
  });

  test("is read behind the report of tests that failed", () => {
    expect(cause("Tests: 1 failed\nYou've hit your session limit")?.type).toBe("usage_limit");
  });

  test("names nothing by words where the program ended well", () => {
    expect(cause("usage limit reached", 0)).toBeNull();
    expect(cause('{"is_error":true,"api_error_status":401}', 0)?.type).toBe("missing_credential");
  });
});

describe("an answer of the provider", () => {
  test.each<[string, object, CrashCause["type"]]>([
    ["prompt is too long", { status: 400, type: "invalid_request_error" }, "context_exhaustion"],
    ["credit balance too low", { status: 400 }, "resource_exhausted"],
    ["API key is not valid", { status: 400 }, "missing_credential"],
    ["API rate limit exceeded for user ID 1", { status: 403 }, "rate_limit"],
    ["usage limit reached", { status: 429 }, "usage_limit"],
    ["no space left", { status: 529 }, "overloaded"],
    ["", { status: 400, type: "overloaded_error" }, "overloaded"],
    ["", { status: "503" }, "overloaded"],
  ])("%j with %j is %s", (message, error, type) => {
    expect(cause(body({ ...error, message }))?.type).toBe(type);
  });

  test("on the last line counts, whatever was printed before", () => {
    expect(cause(`reading\nusage limit reached\n${body({ status: 401 })}`)?.type).toBe(
      "missing_credential",
    );
  });

  test("states a reset before words do", () => {
    const error = { status: 429, message: "usage limit reached, resets 5pm" };
    expect(cause(body({ ...error, resets_at: NOON / 1000 + 7200 }))).toMatchObject({
      type: "usage_limit",
      resetAtMs: NOON + 7_200_000,
    });
    expect(cause(body({ ...error, retry_after: 12 }))).toMatchObject({
      type: "rate_limit",
      resetAtMs: NOON + 12_000,
      retryAfterMs: 12_000,
    });
  });
});

describe("the cause", () => {
  test.each<[string, string, CrashCause["type"]]>([
    ["five minutes is a throttle", "usage limit reached, try again in 5 minutes", "rate_limit"],
    ["more is a window", "usage limit reached, try again in 301 seconds", "usage_limit"],
    [
      "an hour of throttling is a throttle",
      "rate limit exceeded, retry after 3600 seconds",
      "rate_limit",
    ],
    ["more is a window too", "rate limit exceeded, retry after 3601 seconds", "usage_limit"],
  ])("%s", (_name, text, type) => {
    expect(cause(text)?.type).toBe(type);
  });

  test("quotes the decisive words, inert, on one line and bounded", () => {
    const text = `${"lead ".repeat(80)}\u001b[31mERROR\u001b[0m:\tDisk\u0000 full\n${"tail ".repeat(80)}`;
    const { evidence: words = "" } = cause(text) ?? {};
    expect(words).toContain("Disk full");
    expect(words.length).toBeLessThanOrEqual(200);
    expect(words).not.toContain("\n");
    expect(words).not.toContain("\u0000");
  });

  test("has no reset where no clock clears it", () => {
    expect(cause("credit balance is too low, try again in 3 days")).toMatchObject({
      resetAtMs: null,
      retryAfterMs: null,
    });
  });
});

/** Pieces of messages, so that most texts nearly are one. */
const piece = constantFrom(
  ..."usage limit reached|resets|5pm|in|3 days|(Europe/Paris)|Oct 6,|rate limit exceeded|\n|1760000400".split(
    "|",
  ),
  ..."error:|401|timed out|not found|✓|FAIL a.test.ts|1 failed|{|}|```|\u001b[31m|\u0000|\ud800|+ |> |retry after|60".split(
    "|",
  ),
);
const anyText = array(piece, { maxLength: 30 }).map((pieces) => pieces.join(" "));
const RUNS = { numRuns: 300 };

describe("whatever is printed", () => {
  test("no reset is named that no digit states, and only for what a clock clears", () => {
    assert(
      property(anyText, (text) => {
        const { type, resetAtMs } = cause(text) ?? { type: null, resetAtMs: null };
        if (resetAtMs !== null) expect(["usage_limit", "rate_limit", "overloaded"]).toContain(type);
        expect(cause(text.replace(/\d/g, "x"))?.resetAtMs ?? null).toBeNull();
      }),
      RUNS,
    );
  });

  test("a clock is never past and never more than a day ahead", () => {
    const clock = tuple(constantFrom(1, 5, 12), constantFrom("am", "pm"), constantFrom("", " UTC"));
    assert(
      property(clock, ([hour, half, zone]) => {
        const reset = cause(`usage limit reached, resets ${hour}${half}${zone}`)?.resetAtMs;
        expect(reset).toBeGreaterThanOrEqual(NOON);
        expect(reset).toBeLessThanOrEqual(NOON + 86_400_000);
      }),
    );
  });

  test("any text and any record are taken", () => {
    assert(
      property(string({ unit: "binary", maxLength: 300 }), anything(), (text, record) => {
        const crash = { text, exitCode: 1, signal: null, nowMs: NOON, zone: "UTC" };
        const named = crashCause({ ...crash, record: isObject(record) ? record : null });
        expect(named === null || named.evidence.length <= 200).toBe(true);
      }),
      RUNS,
    );
  });

  test.each(
    [
      " ",
      "\n",
      "\u0000",
      "\ud800",
      "\u001b[",
      "\u001b]0;",
      "```\n",
      '{"a":',
      "1",
      "a ",
      "./a",
      "a_a_",
    ]
      .concat(["usage limit ", "exceeded your ", "tokens per minute limit ", "exceeds context "])
      .concat(["api key token ", "no a a ", "connection was ", "model ", "1 failed, ", "FAIL a::"])
      .concat(["    at a (", "2026-06-10T12:00:00Z [a] ", "resets ", "try again in 1 day 1 day "])
      .concat(["resets Oct 6, ", "resets 5pm (a/a/a/", "resets at at at on in · ", "|1760000"]),
  )("a megabyte of %j is read to its end", (part) => {
    const text = part.repeat(Math.ceil(1_048_576 / part.length));
    expect(cause(`${text}\nno space left on device`)?.type ?? "none").toBeTypeOf("string");
  });
});
