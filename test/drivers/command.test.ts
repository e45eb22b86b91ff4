import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { createDriver } from "../../src/drivers/registry.ts";
import type { AgentDriver } from "../../src/engine/ports.ts";
import { hastyDeps, never, session } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";

const FAKE = join(import.meta.dirname, "../fake-agent");

function fakeAgent(script: string, promptVia: "stdin" | "file" = "stdin"): AgentDriver {
  const play = [join(FAKE, "agent.mjs"), join(FAKE, "scripts", `${script}.json`)];
  const program = script === "program-missing" ? "no-such-agent" : process.execPath;
  const command = [program, ...play] as const;
  const spec = { model: null, env: { COLOUR: "blue" } };
  return createDriver(
    { name: "fake", driver: "command", command, promptVia, prints: "text", ...spec },
    { ...hastyDeps, ...OWN_PROGRAM },
  );
}

driverContract("command", { make: (behaviour) => fakeAgent(behaviour) });

test("the prompt arrives on standard input, and what the agent prints is what it said", async () => {
  const { request, agentText, log } = session({ prompt: "add a slug" });
  const end = await fakeAgent("finishes").run(request, never);
  expect(agentText()).toBe("prompt: add a slug\ndone");
  expect(log("output.log")).toBe("prompt: add a slug\ndone\n");
  expect(log("session.jsonl")).toBe(
    '{"type":"text","text":"prompt: add a slug"}\n{"type":"text","text":"done"}\n',
  );
  expect(end).toEqual({
    ending: { kind: "finished" },
    usage: { byModel: {}, costUsd: null, turns: null },
    sessionId: null,
    totals: null,
    agentVersion: null,
    unasked: [],
  });
});

test("the prompt may be a file, which is gone after the session", async () => {
  const { request, agentText } = session({ prompt: "read me" });
  await fakeAgent("prints-prompt-file", "file").run(request, never);
  expect(agentText()).toBe("stdin: \nread me");
  expect(readdirSync(request.attemptDir).filter((name) => name.startsWith("prompt-"))).toEqual([]);
});

test("the agent learns from its environment what it works on and where its report belongs", async () => {
  const { request, agentText } = session();
  await fakeAgent("prints-environment").run(request, never);
  expect(agentText()).toBe(
    `ORCH_RUN=run-1 ORCH_TASK=add-slug ORCH_STEP=implement ORCH_ATTEMPT=1 ORCH_REPORT=${request.reportPath} ORCH_SESSION=${request.token} COLOUR=blue`,
  );
});

test("a crash quotes the end of the error output", async () => {
  const { request, log } = session();
  const { ending } = await fakeAgent("crashes").run(request, never);
  expect(ending).toEqual({ kind: "crashed", exitCode: 3, signal: null, detail: "boom" });
  expect(log("reasoning.log")).toMatch(/^\d\d:\d\d:\d\d stderr: boom\n$/);
});

test("secrets are gone from every log", async () => {
  const { request, log, agentText } = session({ prompt: "use sk-very-secret" });
  await fakeAgent("finishes").run(request, never);
  expect(agentText()).toContain("use [redacted]");
  expect(log("output.log") + log("session.jsonl")).not.toContain("sk-very-secret");
});

test("a program that prints events tells what it does, and what it used so far with its cost", async () => {
  const lines = [
    { type: "thinking", text: "First the test." },
    { type: "tool-call", id: "1", tool: "bash", input: "make" },
    { type: "tool-result", id: "1", isError: true, output: "no rule" },
    { type: "usage", model: "gpt-5", input: 1_000_000, output: 0 },
    { type: "usage", model: "gpt-5", input: -5, output: "many" },
    { type: "of-another-kind", text: "passed over" },
    { type: "text", text: "Done." },
  ].map((line) => JSON.stringify(line));
  const script = `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(" ")} words`;
  const spec = { model: null, env: {}, promptVia: "stdin", prints: "events" } as const;
  const driver = createDriver(
    { name: "fake", driver: "command", command: ["/bin/sh", "-c", script], ...spec },
    { ...hastyDeps, ...OWN_PROGRAM },
  );
  const { request, events, used } = session();
  const { usage } = await driver.run(request, never);
  expect(events).toEqual([
    { type: "thinking", text: "First the test." },
    { type: "tool-call", id: "1", tool: "bash", input: "make" },
    { type: "tool-result", id: "1", isError: true, output: "no rule" },
    { type: "text", text: "Done." },
    { type: "note", text: "words" },
  ]);
  const tokens = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  expect(usage).toEqual({ byModel: { "gpt-5": tokens }, costUsd: 1.25, turns: null });
  expect(used).toEqual([usage, usage]);
});
