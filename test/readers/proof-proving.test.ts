import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { isDependencyList } from "../../src/readers/proof/put-back.ts";
import { isProduct } from "../../src/readers/tamper/paths.ts";
import { compileProving, type Proves } from "../../src/readers/proof/proving.ts";

/** What a path proves for gates, in a tree of these files; what has no text is only there. */
function proves(
  path: string,
  commands: readonly string[] = ["npm test"],
  files: Readonly<Record<string, string>> = {},
): Proves {
  const texts = new Map(Object.entries(files));
  return compileProving(commands, { paths: new Set([...texts.keys(), path]), texts }).howProves(
    path,
  );
}

/** A row of docs/proof.md for each word that the code has. */
const WORDS: Readonly<Record<string, (path: string) => boolean>> = {
  proves: (path) => proves(path) === "file",
  "is a setting": (path) => proves(path) === "settings",
  "proves in part": (path) => proves(path) === "sections",
  "holds tests": (path) => proves(path) === "test-modules",
  "is product": (path) => proves(path) === null && (isProduct(path) || isDependencyList(path)),
  "is neither": (path) => proves(path) === null && !isProduct(path) && !isDependencyList(path),
};

test("docs/proof.md gives examples that are what it says", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/proof.md"), "utf8");
  const rows = Object.entries(WORDS).map(([word, isSo]) => {
    const examples = page.split("\n").find((line) => line.startsWith(`| ${word} |`)) ?? "";
    const paths = Array.from(
      examples.split("|")[3]?.matchAll(/`([^`]+)`/g) ?? [],
      ([, path = ""]) => path,
    );
    return { word, isGiven: paths.length > 0, wrong: paths.filter((path) => !isSo(path)) };
  });
  expect(rows).toEqual(Object.keys(WORDS).map((word) => ({ word, isGiven: true, wrong: [] })));
});

describe("by its path", () => {
  test.each<[path: string, expected: Proves]>([
    ["test.js", "file"],
    ["test/helpers/server.js", "file"],
    ["test/fixtures/package.json", "file"],
    ["test/vendor/qunit.js", "file"],
    ["test/fixtures/node_modules/x/index.js", "file"],
    ["test_helpers.go", "file"],
    ["src/__tests__/util.ts", "file"],
    ["tests/__snapshots__/test_a.ambr", "file"],
    ["spec/parse_spec.rb", "file"],
    ["test/test_parse.rb", "file"],
    ["MyApp.Tests/ParseTests.cs", "file"],
    ["src/test/java/AppTest.java", "file"],
    ["t/basic.t", "file"],
    ["src/setupTests.ts", "file"],
    ["vite.config.ts", "settings"],
    ["turbo.json", "settings"],
    ["packages/a/project.json", null],
    ["pnpm-workspace.yaml", "sections"],
    ["packages/a/jest.config.cjs", "settings"],
    [".mocharc.yml", "settings"],
    [".taprc", "settings"],
    [".borp.yaml", "settings"],
    ["pytest.ini", "settings"],
    [".babelrc.json", "settings"],
    ["tox.ini", "settings"],
    [".rspec", "settings"],
    ["phpunit.xml.dist", "settings"],
    ["packages/a/.eslintrc.json", "file"],
    [".eslintignore", "file"],
    [".oxlintrc.json", "file"],
    ["biome.jsonc", "file"],
    [".flake8", "file"],
    ["ruff.toml", "file"],
    ["pyrightconfig.json", "file"],
    [".rubocop.yml", "file"],
    ["eslint-rules.js", null],
    ["docs/ruff.md", null],
    ["src/test-runner.ts", null],
    ["test-runner.js", "file"],
    ["src/pkg/test_parse.py", "file"],
    ["vite-env.d.ts", null],
    ["package-lock.json", null],
    ["Cargo.lock", null],
    ["docs/testing.md", null],
    ["tsconfig.json", null],
    ["scripts/check.sh", null],
    ["node_modules/x/test/index.js", null],
    ["vendor/x/tests/a.php", null],
    ["", null],
    ["\udcff/\udcfe", null],
  ])("%s: %s", (path, expected) => {
    expect(proves(path)).toBe(expected);
  });
});

describe("by what a gate's line names", () => {
  test.each<[what: string, path: string, command: string]>([
    ["a script", "scripts/check.sh", "scripts/check.sh"],
    ["a script behind an interpreter", "check.js", "node --no-warnings ./check.js"],
    ["a script without its ending", "tools/verify.mjs", "node tools/verify"],
    ["a module of Python", "tools/verify.py", "python3 -m tools.verify"],
    ["a script after a change of folder", "ci/run.sh", "cd ci && ./run.sh --all"],
    ["a script within a script", "ci/run.sh", "bash -c 'CI=1 sh ci/run.sh'"],
    ["the settings it is given", "config/run.yml", "mytool --config=config/run.yml"],
    ["variables it is given", "run.env", "node --env-file run.env --test"],
    ["files of a folder", "checks/deep/cart.js", "node --test checks/*.js"],
    ["files at any depth of it", "checks/deep/cart.js", "mocha './checks/**/*.js'"],
    ["a file that is loaded first", "register.js", "mocha -r ./register.js"],
    [
      "the settings of a compiler that it runs",
      "tsconfig.build.json",
      "npx tsc -p tsconfig.build.json",
    ],
  ])("%s", (_what, path, command) => {
    expect(proves(path, [command])).toBe("file");
  });

  test.each<[what: string, path: string, command: string]>([
    ["a makefile", "Makefile", "make test"],
    ["one that comes before it", "GNUmakefile", "make test"],
    ["a part of a makefile", "rules.mk", "make test"],
    ["a justfile", "justfile", "just test"],
    ["another name of a Rakefile", "rakefile", "rake"],
  ])("%s, as settings", (_what, path, command) => {
    expect(proves(path, [command])).toBe("settings");
    expect(proves(path, ["go test ./..."])).toBeNull();
  });

  test.each<[what: string, path: string, command: string]>([
    ["a source that it checks", "util.js", "eslint util.js"],
    ["a source that a module of Python checks", "cart.py", "python3 -m mypy cart.py"],
    ["a source whose form it checks", "util.js", "node --check util.js"],
    ["the program itself", "src/cli.js", "node src/cli.js --version"],
    ["the program at the root", "index.js", "node index.js"],
    ["what stands beside a script at the root", "util.js", "node check.js"],
    ["sources of a folder", "src/util.js", "c8 src/*.js"],
  ])("not %s", (_what, path, command) => {
    expect(proves(path, [command], { "check.js": "" })).toBeNull();
  });
});

describe("by what the named files name", () => {
  const PACKAGE = JSON.stringify({
    scripts: {
      test: "run-s lint:* unit",
      pretest: "node prepare.js",
      "lint:own": "bash ci/lint.sh",
      unit: "tsc && vitest run",
      build: "node build/bundle.js",
    },
  });
  const files = {
    "package.json": PACKAGE,
    "prepare.js": "",
    "ci/lint.sh": '#!/bin/sh\nnode "$(dirname "$0")/../tools/rules.js"\n',
    "ci/lib/words.txt": "",
    "tools/rules.js": "",
    "build/bundle.js": "",
    "vitest.config.ts": 'export default { test: { setupFiles: ["./src/test-env.ts"] } }',
    "src/test-env.ts": "",
    Makefile: "include ci/more\nall:\n\t@$(NODE) tools/rules.js\nci: all\n\t./ci/lint.sh\n",
    "ci/more": "",
    "jest.config.js": 'const base = require("./rules/base.js");',
    ".eslintrc.json": '{ "extends": ["./rules/strict.json"] }',
    "rules/base.js": "",
    "rules/strict.json": "",
  };
  test.each<[what: string, path: string, command: string, expected: Proves]>([
    ["a script that runs before the one named", "prepare.js", "npm test", "file"],
    ["a script that a script runs by a pattern", "ci/lint.sh", "npm test", "file"],
    ["the whole folder of a script", "ci/lib/words.txt", "npm test", "file"],
    ["what a script of shell runs", "tools/rules.js", "npm test", "file"],
    ["the settings of a compiler that a script runs", "tsconfig.json", "npm test", "file"],
    ["not what no gate runs", "build/bundle.js", "npm test", null],
    ["not the settings of a compiler that no gate runs", "tsconfig.json", "npm run lint:own", null],
    ["a file that settings load before the tests", "src/test-env.ts", "vitest run", "file"],
    ["what a makefile runs", "tools/rules.js", "make ci", "file"],
    ["what a makefile runs in shell", "ci/lib/words.txt", "make -C . ci", "file"],
    ["what a makefile includes", "ci/more", "make ci", "file"],
    ["what settings load", "rules/base.js", "jest", "file"],
    ["what a linter's rules extend", "rules/strict.json", "eslint .", "file"],
  ])("%s", (_what, path, command, expected) => {
    expect(proves(path, [command], files)).toBe(expected);
  });

  test("what has to be read is told, and what is read names more", () => {
    const paths = new Set([
      "package.json",
      "ci/lint.sh",
      "tools/rules.js",
      "src/a.ts",
      ".mocharc.json",
    ]);
    const unread = (texts: Readonly<Record<string, string>>): readonly string[] =>
      compileProving(["npm test"], { paths, texts: new Map(Object.entries(texts)) }).unread;
    expect(unread({})).toEqual([".mocharc.json", "package.json"]);
    expect(unread({ "package.json": PACKAGE, ".mocharc.json": "" })).toEqual(["ci/lint.sh"]);
  });

  test("what Go vendors proves, for its tests come from there, too", () => {
    const path = "vendor/github.com/x/assert/assert.go";
    expect(proves(path, ["go test ./..."], { "vendor/modules.txt": "" })).toBe("file");
    expect(proves(path, ["go test ./..."])).toBeNull();
  });

  test("scripts that name each other come to an end", () => {
    const text = '{ "scripts": { "test": "npm run a && sh x.sh", "a": "npm test" } }';
    const loop = { "package.json": text, "x.sh": "sh x.sh; ./x.sh; npm test" };
    expect(proves("x.sh", ["npm test"], loop)).toBe("file");
  });

  test.each([
    ["a long line", `sh ${"a/".repeat(60_000)}x.sh`],
    ["a line that nothing can read", "$(".repeat(5_000)],
    ["an empty line", ""],
  ])("%s is no trouble", (_what, command) => {
    expect(proves("src/a.ts", [command], files)).toBeNull();
  });
});
