import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { readOutput } from "../../src/readers/failure/read-output.ts";
import type { OutputReading } from "../../src/readers/failure/read-output.ts";

// Of real programs, but for nextest and dotnet, whose text is that of their documentation.
const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/runners/${name}.txt`, import.meta.url), "utf8");

const RUNNERS: Readonly<Record<string, string>> = {
  go: "go-test",
  cargo: "cargo-test",
  dotnet: "dotnet-test",
  maven: "surefire",
};
const MARKS = { passed: "+", failed: "-", skipped: "~" } as const;

/** `+` passed, `-` failed, `~` skipped; nothing where not all that passed are named. */
function checksOf({ run }: OutputReading): readonly string[] {
  return (run?.checks ?? []).map(({ name, state }) => `${MARKS[state]} ${name}`);
}

const GO = "example.com/shop";
const GO_CART = [
  `- ${GO}/cart > TestAddsUp`,
  `+ ${GO}/cart > TestEmpty`,
  `~ ${GO}/cart > TestLater`,
  `- ${GO}/cart > TestTable`,
  `+ ${GO}/cart > TestTable/one_item`,
  `- ${GO}/cart > TestTable/two_items`,
];
const GO_PRICE = [`+ ${GO}/price > TestTax`, `+ ${GO}/price > TestFree`];
const PYTEST = [
  "- test_cart.py::TestTotal::test_adds_up",
  "+ test_cart.py::TestTotal::test_empty",
  "+ test_cart.py::test_param[1]",
  "- test_cart.py::test_param[2]",
  "- test_cart.py::test_uses",
];
const unit = (mark: string, name: string): string => `${mark} ${name} (test_cart.CartTest.${name})`;

type Row = readonly [
  fixture: string,
  counts: readonly [passed: number, failed: number, skipped: number],
  checks: readonly string[],
];

describe("every runner's text is an inventory", () => {
  test.each<Row>([
    // Without -v, Go names what failed, and counts the packages that passed.
    [
      "go-mixed",
      [1, 3, 0],
      [...GO_CART.filter((name) => name.startsWith("-")), `+ ${GO}/price`, `- ${GO}/cart`],
    ],
    ["go-mixed-verbose", [4, 3, 1], [...GO_CART, ...GO_PRICE]],
    ["go-pass", [1, 0, 0], [`+ ${GO}/price`]],
    ["go-pass-verbose", [2, 0, 0], GO_PRICE],
    ["go-skip-verbose", [0, 0, 1], [`~ ${GO}/skip > TestLater`]],
    ["go-none", [0, 0, 0], []],
    ["go-none-filtered", [0, 0, 0], []],
    ["go-broken", [1, 1, 0], [`- ${GO}/broken`, `+ ${GO}/price`]],
    ["go-boom", [0, 1, 0], [`- ${GO}/boom > TestBoom`, `- ${GO}/boom`]],
    [
      "go-boom-verbose",
      [3, 1, 0],
      [`+ ${GO}/boom > TestFirst`, `- ${GO}/boom > TestBoom`, ...GO_PRICE],
    ],
    [
      "cargo-mixed",
      [4, 1, 1],
      [
        "+ tests::empty",
        "~ tests::later",
        "- tests::adds_up",
        "+ tests::refuses",
        "+ opens",
        "+ src/lib.rs - total",
      ],
    ],
    ["cargo-mixed-quiet", [4, 1, 1], []],
    ["cargo-pass", [1, 0, 0], ["+ opens"]],
    ["cargo-skip", [0, 0, 1], ["~ tests::later"]],
    ["cargo-none", [0, 0, 0], []],
    [
      "nextest-mixed",
      [3, 1, 1],
      [
        "+ shop tests::empty",
        "- shop tests::adds_up",
        "+ shop tests::refuses",
        "+ shop::cart opens",
      ],
    ],
    ["nextest-pass", [1, 0, 0], ["+ shop::cart opens"]],
    ["nextest-none", [0, 0, 5], []],
    ["pytest-mixed", [3, 3, 2], []],
    [
      "pytest-mixed-verbose",
      [3, 3, 2],
      [
        ...PYTEST,
        "~ test_cart.py::test_later",
        "~ test_cart.py::test_known",
        "+ test_price.py::test_tax",
      ],
    ],
    [
      "pytest-mixed-all",
      [3, 3, 2],
      [...PYTEST, "~ test_cart.py::test_known", "+ test_price.py::test_tax"],
    ],
    ["pytest-pass-verbose", [1, 0, 0], ["+ test_price.py::test_tax"]],
    ["pytest-skip-verbose", [0, 0, 1], ["~ test_cart.py::test_later"]],
    ["pytest-none-verbose", [0, 0, 0], []],
    ["unittest-mixed", [1, 3, 2], []],
    [
      "unittest-mixed-verbose",
      [1, 3, 2],
      [
        unit("-", "test_adds_up"),
        unit("+", "test_empty"),
        unit("~", "test_known"),
        unit("~", "test_later"),
        unit("-", "test_raises"),
        unit("-", "test_sub"),
      ],
    ],
    ["unittest-pass", [2, 0, 0], []],
    [
      "unittest-pass-verbose",
      [2, 0, 0],
      [
        "+ test_empty (pass_cart.PassTest.test_empty)",
        "+ test_full (pass_cart.PassTest.test_full)",
      ],
    ],
    ["unittest-skip", [0, 0, 1], ["~ test_later (skip_cart.SkipTest.test_later)"]],
    ["unittest-none", [0, 0, 0], []],
    ["unittest-broken", [0, 1, 0], []],
    ["phpunit-mixed", [2, 3, 3], []],
    ["phpunit-pass", [2, 0, 0], []],
    ["phpunit-skip", [0, 0, 1], []],
    ["phpunit-none", [0, 0, 0], []],
    ["rspec-mixed", [2, 2, 2], []],
    [
      "rspec-mixed-verbose",
      [2, 2, 2],
      [
        "- Cart raises",
        "~ Cart comes later",
        "~ Cart is an idea",
        "- Cart total adds up",
        "+ Cart total is empty",
        "+ Price has a tax",
      ],
    ],
    ["rspec-pass", [1, 0, 0], []],
    ["rspec-pass-verbose", [1, 0, 0], ["+ Price has a tax"]],
    ["rspec-skip", [0, 0, 1], ["~ Skip comes later"]],
    ["rspec-none", [0, 0, 0], []],
    ["rspec-broken", [0, 1, 0], []],
    ["minitest-mixed", [1, 2, 1], []],
    [
      "minitest-mixed-verbose",
      [1, 2, 1],
      [
        "- CartTest#test_adds_up",
        "~ CartTest#test_later",
        "+ CartTest#test_empty",
        "- CartTest#test_raises",
      ],
    ],
    ["minitest-pass", [1, 0, 0], []],
    ["minitest-pass-verbose", [1, 0, 0], ["+ PriceTest#test_tax"]],
    ["minitest-skip", [0, 0, 1], ["~ SkipTest#test_later"]],
    ["minitest-none", [0, 0, 0], []],
    ["maven-mixed", [2, 2, 1], []],
    ["maven-pass", [1, 0, 0], []],
    ["maven-skip", [0, 0, 1], []],
    ["maven-none", [0, 0, 0], []],
    ["gradle-mixed", [2, 2, 1], []],
    [
      "gradle-mixed-loud",
      [2, 2, 1],
      [
        "+ shop.PriceTest > tax",
        "- shop.CartTest > addsUp",
        "- shop.CartTest > raises",
        "+ shop.CartTest > empty",
        "~ shop.CartTest > later",
      ],
    ],
    [
      "dotnet-mixed",
      [1, 1, 1],
      [
        "+ Shop.Tests.CartTests.Empty",
        "- Shop.Tests.CartTests.AddsUp",
        "~ Shop.Tests.CartTests.Later",
      ],
    ],
    ["dotnet-mixed-minimal", [1, 1, 1], []],
    ["dotnet-mixed-platform", [1, 1, 1], []],
    ["dotnet-pass", [2, 0, 0], []],
    ["dotnet-skip", [0, 0, 1], ["~ Shop.Tests.CartTests.Later"]],
    ["dotnet-none", [0, 0, 0], []],
  ])("%s", (name, [passed, failed, skipped], checks) => {
    const said = readOutput(fixture(name), "auto");
    const [tool = ""] = name.split("-");
    const counts = { runner: RUNNERS[tool] ?? tool, passed, failed, skipped };
    expect(said.run?.counts).toEqual(counts);
    expect(said.run?.endsRed).toBe(failed > 0);
    expect([...checksOf(said)].sort()).toEqual([...checks].sort());
  });
});

describe("a failing check is named as in the inventory, with its own lines", () => {
  const ADDS_UP = "cart_test.go:14: adding | cart_test.go:16: total() = 4, want 3";
  const GO_FAILED = [
    [`${GO}/cart > TestAddsUp`, ADDS_UP],
    [`${GO}/cart > TestTable`, ""],
    [`${GO}/cart > TestTable/two_items`, "cart_test.go:31: want 2 | got 1"],
  ];
  const BOOM = [[`${GO}/boom > TestBoom`, "panic: assignment to entry in nil map"]];
  const PANIC =
    "thread 'tests::adds_up' panicked at src/lib.rs:16:9: | assertion `left == right` failed | left: 4 | right: 3";
  const UNITTEST = [
    ["test_raises (test_cart.CartTest.test_raises)", "ValueError: price is missing"],
    ["test_adds_up (test_cart.CartTest.test_adds_up)", "AssertionError: 4 != 3"],
    ["test_sub (test_cart.CartTest.test_sub)", "(i=2) AssertionError: 2 != 1"],
  ];
  const RSPEC = [
    [
      "Cart raises",
      'it("raises") { raise ArgumentError, "price is missing" } | ArgumentError: | price is missing',
    ],
    [
      "Cart total adds up",
      'it("adds up") { expect(4).to eq(3) } | expected: 3 | got: 4 | (compared using ==)',
    ],
  ];
  const MINITEST = [
    ["CartTest#test_adds_up", "Expected: 3 | Actual: 4"],
    ["CartTest#test_raises", "ArgumentError: price is missing"],
  ];
  const GRADLE = [
    ["shop.CartTest > addsUp", "java.lang.AssertionError at CartTest.java:5"],
    ["shop.CartTest > raises", "java.lang.IllegalStateException at CartTest.java:7"],
  ];
  const DOTNET = [
    [
      "Shop.Tests.CartTests.AddsUp",
      "Assert.Equal() Failure: Values differ | Expected: 3 | Actual:   4",
    ],
  ];
  test.each<readonly [string, readonly (readonly string[])[]]>([
    ["go-mixed", GO_FAILED],
    ["go-mixed-verbose", GO_FAILED],
    ["go-boom", BOOM],
    ["go-boom-verbose", BOOM],
    ["go-broken", [[`${GO}/broken`, "broken/broken_test.go:5:28: undefined: nope"]]],
    ["cargo-mixed", [["tests::adds_up", PANIC]]],
    ["cargo-mixed-quiet", [["tests::adds_up", PANIC]]],
    ["nextest-mixed", [["shop tests::adds_up", PANIC]]],
    ["unittest-mixed", UNITTEST],
    ["unittest-mixed-verbose", UNITTEST],
    [
      "unittest-broken",
      [
        [
          "broken_cart (unittest.loader._FailedTest.broken_cart)",
          "ModuleNotFoundError: No module named 'nope'",
        ],
      ],
    ],
    [
      "phpunit-mixed",
      [
        ["CartTest::testRaises", "RuntimeException: price is missing"],
        ["CartTest::testAddsUp", "Failed asserting that 4 is identical to 3."],
        ['CartTest::testCount with data set "two"', "Failed asserting that 2 is identical to 1."],
      ],
    ],
    ["rspec-mixed", RSPEC],
    ["rspec-mixed-verbose", RSPEC],
    [
      "rspec-broken",
      [["./more/broken_spec.rb", 'require "nope" | LoadError: | cannot load such file -- nope']],
    ],
    ["minitest-mixed", MINITEST],
    ["minitest-mixed-verbose", MINITEST],
    [
      "maven-mixed",
      [
        ["shop.CartTest > addsUp", "java.lang.AssertionError: expected:<3> but was:<4>"],
        ["shop.CartTest > raises", "java.lang.IllegalStateException: price is missing"],
      ],
    ],
    ["gradle-mixed", GRADLE],
    ["gradle-mixed-loud", GRADLE],
    ["dotnet-mixed", DOTNET],
    ["dotnet-mixed-minimal", DOTNET],
    ["dotnet-mixed-platform", DOTNET],
  ])("%s", (name, failures) => {
    const said = readOutput(fixture(name), "auto");
    expect(said.failures.map(({ check, message }) => [check, message])).toEqual(failures);
    const failed = (said.run?.checks ?? []).filter(({ state }) => state === "failed");
    if (failed.length > 0)
      expect(failed.map(({ name: own }) => own)).toEqual(
        expect.arrayContaining(failures.map(([check]) => check)),
      );
  });
});

describe("an output that was cut off before its closing lines is no run", () => {
  test.each([
    ["go-mixed-verbose", "FAIL\texample.com/shop/cart"],
    ["go-boom", "FAIL\t"],
    ["cargo-mixed", "test src/lib.rs"],
    ["nextest-mixed", "     Summary"],
    ["pytest-mixed-verbose", "========== 2 failed"],
    ["unittest-mixed-verbose", "FAILED ("],
    ["phpunit-mixed", "Tests: 8"],
    ["rspec-mixed-verbose", "6 examples"],
    ["minitest-mixed-verbose", "4 runs"],
    ["maven-mixed", "[ERROR] Tests run: 5"],
    ["gradle-mixed-loud", "BUILD FAILED"],
    ["dotnet-mixed", "Total tests"],
    ["dotnet-mixed-minimal", "Failed!"],
    ["dotnet-mixed-platform", "Test run summary"],
  ])("%s before `%s`", (name, closing) => {
    const whole = fixture(name);
    const at = whole.indexOf(`\n${closing}`);
    expect(at).toBeGreaterThan(0);
    expect(readOutput(whole.slice(0, at), "auto").run).toBeNull();
  });
});

describe("a name stays the same", () => {
  test("two binaries of cargo with tests of one name keep both", () => {
    const binary =
      "running 1 test\ntest opens ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n";
    const said = readOutput(`${binary}\n${binary}`, "auto");
    expect(checksOf(said)).toEqual(["+ opens", "+ opens (2)"]);
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
    expect(checksOf(readOutput(text, "auto"))).toEqual(["+ shop > TestA", "- shop > TestB"]);
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
    expect(checksOf(readOutput(text(3, 9), "auto"))).toEqual(states);
    expect(checksOf(readOutput(text(30, 90), "auto"))).toEqual(states);
  });
});
