import { describe, expect, test } from "vitest";

import { alarmsAt, alarmsIn, alarmsOf } from "./tamper-change.ts";

describe("Go", () => {
  const ADDS =
    'func TestAdds(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n\tif got := Add(0, 0); got != 0 {\n\t\tt.Errorf("got %d, want 0", got)\n\t}\n}\n';
  const ROUNDS = "func TestRounds(t *testing.T) {\n\tassert.Equal(t, 2, Round(1.5))\n}\n";

  alarmsIn("cart_test.go", {
    "t.Skip → test-skipped:2": ADDS.replace("\tif", '\t«→t.Skip("flaky")\n\t»if'),
    "t.SkipNow under a condition → test-skipped:3": ADDS.replace(
      "\tif",
      "\tif«→ ci {\n\t\tt.SkipNow()\n\t}\n\tif»",
    ),
    "a new test that skips when short": `${ADDS}«→\nfunc TestSlow(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\tt.Error("x")\n}\n»`,
    "a suite of testify that skips → test-skipped:2":
      "func (s *S) TestX() {\n\ts.«→T().Skip()\n\ts.»Equal(1, f())\n}\n",
    "a build tag that no build has → test-skipped:1": `«→//go:build ignore\n\n»${ADDS}`,
    "one of two is gone → test-removal": `${ADDS}«\n${ROUNDS}→»`,
    "a subtest is gone → test-removal":
      'func TestF(t *testing.T) {\n\tt.Run("zero", func(t *testing.T) {\n\t\trequire.Zero(t, F(0))\n\t})\n«\tt.Run("one", func(t *testing.T) {\n\t\trequire.Equal(t, 10, F(1))\n\t})\n→»}\n',
    "renamed so that it is not run → test-removal": ROUNDS.replace(
      "TestRounds",
      "«→disabled»TestRounds",
    ),
    "nothing is left → test-emptied:1": [ADDS, "func TestAdds(t *testing.T) {\n}\n"],
    "no assertion is left → test-emptied:1": [
      ROUNDS,
      "func TestRounds(t *testing.T) {\n\tRound(1.5)\n}\n",
    ],
    "an assertion fewer → test-weakened:1": [
      ADDS,
      'func TestAdds(t *testing.T) {\n\tif got := Add(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
    ],
    "equal became not nil → test-weakened:2": ROUNDS.replace(
      "Equal(t, 2, ",
      "«Equal(t, 2→NotNil(t», ",
    ),
    "equal became true → test-emptied:2": ROUNDS.replace(
      "assert.Equal(t, 2, Round(1.5))",
      "assert.«Equal(t, 2, Round(1.5)→True(t, true»)",
    ),
    "a table of cases": [
      ADDS,
      'func TestAdds(t *testing.T) {\n\tfor _, c := range cases {\n\t\tif got := Add(c.a, c.b); got != c.want {\n\t\t\tt.Errorf("got %d", got)\n\t\t}\n\t}\n}\n',
    ],
    "a check of the setup fewer":
      "func TestAdds(t *testing.T) {\n\tx«, err := New()\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}→ := New()»\n\tassert.Equal(t, 3, x.Add(1, 2))\n}\n",
    "the word in a string": ADDS.replace('"got %d"', '"«got→t.Skip()» %d"'),
    "an error that stops the test now": ADDS.replaceAll("t.Errorf", "t.«Errorf→Fatalf»"),
  });
});

describe("Rust", () => {
  const ADDS =
    "#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n    assert_eq!(add(0, 0), 0);\n}\n";
  const ROUNDS = "#[test]\nfn rounds() {\n    assert_eq!(round(1.5), 2);\n}\n";
  const inside = (code: string): string =>
    `pub fn add() {}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n${code}}\n`;

  alarmsIn("src/cart.rs", {
    "ignore → test-skipped:2": ADDS.replace("fn", "«→#[ignore]\n»fn"),
    "ignore with a reason, beside the code → test-skipped:7": [
      inside(ADDS),
      inside(ADDS.replace("fn", '#[ignore = "slow"]\nfn')),
    ],
    "ignored on one platform, and new": `${ADDS}«→\n#[test]\n#[cfg_attr(windows, ignore)]\nfn links() {\n    assert!(link() == 1);\n}\n»`,
    "should_panic on a test that was there → test-skipped:2": ADDS.replace(
      "fn",
      "«→#[should_panic]\n»fn",
    ),
    "should_panic on a new test": `${ADDS}«→\n#[test]\n#[should_panic]\nfn overflows() {\n    add(MAX, 1);\n}\n»`,
    "one of two is gone, beside the code → test-removal": [inside(ADDS + ROUNDS), inside(ADDS)],
    "the attribute is gone → test-removal": ROUNDS.replace("#[test]\n", "«#[test]\n→»"),
    "the tests went into a file module → test-removal": [inside(ROUNDS), inside("")],
    "a lifetime and a character hide nothing → test-removal": `fn f<'a>(x: &'a str) -> char { '"' }\n«${inside(ADDS + ROUNDS)}→${inside(ADDS)}»`,
    "a test of tokio → test-emptied:1":
      "#[tokio::test]\nasync fn waits() {\n    «assert_eq!(w().await, 1)→w().await»;\n}\n",
    "an assertion fewer → test-weakened:1": ADDS.replace(
      "    assert_eq!(add(0, 0), 0);\n",
      "«    assert_eq!(add(0, 0), 0);\n→»",
    ),
    "assert_eq became is_ok → test-weakened:3": ROUNDS.replace(
      "assert_eq!(round(1.5), 2)",
      "assert«_eq!(round(1.5), 2→!(round(1.5).is_ok()»)",
    ),
    "assert!(true) → test-emptied:3": ROUNDS.replace(
      "assert_eq!(round(1.5), 2)",
      "assert«_eq!(round(1.5), 2→!(true»)",
    ),
    "assertions of the code itself": `fn f() {«\n    assert!(x > 1);\n    assert!(y > 1);\n→»}\n${inside(ROUNDS)}`,
    "a name like a test in a string": `${inside(ROUNDS)}«→const X: &str = "#[ignore]";\n»`,
    "cases in place of two tests": [
      "#[test]\nfn one() {\n    assert_eq!(f(1), 10);\n}\n#[test]\nfn two() {\n    assert_eq!(f(2), 20);\n}\n",
      "#[rstest]\n#[case(1, 10)]\n#[case(2, 20)]\nfn gives(#[case] a: u8, #[case] b: u8) {\n    assert_eq!(f(a), b);\n}\n",
    ],
  });

  test("tests that went into another file are not gone", () => {
    expect(
      alarmsOf({
        "src/cart.rs": [inside(ADDS), "pub fn add() {}\n"],
        "tests/cart.rs": [null, ADDS],
      }),
    ).toEqual([]);
  });
});

describe("languages whose tests are not read", () => {
  const JAVA =
    "class CartTest {\n  @Test\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n";
  const PATH = "src/test/java/CartTest.java";

  test("a deleted file is a removal, an emptied one is emptied", () => {
    expect(alarmsOf({ [PATH]: [JAVA, null] })).toEqual(["test-removal"]);
    expect(alarmsOf({ [PATH]: [JAVA, "// later\n"] })).toEqual(["test-emptied"]);
    expect(alarmsOf({ "spec/cart_spec.rb": ["it 'adds' do\nend\n", null] })).toEqual([
      "test-removal",
    ]);
  });

  test("a moved file is no removal, whatever it is called there", () => {
    expect(
      alarmsOf({ [PATH]: [JAVA, null], "other/CartTest.java": [null, "class X {}\n"] }),
    ).toEqual([]);
    const renamed = JAVA.replace("CartTest", "BasketTest");
    expect(alarmsOf({ [PATH]: [JAVA, null], "x/BasketTest.java": [null, renamed] })).toEqual([]);
  });

  alarmsAt({
    [`${PATH}: disabled → test-skipped:2`]: JAVA.replace("@Test", "«→@Disabled\n  »@Test"),
    [`${PATH}: in a comment`]: JAVA.replace("void", "«→// @Disabled\n  »void"),
    "spec/tax_spec.rb: one more → test-skipped:3":
      "xit 'adds' do\nend\n«it→xit» 'rounds' do\nend\n",
    "CartTests.cs → test-skipped:1": '[Fact«→(Skip = "later")»]\npublic void Adds() {}\n',
    "spec/cart_spec.rb → test-skipped:1": "«it→xit» 'adds' do\nend\n",
    "CartTests.swift → test-skipped:2": "func testAdds()« → throws »{\n«→  throw XCTSkip()\n»}\n",
  });
});
