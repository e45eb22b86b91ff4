import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { findConfig, loadConfig, readConfig } from "../../src/adapters/project/config-loader.ts";
import { OrchError } from "../../src/errors.ts";
import { testProgram } from "../support/run-orch.ts";
import { makeProject } from "../support/project.ts";

const GOOD = "export default { interactionThreshold: 3 };\n";

async function failure(cwd: string): Promise<OrchError> {
  try {
    await loadConfig(cwd);
  } catch (error) {
    if (error instanceof OrchError) return error;
    throw error;
  }
  throw new Error("the config was loaded");
}

describe("the config file", () => {
  test.each([
    [".orchestrator.config.js", GOOD],
    [".orchestrator.config.mjs", GOOD],
    [".orchestrator.config.cjs", "module.exports = { interactionThreshold: 3 };"],
    [
      ".orchestrator.config.js",
      "const level = 3;\nmodule.exports = { interactionThreshold: level };",
    ],
  ])("may be %s", async (name, text) => {
    const root = makeProject({ [name]: text });
    const config = await loadConfig(root);
    expect([config.name, config.folder, config.settings.level]).toEqual([name, root, 3]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["a project without package.json", { ".orchestrator.config.js": GOOD }],
    [
      "a package of modules",
      { "package.json": '{"type":"module"}', ".orchestrator.config.js": GOOD },
    ],
    [
      "a CommonJS package",
      { "package.json": '{"type":"commonjs"}', ".orchestrator.config.mjs": GOOD },
    ],
  ])("loads without a warning in %s", async (_name, files) => {
    expect(inPlainNode(makeProject(files))).toEqual({ level: 3, stderr: "" });
  });

  test("keeps what it prints off standard output, which is the command's", () => {
    const root = makeProject({ ".orchestrator.config.mjs": `console.log("loaded");\n${GOOD}` });
    expect(inPlainNode(root)).toEqual({ level: 3, stderr: "loaded\n" });
  });

  test("is found from a folder below", async () => {
    const root = makeProject({ ".orchestrator.config.mjs": GOOD, "a/b/x.md": "" });
    expect((await loadConfig(join(root, "a/b"))).folder).toBe(root);
  });

  test("nearest to the working folder counts", () => {
    const root = makeProject({
      ".orchestrator.config.mjs": GOOD,
      "a/.orchestrator.config.mjs": GOOD,
    });
    expect(findConfig(join(root, "a"))).toBe(join(root, "a/.orchestrator.config.mjs"));
  });

  test("above the repository's root is not run", () => {
    const outer = makeProject({ ".orchestrator.config.mjs": GOOD, "repo/x.md": "" });
    mkdirSync(join(outer, "repo/.git/objects"), { recursive: true });
    expect(findConfig(join(outer, "repo"))).toBeNull();
  });

  test("above the working folder is not run where there is no repository", () => {
    const root = makeProject({ ".orchestrator.config.mjs": GOOD, "a/x.md": "" }, { git: false });
    expect(findConfig(root)).toBe(join(root, ".orchestrator.config.mjs"));
    expect(findConfig(join(root, "a"))).toBeNull();
  });

  test("names programs absolutely, because agents start elsewhere", async () => {
    const root = makeProject({
      ".orchestrator.config.mjs": `export default { agents: {
        b: { driver: "command", command: ["./bin/agent", "-x"] },
        c: { driver: "command", command: ["agent"] },
        d: { driver: "command", command: "./bin/agent -x" },
        e: { driver: "claude-code", command: ["bin/claude", "--debug"] },
      } };`,
    });
    const { settings } = await loadConfig(root);
    expect(settings.agents.slice(0, 5).map((each) => each.command)).toEqual([
      [join(root, "bin/agent"), "-x"],
      ["agent"],
      ["/bin/sh", "-c", "./bin/agent -x"],
      [join(root, "bin/claude"), "--debug"],
      null,
    ]);
  });
});

interface Loaded {
  readonly level?: number | null;
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  readonly stderr: string;
}

/** As users load it: in a Node of its own. */
function inPlainNode(cwd: string): Loaded {
  const program = testProgram("config-entry");
  const { stdout, stderr } = spawnSync(process.execPath, [program], { cwd, encoding: "utf8" });
  const output: unknown = JSON.parse(stdout);
  return { ...Object(output), stderr };
}

describe("a config that cannot be used", () => {
  test("is missed, with the way to write one", async () => {
    const error = await failure(makeProject({}));
    expect([error.code, error.hint]).toEqual(["config-missing", "write one with `orch init`"]);
  });

  test("is one of two", async () => {
    const root = makeProject({ ".orchestrator.config.mjs": GOOD, ".orchestrator.config.cjs": "" });
    const error = await failure(root);
    expect(error.code).toBe("config-invalid");
    expect(error.message).toContain(".orchestrator.config.mjs and .orchestrator.config.cjs");
  });

  test.each<[string, string, string, string]>([
    [
      "throws",
      ".orchestrator.config.mjs",
      "const a = undefined;\nexport default {\n  model: a.b,\n};",
      ".orchestrator.config.mjs:3 threw TypeError: Cannot read properties of undefined (reading 'b')",
    ],
    [
      "throws no error",
      ".orchestrator.config.mjs",
      'throw "plain words";\nexport default {};',
      ".orchestrator.config.mjs threw 'plain words'",
    ],
    [
      "has a syntax error in a module, which names no line",
      ".orchestrator.config.mjs",
      "export default {\n  model: ,\n};",
      ".orchestrator.config.mjs threw SyntaxError: Unexpected token ','",
    ],
    [
      "has a syntax error in a script",
      ".orchestrator.config.cjs",
      "module.exports = {\n  model: ,\n};",
      ".orchestrator.config.cjs:2 threw SyntaxError: Unexpected token ','",
    ],
  ])("%s: file, line and words, and no stack", async (_name, name, text, message) => {
    const { code, message: thrown } = inPlainNode(makeProject({ [name]: text }));
    expect([code, thrown]).toEqual(["config-threw", message]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      "is a module in a CommonJS package",
      { "package.json": '{"type":"commonjs"}', ".orchestrator.config.js": GOOD },
    ],
    [
      "imports orch where it is not installed",
      { ".orchestrator.config.mjs": 'import "orch";\nexport default {};' },
    ],
  ])("%s: the hint names the way out", async (_name, files) => {
    expect(inPlainNode(makeProject(files))).toMatchObject({
      code: "config-threw",
      hint: expect.stringMatching(/needs no import.*\.mjs for `export default`/),
    });
  });

  test.each<[string, (path: string) => unknown, string]>([
    ["a folder", (path) => mkdirSync(path), "is a folder, and must be a file"],
    [
      "a pipe",
      (path) => execFileSync("mkfifo", [path]),
      "is not a regular file, and must be a file",
    ],
    ["a link to nothing", (path) => symlinkSync("nowhere", path), "is a link that leads nowhere"],
    [
      "larger than any config",
      (path) => writeFileSync(path, `//${"x".repeat(1024 * 1024)}`),
      "is longer than 1048576 bytes",
    ],
  ])("is %s: it is neither run nor waited for", async (_name, make, words) => {
    const root = makeProject({});
    make(join(root, ".orchestrator.config.mjs"));
    const error = await failure(root);
    expect([error.code, error.message]).toEqual([
      "config-invalid",
      `.orchestrator.config.mjs ${words}`,
    ]);
  });

  test("has no default export", async () => {
    const error = await failure(makeProject({ ".orchestrator.config.mjs": "export const a = 1;" }));
    expect([error.code, error.message]).toEqual([
      "config-invalid",
      ".orchestrator.config.mjs has no default export",
    ]);
  });

  test("says the wrong things: the first is named, the number of others with it", async () => {
    const text = "export default {\n  interactionThreshold: 7,\n  modle: 'x',\n};";
    const error = await failure(makeProject({ ".orchestrator.config.mjs": text }));
    expect(error.code).toBe("config-invalid");
    expect(error.message).toBe(
      ".orchestrator.config.mjs: interactionThreshold: expected a whole number from 0 to 5 (and 1 more)",
    );
  });

  test("gives all of its problems to whoever asks for them", async () => {
    const text = "export default {\n  interactionThreshold: 7,\n  modle: 'x',\n};";
    const root = makeProject({ ".orchestrator.config.mjs": text, "sub/x": "" });
    const { name, settings } = await readConfig(join(root, "sub"));
    expect(name).toBe("../.orchestrator.config.mjs");
    expect(settings.ok ? 0 : settings.problems.length).toBe(2);
  });
});

test("this repository's own config is in order", async () => {
  const { settings } = await loadConfig(dirname(dirname(import.meta.dirname)));
  expect(settings.pipelines.map((each) => each.name)).toEqual([
    "default",
    "test-first",
    "docs",
    "plan-implement-review",
  ]);
});
