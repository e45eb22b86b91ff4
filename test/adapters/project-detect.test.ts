import { describe, expect, test } from "vitest";

import { detectProject } from "../../src/adapters/project/project-detect.ts";
import { makeProject } from "../support/project.ts";

type Files = Readonly<Record<string, string>>;

const scripts = (all: Files): Files => ({ "package.json": JSON.stringify({ scripts: all }) });
const NODE = scripts({ test: "vitest run" });

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
      "vitest without a script",
      { "package.json": '{"devDependencies":{"vitest":"4.0.0"}}' },
      { test: "npx --no-install vitest run" },
    ],
    [
      "types by their settings",
      { "package.json": "{}", "tsconfig.json": "{}" },
      { types: "npx --no-install tsc --noEmit" },
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
    ["make", { Makefile: "lint test: all\n\ttrue\n" }, { test: "make test", lint: "make lint" }],
    ["make check", { Makefile: "check:\n\ttrue\n" }, { test: "make check" }],
    ["just", { justfile: 'test *args="":\n  true\n' }, { test: "just test" }],
    [
      "cargo",
      { "Cargo.toml": "" },
      { test: "cargo test --workspace", lint: "cargo clippy --all-targets -- -D warnings" },
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
    ["Bundler", { Gemfile: "", ".rspec": "" }, { test: "bundle exec rspec" }],
    ["mix", { "mix.exs": "" }, { test: "mix test" }],
    ["Deno", { "deno.json": '{"tasks":{"test":"deno test -A"}}' }, { test: "deno task test" }],
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
});

test.each([
  [
    "a Makefile",
    { Makefile: "test;touch pwned: x\n\ttrue\n$(shell touch pwned):\n`id`:\nlint := x\n" },
  ],
  ["a justfile", { justfile: "test&&touch pwned:\n\nlint := 'x'\n@build`id`:\n" }],
  ["scripts", scripts({ "test; touch pwned": "x", "$(id)": "x", __proto__: "x" })],
])("no name that %s makes up gets into a command", (_name, files: Files) => {
  expect(gatesOf(files)).toEqual({});
});

test.each<[string, Files, boolean]>([
  ["without a package.json", {}, true],
  ["in a package of modules", { "package.json": '{"type":"module"}' }, true],
  ["but not in a package that does not say", { "package.json": "{}" }, false],
])("a .js config can be a module %s", (_name, files, reads) => {
  expect(detectProject(makeProject(files)).readsModules).toBe(reads);
});
