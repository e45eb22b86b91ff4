// Does a run survive its own sudden end, with the real Claude Code in the middle of its work?

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

import { until } from "../support/processes.ts";
import { QUESTION, rulesOf, startsOf, SUCCEEDS, useProjects } from "./runs.ts";
import type { OrchProcess, Project } from "./runs.ts";
import { asks, bash, claudeBinary } from "./support.ts";

const project = useProjects();

describe("the end of orch in the middle of a session", () => {
  /** A command that left orch's process group, as careless scripts do. */
  const BUSY = bash("setsid sleep 600 & echo > ~/begun; sleep 601 & wait");

  async function busy({ start, root }: Project): Promise<OrchProcess> {
    const run = start("run", "tasks/add.md", "--json");
    await until(() => existsSync(join(root, "home/begun")));
    return run;
  }

  async function killed(run: OrchProcess, { deserted }: Project): Promise<void> {
    run.kill("SIGKILL");
    await run.ended;
    await deserted();
  }

  test.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("by %s leaves no process, and resume goes on in the conversation", async (signal, code) => {
    const one = await project([BUSY]);
    const run = await busy(one);
    run.kill(signal);
    const first = await run.ended;
    expect([first.exitCode, one.working()]).toEqual([code, []]);
    expect(await goesOn(one)).toEqual(["interrupted", "gate-green"]);
  });

  test("by SIGKILL leaves no process either, and resume finds the conversation", async () => {
    const one = await project([BUSY]);
    const run = await busy(one);
    await killed(run, one);
    expect(await goesOn(one)).toEqual(["session-lost", "gate-green"]);
  });

  /** The second process finishes what the first began, and the agent remembers it. Gives the rules. */
  async function goesOn({ orch, server, git }: Project): Promise<readonly string[]> {
    server.replace(...SUCCEEDS);
    const end = await orch("resume", "--json");
    expect(end.exitCode).toBe(0);
    expect(startsOf(end.events)).toEqual(["go-on"]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("setsid sleep 600");
    expect(end.result?.tasks).toMatchObject([{ end: "done", verified: true }]);
    expect(git("branch", "--show-current")).toBe("main");
    return rulesOf(end.events);
  }

  test("while a question is put: it is put again, and answered once", async () => {
    const one = await project([{ ...asks(QUESTION), repeat: true }]);
    const { start, orch, server } = one;
    const run = start("run", "tasks/add.md", "--threshold", "3", "--json");
    await server.reached(1);
    await killed(run, one);
    const again = await orch("resume", "--json");
    expect(again.exitCode).toBe(4);
    expect(rulesOf(again.events)).toEqual(["session-lost", "agent-asked"]);
    expect((await orch("answer", "half even")).exitCode).toBe(0);
    server.replace(...SUCCEEDS);
    const end = await orch("resume", "--json");
    expect(end.exitCode).toBe(0);
    expect(startsOf(end.events)).toEqual(["deliver"]);
    expect(JSON.stringify(server.requests.at(-1)?.body.messages)).toContain("half even\\n");
  });

  test("while an answer is on its way: it arrives all the same", async () => {
    const one = await project([asks(QUESTION), { hang: true }]);
    const { start, orch, server } = one;
    expect((await orch("run", "tasks/add.md", "--threshold", "3")).exitCode).toBe(4);
    await orch("answer", "half even");
    const run = start("resume", "--json");
    await server.reached(2);
    await killed(run, one);
    server.replace(...SUCCEEDS);
    const end = await orch("resume", "--json");
    expect(end.exitCode).toBe(0);
    expect(startsOf(end.events)).toEqual(["go-on"]);
    const messages = JSON.stringify(server.requests[2]?.body.messages);
    expect(messages).toContain("Answered: half even");
  });

  test("after the agent got the answer elsewhere: it is told in a prompt", async () => {
    const { orch, server, env, tree } = await project([asks(QUESTION), { text: "Never mind." }]);
    const first = await orch("run", "tasks/add.md", "--threshold", "3", "--json");
    const { sessionId } = first.events.find((event) => event.type === "session-ended") ?? {};
    // Somebody opens the conversation by hand and types something else.
    const byHand = promisify(execFile)(
      claudeBinary(),
      ["-p", `--resume=${sessionId}`, "never mind"],
      { cwd: tree, env: { ...env, CLAUDE_CODE_DROP_UNAVAILABLE_DEFERRED_TOOL: "1" } },
    );
    byHand.child.stdin?.end();
    await byHand;
    await orch("answer", "half even");
    server.replace(...SUCCEEDS);
    const end = await orch("resume", "--json");
    expect(end.exitCode).toBe(0);
    expect(startsOf(end.events)).toEqual(["deliver", "go-on"]);
    expect(rulesOf(end.events)).toEqual(["session-lost", "gate-green"]);
    expect(JSON.stringify(server.requests[2]?.body.messages)).toContain("Answered: half even");
  });
});
