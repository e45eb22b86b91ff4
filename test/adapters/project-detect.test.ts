import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { detectProject, type DetectedGate } from "../../src/adapters/project/project-detect.ts";
import { makeProject } from "../support/project.ts";

const NODE = '{"scripts":{"test":"vitest run"}}';

describe("the test command of a project", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly DetectedGate[]]>([
    ["of Node is npm test", { "package.json": NODE }, [{ name: "test", run: "npm test" }]],
    [
      "of Node with pnpm is pnpm test",
      { "package.json": NODE, "pnpm-lock.yaml": "" },
      [{ name: "test", run: "pnpm test" }],
    ],
    [
      "of Node with yarn is yarn test",
      { "package.json": NODE, "yarn.lock": "" },
      [{ name: "test", run: "yarn test" }],
    ],
    [
      "of Node with bun is the script, not bun's own runner",
      { "package.json": NODE, "bun.lock": "" },
      [{ name: "test", run: "bun run test" }],
    ],
    [
      "is not what npm init leaves",
      { "package.json": '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}' },
      [],
    ],
    ["is none without a script", { "package.json": "{}" }, []],
    ["is none in a broken package.json", { "package.json": "{" }, []],
    ["is none where scripts are no object", { "package.json": '{"scripts":7}' }, []],
    ["of Python is pytest", { "pyproject.toml": "" }, [{ name: "test", run: "python3 -m pytest" }]],
    [
      "of Python is known by pytest.ini too",
      { "pytest.ini": "" },
      [{ name: "test", run: "python3 -m pytest" }],
    ],
    ["of Go is go test", { "go.mod": "" }, [{ name: "test", run: "go test ./..." }]],
    ["of Rust is cargo test", { "Cargo.toml": "" }, [{ name: "test", run: "cargo test" }]],
    ["is none in an empty folder", {}, []],
    [
      "is one for each kind where there are several",
      { "package.json": NODE, "go.mod": "" },
      [
        { name: "node-test", run: "npm test" },
        { name: "go-test", run: "go test ./..." },
      ],
    ],
  ])("%s", (_name, files, gates) => {
    const bin = programs("python3");
    expect(detectProject(makeProject(files), bin).gates).toEqual(gates);
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
