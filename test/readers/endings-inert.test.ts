import { describe, expect, test } from "vitest";

import { classifyEnding, type EndingVerdict } from "../../src/readers/endings/classify-ending.ts";
import { NO_CONTEXT } from "../../src/readers/endings/ending-context.ts";

function ending(text: string): EndingVerdict {
  return classifyEnding({
    text,
    context: NO_CONTEXT,
    nowMs: Date.UTC(2026, 5, 10, 12),
    zone: "UTC",
  });
}

describe("no ending of this session", () => {
  test.each([
    ["a passed test's name", "✓ says 'usage limit reached' on 429 (4 ms)"],
    ["a diff", '+  "Too many requests": 429,\n-  fail("permission denied")'],
    ["source code", 'throw new Error("No space left on device");'],
    ["a quotation", "> Error: connect ECONNREFUSED 10.0.0.1"],
    ["a fenced block", "Before:\n```\nfatal: Authentication failed\n```\nafter."],
    ["a calm log line", "2026-06-10 11:00:00 INFO throttled by upstream: 429 Too Many Requests"],
    ["a warning", "npm warn EBADENGINE Unsupported engine"],
    ["an access log", '10.0.0.9 - - "POST /pay HTTP/1.1" 402 31'],
    ["somebody else's limit", "ERROR quota exceeded for customer 4711"],
    ["a limit that is near", "You have used 91% of your weekly limit"],
    ["an account of work", "Added a retry for 503 Service Unavailable."],
    ["a commit", "fix(auth): report an expired token"],
    ["a condition", "If you see 'usage limit reached', wait."],
    ["product behaviour", "The banner now shows 'access denied' to guests."],
    ["a count of zero", "0 errors, 0 failures"],
    [
      "a try that failed before others",
      "Attempt 1 failed: 429 Too Many Requests. Retrying.\nConnected.\nMigrated.\nDone.",
    ],
    ["a proof without a counterexample", "The search found no counterexample up to 1000."],
  ])("%s", (_what, text) => {
    expect(ending(text)).toMatchObject({
      type: "none",
      class: "none",
      decision: "continue",
      evidence: "",
    });
  });
});

describe("a test report", () => {
  const REPORT =
    "FAIL test/api.test.ts\nError: expected 'Too Many Requests' to be 'Unauthorized'\nTests: 1 failed, 3 passed";

  test("about limits and permissions is a defect, not a limit", () => {
    expect(ending(REPORT)).toMatchObject({ type: "code_defect", class: "soft" });
  });

  test("does not hide what was printed after it", () => {
    expect(ending(`${REPORT}\nYou've hit your session limit`).type).toBe("usage_limit");
  });

  test("does not hide that tests could not begin", () => {
    expect(
      ending(`FAILED tests/a.py::x\nE   ModuleNotFoundError: No module named 'attrs'\n1 failed`)
        .type,
    ).toBe("missing_dependency");
  });
});
