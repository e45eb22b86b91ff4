// What does orch answer to Claude Code on its standard input?

import { mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";

import { describe, expect, test } from "vitest";

import type { SessionRequest } from "../../src/engine/ports.ts";
import { isObject, jsonIn, objectAt, type JsonObject } from "../../src/core/model/json.ts";
import { createControl } from "../../src/drivers/claude-code/control.ts";
import { createHooks } from "../../src/drivers/claude-code/hooks.ts";
import { opened } from "../support/asking.ts";
import { until } from "../support/processes.ts";

/** A session whose program is the test. */
async function talked(change: Partial<SessionRequest> = {}) {
  const { request, channel } = await opened(change, { asks: "defer" });
  mkdirSync(dirname(request.reportPath), { recursive: true });
  const hooks = createHooks({ ...request, home: null, redact: (text) => text });
  const control = createControl({ request, channel, hooks, takeUpMs: 1, onNoCall: () => {} });
  const input = new PassThrough({ encoding: "utf8" });
  let written = "";
  input.on("data", (text) => (written += text));
  control.dialogue.begin(input);
  const messages = (): readonly JsonObject[] => written.split("\n").map(jsonIn).filter(isObject);
  const asks = async (asked: object): Promise<JsonObject> => {
    const before = messages().length;
    control.dialogue.take({ type: "control_request", request_id: "r1", request: asked });
    await until(() => messages().length > before);
    return objectAt(messages().at(-1) ?? {}, "response") ?? {};
  };
  const calls = async (method: string, params: object): Promise<JsonObject> => {
    const message = { jsonrpc: "2.0", id: 1, method, params };
    const reply = await asks({ subtype: "mcp_message", server_name: "orch", message });
    return (
      objectAt(objectAt(objectAt(reply, "response") ?? {}, "mcp_response") ?? {}, "result") ?? {}
    );
  };
  return { request, control, input, messages, asks, calls };
}

const REPORT = { version: 1, status: "completed", summary: "Did it." };

describe("a hook", () => {
  test("is answered under the id of its request", async () => {
    const { asks } = await talked();
    expect(await asks({ subtype: "hook_callback", callback_id: "stop", input: {} })).toEqual({
      subtype: "success",
      request_id: "r1",
      response: { decision: "block", reason: expect.stringContaining("no report file") },
    });
  });

  test.each<[string, object]>([
    ["a hook without its input", { subtype: "hook_callback", callback_id: "act" }],
    ["a request of a kind that is not known", { subtype: "elicitation" }],
    ["nothing", {}],
  ])("%s gets an error, which holds the call back", async (_name, asked) => {
    const { asks } = await talked();
    expect(await asks(asked)).toMatchObject({ subtype: "error", request_id: "r1" });
  });
});

describe("a tool", () => {
  test("leaves none through a link that the agent put in the folder's place", async () => {
    const { calls, request } = await talked();
    const [folder, elsewhere] = [
      dirname(request.reportPath),
      join(request.attemptDir, "elsewhere"),
    ];
    mkdirSync(elsewhere);
    renameSync(folder, `${folder}-old`);
    symlinkSync(elsewhere, folder);
    const result = await calls("tools/call", { name: "report", arguments: REPORT });
    expect(result).toMatchObject({ isError: true });
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe("standard input", () => {
  test("is closed with the first result behind the prompt, and not before", async () => {
    const { control, input, asks, request } = await talked({ prompt: "Go on." });
    control.resultCame();
    expect(input.writableEnded).toBe(false);
    const given = { prompt: request.prompt };
    await asks({ subtype: "hook_callback", callback_id: "prompt", input: given });
    control.resultCame();
    expect(input.writableEnded).toBe(true);
  });
});
