// What does an agent get from orch's tool server?

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

import { afterEach, describe, expect, test } from "vitest";

import type { ChannelOptions } from "../../src/drivers/question-channel.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { serveMcp } from "../../src/mcp/server.ts";
import { opened, type Opened } from "../support/asking.ts";

let input = new PassThrough();
let answers: AsyncIterator<string>;
let served: Promise<void>;

async function serve(
  change: Partial<SessionRequest> = {},
  options: Partial<ChannelOptions> = {},
): Promise<Opened> {
  const made = await opened(change, { asks: "defer", ...options });
  input = new PassThrough();
  const output = new PassThrough();
  answers = createInterface({ input: output })[Symbol.asyncIterator]();
  served = serveMcp({ folder: made.folder, version: "1.2.3", input, output, progressMs: 20 });
  return made;
}
afterEach(async () => {
  input.end();
  await served;
});

async function call(method: string, params: object): Promise<unknown> {
  input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`);
  return JSON.parse(await nextLine());
}

async function nextLine(): Promise<string> {
  return String((await answers.next()).value);
}

async function ask(argument: unknown, toolUseId?: string): Promise<unknown> {
  const _meta = toolUseId === undefined ? {} : { "claudecode/toolUseId": toolUseId };
  const answer = await call("tools/call", { name: "ask_human", arguments: argument, _meta });
  return typeof answer === "object" && answer !== null && "result" in answer
    ? answer.result
    : answer;
}

const text = (words: unknown) => ({ content: [{ type: "text", text: words }] });
const failed = (words: string) => ({ ...text(expect.stringContaining(words)), isError: true });
const NO_ONE = expect.stringMatching(/^No one is available/);

describe("ask_human", () => {
  test("gives a person's answer to the call it belongs to, and to no other", async () => {
    const { questions, request } = await serve({}, { answers: new Map([["toolu_1", "SQLite"]]) });
    // A new process has a new path for the report, which no prompt has named.
    expect(await ask({ question: "Which database?" }, "toolu_1")).toEqual(
      text(`SQLite\n\n(When you are done, write your report to ${request.reportPath}.)`),
    );
    for (const id of ["toolu_2", "", undefined])
      expect(await ask({ question: "Which database?" }, id)).toEqual(failed("could not be put"));
    expect(questions.unasked).toEqual([]);
  });

  test("answers at once what the level does not ask, and keeps it on record", async () => {
    const { questions } = await serve({ level: 2 });
    expect(await ask({ question: "Tabs?", impact: "taste" }, "toolu_1")).toEqual(text(NO_ONE));
    expect(questions.unasked).toEqual([
      { question: "Tabs?", impact: "taste", why: "level", answer: NO_ONE },
    ]);
  });

  test("says so when orch cannot be reached, and goes on serving", async () => {
    const { folder } = await serve();
    writeFileSync(join(folder, "channel.json"), "{");
    expect(await ask({ question: "Which port?" })).toEqual(failed("could not be put"));
    expect(await call("tools/call", { name: "rm", arguments: {} })).toMatchObject({
      result: failed("There is no tool rm."),
    });
  });

  test("survives lines that are no messages", async () => {
    await serve({ questionsLeft: 0 });
    input.write("what?\n[]\n{}\n");
    expect(await ask({ question: "Which port?" })).toEqual(text(NO_ONE));
  });
});

test("a call that waits says so again and again, where the agent wants to hear it", async () => {
  const { nth } = await serve({}, { asks: "hold" });
  const _meta = { progressToken: "t" };
  const said = [await call("tools/call", { ...ASKS, _meta }), JSON.parse(await nextLine())];
  const progress = (progress: number) => ({
    method: "notifications/progress",
    params: { progressToken: "t", progress, message: "waiting for a person" },
  });
  expect(said).toMatchObject([progress(1), progress(2)]);
  (await nth(1)).answer("8080");
  let line = "";
  while (!line.includes('"result"')) line = await nextLine();
  expect(JSON.parse(line)).toMatchObject({ result: text("8080") });
});

const ASKS = { name: "ask_human", arguments: { question: "Which port?" } };

test("a message without end closes the connection instead of filling the memory", async () => {
  await serve();
  input.write("x".repeat(5 * 1024 * 1024));
  await expect(served).resolves.toBeUndefined();
});
