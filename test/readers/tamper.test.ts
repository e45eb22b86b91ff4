import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import { ALARMS, isAlarmKind } from "../../src/core/model/alarm.ts";
import type { Alarm, AlarmKind } from "../../src/core/model/alarm.ts";
import { allowedBy, disputed, parseAllow } from "../../src/core/decide/allow.ts";
import type { AllowRule } from "../../src/core/decide/allow.ts";
import type { IntegrityChange, WorkClaim } from "../../src/readers/tamper/change.ts";
import { findAlarms } from "../../src/readers/tamper/find.ts";
import { expectLinear } from "../support/linear.ts";
import { alarmsOf, changeOf } from "./tamper-change.ts";

function alarm(kind: AlarmKind, path: string | null = "test/legacy/a.test.ts"): Alarm {
  return { kind, path, detail: "", line: null };
}

function rules(...texts: readonly string[]): readonly AllowRule[] {
  return texts.map(parseAllow).filter((read) => typeof read !== "string");
}

describe("what a task allows", () => {
  test.each<readonly [text: string, read: unknown]>([
    ["test-removal", { kind: "test-removal", glob: null }],
    ["test-removal: test/legacy/**", { kind: "test-removal", glob: "test/legacy/**" }],
    ["  test-removal :test/legacy/** ", { kind: "test-removal", glob: "test/legacy/**" }],
    ["test-removed: x", 'unknown rule "test-removed"'],
    [
      "test-removal: ../x",
      'the pattern "../x" contains ".."; it must stay inside the working tree',
    ],
    ["test-removal:", 'the pattern "" is empty'],
  ])("%j", (text, read) => {
    expect(parseAllow(text)).toEqual(read);
  });

  test("covers its kind, at its paths, and no more", () => {
    const allow = rules("test-removal: test/legacy/**", "empty-diff");
    expect(allowedBy(allow, alarm("test-removal"))).toBe(true);
    expect(allowedBy(allow, alarm("test-removal", "test/a.test.ts"))).toBe(false);
    expect(allowedBy(allow, alarm("test-skipped"))).toBe(false);
    expect(allowedBy(allow, alarm("empty-diff", null))).toBe(true);
    expect(allowedBy(rules("fewer-tests: test/**"), alarm("fewer-tests", null))).toBe(false);
  });

  test("to remove a test includes that fewer are run, and nothing else", () => {
    const alarms = [
      alarm("fewer-tests", null),
      alarm("test-removal"),
      alarm("gate-edited", "x.sh"),
    ];
    expect(disputed(alarms, [])).toEqual(alarms);
    expect(disputed(alarms, rules("test-removal"))).toEqual([alarms[2]]);
    expect(disputed(alarms, rules("gate-edited"))).toEqual(alarms.slice(0, 2));
    expect(disputed(alarms, rules("test-removal: other/**"))).toEqual(alarms);
  });

  test("any text is answered, and every kind is a rule", () => {
    assert(
      property(string(), (text) => {
        const read = parseAllow(text);
        expect(typeof read === "string" ? read !== "" : isAlarmKind(read.kind)).toBe(true);
      }),
    );
    for (const kind of Object.keys(ALARMS)) expect(parseAllow(kind)).toEqual({ kind, glob: null });
  });
});

describe("counts", () => {
  const counted = (before: readonly number[], after: readonly number[], runner = "vitest") => {
    const [passed = 0, failed = 0, skipped = 0] = before;
    const [p = 0, f = 0, s = 0] = after;
    return alarmsOf(
      {},
      {
        counts: [
          {
            gate: "test",
            before: { runner: "vitest", passed, failed, skipped },
            after: { runner, passed: p, failed: f, skipped: s },
          },
        ],
      },
    );
  };

  test("fewer executed tests than before are an alarm", () => {
    expect(counted([10, 0, 0], [9, 0, 0])).toEqual(["fewer-tests"]);
    expect(counted([10, 0, 0], [9, 0, 1])).toEqual(["fewer-tests"]);
    expect(counted([8, 2, 0], [10, 0, 0])).toEqual([]);
    expect(counted([10, 0, 0], [11, 0, 0])).toEqual([]);
  });

  test("another runner counts in another way", () => {
    expect(counted([10, 0, 0], [9, 0, 0], "jest")).toEqual([]);
    const one = {
      gate: "test",
      before: null,
      after: { runner: "tap", passed: 1, failed: 0, skipped: 0 },
    };
    expect(alarmsOf({}, { counts: [one] })).toEqual([]);
  });
});

describe("claims", () => {
  const claim = (more: Partial<WorkClaim>): Partial<IntegrityChange> => ({
    claim: { completed: true, sinceBaseCount: 3, files: [], ...more },
  });

  test("complete with nothing changed is an alarm, and nothing measured is none", () => {
    expect(alarmsOf({}, claim({ sinceBaseCount: 0 }))).toEqual(["empty-diff"]);
    expect(alarmsOf({}, claim({ sinceBaseCount: 1 }))).toEqual([]);
    expect(alarmsOf({}, claim({ sinceBaseCount: null }))).toEqual([]);
    expect(alarmsOf({}, claim({ sinceBaseCount: 0, completed: false }))).toEqual([]);
    expect(alarmsOf({}, { claim: null })).toEqual([]);
  });

  test("a file that is named and does not exist is an alarm", () => {
    const files = [
      { path: "src/a.ts", found: "present" },
      { path: "src/b.ts", found: "absent" },
      { path: "/tmp/c.png", found: "elsewhere" },
    ] as const;
    expect(findAlarms(changeOf({}, claim({ files })))).toEqual([
      {
        kind: "claimed-file-absent",
        path: "src/b.ts",
        detail: "the report names it, and it does not exist",
        line: null,
      },
    ]);
    expect(alarmsOf({ "src/b.ts": ["x\n", null] }, claim({ files }))).toEqual([]);
  });
});

describe("hostile input", () => {
  const PATHS = [
    "test/a.test.ts",
    "tests/test_a.py",
    "a_test.go",
    "src/a.rs",
    "ATest.java",
    "package.json",
    "tsconfig.json",
    "eslint.config.js",
    "pyproject.toml",
    ".golangci.yml",
    ".github/workflows/ci.yml",
    "Makefile",
    "a.sh",
  ] as const;
  /** What patterns and scanners could stumble over, again and again. */
  const TEXTS = [
    "(",
    "[{(",
    ")",
    "`${",
    "/[",
    "=/",
    '"',
    "'",
    "it(",
    "test.each([",
    'it("a", () => { expect(',
    "@",
    "def test_a(",
    "def test_a():\n    assert x\n",
    "#[test]",
    "#[test]\nfn a() {",
    "t.Run(",
    "func TestA(",
    "expect(a).not",
    "a.b.c.",
    "a:\n",
    "- ",
    '{"a":',
    "[",
    "key = [",
    "  ",
    "\n",
    "\t\n",
    "|| ",
    "npm run test || true && ",
    "// eslint-disable ",
    "// @ts-ignore\n",
    "# noqa # ",
    "\0",
    "\ud800",
    "rules.rules.",
    "=>",
    "a ",
    ".is_",
  ];

  test.each(PATHS)("a long run of anything at %s is answered", (path) => {
    expectLinear(TEXTS, (text) =>
      expect(alarmsOf({ [path]: [text, text.slice(1)] }).length).toBeLessThanOrEqual(100),
    );
  });

  test("text longer than a mebibyte is not read", () => {
    const long = "// @ts-ignore\n".repeat(80_000);
    expect(alarmsOf({ "src/a.ts": [null, long] })).toEqual([]);
    expect(alarmsOf({ "src/a.ts": [null, long.slice(0, 1024 * 1024)] })).toHaveLength(5);
  });

  test("text of any kind is answered, sorted and bounded", () => {
    const word = constantFrom(
      ...TEXTS,
      'it("x", () => {',
      "});",
      "expect(1).toBe(2);",
      "\n",
      "skip",
    );
    assert(
      property(
        constantFrom(...PATHS),
        string({ unit: word }),
        string({ unit: word }),
        (path, a, b) => {
          const alarms = findAlarms(changeOf({ [path]: [a, b] }));
          expect(
            alarms.every(({ kind, detail }) => isAlarmKind(kind) && !detail.includes("\n")),
          ).toBe(true);
          expect(findAlarms(changeOf({ [path]: [a, a] }))).toEqual([]);
        },
      ),
    );
  });

  test("a change of nothing is no alarm, and many alarms are cut", () => {
    expect(findAlarms(changeOf({}))).toEqual([]);
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`src/f${n}.ts`, ["", "// @ts-ignore\n"] as const]),
    );
    expect(findAlarms(changeOf(many)).length).toBe(100);
  });
});
