// What do other agents see of runs through `orch mcp --serve`, and what may they do?

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";

import { PROGRAM } from "../support/run-orch.ts";
import { until } from "../support/processes.ts";
import { eventsOf, filesOf } from "../support/run-record.ts";
import { ASKING, COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", options: ["left", "right"], impact: "major" } };
const ANSWERED = [ASK, { write: { path: "good.txt", text: "good\n" } }, COMPLETED];

const project = (): Sandbox => smallProject({ task: ASKING, sessions: [{ do: ANSWERED }] });

interface Served {
  readonly tools: () => Promise<readonly (readonly [name: string, readOnly: unknown])[]>;
  readonly call: (name: string, given?: object) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** The server as a client starts it: somewhere else, with the project's folder as its argument. */
async function serve(
  { root, beside, env }: Sandbox,
  flags: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const client = new Client({ name: "test", version: "1" });
  const args = [PROGRAM, "mcp", "--serve", root, ...flags];
  const PATH = process.env["PATH"] ?? "";
  const started = { command: process.execPath, args, cwd: beside, env: { PATH, ...env, ...more } };
  await client.connect(new StdioClientTransport(started));
  onTestFinished(() => client.close());
  return {
    tools: async () => {
      const { tools } = await client.listTools();
      return tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]);
    },
    call: async (name, given = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...given } });
      const [first] = Array.isArray(content) ? content : [];
      return `${isError === true ? "error: " : ""}${String(first?.text)}`;
    },
    close: () => client.close(),
  };
}

const LOOKS = ["runs", "status", "show", "explain", "questions"].map((name) => [name, true]);

test("without a flag every tool only looks, and says what the command says", async () => {
  const box = project();
  const { tools, call } = await serve(box, []);
  expect(await tools()).toEqual(LOOKS);
  expect(await call("status")).toMatch(/^error: no run was started in .*\nstart one/);
  await box.inProcess(["run", "task.md"]);
  const { id } = filesOf(box);
  expect(await call("runs")).toContain("Task");
  expect(await call("status", { run: id })).toContain("Which way?");
  expect(await call("show", { task: "task" })).toContain("implement, attempt 1");
  expect(await call("explain")).toContain("agent-asked: ");
  expect(await call("questions")).toContain("q1");
  expect(await call("start_run", { task: "task.md" })).toBe("error: There is no tool start_run.");
  expect(await call("answer", { text: "1" })).toBe("error: There is no tool answer.");
});

test("input that no tool has is refused, and no id leads out of the runs", async () => {
  const box = project();
  await box.inProcess(["run", "task.md"]);
  const { call } = await serve(box, ["--allow-run"]);
  expect(await call("status", { run: "../../.." })).toMatch(/^error: there is no run/);
  expect(await call("status", { run: 1 })).toMatch(/^error: run: /);
  expect(await call("runs", { cwd: "/" })).toMatch(/^error: unknown key "cwd"/);
  expect(await call("start_run", { task: "--help" })).toMatch(/^error: /);
  expect(await call("start_run", { task: "task.md", threshold: 6 })).toMatch(/^error: threshold/);
});

test("allowed to, an agent starts a run that outlives the server, and another answers it", async () => {
  const box = project();
  const first = await serve(box, ["--allow-run"]);
  expect(await first.tools()).toEqual([...LOOKS, ["start_run", false]]);
  const id = await first.call("start_run", { task: "task.md" });
  await until(() => eventsOf(box, "question-asked").length > 0);
  await first.close();
  const second = await serve(box, ["--allow-answer"]);
  expect(await second.tools()).toEqual([...LOOKS, ["answer", false]]);
  const answered = JSON.parse(await second.call("answer", { run: id, text: "2" }));
  expect(answered).toMatchObject({ run: id, text: "right", runIsAlive: true });
  await until(() => eventsOf(box, "run-ended").length > 0);
  expect(await second.call("show")).toContain("right");
});

test("inside a session of the project nothing is started and nothing answered", async () => {
  const box = project();
  await box.inProcess(["run", "task.md"]);
  const session = `${box.root}/.orch/runs/${filesOf(box).id}/attempts/t/s-1/token`;
  const flags = ["--allow-run", "--allow-answer"];
  const { call } = await serve(box, flags, { ORCH_SESSION_DIR: session });
  const refused = /^error: `orch \w+` was called from inside a session/;
  expect(await call("start_run", { task: "task.md" })).toMatch(refused);
  expect(await call("answer", { text: "1" })).toMatch(refused);
  expect(await call("questions")).toContain("q1");
});
