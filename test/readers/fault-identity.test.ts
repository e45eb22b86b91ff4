import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { isSameError } from "../../bench/eval/sets.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/faults/${name}.txt`, import.meta.url), "utf8").trimEnd();

const TRACEBACK = fixture("traceback");
const CHAIN = fixture("chain");
const NODE = fixture("node");
const VITEST = fixture("vitest");
const TAP = fixture("tap");
const UNPARSED = fixture("unparsed");
const JAVA = fixture("java");
const NPM = fixture("npm");
const RUSTC = fixture("rustc");
const JAVAC = fixture("javac");
const ESLINT = fixture("eslint");
const GO_TEST = fixture("go-test");

describe("what a run adds around a fault leaves it the same", () => {
  const moved = (shown: string): string =>
    shown.replaceAll("/home/ann/shop", "/var/tmp/orch-x81kd0");

  test.each<[string, string, string]>([
    ["the directory of a traceback", TRACEBACK, moved(TRACEBACK)],
    ["the line of a traceback", TRACEBACK, TRACEBACK.replace("line 12", "line 99")],
    ["the directory of a stack", NODE, moved(NODE)],
    ["a directory of Windows", NODE, NODE.replaceAll("/home/ann/shop/", "C:\\Users\\ann\\shop\\")],
    ["a line end of Windows", TRACEBACK, `${TRACEBACK.replaceAll("\n", "\r\n")}\r\n`],
    ["a time before each line", TRACEBACK, TRACEBACK.replace(/^/gm, "2026-01-02T03:04:05.123Z ")],
    [
      "colours",
      VITEST,
      VITEST.replace(/\b[a-z]+\b/gi, "\u001b[1m\u001b[31m$&\u001b[39m\u001b[22m"),
    ],
    ["the line of a stack", NODE, NODE.replaceAll(":2:32", ":7:9")],
    ["a passed test", VITEST, `stdout | a.test.ts > x\nseed 8\n ✓ fine 3ms\n${VITEST}`],
    ["the time of a TAP run", TAP, TAP.replace("4.5", "812.25")],
    ["npm's log", NPM, moved(NPM).replace("03_04_05_678Z", "11_12_13_000Z")],
    ["a warning of a compiler", RUSTC, `warning: unused variable: \`y\`\n\n${RUSTC}`],
    ["a warning of a linter", ESLINT, ESLINT.split("\n").slice(0, 2).join("\n")],
    ["a line in javac's error", JAVAC, JAVAC.replace(":2:", ":20:")],
    ["the time of a Go test", GO_TEST, GO_TEST.replace("0.00s", "1.31s").replace(":14:", ":3:")],
    ["a wait", "try again in 8h44m7s", "try again in 2 days 3 hours"],
    [
      "an object of git",
      "could not apply 11287fb... add tax",
      "could not apply a92fa93... add tax",
    ],
    [
      "the root of a repository",
      "fatal: dubious ownership in repository at '/srv/a'",
      "fatal: dubious ownership in repository at '/home/b/c'",
    ],
  ])("%s", (_what, one, other) => {
    expect(isSameError(one, other)).toBe(true);
  });

  test("a runner's order plays no part", () => {
    const [first = "", second = ""] = VITEST.split("\n\n FAIL");
    const other = `FAIL${second}\n\n${first}`;
    expect(isSameError(other, VITEST)).toBe(true);
  });
});

describe("another name, value, file or code is another fault", () => {
  test.each<[string, string, string, string]>([
    ["a key", TRACEBACK, "EUR", "USD"],
    ["a class", TRACEBACK, "KeyError", "ValueError"],
    ["a file of own code", TRACEBACK, "cart.py", "till.py"],
    ["a cause", CHAIN, "'EUR'", "'USD'"],
    ["a property", NODE, "'items'", "'rows'"],
    ["a cause of a stack", NODE, "db-a", "db-b"],
    ["a failing test", VITEST, "is empty", "is full"],
    ["a received value", VITEST, "+ 4", "+ 5"],
    ["a value deep in a TAP block", TAP, "total: 4", "total: 5"],
    ["a line that cannot be parsed", UNPARSED, "rate = ;", "rate = };"],
    ["a cause without frames", JAVA, "db-a", "db-b"],
    ["a symbol", JAVAC, "variable rate", "variable tax"],
    ["a rule", ESLINT, "no-undef", "no-var"],
    ["a wanted value", GO_TEST, "want 4", "want 5"],
    [
      "a value of RSpec",
      "1) adds\nFailure/Error: is\nexpected: 3\n got: 4\n(by ==)",
      "got: 4",
      "got: 5",
    ],
    ["a value of .NET", "Failed Adds\nMessage:\nExpected: 3\nActual: 4\nStack:", "3", "7"],
    ["a branch", "error: pathspec 'feature/tax' did not match", "tax", "rate"],
    ["a number of calls", "expected spy to be called 2 times", "2 times", "3 times"],
    ["a clock that is a value", "expected '10:30' to be '11:30'", "10:30", "10:45"],
    ["a lock of git", "fatal: Unable to create '/srv/a/.git/rate.lock'", "rate", "tax"],
    ["a service in /tmp", "no such file /tmp/cart-service", "cart-service", "cart-billing"],
    ["a folder of an index file", "src/a/index.ts(1,2): error TS2304: x", "src/a/", "src/b/"],
  ])("%s", (_what, one, from, to) => {
    const other = one.replaceAll(from, to);
    expect(other).not.toBe(one);
    expect(isSameError(one, other)).toBe(false);
  });

  test("fewer failing tests are another set", () => {
    const [first = ""] = VITEST.split("\n\n FAIL");
    expect(isSameError(VITEST, first)).toBe(false);
  });
});
