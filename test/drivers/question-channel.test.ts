// Does a question of a running agent reach a person, and the answer the agent?

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { createDriver } from "../../src/drivers/registry.ts";
import type { AskedQuestion } from "../../src/core/model/session.ts";
import type { AgentDriver } from "../../src/engine/ports.ts";
import { attended } from "../support/asking.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { until } from "../support/processes.ts";
import { hastyDeps, never } from "../support/sessions.ts";

const program = OWN_PROGRAM;

/** An agent that is a line of shell, as a real process. */
function shell(line: string): AgentDriver {
  const command = ["/bin/sh", "-c", line] as const;
  const spec = {
    name: "sh",
    driver: "command",
    command,
    promptVia: "file",
    prints: "text",
    model: null,
  } as const;
  return createDriver({ ...spec, env: {} }, { ...hastyDeps, ...program });
}

const QUESTION: AskedQuestion = {
  question: "Which port?",
  options: [],
  default: null,
  impact: "blocking",
  context: null,
  toolUseId: null,
};

describe("`orch ask` of an agent", () => {
  test("without anybody to answer is not put, and the session ends with it", async () => {
    const { request, agentText, asked } = attended({ holdMs: 0 });
    const { ending } = await shell('orch ask "Which port?"; exit 3').run(request, never);
    expect({ ending, asked }).toEqual({ ending: { kind: "asked", asked: QUESTION }, asked: [] });
    expect(agentText()).toMatch(/^pending: /);
  });

  test("that is killed leaves the question, and the next one like it gets the answer", async () => {
    const { request, agentText, nth, asked } = attended();
    const run = shell(
      'orch ask "Which port?" & until [ -e asked ]; do sleep 0.01; done; kill -9 $!; touch dead; orch ask "Which port?"',
    ).run(request, never);
    const first = await nth(1);
    writeFileSync(join(request.cwd, "asked"), "");
    await until(() => statSync(join(request.cwd, "dead"), { throwIfNoEntry: false }) !== undefined);
    first.answer("8080");
    expect((await run).ending).toEqual({ kind: "finished" });
    expect(agentText()).toBe("8080");
    expect(asked).toHaveLength(1);
  });

  test("is orch's own end where orch is told to stop", async () => {
    const stop = new AbortController();
    const { request, nth } = attended();
    const run = shell('orch ask "Which port?"').run(request, stop.signal);
    const { signal } = await nth(1);
    stop.abort();
    expect((await run).ending).toEqual({ kind: "interrupted" });
    expect(signal.aborted).toBe(true);
  });
});

describe("what an agent finds", () => {
  test("a list with orch's tool server, in private files outside the tree", async () => {
    const { request, agentText, folder } = attended();
    await shell('cat "$ORCH_MCP"; echo; command -v orch').run(request, never);
    const tools = join(dirname(program.cli), "session-tools.cjs");
    const server = { command: program.node, args: [tools, folder] };
    const [list = "", path = ""] = agentText().split(/\n(?=\/)/);
    expect(JSON.parse(list)).toEqual({ mcpServers: { orch: server } });
    expect(path).toBe(join(folder, "orch"));
    const modes = ["channel.json", "mcp.json"].map((name) => modeOf(join(folder, name)));
    expect(new Set(modes)).toEqual(new Set(["600"]));
    expect(modeOf(folder)).toBe("700");
  });
});

describe("what an agent does to the folder", () => {
  test("asks nothing and answers nothing, whatever is left there", async () => {
    const { request, asked, agentText } = attended({ level: 2 });
    const line = [
      'cd "$ORCH_SESSION_DIR"',
      'echo \'{"id":"own","asked":{"question":"Tabs?"}}\' > asked.json',
      'echo \'{"level":5,"questions_left":9,"hold_ms":9,"answered":[]}\' > ask.json',
      'echo \'{"question":"Mine?"}\' > unasked.jsonl',
      'orch ask "Tabs?" --impact taste 2>/dev/null',
    ].join("; ");
    const end = await shell(line).run(request, never);
    expect({ asked, agentText: agentText() }).toEqual({
      asked: [],
      agentText: expect.stringMatching(/^No one is available/),
    });
    expect(end).toMatchObject({
      ending: { kind: "finished" },
      unasked: [{ question: "Tabs?", why: "level" }],
    });
  });

  test("ends the asking where it is removed, and nothing else", async () => {
    const { request, agentText } = attended();
    const line =
      'cp "$(command -v orch)" .; rm -r "$ORCH_SESSION_DIR"; ./orch ask "Which port?"; echo "code $?"';
    const { ending } = await shell(line).run(request, never);
    expect({ ending, agentText: agentText() }).toMatchObject({
      ending: { kind: "finished" },
      agentText: expect.stringContaining("code 2"),
    });
  });
});

test("a folder that is there already is no session's control folder", async () => {
  const { request, folder } = attended();
  mkdirSync(folder);
  const { ending } = await shell("true").run(request, never);
  expect(ending).toMatchObject({ kind: "not-started", reason: "refused" });
  expect(readdirSync(folder)).toEqual([]);
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
