import { describe, expect, test } from "vitest";

import { failureIdentity, normalise } from "../../src/readers/failure/normalise.ts";
import type { Finding, GateResult, Verdict } from "../../src/core/model/verdict.ts";

describe("noise between two runs does not make another error", () => {
  test.each([
    ["colour", "\u001b[31mprice\u001b[0m is missing", "price is missing"],
    ["case and white space", "Price  is\n missing ", "price is missing"],
    ["wide characters", "ｐｒｉｃｅ is missing", "price is missing"],
    [
      "a UUID",
      "job 3f0b1c52-7a1e-4c0d-9f55-0a1b2c3d4e5f died",
      "job 99999999-7a1e-4c0d-9f55-0a1b2c3d4e5f died",
    ],
    ["a request id", "refused (request-id: abc-123-x)", "refused (request-id: zz9-877-y)"],
    ["an address", "<Total object at 0x7fa319361d10>", "<Total object at 0x7f917b77b310>"],
    ["a commit", "at 3fa8b2c1d0e9", "at 91ab00cd22ef"],
    ["a time", "failed at 2025-01-02T03:04:05.678Z", "failed at 2026-11-20 13:14:15"],
    ["a duration", "timed out after 51.8ms", "timed out after 3 seconds"],
    ["a process", "worker (pid 4121) died", "worker (pid 871) died"],
    ["a temporary folder", "open /tmp/run-a1b2c3/x/cart.ts", "open /var/folders/z1/T/cart.ts"],
    ["a home folder", "open /home/ann/shop/cart.ts", "open C:\\Users\\bob\\shop\\cart.ts"],
    ["a random name", "no /tmp/orch-a1b2c3", "no /tmp/orch-zz81kq"],
    ["a line", "invalid syntax, line 12", "invalid syntax, line 9"],
    ["a position", "src/cart.ts:12:4 is wrong", "src/cart.ts:13:40 is wrong"],
    ["a line of a file", "src/cart.py:12: bad", "src/cart.py:40: bad"],
    ["the count of attempts", "gave up, attempt 3 of 5", "gave up, attempt 1 of 4"],
    ["a large number", "wrote 123456 bytes", "wrote 99887 bytes"],
  ])("%s", (_what, one, other) => {
    expect(normalise(one)).toBe(normalise(other));
  });
});

describe("what identifies an error is kept", () => {
  test.each([
    ["a module", "Cannot find module './a.js'", "Cannot find module './b.js'"],
    ["a package", "No module named 'attrs'", "No module named 'yaml'"],
    ["a file's base name", "open /tmp/x/cart.ts", "open /tmp/x/price.ts"],
    ["an identifier", "total is not a function", "sum is not a function"],
    ["a port", "connect 127.0.0.1:54321 refused", "connect 127.0.0.1:54322 refused"],
    ["a named port", "port 54321 is in use", "port 54322 is in use"],
    ["an HTTP answer", "answered 404", "answered 500"],
    ["an errno", "[Errno 111] refused", "[Errno 113] refused"],
    ["an expected value", "expected 12345 to be 12346", "expected 12345 to be 12347"],
    ["a small number", "expected 4 to be 3", "expected 5 to be 3"],
    ["a class", "TypeError: no total", "RangeError: no total"],
    ["a compiler's code", "error TS2322: no total", "error TS2345: no total"],
  ])("%s", (_what, one, other) => {
    expect(normalise(one)).not.toBe(normalise(other));
  });
});

test.each([
  ["slashes", "/tmp/".repeat(200_000)],
  ["links", "https://".repeat(130_000)],
  ["labels", "a.".repeat(500_000)],
  ["digits", "1".repeat(1_000_000)],
  ["hex", "ab12".repeat(250_000)],
  ["spaces", `error${" ".repeat(1_000_000)}:`],
  ["escapes", "\u001b[".repeat(500_000)],
  ["times", "12:".repeat(330_000)],
])("a megabyte of %s is normalised to its end", (_what, text) => {
  expect(normalise(text).length).toBeLessThanOrEqual(300);
});

const failed = (...findings: readonly Finding[]): Verdict => ({ kind: "failed", findings });
const gate = (name: string, verdict: Verdict, more: Partial<GateResult> = {}): GateResult => ({
  name,
  required: true,
  verdict,
  counts: null,
  elapsedMs: 5,
  tookMs: 5,
  excerpt: "",
  flaky: false,
  flakyFindings: [],
  faults: null,
  ...more,
});
const adds: Finding = { check: "cart > adds up", message: "expected 4 to be 3" };
const raises: Finding = { check: "cart > raises", message: "TypeError: price is missing" };

describe("the identity of a failure", () => {
  test("names the failing checks and counts them", () => {
    expect(failureIdentity([gate("test", failed(raises, adds))])).toEqual({
      fp: expect.stringMatching(/^[0-9a-f]{16}$/),
      failing: ["test: cart > adds up", "test: cart > raises"],
      failingCount: 2,
    });
  });

  test("does not depend on the order of findings, on noise, or on gates that passed", () => {
    const one = failureIdentity([gate("test", failed(raises, adds))]);
    const other = failureIdentity([
      gate("lint", { kind: "passed" }),
      gate("test", failed(adds, { ...raises, message: "  TypeError: price is MISSING" }), {
        elapsedMs: 99,
      }),
    ]);
    expect(other).toEqual(one);
  });

  test.each([
    ["another check fails", [gate("test", failed(adds))]],
    ["one more check fails", [gate("test", failed(adds, raises, { ...adds, check: "x" }))]],
    ["a check says something else", [gate("test", failed({ ...adds, message: "no" }, raises))]],
    ["another gate fails", [gate("unit", failed(adds, raises))]],
  ])("is another when %s", (_why, gates) => {
    const before = failureIdentity([gate("test", failed(adds, raises))]);
    expect(failureIdentity(gates)?.fp).not.toBe(before?.fp);
  });

  test("is what was read from the whole output, where that was kept", () => {
    const before = gate("test", failed(adds), { faults: ["a"] });
    const of = (more: Partial<GateResult>) => failureIdentity([{ ...before, ...more }])?.fp;
    expect(of({ verdict: failed({ ...adds, message: "cut in another place…" }) })).toBe(of({}));
    expect(of({ faults: ["b"] })).not.toBe(of({}));
  });

  test("counts as the runner counted where findings were cut", () => {
    const counts = { runner: "vitest", passed: 1, failed: 40, skipped: 0 };
    const identity = failureIdentity([
      gate("test", failed(adds, raises), { counts }),
      gate("lint", failed()),
    ]);
    expect(identity?.failingCount).toBe(41);
    expect(identity?.failing).toEqual(["lint", "test: cart > adds up", "test: cart > raises"]);
  });

  test.each([
    ["nothing ran", []],
    ["all passed", [gate("test", { kind: "passed" })]],
    ["nothing is known", [gate("test", { kind: "unknown", why: "timed-out", detail: "" })]],
    ["only an optional gate failed", [gate("lint", failed(adds), { required: false })]],
  ])("there is none where %s", (_why, gates) => {
    expect(failureIdentity(gates)).toBeNull();
  });
});
