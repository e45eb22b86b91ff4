import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/adapters/project/config-loader.ts";
import { readPrompt } from "../../src/adapters/project/templates.ts";
import { makeProject } from "../support/project.ts";
import { commitAll, initRepository } from "../support/repository.ts";
import { orch, type Ran } from "../support/run-orch.ts";

const PROMPTS = ["coach", "plan", "implement", "test", "review", "replan", "report-contract"];

type Files = Readonly<Record<string, string>>;

/** Without a terminal; in this process, with real commands for gates. */
async function init(cwd: string, ...flags: readonly string[]): Promise<Ran> {
  const ran = await orch(["init", ...flags], { cwd });
  expect(ran.exitCode).toBe(0);
  return ran;
}

async function gatesAt(cwd: string): Promise<Files> {
  const { gates } = (await loadConfig(cwd)).settings;
  const lines =
    gates === "none" ? [] : gates.map((one) => [one.name, one.kind === "command" ? one.run : ""]);
  return Object.fromEntries(lines);
}

function scripts(all: Files): string {
  return JSON.stringify({ type: "module", scripts: all });
}

describe("orch init", () => {
  test("runs what it finds, keeps what proves something, and says why the rest is left out", async () => {
    const lint = "node -e 'console.error(`a.js:1:1 error Unexpected var`); process.exit(1)'";
    const build = "no-such-program-here";
    const tap = "1..2\\nok 1 - a\\nnot ok 2 - c\\n# tests 2\\n# pass 1\\n# fail 1\\n";
    const test = `printf '${tap}'; exit 1`;
    const manifest = scripts({ test, types: "exit 0", lint, build });
    const root = makeProject({ "package.json": manifest }, { git: false });
    const { stdout, stderr } = await init(root);
    expect(await gatesAt(root)).toEqual({ test: "npm test", types: "npm run types" });
    expect(stderr).toMatch(/^runs once: npm test; npm run types; npm run lint;\s+npm run build$/m);
    expect(stderr).toContain("✓ types passed");
    expect(stderr).toContain("✗ lint failed");
    expect(stdout).toContain('not used: gate "lint" (fails today): npm run lint');
    const text = readFileSync(join(root, ".orchestrator.config.js"), "utf8");
    expect(text).toContain('//lint: { run: "npm run lint" }, // fails today');
    expect(text).toContain('//build: { run: "npm run build" }, // tool-missing');
    expect(text.split("\n").length).toBeLessThanOrEqual(22);
  });

  test("takes what generates code for what is run before the gates, if it passes", async () => {
    const files = {
      ".gitignore": "made.txt\n",
      "package.json": scripts({ generate: "echo 1 > made.txt", test: "cat made.txt" }),
    };
    const root = makeProject(files, { git: false });
    const git = initRepository(root);
    commitAll(git);
    const { stdout } = await init(root);
    const { worktree } = (await loadConfig(root)).settings;
    expect(worktree.prepare?.run).toBe("npm run generate");
    expect(await gatesAt(root)).toEqual({ test: "npm test" });
    expect(stdout).toContain("worktree.prepare: npm run generate");
    writeFileSync(join(root, "package.json"), scripts({ generate: "exit 1", test: "true" }));
    commitAll(git);
    expect((await init(root, "--force")).stdout).toContain(
      "not used: worktree.prepare (fails today): npm run generate",
    );
    expect(readFileSync(join(root, ".orchestrator.config.js"), "utf8")).toContain(
      '//worktree: { prepare: "npm run generate" }, // fails today',
    );
  });

  test("runs it on the last commit, so that nothing of the checkout is changed", async () => {
    const files = { "a.txt": "1\n", Makefile: "test:\n\techo 2 >> a.txt\n" };
    const root = makeProject(files, { git: false });
    commitAll(initRepository(root));
    writeFileSync(join(root, "Makefile"), "test:\n\texit 1\n");
    await init(root);
    expect(await gatesAt(root)).toEqual({ test: "make test" });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("1\n");
  });

  test("with --skip-checks runs nothing, and takes all that it finds", async () => {
    const root = makeProject({ "package.json": scripts({ test: "touch ran; exit 1" }) });
    await init(root, "--skip-checks");
    expect(existsSync(join(root, "ran"))).toBe(false);
    expect(await gatesAt(root)).toEqual({ test: "npm test" });
  });

  test.each([
    ["package.json", '{"scripts":{"test":"jest"}}', ".orchestrator.config.mjs"],
    ["package.json", '{"type":"commonjs","scripts":{"test":"jest"}}', ".orchestrator.config.mjs"],
    ["go.mod", "", ".orchestrator.config.js"],
  ])("with %s of %j writes %s, which Node reads as a module", async (file, text, name) => {
    const root = makeProject({ [file]: text });
    await init(root, "--skip-checks");
    expect((await loadConfig(root)).name).toBe(name);
  });

  test("says so where no test command is found, and invents none", async () => {
    const root = makeProject({});
    expect((await init(root)).stdout).toContain("No command that tests this project");
    const { settings } = await loadConfig(root);
    expect([settings.gates, settings.level, settings.parallel]).toEqual([[], 2, 2]);
  });

  test("never overwrites, and runs nothing where a config is there", async () => {
    const root = makeProject({
      "package.json": scripts({ test: "touch ran" }),
      ".orchestrator.config.mjs": "export default {};",
      "prompts/plan.md": "my plan",
    });
    const { stdout } = await init(root, "--prompts");
    expect(stdout).toMatch(/kept {5}prompts\/plan\.md\nwritten {2}prompts\/implement\.md/);
    expect(readFileSync(join(root, "prompts/plan.md"), "utf8")).toBe("my plan");
    expect(readFileSync(join(root, ".orchestrator.config.mjs"), "utf8")).toBe("export default {};");
    expect(readdirSync(root)).not.toContain("ran");
    expect(readdirSync(root)).not.toContain(".orchestrator.config.js");
  });

  test("copies prompts only where that is asked for", async () => {
    const root = makeProject({});
    await init(root);
    expect(readdirSync(root)).not.toContain("prompts");
    await init(root, "--prompts");
    expect(readdirSync(join(root, "prompts")).toSorted()).toEqual(
      PROMPTS.map((name) => `${name}.md`).toSorted(),
    );
  });

  test("replaces a prompt with --force", async () => {
    const root = makeProject({ "prompts/plan.md": "my plan" });
    await init(root, "--prompts", "--force");
    expect(readFileSync(join(root, "prompts/plan.md"), "utf8")).toContain("{{task}}");
  });

  test("writes at the repository's root, wherever it is called in it", async () => {
    const root = makeProject({ "src/deep/x.txt": "" });
    await init(join(root, "src/deep"));
    expect(existsSync(join(root, ".orchestrator.config.js"))).toBe(true);
    expect(readdirSync(join(root, "src/deep"))).toEqual(["x.txt"]);
  });

  test("is for the package that one stands in, whose gates run from the root", async () => {
    const name = "packages/a $(touch pwned)";
    const files = {
      "package.json": "{}",
      [`${name}/package.json`]: scripts({ test: "touch ran" }),
      [`${name}/src/x.txt`]: "",
    };
    const root = makeProject(files, { git: false });
    initRepository(root);
    await init(join(root, name, "src"));
    expect(await gatesAt(join(root, name))).toEqual({ test: `cd './${name}' && npm test` });
    expect(readdirSync(join(root, name))).toContain("ran");
    expect(readdirSync(root)).not.toContain("pwned");
    // Where a config counts here already, nobody gets a second one unasked.
    const other = makeProject({ ".orchestrator.config.js": "export default {};", "a/go.mod": "" });
    await init(join(other, "a"));
    expect(readdirSync(join(other, "a"))).toEqual(["go.mod"]);
  });
});

describe("orch new", () => {
  test("leaves a file that is refused until somebody writes a task into it", async () => {
    const root = makeProject({}, { git: false });
    await init(root);
    await orch(["new", "Add login"], { cwd: root });
    const sample = join(root, "tasks/add-login.md");
    const titled = readFileSync(sample, "utf8");
    writeFileSync(sample, titled.replaceAll("\n", "\r\n"));
    const { stderr } = await orch(["run", "tasks/add-login.md"], { cwd: root });
    expect(stderr).toMatch(/^orch: tasks\/add-login\.md: this task is still empty.*\nhint: .*\n$/);
    expect((await orch(["validate"], { cwd: root })).stdout).toContain("this task is still empty");
    writeFileSync(sample, titled.replace("nothing is said yet", "the page of users"));
    expect((await orch(["validate"], { cwd: root })).stdout).not.toContain(
      "this task is still empty",
    );
  });

  test("writes a task with its title, and a number where the name is taken", async () => {
    const root = makeProject({
      ".orchestrator.config.js": "export default {};",
      "tasks/Add Login.md": "x",
    });
    mkdirSync(join(root, "src"));
    const made = await orch(["new", "Add", "login"], { cwd: join(root, "src") });
    expect([made.exitCode, made.stdout]).toEqual([0, "../tasks/add-login-2.md\n"]);
    const written = readFileSync(join(root, "tasks/add-login-2.md"), "utf8");
    expect(written).toMatch(/^# Add login$/m);
    const { stdout } = await orch(["validate", "tasks/add-login-2.md"], { cwd: root });
    expect(stdout).toContain("this task is still empty");
  });

  test("takes words for words: no path, no escape and no pattern of a replacement", async () => {
    const root = makeProject({ ".orchestrator.config.js": "export default {};" });
    const { stdout } = await orch(["new", "../../Pay $& `id`\u001b[31m\n# now"], { cwd: root });
    expect(stdout).toBe("tasks/pay-id-now.md\n");
    expect(readFileSync(join(root, "tasks/pay-id-now.md"), "utf8")).toMatch(
      /^# \.\.\/\.\.\/Pay \$& `id` # now$/m,
    );
    expect((await orch(["new", " "], { cwd: root })).exitCode).toBe(2);
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
    const placeholders =
      "task title step position attempt level feedback answers handoff base context files gates merge plan plan_path report_path report_contract";
    const ofCoach = name === "coach" ? ["criteria", "claim", "results", "diff"] : [];
    const fillable = [...placeholders.split(" "), ...ofCoach];
    const used = [...readPrompt(name, makeProject({})).matchAll(/\{\{\s*([^}\s]+)\s*\}\}/g)].map(
      (match) => match[1],
    );
    expect(used.filter((each) => !fillable.includes(each ?? ""))).toEqual([]);
    const isWhole = name === "report-contract" || name === "coach";
    expect(used).toContain(isWhole ? "report_path" : "report_contract");
  });
});
