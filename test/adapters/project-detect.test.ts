import { describe, expect, test } from "vitest";

import { detectProject } from "../../src/adapters/project/project-detect.ts";
import { makeProject } from "../support/project.ts";

type Files = Readonly<Record<string, string>>;

const scripts = (all: Files, more = {}): Files => ({
  "package.json": JSON.stringify({ scripts: all, ...more }),
});
const NODE = scripts({ test: "vitest run" });
const UNITTEST = "import unittest\n";
const CMAKE = "cmake -S . -B build && cmake --build build";

function gatesOf(files: Files, folder = ""): Files {
  const root = makeProject(files);
  const { gates } = detectProject(`${root}/${folder}`, root);
  return Object.fromEntries(gates.map(({ name, run }) => [name, run]));
}

describe("the commands of a project of Node", () => {
  test.each<[string, Files, Files]>([
    ["npm test", NODE, { test: "npm test" }],
    ["pnpm by its lock", { ...NODE, "pnpm-lock.yaml": "" }, { test: "pnpm test" }],
    ["yarn by its lock", { ...NODE, "yarn.lock": "" }, { test: "yarn test" }],
    ["bun by its lock", { ...NODE, "bun.lock": "" }, { test: "bun run test" }],
    [
      "what package.json says beats a lock",
      { ...scripts({ test: "jest" }, { packageManager: "pnpm@9.1.0" }), "yarn.lock": "" },
      { test: "pnpm test" },
    ],
    [
      "all four by their scripts",
      scripts({ "test:unit": "jest", typecheck: "tsc", lint: "eslint .", build: "vite build" }),
      {
        test: "npm run test:unit",
        types: "npm run typecheck",
        lint: "npm run lint",
        build: "npm run build",
      },
    ],
    [
      "not what npm init leaves",
      scripts({ test: 'echo "Error: no test specified" && exit 1' }),
      {},
    ],
    [
      "not what never ends",
      scripts({ test: "vitest --watch", unit: "x" }),
      { test: "npm run unit" },
    ],
    ["not what changes files", scripts({ lint: "eslint --fix ." }), {}],
    [
      "not what runs a script that changes files",
      scripts({
        test: "npm run build && npm run tidy && npm run test-api",
        tidy: "npm run format",
        format: "prettier . --write",
        "test-api": "node test/index.js",
        lint: "npm run lint && eslint .",
      }),
      { test: "npm run test-api", lint: "npm run lint" },
    ],
    [
      "vitest without a script",
      { "package.json": '{"devDependencies":{"vitest":"4.0.0"}}' },
      { test: "npx --no-install vitest run" },
    ],
    [
      "jest without a script",
      { "package.json": '{"devDependencies": {"jest": "30.0.0"}}', "pnpm-lock.yaml": "" },
      { test: "pnpm exec jest" },
    ],
    [
      "node --test without a script",
      { "package.json": "{}", "test/a.test.mjs": 'import test from "node:test";' },
      { test: "node --test" },
    ],
    [
      "types and lint by their settings",
      { "package.json": "{}", "tsconfig.json": "{}", "eslint.config.js": "" },
      { types: "npx --no-install tsc --noEmit", lint: "npx --no-install eslint ." },
    ],
    [
      "those of workspaces",
      {
        ...scripts({}, { workspaces: ["packages/*"] }),
        "packages/a/package.json": NODE["package.json"] ?? "",
      },
      { test: "npm run test --workspaces --if-present" },
    ],
    ["none without a script", { "package.json": "{}" }, {}],
    ["none in a broken package.json", { "package.json": "{" }, {}],
    ["none where scripts are no object", { "package.json": '{"scripts":7}' }, {}],
  ])("%s", (_name, files, expected) => {
    expect(gatesOf(files)).toEqual(expected);
  });

  test("in a package the lock of the root counts", () => {
    const files = { "a/package.json": NODE["package.json"] ?? "", "pnpm-lock.yaml": "" };
    expect(gatesOf(files, "a")).toEqual({ test: "pnpm test" });
  });
});

describe("the commands of other projects", () => {
  test.each<[string, Files, Files]>([
    ["pytest", { "pyproject.toml": "" }, { test: "python3 -m pytest" }],
    ["pytest by its ini", { "pytest.ini": "" }, { test: "python3 -m pytest" }],
    [
      "pytest under uv, with ruff",
      { "pyproject.toml": "[tool.ruff]\n", "uv.lock": "" },
      { test: "uv run python -m pytest", lint: "uv run ruff check ." },
    ],
    [
      "pytest under poetry, with mypy",
      { "pyproject.toml": "[tool.mypy]\n", "poetry.lock": "" },
      { test: "poetry run python -m pytest", types: "poetry run mypy ." },
    ],
    [
      "pytest in an environment of the project",
      { "pyproject.toml": "", ".venv/bin/python": "" },
      { test: ".venv/bin/python -m pytest" },
    ],
    ["tox", { "tox.ini": "[tox]\nenvlist = py\n" }, { test: "tox" }],
    ["unittest", { "test_a.py": UNITTEST }, { test: "python3 -m unittest discover" }],
    [
      "unittest in a folder",
      { "setup.py": "", "tests/test_a.py": UNITTEST },
      { test: "python3 -m unittest discover -s tests" },
    ],
    ["make", { Makefile: "lint test: all\n\ttrue\n" }, { test: "make test", lint: "make lint" }],
    ["make check", { Makefile: "check:\n\ttrue\n" }, { test: "make check" }],
    ["just", { justfile: 'test *args="":\n  true\n' }, { test: "just test" }],
    [
      "cargo",
      { "Cargo.toml": "" },
      { test: "cargo test", lint: "cargo clippy --all-targets -- -D warnings" },
    ],
    ["go", { "go.mod": "" }, { test: "go test ./...", lint: "go vet ./..." }],
    ["Maven", { "pom.xml": "", mvnw: "" }, { test: "./mvnw -B test" }],
    ["Gradle", { "build.gradle.kts": "" }, { test: "gradle test" }],
    [".NET", { "App.sln": "" }, { test: "dotnet test" }],
    [
      "Composer",
      { "composer.json": '{"scripts":{"test":["phpunit"]}}' },
      { test: "composer run-script test" },
    ],
    ["PHPUnit", { "composer.json": "{}", "phpunit.xml": "" }, { test: "vendor/bin/phpunit" }],
    ["Bundler", { Gemfile: "", ".rspec": "" }, { test: "bundle exec rspec" }],
    ["Bundler with rake", { Gemfile: "", Rakefile: "" }, { test: "bundle exec rake test" }],
    ["mix", { "mix.exs": "" }, { test: "mix test" }],
    [
      "Deno",
      { "deno.json": '{"tasks":{"test":"deno test -A"}}' },
      { test: "deno task test", lint: "deno lint" },
    ],
    [
      "CMake",
      { "CMakeLists.txt": "enable_testing()\n" },
      { test: `${CMAKE} && ctest --test-dir build --output-on-failure`, build: CMAKE },
    ],
    ["CMake without tests", { "CMakeLists.txt": "project(a)\n" }, { build: CMAKE }],
    ["nothing, of an empty folder", {}, {}],
  ])("%s", (_name, files, expected) => {
    expect(gatesOf(files)).toEqual(expected);
  });
});

describe("of several kinds of project", () => {
  test("each has a gate of its own", () => {
    expect(gatesOf({ ...NODE, "mix.exs": "" })).toEqual({
      "node-test": "npm test",
      "elixir-test": "mix test",
    });
  });

  test("a target of make counts before what is only inferred, and after a script", () => {
    const make = { Makefile: "test:\n\ttrue\n" };
    expect(gatesOf({ ...make, "mix.exs": "" })).toEqual({ test: "make test" });
    expect(gatesOf({ ...make, ...NODE })).toEqual({ test: "npm test" });
  });

  test("every kind at once is told apart, each with one gate of a name", () => {
    const all: Files = {
      ...NODE,
      "deno.json": "{}",
      "composer.json": "{}",
      "phpunit.xml": "",
      "pyproject.toml": "",
      "go.mod": "",
      "Cargo.toml": "",
      "pom.xml": "",
      "build.gradle": "",
      "App.sln": "",
      Gemfile: "",
      Rakefile: "",
      "mix.exs": "",
      "CMakeLists.txt": "include(CTest)",
    };
    const tests = Object.keys(gatesOf(all)).filter((name) => name.endsWith("test"));
    expect(tests.map((name) => name.replace("-test", ""))).toEqual(
      "node deno python go rust maven gradle dotnet php ruby elixir cmake".split(" "),
    );
  });
});

test.each([
  [
    "a Makefile",
    { Makefile: "test;touch pwned: x\n\ttrue\n$(shell touch pwned):\n`id`:\nlint := x\n" },
  ],
  ["a justfile", { justfile: "test && touch pwned:\n\nlint := 'x'\n@build`id`:\n" }],
  ["scripts", scripts({ "test; touch pwned": "x", "$(id)": "x", __proto__: "x" })],
  ["a file with a name of the kind", { "$(id).sln": "", "package.json": "[]" }],
])("no name that %s makes up gets into a command", (_name, files: Files) => {
  expect(JSON.stringify(gatesOf(files))).not.toMatch(/pwned|id\b|[;`$]/);
});

describe("a .js config can be a module", () => {
  test.each<[string, Files, boolean]>([
    ["without a package.json", {}, true],
    ["in a package of modules", { "package.json": '{"type":"module"}' }, true],
    ["but not in a CommonJS package", { "package.json": '{"type":"commonjs"}' }, false],
    ["but not in a package that does not say", { "package.json": "{}" }, false],
    ["but not in a package nobody can read", { "package.json": "{" }, false],
  ])("%s", (_name, files, reads) => {
    expect(detectProject(makeProject(files)).readsModules).toBe(reads);
  });
});

test("other commands of a kind are known, for where the program of the first is missing", () => {
  const root = makeProject({ "tox.ini": "[tox]\n[testenv]\ncommands = pytest\n" });
  expect(detectProject(root).gates).toEqual([
    { name: "test", run: "tox", others: ["python3 -m pytest"] },
  ]);
});
