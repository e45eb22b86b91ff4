// Does one sequence come out the same, whichever agent carries it out?

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { startMessagesServer } from "../support/messages-server.mjs";
import type { Turn } from "../support/scripted-model.mjs";
import { OPENCODE } from "./acp-support.ts";
import { CODEX_KIT, shell as codexShell } from "./codex-support.ts";
import { RUNS_TESTS, useProjectsOf, type AgentKit, type OrchEnd } from "./runs.ts";
import { bash, makeAgentHome } from "./support.ts";

const MULTIPLY = `import test from "node:test";
import assert from "node:assert/strict";
import { multiply } from "../src/multiply.js";
test("multiplies two numbers", () => assert.equal(multiply(2, 3), 6));
`;
const FILES = {
  "tasks/add.md": "# Add\n\n`add(a, b)` in `src/add.js` returns the sum of two numbers.\n",
  "tasks/multiply.md": "# Multiply\n\n`multiply(a, b)` in `src/multiply.js`, with a test.\n",
};
const REPORT = { version: 1, status: "completed", summary: "It works." };

interface Actor {
  readonly kit: AgentKit<unknown>;
  readonly shell: (command: string) => Turn;
  readonly report: (input: object) => Turn;
}

const tool = (name: string, input: object): Turn => ({ tools: [{ name, input }] });

const CLAUDE: Actor = {
  kit: {
    agent: "claude-code",
    model: "claude-sonnet-5",
    serve: startMessagesServer,
    home: makeAgentHome,
  },
  shell: bash,
  report: (input) => tool("mcp__orch__report", input),
};
const OWN: Actor = {
  kit: { ...CLAUDE.kit, agent: "anthropic" },
  shell: (command) => tool("bash", { command }),
  report: (input) => tool("report", input),
};
const CODEX: Actor = {
  kit: CODEX_KIT,
  shell: codexShell,
  report: (input) => ({ tools: [{ namespace: "mcp__orch", name: "report", input }] }),
};
const ACP: Actor = {
  kit: {
    agent: "opencode",
    model: OPENCODE.model,
    serve: OPENCODE.serve,
    home: (url) => {
      const home = OPENCODE.home(url);
      const bin = join(home.root, "bin");
      mkdirSync(bin);
      symlinkSync(OPENCODE.command()[0], join(bin, "opencode"));
      return { ...home, env: { ...home.env, PATH: `${bin}:${home.env["PATH"]}` } };
    },
  },
  shell: OPENCODE.shell,
  report: (input) => tool(`${OPENCODE.orchTool}report`, input),
};

const TURNS = ({ shell, report }: Actor): readonly Turn[] => [
  shell("sed -i 's/a - b/a + b/' src/add.js"),
  report(REPORT),
  { text: "Done." },
  shell(`echo 'export const multiply = (a, b) => a * b;' > src/multiply.js
cat > test/multiply.test.js <<'END'
${MULTIPLY}END`),
  report(REPORT),
  { text: "Done." },
];

/** Without names of runs and commits, times, and what was used. */
function comparable({ result }: OrchEnd): unknown {
  const run = String(result?.run);
  const text = JSON.stringify(result, (key, value: unknown) =>
    key === "spent" || key.endsWith("At") ? undefined : value,
  );
  return JSON.parse(text.replaceAll(run, "RUN").replaceAll(/"[0-9a-f]{40}"/g, '"COMMIT"'));
}

const projects = [CLAUDE, CODEX, OWN, ACP].map((actor) => {
  const project = useProjectsOf(actor.kit);
  return async () => {
    const { orch } = await project(TURNS(actor), { gate: RUNS_TESTS, files: FILES });
    return orch("run", "tasks", "--json");
  };
});

test("whichever agent carries a sequence out, the same comes out", async () => {
  const ends: OrchEnd[] = [];
  for (const run of projects) ends.push(await run());
  const [first, ...others] = ends.map(comparable);
  expect(ends[0]?.result?.tasks).toMatchObject([
    { id: "add", end: "done", grade: "proven" },
    { id: "multiply", end: "done", grade: "proven" },
  ]);
  expect(others).toEqual([first, first, first]);
});

/** Each with a scripted model of its own, so that they may work side by side. */
const champion = useProjectsOf(CLAUDE.kit);

test("of three candidates by three programs the best one is merged, and explain says why", async () => {
  const mends = "sed -i 's/a - b/a + b/' src/add.js";
  const turns = ({ shell, report }: Actor, command: string): readonly Turn[] => [
    shell(command),
    report(REPORT),
    { text: "Done." },
  ];
  const server = await CODEX.kit.serve(turns(CODEX, mends));
  const other = await ACP.kit.serve(turns(ACP, `${mends}; echo noted > NOTES.md`));
  const homes = [CODEX.kit.home(server.url), ACP.kit.home(other.url)] as const;
  const [codex, opencode] = homes.map(({ env: { PATH: _path, ...env } }) => env);
  const agents = {
    codex: { driver: "codex", model: CODEX.kit.model, env: codex },
    opencode: { driver: "acp", command: OPENCODE.command(), model: OPENCODE.model, env: opencode },
  };
  const { orch } = await champion(turns(CLAUDE, `${mends}; seq 9 > NOTES.md`), {
    gate: RUNS_TESTS,
    config: `agents: ${JSON.stringify(agents)},`,
    env: { ORCH_CODEX_BIN: codex?.["ORCH_CODEX_BIN"] ?? "" },
  });
  const by = "claude-code,codex,opencode";
  const end = await orch("run", "tasks/add.md", "--best-of", by, "--parallel", "3", "--json");
  const grade = "proven";
  expect([end.exitCode, end.result?.tasks[1]?.ranking]).toEqual([
    0,
    [
      { task: "add.2", agent: "codex", grade, alarms: 0, lines: 2 },
      { task: "add.3", agent: "opencode", grade, alarms: 0, lines: 3 },
      { task: "add.1", agent: "claude-code", grade, alarms: 0, lines: 11 },
    ],
  ]);
  expect(end.result?.tasks.map((one) => one.end)).toEqual(["outdone", "done", "outdone"]);
  const { stdout } = await orch("explain", "add.2");
  expect(stdout).toContain("best of   1 add.2 (codex): proven by its gates, no alarm, 2 lines");
  for (const one of [server, other]) await one.close();
  for (const { root } of homes) rmSync(root, { recursive: true, force: true });
});
