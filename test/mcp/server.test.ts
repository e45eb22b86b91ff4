// What does an agent get from orch's tool server?

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import {
  readPending,
  readUnasked,
  writeAnswer,
  writeAsking,
  writeHold,
} from "../../src/mcp/ask-files.ts";
import { serveMcp } from "../../src/mcp/server.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";
let input = new PassThrough();
let answers: AsyncIterator<string>;
let served: Promise<void>;

beforeEach(() => {
  folder = privateFolder();
  input = new PassThrough();
  const output = new PassThrough();
  answers = createInterface({ input: output })[Symbol.asyncIterator]();
  served = serveMcp({ folder, version: "1.2.3", input, output, progressMs: 20 });
});
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
    writeAsking(folder, { level: 5, holdMs: 0, questionsLeft: 3, answered: [], leftAlone: [] });
    writeAnswer(folder, "toolu_1", "PostgreSQL");
    expect(await ask({ question: "Which database?" }, "toolu_1")).toEqual(text("PostgreSQL"));
    expect(await ask({ question: "Which database?" }, "toolu_2")).toEqual(
      failed("could not be put"),
    );
    expect(await ask({ question: "Which database?" }, "../answer-toolu_1")).toEqual(
      failed("could not be put"),
    );
    expect(readUnasked(folder)).toEqual([]);
  });

  test("names the new process's report with an answer that was waited for", async () => {
    const reportPath = join(folder, "report.json");
    writeHold(folder, {
      reportPath,
      asks: "defer",
      root: folder,
      allowedActions: [],
      fence: NO_FENCE,
    });
    writeAsking(folder, { level: 5, holdMs: 0, questionsLeft: 3, answered: [], leftAlone: [] });
    writeAnswer(folder, "toolu_1", "PostgreSQL");
    expect(await ask({ question: "Which database?" }, "toolu_1")).toEqual(
      text(`PostgreSQL\n\n(When you are done, write your report to ${reportPath}.)`),
    );
  });

  test("answers at once what the level does not ask, and keeps it on record", async () => {
    writeAsking(folder, { level: 2, holdMs: 0, questionsLeft: 3, answered: [], leftAlone: [] });
    expect(await ask({ question: "Tabs?", impact: "taste" }, "toolu_1")).toEqual(text(NO_ONE));
    expect(readUnasked(folder)).toEqual([
      { question: "Tabs?", impact: "taste", why: "level", answer: NO_ONE },
    ]);
  });

  test("says so when orch's own files are damaged, and goes on serving", async () => {
    writeFileSync(join(folder, "ask.json"), "{");
    expect(await ask({ question: "Which port?" })).toEqual(failed("could not be put"));
    expect(await call("tools/call", { name: "rm", arguments: {} })).toMatchObject({
      result: failed("There is no tool rm."),
    });
  });

  test("survives lines that are no messages", async () => {
    input.write("what?\n[]\n{}\n");
    writeAsking(folder, { level: 5, holdMs: 0, questionsLeft: 0, answered: [], leftAlone: [] });
    expect(await ask({ question: "Which port?" })).toEqual(text(NO_ONE));
  });
});

test("a call that waits says so again and again, where the agent wants to hear it", async () => {
  writeHold(folder, {
    reportPath: join(folder, "report.json"),
    asks: "hold",
    root: folder,
    allowedActions: [],
    fence: NO_FENCE,
  });
  writeAsking(folder, { level: 5, holdMs: 60_000, questionsLeft: 3, answered: [], leftAlone: [] });
  const _meta = { progressToken: "t" };
  const said = [await call("tools/call", { ...ASKS, _meta }), JSON.parse(await nextLine())];
  const progress = (progress: number) => ({
    method: "notifications/progress",
    params: { progressToken: "t", progress, message: "waiting for a person" },
  });
  expect(said).toMatchObject([progress(1), progress(2)]);
  writeAnswer(folder, readPending(folder)?.id ?? "", "8080");
  let line = "";
  while (!line.includes('"result"')) line = await nextLine();
  expect(JSON.parse(line)).toMatchObject({ result: text("8080") });
});

const ASKS = { name: "ask_human", arguments: { question: "Which port?" } };

test("a message without end closes the connection instead of filling the memory", async () => {
  input.write("x".repeat(5 * 1024 * 1024));
  await expect(served).resolves.toBeUndefined();
});
