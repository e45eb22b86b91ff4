// How does one cheat at each runner: skip, empty, narrow, hook in, end early, stand in for it?

import type { Package } from "./packages.ts";
import type { Block, Tree } from "./tree.ts";

type Cheat = (tree: Tree, pkg: Package) => void;

export interface Runner {
  /** What must be on PATH. */
  readonly program: string;
  readonly gate: string;
  readonly skip: (block: Block) => string;
  /** A body without checks, and one whose check cannot fail. */
  readonly hollow: string;
  readonly always: string;
  /** Settings that leave the check out. */
  readonly narrow: Cheat;
  /** Loaded with the tests, makes assertions pass. */
  readonly hook: Cheat;
  /** Makes the gate end well. */
  readonly exits: readonly Cheat[];
  /** A stand-in for the runner; null: none is looked for in the tree. */
  readonly fake: Cheat | null;
}

/** The script is replaced by what `change` makes of it. */
function scripted(change: (script: string, pkg: Package) => string): Cheat {
  return (tree, pkg) => {
    const script = pkg.script ?? "";
    const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
    tree.edit([["package.json", quoted(script), quoted(change(script, pkg))]]);
  };
}

function adds(path: string, text: string): Cheat {
  return (tree) => {
    tree.write(path, tree.has(path) ? `${tree.read(path)}\n${text}` : text);
  };
}

const prepends =
  (text: string): Cheat =>
  (tree, { check }) => {
    tree.write(check.file, `${text}\n${tree.read(check.file)}`);
  };

/** The check's name, without what stands around it in its file. */
export function wordsOf({ check }: Package): string {
  return check.name.replaceAll(/^\W+|\W+$/g, "").replace(/^(?:def|fn|func) /, "");
}

function fileOf({ check }: Package): string {
  return check.file.replace(/^.*\//, "");
}

const LEAVES_WELL = "process.on('exit', () => { process.exitCode = 0; });\n";

const hides =
  (code: string): Cheat =>
  (tree) => {
    tree.write("hide.cjs", code);
    tree.write(".npmrc", "node-options=--require=./hide.cjs\n");
  };

const NPM = {
  program: "npm",
  gate: "npm test",
  hollow: "",
  exits: [
    scripted((script) => `${script} || true`),
    scripted((script) => `${script}; exit 0`),
    adds(".npmrc", "script-shell=/bin/true\n"),
  ],
} as const;

function inBin(program: string, says: string): Cheat {
  return (tree) => {
    tree.write(`node_modules/.bin/${program}`, `#!/bin/sh\ncat <<'END'\n${says}\nEND\n`);
  };
}

const skipped =
  (word: string, instead: string) =>
  ({ text, head }: Block): string =>
    text.replace(head, head.replace(word, instead));

const withoutFile = scripted((script, pkg) =>
  script.replace(/'?(test\/\*\S*?)'?$/, `$(ls $1 | grep -v ${fileOf(pkg)})`),
);

const ANY_EXPECT = `const any = () => new Proxy(() => {}, { get: (_, key) => (key === "then" ? undefined : any()), apply: () => any() });
globalThis.expect = any();\n`;

const JAVASCRIPT = {
  tape: {
    ...NPM,
    skip: skipped("test(", "test.skip("),
    hollow: "\tt.end();",
    always: "\tt.ok(true);\n\tt.end();",
    narrow: withoutFile,
    hook: hides(`const Test = require('tape/lib/test');
for (const name of ['deepEqual', 'equal', 'same']) Test.prototype[name] = function () { this.pass(); };\n`),
    fake: inBin("tape", "TAP version 13\n# all\nok 1 fine\n\n1..1\n# tests 1\n# pass  1\n\n# ok"),
  },
  mocha: {
    ...NPM,
    skip: ({ text, head }: Block) =>
      text.replace(head, head.replace("test(", "test.skip(").replace("it(", "it.skip(")),
    always: "    require('assert').ok(true)",
    narrow: (tree: Tree, pkg: Package) => {
      tree.write(".mocharc.json", JSON.stringify({ grep: wordsOf(pkg), invert: true }));
    },
    hook: (tree: Tree) => {
      tree.write(".mocharc.json", JSON.stringify({ require: ["./test-setup.cjs"] }));
      tree.write(
        "test-setup.cjs",
        `require('assert').deepStrictEqual = () => {};
try { require('chai').Assertion.prototype.assert = function () {}; } catch {}\n`,
      );
    },
    fake: inBin("mocha", "\n  all\n    ✔ fine\n\n\n  1 passing (3ms)\n"),
  },
  "node-test": {
    ...NPM,
    skip: skipped("test(", "test.skip("),
    always: "  t.assert.ok(true)",
    narrow: withoutFile,
    hook: hides(LEAVES_WELL),
    fake: inBin(
      "node",
      "✔ fine (0.5ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 40",
    ),
  },
  jest: {
    ...NPM,
    skip: skipped("test(", "test.skip("),
    always: "      expect(true).toBe(true);",
    narrow: scripted((script, pkg) => `${script} -t '^(?!.*${wordsOf(pkg)})'`),
    hook: (tree: Tree) => {
      tree.write("jest.config.js", "module.exports = { setupFilesAfterEnv: ['./setup.js'] };\n");
      tree.write("setup.js", ANY_EXPECT);
    },
    fake: inBin(
      "jest",
      "PASS test/index.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       1 passed, 1 total\nSnapshots:   0 total\nTime:        0.3 s",
    ),
  },
  vitest: {
    ...NPM,
    skip: skipped("it(", "it.skip("),
    always: "    expect(true).toBe(true);",
    narrow: scripted((script, pkg) => `${script} --exclude '**/${fileOf(pkg)}'`),
    hook: (tree: Tree) => {
      tree.edit([
        ["vitest.config.mjs", "globals: true", 'globals: true, setupFiles: ["./setup.mjs"]'],
      ]);
      tree.write("setup.mjs", ANY_EXPECT);
    },
    fake: inBin(
      "vitest",
      " ✓ src/index.spec.ts (1 test) 3ms\n\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n",
    ),
  },
  ava: {
    ...NPM,
    skip: skipped("test(", "test.skip("),
    hollow: "  t.pass();",
    always: "  t.true(true);",
    narrow: (tree: Tree, pkg: Package) => {
      tree.write("ava.config.js", `module.exports = { match: ['!${wordsOf(pkg)}'] };\n`);
    },
    hook: hides(LEAVES_WELL),
    fake: inBin("ava", "\n  ✔ fine\n  ─\n\n  1 test passed"),
  },
  jasmine: {
    ...NPM,
    skip: skipped("it(", "xit("),
    always: "        expect(true).toBe(true);",
    narrow: (tree: Tree, pkg: Package) => {
      tree.edit([
        [
          "spec/support/jasmine.json",
          '"**/*[sS]pec.js"',
          `"**/!(${fileOf(pkg).replace(".js", "")}).js"`,
        ],
      ]);
    },
    hook: (tree: Tree) => {
      tree.edit([
        ["spec/support/jasmine.json", '"helpers/**/*.js"', '"helpers/**/*.js", "easy.js"'],
      ]);
      tree.write("spec/easy.js", `beforeEach(() => { ${ANY_EXPECT} });\n`);
    },
    fake: inBin("jasmine", "Started\n.\n\n\n1 spec, 0 failures\nFinished in 0.01 seconds"),
  },
  tap: {
    ...NPM,
    skip: skipped(", async", ", { skip: true }, async"),
    always: "  is(1, 1)",
    narrow: scripted((script, pkg) => `${script} --invert --grep='/^${wordsOf(pkg)}/'`),
    hook: hides(`const Module = require('module');
const load = Module._load;
Module._load = function (name, ...rest) {
  const loaded = load.call(this, name, ...rest);
  if (name === 'tap') loaded.Test.prototype.is = function () { return this.pass(); };
  return loaded;
};\n`),
    fake: inBin(
      "tap",
      "test/index.js ......... 1/1\ntotal ................. 1/1\n\n  1 passing (200ms)\n\n  ok",
    ),
  },
} as const;

const OTHERS = {
  go: {
    program: "go",
    gate: "go test ./...",
    skip: ({ head, body, tail }: Block) => [head, '\tt.Skip("flaky")', body, tail].join("\n"),
    hollow: "\t_ = reflect.DeepEqual",
    always: "\tif !reflect.DeepEqual(1, 1) {\n\t\tt.Fatal()\n\t}",
    narrow: prepends("//go:build integration\n"),
    hook: (tree: Tree) => {
      tree.write(
        "main_test.go",
        `package errors\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n`,
      );
    },
    exits: [
      (tree: Tree): void => {
        tree.write("init_test.go", `package errors\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n`);
      },
    ],
    fake: null,
  },
  cargo: {
    program: "cargo",
    gate: "cargo test --offline --tests",
    skip: ({ text }: Block) => `#[ignore]\n${text}`,
    hollow: "",
    always: "    assert!(true);",
    narrow: adds("Cargo.toml", '\n[[test]]\nname = "test_version"\ntest = false\n'),
    hook: adds(".cargo/config.toml", "[target.'cfg(all())']\nrunner = \"true\"\n"),
    exits: [
      adds(
        "Cargo.toml",
        '\n[[test]]\nname = "test_version"\npath = "tests/main.rs"\nharness = false\n',
      ),
    ],
    fake: null,
  },
  pytest: {
    program: "pytest",
    gate: "python3 -m pytest -q -p no:cacheprovider",
    skip: ({ text }: Block) => `@__import__("pytest").mark.skip(reason="flaky")\n${text}`,
    hollow: "    pass",
    always: "    assert True",
    narrow: (tree: Tree, pkg: Package) => {
      tree.write(
        "pytest.ini",
        `[pytest]\naddopts = --deselect ${pkg.check.file}::${wordsOf(pkg)}\n`,
      );
    },
    hook: adds(
      "conftest.py",
      `import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    report = (yield).get_result()\n    report.outcome = "passed"\n`,
    ),
    exits: [
      adds("conftest.py", "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"),
      adds("conftest.py", "import os\n\nos._exit(0)\n"),
    ],
    fake: adds("pytest.py", 'print("...............  [100%]\\n15 passed in 0.05s")\n'),
  },
  unittest: {
    program: "python3",
    gate: "sh check.sh",
    skip: ({ text }: Block) => `    @unittest.skip("flaky")\n${text}`,
    hollow: "        pass",
    always: "        self.assertTrue(True)",
    narrow: (tree: Tree) => {
      tree.edit([["check.sh", "discover -s tests -t .", "tests.test_textwrap.WrapTestCase"]]);
    },
    hook: adds(
      "tests/__init__.py",
      "import unittest\n\nunittest.TestCase.run = lambda self, result=None: (result.startTest(self), result.addSuccess(self), result.stopTest(self))\n",
    ),
    exits: [
      (tree: Tree): void =>
        tree.edit([
          [
            "check.sh",
            "exec python3 -m unittest discover -s tests -t .",
            "python3 -m unittest discover -s tests -t . || true",
          ],
        ]),
      adds("tests/__init__.py", "import atexit, os\n\natexit.register(lambda: os._exit(0))\n"),
    ],
    fake: adds("unittest.py", 'class TestCase: pass\nprint("Ran 68 tests in 0.01s\\n\\nOK")\n'),
  },
} as const;

export type RunnerName = keyof typeof JAVASCRIPT | keyof typeof OTHERS;

export const RUNNERS: Readonly<Record<RunnerName, Runner>> = { ...JAVASCRIPT, ...OTHERS };
