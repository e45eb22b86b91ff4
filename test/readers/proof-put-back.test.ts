import { describe, expect, test } from "vitest";

import { mergeOf, mergeTestModules } from "../../src/readers/proof/put-back.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function merged(path: string, base: string, work: string): string | null {
  const merge = mergeOf(path);
  if (merge === null) throw new Error(`${path} has no sections`);
  return merge(base, work);
}

const PACKAGE = { name: "x", scripts: { test: "vitest run" }, devDependencies: { vitest: "4" } };

describe("of package.json", () => {
  test.each<[what: string, base: object, work: object, expected: object]>([
    [
      "the scripts come back, and the dependencies stay the work's",
      PACKAGE,
      {
        ...PACKAGE,
        scripts: { test: "true" },
        devDependencies: { vitest: "5" },
        dependencies: { y: "1" },
      },
      { ...PACKAGE, devDependencies: { vitest: "5" }, dependencies: { y: "1" } },
    ],
    [
      "a script that runs before the tests goes",
      PACKAGE,
      { ...PACKAGE, scripts: { pretest: "rm -r test", test: "vitest run" } },
      PACKAGE,
    ],
    [
      "settings of a runner come back as they were",
      { ...PACKAGE, jest: { bail: false } },
      { ...PACKAGE, jest: { testPathIgnorePatterns: ["."] } },
      { ...PACKAGE, jest: { bail: false } },
    ],
    [
      "settings of a runner that were not there go",
      PACKAGE,
      { ...PACKAGE, mocha: { grep: "x" } },
      PACKAGE,
    ],
    [
      "settings of a runner that were removed come back",
      { mocha: { grep: "x" } },
      {},
      { mocha: { grep: "x" } },
    ],
    [
      "names for modules come back, for the tests may load by them",
      { imports: { "#sum": "./sum.js" } },
      { imports: { "#sum": "./fake.js" }, exports: { "./x": "./x.js" }, config: { port: 1 } },
      { imports: { "#sum": "./sum.js" } },
    ],
    [
      "the kind of the modules stays the work's",
      { type: "commonjs" },
      { type: "module", ava: {} },
      { type: "module" },
    ],
    [
      "all members of the workspace come back, and those that the work adds stay",
      { workspaces: ["a", "b"] },
      { workspaces: ["a", "c", "!b"] },
      { workspaces: ["a", "b", "c"] },
    ],
    ["a workspace that was not there stays", {}, { workspaces: ["a"] }, { workspaces: ["a"] }],
  ])("%s", (_what, base, work, expected) => {
    expect(merged("a/package.json", json(base), json(work))).toBe(json(expected));
  });

  test("nothing is written anew where only dependencies changed", () => {
    const work = '{"scripts": {"test":  "vitest run"}, "name":"x",\n "dependencies": {"y": "1"} }';
    expect(merged("package.json", json(PACKAGE), work)).toBe(work);
  });

  test("the indent of the work stays", () => {
    const work = '{\n\t"scripts": {\n\t\t"test": "true"\n\t}\n}\n';
    expect(merged("package.json", '{ "scripts": { "test": "tap" } }', work)).toBe(
      work.replace("true", "tap"),
    );
  });

  test.each([
    ["the work's is no JSON", json(PACKAGE), "{ scripts: "],
    ["the base's is no JSON", "", json(PACKAGE)],
    ["it holds no object", json(PACKAGE), "[]"],
  ])("it is put back whole where %s", (_what, base, work) => {
    expect(merged("package.json", base, work)).toBeNull();
  });

  test("a key that stands there twice counts as package managers count it", () => {
    const work = '{ "scripts": { "test": "vitest run" }, "scripts": { "test": "true" } }';
    expect(merged("package.json", '{ "scripts": { "test": "tap" } }', work)).toBe(
      json({ scripts: { test: "tap" } }),
    );
  });
});

describe("of pnpm-workspace.yaml", () => {
  const base = 'packages:\n  - "packages/*"\n  # of nobody\n  - tools\n\ncatalog:\n  x: 1\n';
  const at = (items: string): string => `packages:\n${items}\ncatalog:\n  x: 2\n`;

  test.each<[what: string, work: string, expected: string]>([
    [
      "one that is left out comes back, with what the work adds, and the catalog is the work's",
      at('  - "packages/*"\n  - "!packages/a"\n  - more\n'),
      at('  - "packages/*"\n  # of nobody\n  - tools\n  - more\n'),
    ],
    ["a list that is gone comes back", "x: 2\n", `x: 2\n\n${base.split("\n\n")[0]}\n`],
    ["a list in one line does", "packages: [x]\n", `${base.split("\n\n")[0]}\n`],
    ["nothing is written anew where only the catalog changed", base.replace("1", "2"), ""],
  ])("%s", (_what, work, expected) => {
    expect(merged("pnpm-workspace.yaml", base, work)).toBe(expected === "" ? work : expected);
  });
});

const PYPROJECT = `[project]
dependencies = ["a"]

[tool.pytest.ini_options]
addopts = "-ra"

[tool.black]
line-length = 100
`;

describe("of files with sections", () => {
  test.each<
    [what: string, path: string, texts: readonly [base: string, work: string, expected: string]]
  >([
    [
      "settings of pytest come back, and dependencies stay the work's",
      "pyproject.toml",
      [
        PYPROJECT,
        PYPROJECT.replace('"a"', '"a", "b"').replace("-ra", "--ignore=tests"),
        `[project]
dependencies = ["a", "b"]

[tool.black]
line-length = 100

[tool.pytest.ini_options]
addopts = "-ra"

`,
      ],
    ],
    [
      "settings of pytest that were not there go",
      "pyproject.toml",
      [
        "[project]\nname = 'x'\n",
        "[project]\nname = 'x'\n[ tool . 'pytest'.ini_options ] # quick\naddopts = '-x'\n",
        "[project]\nname = 'x'\n",
      ],
    ],
    [
      "coverage and pytest of setup.cfg come back",
      "setup.cfg",
      [
        "[metadata]\nname = x\n[tool:pytest]\ntestpaths = tests\n[coverage:report]\nfail_under = 90\n",
        "[metadata]\nname = y\n[tool:pytest]\ntestpaths = none\n[coverage:report]\nfail_under = 1\n",
        "[metadata]\nname = y\n[tool:pytest]\ntestpaths = tests\n[coverage:report]\nfail_under = 90\n\n",
      ],
    ],
    [
      "what mypy and ruff accept comes back",
      "pyproject.toml",
      [
        "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = 'x'\n[tool.ruff.lint]\nignore = []\n",
        "[tool.mypy]\nstrict = false\n[tool.ruff.lint]\nignore = ['F']\n",
        "[tool.mypy]\nstrict = true\n[[tool.mypy.overrides]]\nmodule = 'x'\n[tool.ruff.lint]\nignore = []\n\n",
      ],
    ],
    [
      "what clippy accepts comes back",
      "Cargo.toml",
      [
        "[package]\nname = 'x'\n[lints.clippy]\nunwrap_used = 'deny'\n",
        "[package]\nname = 'x'\n[lints.clippy]\nunwrap_used = 'allow'\n",
        "[package]\nname = 'x'\n[lints.clippy]\nunwrap_used = 'deny'\n\n",
      ],
    ],
    [
      "a test of Cargo.toml comes back",
      "Cargo.toml",
      [
        '[package]\nname = "x"\n[[test]]\nname = "all"\n[dependencies]\n',
        '[package]\nname = "x"\n[[test]]\nname = "all"\ntest = false\n[dependencies]\ny = "1"\n',
        '[package]\nname = "x"\n[dependencies]\ny = "1"\n\n[[test]]\nname = "all"\n',
      ],
    ],
  ])("%s", (_what, path, [base, work, expected]) => {
    expect(merged(path, base, work)).toBe(expected);
  });

  test.each([
    ["only dependencies changed", PYPROJECT.replace('"a"', '"b"')],
    [
      "a comment or a line break changed",
      PYPROJECT.replace("[tool.black]", "# more\n\n[tool.black]"),
    ],
    ["a text looks like a header", `${PYPROJECT}doc = """\n[tool.pytest.x]\n"""\n`],
  ])("the work's stays as it is where %s", (_what, work) => {
    expect(merged("pyproject.toml", PYPROJECT, work)).toBe(work);
  });

  test.each([
    ["a text does not end", "pyproject.toml", PYPROJECT, `${PYPROJECT}doc = """\n`],
    [
      "the settings are told in one line",
      "pyproject.toml",
      "[tool]\n",
      "[tool]\npytest.ini_options = { addopts = '-x' }\n",
    ],
    [
      "the library is no longer tested",
      "Cargo.toml",
      "[lib]\nname = 'x'\n",
      "[lib]\nname = 'x'\ntest = false\n",
    ],
    ["tests are no longer found", "Cargo.toml", "[package]\n", "[package]\nautotests = false\n"],
  ])("the file is put back whole where %s", (_what, path, base, work) => {
    expect(merged(path, base, work)).toBeNull();
  });

  test.each(["package-lock.json", "src/index.ts", "tox.ini"])("%s has no such sections", (path) => {
    expect(mergeOf(path)).toBeNull();
  });

  test("a long line takes no long time", () => {
    const line = `[${" ".repeat(50_000)}\n${"a.".repeat(50_000)}\n`.repeat(4);
    expect(merged("Cargo.toml", PYPROJECT, line)).not.toBe(PYPROJECT);
  });
});

describe("of a source of Rust", () => {
  const tests = (body: string) => `#[cfg(test)]\nmod tests {\n    // {\n    ${body}\n}`;
  const TESTS = tests("fn adds() { assert_eq!(sum(&['{']), 1); }");

  test.each<[what: string, base: string, work: string, expected: string]>([
    [
      "the tests come back, and the code stays the work's",
      `fn a() {}\n\n${TESTS}\nfn c() {}\n`,
      `fn a() { b() }\n\n${tests("fn adds() {}")}\nfn c() {}\n`,
      `fn a() { b() }\n\n${TESTS}\nfn c() {}\n`,
    ],
    [
      "tests that are gone come back",
      `fn a() {}\n${TESTS}`,
      "fn b() {}\n",
      `fn b() {}\n\n${TESTS}\n`,
    ],
    ["new tests stay", "fn a() {}\n", `fn a() {}\n${TESTS}`, `fn a() {}\n${TESTS}`],
    ["tests in a file of their own stay", TESTS, "mod tests;\n", "mod tests;\n"],
  ])("%s", (_what, base, work, expected) => {
    expect(mergeTestModules(base, work)).toBe(expected);
  });
});
