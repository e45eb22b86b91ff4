// Which agents does a person see, and which does a new config name?

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { isOlder } from "../../src/adapters/project/agent-program.ts";
import { makeProject } from "../support/project.ts";
import { smallProject } from "../support/small-project.ts";
import { sandbox } from "../support/whole-program.ts";

const VERSION = (version: string): string => `#!/bin/sh\necho "the program ${version} (beta)"\n`;

/** A folder with programs of agents that only tell their version. */
function programs(versions: Readonly<Record<string, string>>) {
  const files = Object.entries(versions).map(([name, version]) => [name, VERSION(version)]);
  const folder = makeProject(Object.fromEntries(files));
  for (const name of Object.keys(versions)) chmodSync(join(folder, name), 0o755);
  return folder;
}

const HOME = { HOME: "/nowhere" };
const SYSTEM = "/usr/bin:/bin";

test("those that are there with their version, the others with how to get them", async () => {
  const folder = programs({ codex: "0.100.0", gemini: "0.61.0" });
  const config = `agent: "mine", agents: { mine: { driver: "command", command: "true" } },`;
  const box = smallProject({ config });
  const env = { ...HOME, PATH: `${folder}:${SYSTEM}`, GEMINI_API_KEY: "k" };
  const { stdout } = await box.inProcess(["agents"], { env });
  expect(stdout).toContain("✓ mine (used here)\n    ask · data goes to whoever your program asks");
  expect(stdout).toContain("✓ gemini · 0.61.0 · signed in");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "! codex · 0.100.0, older than 0.169.0, which orch was tried with · no sign-in found",
  );
  expect(stdout).toMatch(/Not installed:\n(?:.*\n)* {2}qwen +npm install -g @qwen-code\/qwen-code/);
});

test("the same for programs", async () => {
  const env = { ...HOME, PATH: `${programs({ codex: "0.169.0" })}:${SYSTEM}`, CODEX_API_KEY: "k" };
  const { stdout } = await smallProject().inProcess(["agents", "--json"], { env });
  const { agents } = JSON.parse(stdout);
  expect(agents.find(({ name }: { name: string }) => name === "codex")).toMatchObject({
    version: "0.169.0",
    tested: "0.169.0",
    signedIn: true,
    can: ["resume", "ask", "stop hook", "usage", "sandbox"],
    mayOffer: [],
    dataGoesTo: "OpenAI",
    hint: null,
  });
  expect(agents.find(({ name }: { name: string }) => name === "copilot")).toMatchObject({
    program: null,
    version: null,
    hint: "npm install -g @github/copilot",
  });
});

test("a new config names the first that is there and signed in", async () => {
  const folder = programs({ claude: "2.1.329", codex: "0.169.0" });
  const box = sandbox({ files: { "package.json": "{}" } });
  const env = { ...HOME, PATH: `${folder}:${SYSTEM}`, CODEX_API_KEY: "k" };
  const end = await box.inProcess(["init"], { env });
  expect(end.stdout).toContain("agent: codex");
  expect(readFileSync(join(box.root, ".orchestrator.config.mjs"), "utf8")).toContain(
    'agent: "codex",',
  );
});

/** It works in one turn, and tells of it as Codex does. */
const CODEX = `#!/bin/sh
cat > /dev/null
echo good > good.txt
echo '{"version":1,"status":"completed","summary":"it is good"}' > "$ORCH_REPORT"
echo '{"type":"thread.started","thread_id":"9b0f6b8e-3a1e-4ba0-8d53-1f8d4e7c9a10"}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
`;
const TASK = { "task.md": "# Task\n\nMake it good.\n" };

test("one that is named works without a config, where files of the project tell its gates", async () => {
  const folder = programs({ codex: "" });
  writeFileSync(join(folder, "codex"), CODEX);
  const scripts = { test: 'test "$(cat good.txt)" = good' };
  const box = sandbox({ files: { ...TASK, "package.json": JSON.stringify({ scripts }) } });
  const env = { ...HOME, ORCH_CODEX_BIN: join(folder, "codex"), CODEX_API_KEY: "k" };
  const { exitCode, stdout, stderr } = await box.inProcess(["run", "task.md", "--agent", "codex"], {
    env,
  });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining("done, proven by its gates")]);
  expect(stderr).toContain("note: no config: gates test, as the project's files tell");
  expect(box.git("status", "--porcelain")).toBe("");
});

test("without a config and files that tell a gate nothing begins", async () => {
  const { exitCode, stderr } = await sandbox({ files: TASK }).inProcess(
    ["run", "task.md", "--agent", "codex"],
    { env: HOME },
  );
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("no .orchestrator.config.js in")]);
});

test("only one that prints no events cannot have its cost reckoned", async () => {
  const [command, driver] = ["exit 1", "command"];
  const agents = { mute: { driver, command }, tells: { driver, command, prints: "events" } };
  const box = smallProject({
    config: `agent: "mute", agents: ${JSON.stringify(agents)}, budget: { attempts: 1 },`,
  });
  const noteOn = async (name: string): Promise<string> => {
    const { stderr } = await box.inProcess(["run", "task.md", "--agent", name]);
    return stderr.replaceAll(/\s+/g, " ");
  };
  expect(await noteOn("mute")).toContain('"mute" does not report its cost; limits');
  expect(await noteOn("tells")).toContain('"tells" does not report its cost, which is reckoned');
});

test.each([
  ["0.61.0", "0.61.0", false],
  ["0.60.9", "0.61.0", true],
  ["1.0.0-beta.1", "0.61.0", false],
  ["2.1.1000", "2.1.329", false],
])("%s before %s: %s", (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected);
});
