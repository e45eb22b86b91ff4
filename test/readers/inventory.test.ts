import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readOutput } from "../../src/readers/failure/read-output.ts";
import { golden } from "../support/seen.ts";

// Of real programs.
const FIXTURES = join(import.meta.dirname, "../fixtures");
const NAMES = ["gates", "runners"]
  .flatMap((folder) =>
    readdirSync(join(FIXTURES, folder), { recursive: true, encoding: "utf8" }).map((path) =>
      join(folder, path),
    ),
  )
  .filter((path) => path.endsWith(".txt") && !path.endsWith("-json.txt"))
  .map((path) => path.slice(0, -".txt".length))
  .toSorted();
const MARKS = { passed: "+", failed: "-", skipped: "~" } as const;

const fixture = (name: string): string => readFileSync(join(FIXTURES, `${name}.txt`), "utf8");

/** `+` passed, `-` failed, `~` skipped; nothing where not all that passed are named. */
function checksOf(text: string): readonly string[] {
  const { run } = readOutput(text, "auto");
  return (run?.checks ?? []).map(({ name, state }) => `${MARKS[state]} ${name}`);
}

/** How the run ended, its checks, and what is said of each failure. */
function summaryOf(text: string): string {
  const { run, failures } = readOutput(text, "auto");
  if (run === null) return "no run\n";
  const { runner, passed, failed, skipped } = run.counts;
  const counts = `${runner}: ${passed} passed, ${failed} failed, ${skipped} skipped`;
  const messages = failures.map(({ check, message }) => `${check}: ${message}`);
  return [
    `${counts}, ${run.unloaded} not loaded, ends ${run.endsRed ? "red" : "green"}`,
    ...checksOf(text).toSorted(),
    ...(run.endsRed || run.failures > 0 ? ["", ...messages] : []),
    "",
  ].join("\n");
}

describe("every runner's text is an inventory", () => {
  test.each(NAMES)("%s", async (name) => {
    await expect(summaryOf(fixture(name))).toMatchFileSnapshot(golden(name));
  });

  test.each(NAMES)("a failing check of %s is named as in the inventory", (name) => {
    const { run, failures } = readOutput(fixture(name), "auto");
    const failed = (run?.checks ?? []).filter(({ state }) => state === "failed");
    const names = failed.map((check) => check.name);
    const strangers = failures.filter(({ check }) => check !== null && !names.includes(check));
    // Not every runner names its checks.
    expect(names.length === 0 ? [] : strangers).toEqual([]);
  });
});

describe("an output that was cut off before its closing lines is no run", () => {
  test.each([
    ["go-mixed-verbose", "FAIL\texample.com/shop/cart"],
    ["go-boom", "FAIL\t"],
    ["cargo-mixed", "test src/lib.rs"],
    ["pytest-mixed-all", "========== 2 failed"],
  ])("%s before `%s`", (name, closing) => {
    const whole = fixture(`runners/${name}`);
    const at = whole.indexOf(`\n${closing}`);
    expect(at).toBeGreaterThan(0);
    expect(readOutput(whole.slice(0, at), "auto").run).toBeNull();
  });

  test("nor are those that were recorded so", () => {
    const cut = NAMES.filter((name) => name.includes("cut"));
    expect(cut).toHaveLength(6);
    expect(cut.filter((name) => readOutput(fixture(name), "auto").run !== null)).toEqual([]);
  });
});

describe("a name stays the same", () => {
  test("two binaries of cargo with tests of one name keep both", () => {
    const binary =
      "running 1 test\ntest opens ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
    expect(checksOf(`${binary}\n${binary}`)).toEqual(["+ opens", "+ opens (2)"]);
  });

  test("what a test of Go prints without a line end hides no verdict, and forges none", () => {
    const text = [
      "=== RUN   TestA",
      "half a line--- PASS: TestA (0.00s)",
      "=== RUN   TestB",
      "    b_test.go:3: --- PASS: TestC (0.00s)",
      "--- FAIL: TestB (0.00s)",
      "FAIL\tshop\t0.01s",
    ].join("\n");
    expect(checksOf(text)).toEqual(["+ shop > TestA", "- shop > TestB"]);
  });

  test("a panic beside the tests of Go says why", () => {
    const text =
      "--- FAIL: TestA (0.00s)\npanic: no stock\n\ngoroutine 9 [running]:\nFAIL\tshop\t0.1s";
    const [failure] = readOutput(text, "auto").failures;
    expect(failure).toMatchObject({ check: "shop > TestA", message: "panic: no stock" });
  });

  test("the line of an example in the documentation is no part of it", () => {
    const text = (first: number, second: number): string =>
      [
        "running 2 tests",
        `test src/lib.rs - total (line ${second}) ... FAILED`,
        `test src/lib.rs - total (line ${first}) ... ok`,
        "test result: FAILED. 1 passed; 1 failed; 0 ignored",
      ].join("\n");
    const states = ["+ src/lib.rs - total", "- src/lib.rs - total (2)"];
    expect(checksOf(text(3, 9))).toEqual(states);
    expect(checksOf(text(30, 90))).toEqual(states);
  });
});
