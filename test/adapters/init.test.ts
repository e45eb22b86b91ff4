import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadConfig } from "../../src/adapters/project/config-loader.ts";
import { readPrompt } from "../../src/adapters/project/templates.ts";
import { initLines, initProject } from "../../src/cli/commands/init.ts";
import { resolveLimits } from "../../src/core/run/resolve.ts";
import { OrchError } from "../../src/errors.ts";
import { configSchema } from "../../src/schema/config-shape.ts";
import { defaultSettings } from "../../src/schema/config.ts";
import { makeProject } from "../support/project.ts";

const NODE = '{"type":"module","scripts":{"test":"vitest run"}}';
const PROMPTS = ["plan", "implement", "test", "review", "replan", "report-contract"];

const KEYS_OF_CONFIG = Object.keys(z.toJSONSchema(configSchema, { io: "input" }).properties ?? {});

function init(root: string, replace = false) {
  const outcome = initProject(root, "", replace);
  return {
    ...outcome,
    outcomes: Object.fromEntries(outcome.files.map((file) => [file.path, file.outcome])),
  };
}

describe("orch init", () => {
  test("writes a config with the project's own test command, prompts and a task", async () => {
    const root = makeProject({ "package.json": NODE });
    expect(init(root).outcomes).toEqual({
      ".orchestrator.config.js": "written",
      ...Object.fromEntries(PROMPTS.map((name) => [`prompts/${name}.md`, "written"])),
      "tasks/example.md": "written",
      ".orch/.gitignore": "written",
    });
    const { settings } = await loadConfig(root);
    expect(settings.level).toBe(2);
    expect(settings.gates).toEqual([
      {
        kind: "command",
        name: "test",
        run: "npm test",
        expect: "pass",
        required: true,
        timeoutMs: 900_000,
        retries: 1,
        failedRetries: 0,
        parse: "auto",
        report: null,
        proves: "auto",
      },
    ]);
  });

  test("writes a gate for each kind of project, quoted where JavaScript asks for it", async () => {
    const root = makeProject({ "package.json": NODE, "go.mod": "", "Cargo.toml": "" });
    init(root);
    const { settings } = await loadConfig(root);
    expect(settings.gates === "none" ? [] : settings.gates.map((gate) => gate.name)).toEqual([
      "node-test",
      "go-test",
      "rust-test",
    ]);
  });

  test.each([
    ["package.json", '{"scripts":{"test":"jest"}}', ".orchestrator.config.mjs"],
    ["package.json", '{"type":"commonjs","scripts":{"test":"jest"}}', ".orchestrator.config.mjs"],
    ["go.mod", "", ".orchestrator.config.js"],
  ])("with %s of %j writes %s, which Node reads as a module", async (file, text, name) => {
    const root = makeProject({ [file]: text });
    expect(init(root).files[0]?.path).toBe(name);
    expect((await loadConfig(root)).name).toBe(name);
  });

  test("says so where no test command is found, and invents none", async () => {
    const root = makeProject({});
    expect(initLines(init(root)).join("\n")).toContain(
      "No test command was found: name a gate in .orchestrator.config.js.",
    );
    expect((await loadConfig(root)).settings.gates).toEqual([]);
  });

  test("explains every key, and none that this version does not have", async () => {
    const root = makeProject({});
    init(root);
    const text = readFileSync(join(root, ".orchestrator.config.js"), "utf8");
    // Keys stand directly behind their "//"; prose stands one space away.
    const all = text.replace(/^ {2}\/\/(?=\S| {2})/gm, "  ");
    const explained = [...all.matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key);
    expect(new Set(explained)).toEqual(new Set(KEYS_OF_CONFIG));
    writeFileSync(join(root, ".orchestrator.config.js"), all);
    const { settings } = await loadConfig(root);
    const standard = defaultSettings();
    // What is written behind a default's key is the default.
    expect(settings.runLimits).toEqual(standard.runLimits);
    expect(settings.stall).toEqual(standard.stall);
    expect(settings.reset).toEqual(standard.reset);
    expect(settings.git).toEqual(standard.git);
    expect(settings.parallel).toBe(2);
    expect(resolveLimits(settings.limits)).toEqual(resolveLimits());
  });

  test("never overwrites: what was there is kept and reported", () => {
    const root = makeProject({
      "package.json": NODE,
      ".orchestrator.config.mjs": "export default {};",
      "prompts/plan.md": "my plan",
      "tasks/example.md": "my task",
    });
    const { outcomes } = init(root);
    expect(outcomes).toMatchObject({
      ".orchestrator.config.mjs": "kept",
      "prompts/plan.md": "kept",
      "prompts/implement.md": "written",
      "tasks/example.md": "kept",
    });
    expect(readFileSync(join(root, "prompts/plan.md"), "utf8")).toBe("my plan");
    expect(readFileSync(join(root, ".orchestrator.config.mjs"), "utf8")).toBe("export default {};");
    expect(existsSync(join(root, ".orchestrator.config.js"))).toBe(false);
  });

  test("changes nothing when it is run again", () => {
    const root = makeProject({ "package.json": NODE });
    init(root);
    expect(new Set(Object.values(init(root).outcomes))).toEqual(new Set(["kept"]));
  });

  test("replaces files where that is asked for", () => {
    const root = makeProject({ "prompts/plan.md": "my plan" });
    expect(init(root, true).outcomes["prompts/plan.md"]).toBe("replaced");
    expect(readFileSync(join(root, "prompts/plan.md"), "utf8")).toContain("{{task}}");
  });

  test("writes at the repository's root, wherever it is called in it", () => {
    const root = makeProject({ "src/deep/x.txt": "" });
    init(join(root, "src/deep"));
    expect(existsSync(join(root, ".orchestrator.config.js"))).toBe(true);
    expect(readdirSync(join(root, "src/deep"))).toEqual(["x.txt"]);
  });

  test("leaves nothing of its run files for git to see", () => {
    const root = makeProject({}, { git: false });
    execFileSync("git", ["init", "-q", root]);
    init(root);
    const seen = execFileSync("git", ["-C", root, "status", "--porcelain", "-uall"], {
      encoding: "utf8",
    });
    expect(seen).not.toContain(".orch/");
    expect(seen).toContain("tasks/example.md");
  });

  test("writes nothing through a link that leads out of the project", () => {
    const outside = makeProject({});
    const root = makeProject({});
    symlinkSync(outside, join(root, "prompts"));
    expect(() => init(root)).toThrow(OrchError);
    expect(readdirSync(outside)).toEqual([".git"]);
  });
});

describe("a prompt template", () => {
  test.each(PROMPTS)("%s comes with orch", (name) => {
    expect(readPrompt(name, makeProject({})).length).toBeGreaterThan(200);
  });

  test("of the project beats the one that comes with orch", () => {
    expect(readPrompt("plan", makeProject({ "prompts/plan.md": "mine {{task}}" }))).toBe(
      "mine {{task}}",
    );
  });

  test.each(["nope", "../secret", "a/b", ""])("%j is missing, with the names there are", (name) => {
    const root = makeProject({ "secret.md": "x", "prompts/a/b.md": "x" });
    expect(() => readPrompt(name, root)).toThrow(/there is no prompt template/);
  });

  test.each(PROMPTS)("%s uses only placeholders that are filled in", (name) => {
    const known =
      "task title step position attempt level feedback answers handover context files gates merge plan plan_path report_path report_contract";
    const used = [...readPrompt(name, makeProject({})).matchAll(/\{\{\s*([^}\s]+)\s*\}\}/g)].map(
      (found) => found[1],
    );
    expect(used.filter((each) => !known.split(" ").includes(each ?? ""))).toEqual([]);
    expect(used).toContain(name === "report-contract" ? "report_path" : "report_contract");
  });
});
