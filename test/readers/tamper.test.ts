import { assert, constantFrom, property, string } from "fast-check";
import { describe, expect, test } from "vitest";

import {
  ALARMS,
  allowedBy,
  allowsCheck,
  disputed,
  parseAllow,
} from "../../src/core/model/alarm.ts";
import type { Alarm, AlarmKind, AllowRule } from "../../src/core/model/alarm.ts";
import { changedTests } from "../../src/readers/tamper/changed-tests.ts";
import { scanChange, type IntegrityChange, type WorkClaim } from "../../src/readers/tamper/find.ts";
import { isProduct } from "../../src/readers/tamper/paths.ts";
import { changeOf, checkEach, alarmsIn } from "./tamper-change.ts";

function alarm(kind: AlarmKind, path: string | null = "src/legacy/a.ts"): Alarm {
  return { kind, path, detail: "", line: null };
}

function rules(...texts: readonly string[]): readonly AllowRule[] {
  return texts.map(parseAllow).filter((read) => typeof read !== "string");
}

describe("a lost check stood in a file of tests", () => {
  const lost = ["adds", "test/slug.test.js > slugs"].map((name) => ({ name, isGone: true }));
  test.each([
    ["a.test.js adds>-", "a.test.js deleted: adds"],
    ["a.test.js adds>", "a.test.js emptied: adds"],
    ["a.test.js adds>-; a.bak ->adds", "a.test.js renamed: adds"],
    ["test/a.test.js adds>-; test/b/a.test.js ->slugs", "test/a.test.js renamed: adds"],
    [
      "src/a.rs #[cfg(test)]mod_t{adds}>-; b.rs ->x#[cfg(test)]mod_t{adds}",
      "src/a.rs renamed: adds",
    ],
    ["src/a.rs adds>-; src/b.rs ->adds", ""],
    [
      "test/slug.test.js each>x; a.test.js slugs>-",
      "test/slug.test.js edited: test/slug.test.js > slugs; a.test.js deleted: ",
    ],
    ["a.test.js adds>adds2; b.test.js ->adds; a.js adds>-", "a.test.js edited: "],
  ])("%s", (rows, expected) => {
    const files = rows.split("; ").map((row) => {
      const [path = "", before = "", after = ""] = row
        .split(/[ >]/)
        .map((part) => part.replace("_", " "));
      return { path, before: before === "-" ? null : before, after: after === "-" ? null : after };
    });
    const tests = changedTests(files, lost).map(
      (one) => `${one.path} ${one.how}: ${one.checks.join()}`,
    );
    expect(tests.join("; ")).toBe(expected);
  });
});

describe("what a task allows", () => {
  test.each<readonly [text: string, read: unknown]>([
    ["checks-lost", { kind: "checks-lost", glob: null }],
    ["checks-lost: test/legacy/**", { kind: "checks-lost", glob: "test/legacy/**" }],
    ["  checks-lost :test/legacy/** ", { kind: "checks-lost", glob: "test/legacy/**" }],
    ["gate-edited", { kind: "gate-edited", glob: null }],
    ["checks-gone: x", 'unknown rule "checks-gone"'],
    ["checks-lost: ../x", 'the pattern "../x" contains ".."; it must stay inside the working tree'],
    ["checks-lost:", 'the pattern "" is empty'],
  ])("%j", (text, read) => {
    expect(parseAllow(text)).toEqual(read);
  });

  test("covers its kind, at its paths, and no more", () => {
    const allow = rules("suppression-added: src/legacy/**", "empty-diff");
    expect(allowedBy(allow, alarm("suppression-added"))).toBe(true);
    expect(allowedBy(allow, alarm("suppression-added", "src/a.ts"))).toBe(false);
    expect(allowedBy(allow, alarm("gate-edited"))).toBe(false);
    expect(allowedBy(allow, alarm("empty-diff", null))).toBe(true);
    expect(allowedBy(rules("checks-lost: test/**"), alarm("checks-lost", null))).toBe(false);
    const all = [alarm("suppression-added"), alarm("gate-edited", "x.sh")];
    expect(disputed(all, allow)).toEqual(all.slice(1));
  });

  test.each<readonly [glob: string, check: string, isAllowed: boolean]>([
    ["tests/legacy/**", "tests/legacy/test_a.py::test_adds", true],
    ["tests/legacy/**", "tests/test_a.py::test_adds", false],
    ["test/a.test.ts", "test/a.test.ts > cart > adds", true],
    ["cart", "test/a.test.ts > cart > adds", true],
    ["adds *", "cart: adds two", true],
    ["cart adds two", "cart adds two", true],
    ["cart", "cart adds two", false],
    ["TestOld*", "TestOldCart", true],
  ])("%j covers the check %j: %j", (glob, check, isAllowed) => {
    const allow = rules(`checks-lost: ${glob}`);
    expect(allowsCheck(allow, "checks-lost", check)).toBe(isAllowed);
    expect(allowsCheck(allow, "checks-changed", check)).toBe(isAllowed);
    expect(allowedBy(allow, alarm("checks-lost", check))).toBe(isAllowed);
  });

  test("that checks change is not that they go", () => {
    expect(allowsCheck(rules("checks-changed"), "checks-changed", "adds")).toBe(true);
    expect(allowsCheck(rules("checks-changed"), "checks-lost", "adds")).toBe(false);
  });

  test("any text is answered, and every kind is a rule", () => {
    assert(
      property(string(), (text) => {
        expect(parseAllow(text)).not.toBe("");
      }),
    );
    for (const kind of Object.keys(ALARMS)) expect(parseAllow(kind)).toEqual({ kind, glob: null });
  });
});

describe("claims", () => {
  const claim = (more: Partial<WorkClaim>): Partial<IntegrityChange> => ({
    claim: { sinceBaseCount: 3, files: [], absent: [], apart: [], ...more },
  });

  test("complete with nothing changed is an alarm, and nothing measured is none", () => {
    expect(alarmsIn({}, claim({ sinceBaseCount: 0 }))).toEqual(["empty-diff"]);
    expect(alarmsIn({}, claim({ sinceBaseCount: 1 }))).toEqual([]);
    expect(alarmsIn({}, claim({ sinceBaseCount: null }))).toEqual([]);
    const apart = ["web (nested repository)", "branch feature/big"];
    const [alarm] = scanChange(changeOf({}, claim({ sinceBaseCount: 0, apart }))).alarms;
    expect(alarm?.detail).toMatch(
      /no commit of it holds web \(nested repository\), branch feature\/big$/,
    );
  });

  test("a file that is named and does not exist is an alarm", () => {
    const files = [
      { path: "src/a.ts", presence: "present" },
      { path: "src/b.ts", presence: "absent" },
      { path: "/tmp/c.png", presence: "elsewhere" },
    ] as const;
    expect(scanChange(changeOf({}, claim({ files }))).alarms).toEqual([
      {
        kind: "claimed-file-absent",
        path: "src/b.ts",
        detail: "the report names it, and it does not exist",
        line: null,
      },
    ]);
  });
});

test("a file that the task names and that is nowhere is noted, and disputes nothing", () => {
  const claim = { sinceBaseCount: 1, files: [], absent: ["test/b.test.ts"], apart: [] };
  const { alarms, notes } = scanChange(changeOf({}, { claim }));
  expect([alarms, notes]).toMatchObject([[], [{ kind: "named-file-absent", line: null }]]);
});

describe("secrets of the environment", () => {
  const secrets = [
    ["s3cr3t-s3cr3t", "SITE_TOKEN"],
    ["0123456789ab", "DB_PASS"],
  ] as const;

  test("one that a file holds now is an alarm that names the variable and not the value", () => {
    const files = { "deploy/.env": [null, "A=1\nTOKEN=s3cr3t-s3cr3t\n"] } as const;
    expect(scanChange(changeOf(files, { secrets })).alarms).toEqual([
      {
        kind: "secret-written",
        path: "deploy/.env",
        detail: "it holds the value of SITE_TOKEN",
        line: 2,
      },
    ]);
  });

  test("one in the name of a new file is an alarm, too", () => {
    const files = { "keys/0123456789ab.txt": [null, ""], "0123456789ab": ["", "x"] } as const;
    const [alarm, ...others] = scanChange(changeOf(files, { secrets })).alarms;
    expect([alarm?.detail, alarm?.line, others]).toEqual([
      "its name holds the value of DB_PASS",
      null,
      [],
    ]);
  });

  test("one that stood in a changed file before may stay there and move", () => {
    const before = "s3cr3t-s3cr3t";
    const files = { "a.txt": [before, null], "b.txt": [null, before] } as const;
    expect(alarmsIn(files, { secrets })).toEqual([]);
    expect(alarmsIn({ ...files, "c.txt": [null, "0123456789ab"] }, { secrets })).toEqual([
      "secret-written:1",
    ]);
  });
});

describe("orch's own config", () => {
  checkEach({
    ".orchestrator.config.js: changed → gate-edited": ["gates: {}\n", "gates: null\n"],
    "orchestrator.config.mts: gone → gate-edited": ["gates: {}\n", null],
    ".orchestrator.config.js: written by the work": [null, "gates: null\n"],
  });
});

describe("hostile input", () => {
  const PATHS = [
    "test/a.test.ts",
    "tests/test_a.py",
    "a_test.go",
    "src/a.rs",
    "ATest.java",
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

  /** What takes the square of its length takes minutes. */
  const LONG_CHARS = 200_000;
  const ANSWER_MS = 6_000;

  test.each(PATHS)(
    "a long run of anything at %s is answered",
    (path) => {
      for (const unit of TEXTS) {
        const text = unit.repeat(Math.ceil(LONG_CHARS / unit.length));
        expect(alarmsIn({ [path]: [text, text.slice(1)] }).length).toBeLessThanOrEqual(200);
      }
    },
    ANSWER_MS,
  );

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
          const { alarms, notes } = scanChange(changeOf({ [path]: [a, b] }));
          expect([...alarms, ...notes].every(({ detail }) => !detail.includes("\n"))).toBe(true);
          expect(alarmsIn({ [path]: [a, a] })).toEqual([]);
        },
      ),
    );
  });

  test("a change of nothing is no alarm, and many alarms are cut", () => {
    expect(alarmsIn({})).toEqual([]);
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [`src/f${n}.ts`, ["", "// @ts-ignore\n"] as const]),
    );
    expect(alarmsIn(many).length).toBe(100);
  });
});

test.each<[string, boolean]>([
  ["src/a.ts", true],
  ["lib/tool.lua", true],
  ["db/schema.sql", true],
  ["views/page.html", true],
  ["bin/tool", true],
  ["test/a.test.ts", false],
  ["support/expect.js", false],
  ["scripts/build.mjs", false],
  [".github/run.sh", false],
  ["babel.config.js", false],
  ["data/expected.json", false],
  ["locales/de.yaml", false],
  ["Makefile", false],
  [".env", false],
  ["dist/a.js", false],
])("%s is product: %s", (path, expected) => {
  expect(isProduct(path)).toBe(expected);
});
