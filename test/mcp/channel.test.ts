// What can an agent's side do over its session's channel, and what does it do to orch?

import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { callOrch, SOCKET, serveChannel } from "../../src/mcp/channel.ts";
import type { AgentRequest } from "../../src/mcp/channel.ts";
import { privateFolder } from "../support/private-folder.ts";
import { until } from "../support/processes.ts";
import { never } from "../support/sessions.ts";

interface Served {
  readonly folder: string;
  readonly requests: AgentRequest[];
  readonly close: () => void;
  readonly socket: () => Socket;
}

/** A channel that says `reply` to whatever is allowed to be said. */
async function serve(reply: () => Promise<string> = async () => "yes"): Promise<Served> {
  const folder = privateFolder();
  const requests: AgentRequest[] = [];
  const close = await serveChannel(folder, "hold", (request) => {
    requests.push(request);
    return reply();
  });
  const socket = (): Socket =>
    connect(join(folder, SOCKET))
      .on("error", () => {})
      .resume();
  return { folder, requests, close, socket };
}

const REPORT = { verb: "report", report: { status: "completed" } } as const;

/** What comes back for this text; "": orch hung up. */
async function says(socket: Socket, text: string | Buffer): Promise<string> {
  let reply = "";
  socket.setEncoding("utf8").on("data", (chunk) => (reply += chunk));
  socket.write(text);
  await until(() => socket.closed);
  return reply;
}

describe("over the channel", () => {
  test("the session's own clients are heard", async () => {
    const { folder, requests, close } = await serve();
    expect(await callOrch(folder, REPORT, never)).toBe("yes");
    expect(requests).toEqual([REPORT]);
    close();
  });

  test.each<[string, object]>([
    ["an answer", { verb: "answer", question: "q1", text: "yes" }],
    ["a permission", { verb: "allow", actions: ["publish"] }],
    ["a cancel", { verb: "cancel" }],
    ["nothing at all", {}],
  ])("%s is not heard", async (_name, request) => {
    const { socket, requests, close } = await serve();
    expect(await says(socket(), `${JSON.stringify(request)}\n`)).toContain("a person answers");
    expect(requests).toEqual([]);
    close();
  });

  test("a folder as deep as a run's is no trouble, and nothing is left of it", async () => {
    const folder = join(privateFolder(), "d".repeat(100), "e".repeat(100));
    mkdirSync(folder, { recursive: true });
    const before = process.cwd();
    const close = await serveChannel(folder, "hold", async () => "yes");
    expect(await callOrch(folder, REPORT, never)).toBe("yes");
    close();
    expect([existsSync(join(folder, SOCKET)), process.cwd()]).toEqual([false, before]);
    expect(await callOrch(folder, REPORT, never)).toBeNull();
  });

  test("what fails inside orch is no reply, and the next one gets its own", async () => {
    let fails = true;
    const { folder, close } = await serve(() =>
      fails ? Promise.reject(new Error("ENOSPC")) : Promise.resolve(""),
    );
    expect(await callOrch(folder, REPORT, never)).toBeNull();
    fails = false;
    expect(await callOrch(folder, REPORT, never)).toBe("");
    close();
  });
});

describe("orch is not harmed by", () => {
  test.each<[string, string | Buffer]>([
    ["garbage", Buffer.from([0xff, 0xfe, 0x00, 0x0a])],
    ["two requests in one", `${JSON.stringify(REPORT)}\n${JSON.stringify(REPORT)}\n`],
    ["ten megabytes without an end", "x".repeat(10 * 1024 * 1024)],
  ])("%s", async (_name, text) => {
    const { folder, socket, requests, close } = await serve();
    expect(await says(socket(), text)).not.toContain("yes");
    expect(requests).toEqual([]);
    expect(await callOrch(folder, REPORT, never)).toBe("yes");
    close();
  });

  test("a caller that goes: what it waited for is told", async () => {
    const folder = privateFolder();
    let [hasArrived, hasEnded] = [false, false];
    const close = await serveChannel(folder, "hold", async (_request, signal) => {
      hasArrived = true;
      await once(signal, "abort");
      hasEnded = true;
      return "late";
    });
    const leave = new AbortController();
    const reply = callOrch(folder, REPORT, leave.signal);
    await until(() => hasArrived);
    leave.abort();
    expect(await reply).toBeNull();
    await until(() => hasEnded);
    close();
  });
});
