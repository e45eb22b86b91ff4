import { describe, expect, test } from "vitest";

import { findAlarms } from "../../src/readers/tamper/find.ts";
import { alarmsAt, alarmsIn, alarmsOf, changeOf, checkOne } from "./tamper-change.ts";

const ADDED = "suppression-added:1";

describe("a suppression that is new", () => {
  test.each<readonly [path: string, line: string]>([
    ["src/a.ts", "// @ts-ignore"],
    ["src/a.ts", "// @ts-expect-error the types are wrong"],
    ["src/a.ts", "/* @ts-nocheck */"],
    ["src/a.tsx", "{/* @ts-ignore */}"],
    ["src/a.ts", "foo(); // eslint-disable-line no-console"],
    ["src/a.ts", "// eslint-disable-next-line"],
    ["src/a.ts", "/* eslint-disable */"],
    ["src/a.ts", '/* eslint no-console: "off" */'],
    ["src/a.ts", "// oxlint-disable-next-line no-console -- it is a command line"],
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
    ["src/a.py", "x = f()  # because  # noqa: E501"],
    ["a.go", "x := f() //nolint:errcheck"],
    ["a.go", "x := f() // #nosec G304"],
    ["src/a.rs", "#[allow(dead_code)]"],
    ["src/a.rs", "#![allow(clippy::all)]"],
    ["src/A.java", '@SuppressWarnings("unchecked")'],
    ["src/A.kt", '@Suppress("UNCHECKED_CAST")'],
    ["src/A.cs", "#pragma warning disable CS0168"],
    ["src/a.cpp", "int x; // NOLINT(readability-magic-numbers)"],
    ["lib/a.rb", "foo # rubocop:disable Metrics/MethodLength"],
    ["tools/a.sh", "# shellcheck disable=SC2086"],
  ])("%s: %s", (path, line) => {
    checkOne(path, ["", `${line}\n`], ADDED);
    checkOne(path, [null, `${line}\n`], ADDED);
    checkOne(path, [`${line}\n`, `${line}\nmore = 1\n`]);
  });
});

describe("what is no new suppression", () => {
  alarmsAt({
    "src/a.ts: words in a string": ["", 'const help = "// @ts-ignore and eslint-disable";\n'],
    "src/a.ts: words in the middle of a comment": [
      "",
      "// Do not use @ts-ignore or eslint-disable here.\n",
    ],
    "docs/a.md: prose in a page": ["", "Use `// eslint-disable-next-line`.\n"],
    "src/a.ts: formatting": ["", "// prettier-ignore\nconst a = 1;\n"],
    "src/a.ts: enabling again": ["", "/* eslint-enable */\n"],
    "test/a.test.ts: an expected error in a test of types": [
      "",
      "// @ts-expect-error must not accept text\nf('x');\n",
    ],
    "src/a.ts: a line that moved": "«// @ts-ignore\na();\nb→b();\n// @ts-ignore\na»();\n",
    "src/a.ts: ignore became expect-error": "// @ts-«ignore→expect-error»\na();\n",
    "src/a.ts: everything became one rule": "// eslint-disable-next-line«→ no-console»\na();\n",
    "src/a.ts: two rules became one": "// eslint-disable-next-line no-«console, no-→»alert\na();\n",
    "src/a.ts: a whole file became single lines":
      "/«* eslint-disable no-console */\na();→/ eslint-disable-next-line no-console\na();\n// eslint-disable-next-line no-console»\nb();\n",
    "a.py: type: ignore with a code": "x = f()  # type: ignore«→[arg-type]»\n",
    "a.py: a hash in a string": ["", 'x = "# noqa"\n'],
    "src/a.rs: derive": ["", "#[derive(Debug)]\nstruct A;\n"],
    "dist/a.js: a generated file": ["", "/* eslint-disable */\n"],
    "src/a.ts: one that is gone": "«// @ts-ignore\n→»a();\n",
  });

  test("code that moved to another file took it along", () => {
    const line = "// eslint-disable-next-line no-console\nlog();\n";
    expect(alarmsOf({ "src/a.ts": [line, ""], "src/b.ts": [null, line] })).toEqual([]);
    expect(alarmsOf({ "src/a.ts": [line, null], "src/b.ts": [null, line + line] })).toEqual([
      "suppression-added:3",
    ]);
  });
});

describe("a suppression that grew", () => {
  alarmsIn("src/a.ts", {
    "a rule more → suppression-added:1":
      "// eslint-disable-next-line no-console«→, no-alert»\na();\n",
    "the whole file → suppression-added:1":
      "«// eslint-disable-next-line no-console→/* eslint-disable no-console */»\na();\n",
    "every rule → suppression-added:1": "// eslint-disable-next-line« no-console→»\na();\n",
    "every type → suppression-added:1": "// @ts-«ignore→nocheck»\na();\n",
  });

  test("many in one file are five alarms, and the last says how many more there are", () => {
    const alarms = findAlarms(changeOf({ "src/a.ts": ["", "// @ts-ignore\na();\n".repeat(9)] }));
    expect(alarms.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
      "1 // @ts-ignore",
      "3 // @ts-ignore",
      "5 // @ts-ignore",
      "7 // @ts-ignore",
      "9 // @ts-ignore (and 4 more)",
    ]);
  });
});
