import { describe, expect, test } from "vitest";

import { compileProving } from "../../src/readers/proof/proving.ts";
import { scanChange } from "../../src/readers/tamper/find.ts";
import { changeOf, checkOne, checkEach, alarmsIn } from "./tamper-change.ts";

describe("a suppression that is new and gives no reason", () => {
  test.each<readonly [path: string, line: string]>([
    ["src/a.ts", "// @ts-ignore"],
    ["src/a.ts", "// @ts-expect-error later"],
    ["src/a.ts", "/* @ts-nocheck */"],
    ["src/a.tsx", "{/* @ts-ignore */}"],
    ["src/a.ts", "foo(); // eslint-disable-line no-console, eqeqeq"],
    ["src/a.ts", "// eslint-disable-next-line"],
    ["src/a.ts", "/* eslint-disable */"],
    ["src/a.ts", '/* eslint no-console: "off" */'],
    ["src/a.ts", "// biome-ignore lint/suspicious/noExplicitAny: later"],
    ["src/a.ts", "// deno-lint-ignore no-explicit-any"],
    ["src/a.ts", "/* v8 ignore next 3 */"],
    ["src/a.ts", "/* istanbul ignore next */"],
    ["src/a.py", "x = f()  # type: ignore"],
    ["src/a.py", "x = f()  # type: ignore[attr-defined]"],
    ["src/a.py", "import os  # noqa: F401"],
    ["src/a.py", "# ruff: noqa"],
    ["src/a.py", "# pylint: disable=too-many-arguments"],
    ["src/a.py", "# mypy: ignore-errors"],
    ["src/a.py", "x = f()  # pyright: ignore"],
    ["src/a.py", "if DEBUG:  # pragma: no cover"],
    ["a.go", "x := f() //nolint:errcheck,gosec"],
    ["a.go", "x := f() // #nosec G304"],
    ["src/a.rs", "#[allow(dead_code)] fn f() {}"],
    ["src/a.rs", "#![allow(clippy::all)]"],
    ["src/A.java", '@SuppressWarnings("unchecked") void run(String name) {'],
    ["src/A.cs", "#pragma warning disable CS0168"],
    ["src/a.cpp", "int x; // NOLINT(readability-magic-numbers)"],
    ["lib/a.rb", "foo # rubocop:disable Metrics/MethodLength"],
    ["tools/a.sh", "# shellcheck disable=SC2086"],
  ])("%s: %s", (path, line) => {
    checkOne(path, ["", `${line}\n`], "suppression-added:1");
    checkOne(path, [null, `${line}\n`], "suppression-added:1");
    checkOne(path, [`${line}\n`, `${line}\nmore = 1\n`]);
    const lines = ["node run-all.js"];
    expect(alarmsIn({ [path]: ["", `${line}\n`] }, { lines })).toEqual(["(suppression-added:1)"]);
  });

  checkEach({
    "src/a.ts: the whole file → suppression-added:1":
      "«// eslint-disable-next-line no-console→/* eslint-disable no-console */»\na();\n",
    "src/a.ts: every type → suppression-added:1": "// @ts-«ignore→nocheck»\na();\n",
    "src/a.py: below another suppression → suppression-added:2":
      "# noqa: E501 as it is one word\n«→# noqa: E402\n»",
  });
});

describe("a suppression that says why, or stands in a test, is only noted", () => {
  checkEach({
    "src/a.ts: behind two dashes → (suppression-added:1)":
      "«→// eslint-disable-next-line no-console -- it is a command line\n»",
    "src/a.ts: behind the words → (suppression-added:1)":
      "«→// @ts-expect-error the types are wrong\n»",
    "src/a.ts: on the line above → (suppression-added:2)":
      "«→// The package has no types yet.\n// @ts-expect-error\n»",
    "src/a.py: in a comment before it → (suppression-added:1)":
      "x = 1«→  # the name is given  # noqa: E741»\n",
    "src/a.py: in a comment behind it → (suppression-added:1)":
      "x = 1«→  # type: ignore[misc]  # stubs are missing»\n",
    "a.go: golang → (suppression-added:1)": "f()«→ //nolint:errcheck // nothing to do»\n",
    "src/a.rs: as an argument → (suppression-added:1)":
      '«→#[allow(dead_code, reason = "used by tests")]\n»',
    "test/a.test.ts: in a test → (suppression-added:1)": "«→// @ts-expect-error\n»f('x');\n",
  });
});

describe("which checkers the gates run", () => {
  const change = { "src/a.ts": ["", "// @ts-ignore\n"] } as const;
  const scripts = (all: Readonly<Record<string, string>>) => ({
    "package.json": JSON.stringify({ name: "x", scripts: all }),
  });

  function alarmsWith(command: string, texts: Readonly<Record<string, string>>): readonly string[] {
    const base = { paths: new Set(Object.keys(texts)), texts: new Map(Object.entries(texts)) };
    return alarmsIn(change, { lines: compileProving([command], base).lines });
  }

  type Row = readonly [title: string, command: string, texts: Readonly<Record<string, string>>];
  test.each<Row>([
    ["by a command", "npx tsc --noEmit", {}],
    ["by its path", "./node_modules/.bin/tsc", {}],
    ["by a script", "npm run -s check", scripts({ check: "eslint . && tsc" })],
    ["by a script of a script", "pnpm test", scripts({ test: "pnpm run t:a", "t:a": "tsc" })],
    [
      "by scripts side by side",
      "yarn check",
      scripts({ check: "run-p check:*", "check:a": "tsc" }),
    ],
    ["by a hook", "npm t", scripts({ pretest: "tsc", test: "vitest" })],
    ["by a makefile", "make check", { Makefile: "check:\n\ttsc -b\n" }],
    ["by a file that it names", "sh ./ci/check.sh", { "ci/check.sh": "set -e\ntsc\n" }],
    ["by the name of a script that is not at hand", "turbo run typecheck", {}],
  ])("%s", (_title, command, texts) => {
    expect(alarmsWith(command, texts)).toEqual(["suppression-added:1"]);
  });

  test.each<Row>([
    ["no gate runs it", "npm test", scripts({ test: "vitest run", check: "tsc" })],
    ["a word holds its name", "node tsc-report.js", {}],
    ["there is no gate", "", {}],
  ])("a note where %s", (_title, command, texts) => {
    expect(alarmsWith(command, texts)).toEqual(["(suppression-added:1)"]);
  });
});

describe("what is no new suppression", () => {
  checkEach({
    "src/a.ts: words in a string": ["", 'const help = "// @ts-ignore and eslint-disable";\n'],
    "src/a.ts: words in the middle of a comment": ["", "// Do not use @ts-ignore here.\n"],
    "docs/a.md: prose in a page": ["", "Use `// eslint-disable-next-line`.\n"],
    "src/a.ts: words behind a quotation mark": ["", "const help = `it's // @ts-ignore`;\n"],
    "src/a.ts: formatting": ["", "// prettier-ignore\nconst a = 1;\n"],
    "src/a.ts: enabling again": ["", "/* eslint-enable */\n"],
    "src/a.ts: a line that moved": "«// @ts-ignore\na();\nb→b();\n// @ts-ignore\na»();\n",
    "src/a.ts: ignore became expect-error": "// @ts-«ignore→expect-error»\na();\n",
    "src/a.ts: everything became one rule": "// eslint-disable-next-line«→ no-console»\na();\n",
    "a.py: a code was added": "x = f()  # type: ignore«→[arg-type]»\n",
    "a.py: a hash in a string": ["", 'x = "# noqa"\n'],
    "src/a.rs: derive": ["", "#[derive(Debug)]\nstruct A;\n"],
    "dist/a.js: a generated file": ["", "/* eslint-disable */\n"],
    "src/a.ts: one that is gone": "«// @ts-ignore\n→»a();\n",
  });

  test("code that moved to another file took it along", () => {
    const line = "// eslint-disable-next-line no-console\nlog();\n";
    expect(alarmsIn({ "src/a.ts": [line, ""], "src/b.ts": [null, line] })).toEqual([]);
    expect(alarmsIn({ "src/a.ts": [line, null], "src/b.ts": [null, line + line] })).toEqual([
      "suppression-added:3",
    ]);
  });
});

test("many in one file are five, and the last says how many more there are", () => {
  const { alarms } = scanChange(changeOf({ "src/a.ts": ["", "// @ts-ignore\na();\n".repeat(9)] }));
  expect(alarms.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
    "1 // @ts-ignore",
    "3 // @ts-ignore",
    "5 // @ts-ignore",
    "7 // @ts-ignore",
    "9 // @ts-ignore (and 4 more)",
  ]);
});
