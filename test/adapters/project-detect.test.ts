import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { detectProject } from "../../src/adapters/project/project-detect.ts";
import { makeProject } from "../support/project.ts";

const NODE = '{"scripts":{"test":"vitest run"}}';

describe("the test command of a project", () => {
  const NO_TEST = '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}';

  test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ["of Node is npm test", { "package.json": NODE }, { test: "npm test" }],
    ["of pnpm is pnpm test", { "package.json": NODE, "pnpm-lock.yaml": "" }, { test: "pnpm test" }],
    ["of yarn is yarn test", { "package.json": NODE, "yarn.lock": "" }, { test: "yarn test" }],
    ["of bun is the script", { "package.json": NODE, "bun.lock": "" }, { test: "bun run test" }],
    ["is not what npm init leaves", { "package.json": NO_TEST }, {}],
    ["is none without a script", { "package.json": "{}" }, {}],
    ["is none in a broken package.json", { "package.json": "{" }, {}],
    ["is none where scripts are no object", { "package.json": '{"scripts":7}' }, {}],
    ["of Python is pytest", { "pyproject.toml": "" }, { test: "python3 -m pytest" }],
    ["of Python is known by its ini", { "pytest.ini": "" }, { test: "python3 -m pytest" }],
    ["of Go is go test", { "go.mod": "" }, { test: "go test ./..." }],
    ["of Rust is cargo test", { "Cargo.toml": "" }, { test: "cargo test" }],
    ["is none in an empty folder", {}, {}],
    [
      "is one for each kind where there are several",
      { "package.json": NODE, "go.mod": "" },
      { "node-test": "npm test", "go-test": "go test ./..." },
    ],
  ])("%s", (_name, files, expected) => {
    const { gates } = detectProject(makeProject(files), programs("python3"));
    expect(Object.fromEntries(gates.map(({ name, run }) => [name, run]))).toEqual(expected);
  });

  test.each([
    [["python", "python3"], "python -m pytest"],
    [["python"], "python -m pytest"],
    [[], "python -m pytest"],
  ])("with %j installed is %s", (installed, run) => {
    const found = detectProject(makeProject({ "pyproject.toml": "" }), programs(...installed));
    expect(found.gates).toEqual([{ name: "test", run }]);
  });
});

describe("a .js config can be a module", () => {
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ["without a package.json", {}, true],
    ["in a package of modules", { "package.json": '{"type":"module"}' }, true],
    ["but not in a CommonJS package", { "package.json": '{"type":"commonjs"}' }, false],
    ["but not in a package that does not say", { "package.json": "{}" }, false],
    ["but not in a package nobody can read", { "package.json": "{" }, false],
  ])("%s", (_name, files, reads) => {
    expect(detectProject(makeProject(files), "").readsModules).toBe(reads);
  });
});

function programs(...names: readonly string[]): string {
  const folder = makeProject(Object.fromEntries(names.map((name) => [name, "#!/bin/sh\n"])));
  for (const name of names) chmodSync(join(folder, name), 0o755);
  return folder;
}
