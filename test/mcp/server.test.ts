// What does an agent's own MCP client see of orch's server, over the streams they share?

import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { PassThrough } from "node:stream";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterEach, describe, expect, test } from "vitest";

import type { ChannelOptions } from "../../src/drivers/question-channel.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import { serveMcp } from "../../src/mcp/server.ts";
import { reportSchema } from "../../scripts/published-shapes.ts";
import { opened, type Opened } from "../support/asking.ts";
import { answer, question } from "../support/builders.ts";

let input = new PassThrough();
let served: Promise<void>;
let client: Client;

async function serve(
  change: Partial<SessionRequest> = {},
  options: Partial<ChannelOptions> = {},
): Promise<Opened> {
  const made = await opened(change, options);
  client = new Client({ name: "test", version: "1" });
  input = new PassThrough();
  const output = new PassThrough();
  served = serveMcp({ folder: made.folder, version: "1.2.3", input, output });
  // That a server uses it as well makes no difference: messages from one stream, and to the other.
  await client.connect(new StdioServerTransport(output, input));
  return made;
}
afterEach(async () => {
  await client.close();
  input.end();
  await served;
});

interface Reply {
  readonly text: string;
  readonly isError: boolean;
}

type CallOptions = Parameters<Client["callTool"]>[2];

async function call(name: string, given: object, options: CallOptions = {}): Promise<Reply> {
  return reply(await client.callTool({ name, arguments: { ...given } }, undefined, options));
}

function reply(result: Awaited<ReturnType<Client["callTool"]>>): Reply {
  const [first] = Array.isArray(result.content) ? result.content : [];
  return { text: String(first?.text), isError: result.isError === true };
}

const ask = (words: string, more: object = {}): Promise<Reply> =>
  call("ask_human", { question: words, ...more });

const NO_ONE = { text: expect.stringMatching(/^No one is available/), isError: false };
const PENDING = { text: expect.stringMatching(/^pending: /), isError: false };
const BUSY = { text: expect.stringMatching(/^One question at a time/), isError: true };
const CLOSED = { text: expect.stringContaining("could not be put to a person"), isError: true };

describe("the tools", () => {
  test("are annotated so that no agent asks for permission to call them", async () => {
    await serve();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations, _meta }) => [name, annotations, _meta])).toEqual(
      ["ask_human", "report"].map((name) => [
        name,
        {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        { "anthropic/alwaysLoad": true },
      ]),
    );
  });

  test("the report's schema has the fields of the published one", async () => {
    await serve();
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === "report")?.inputSchema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(reportSchema.shape));
  });

  test("at level 0 there is no way to ask, and a call all the same is answered and noted", async () => {
    const { questions } = await serve({ level: 0 });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["report"]);
    expect(await ask("Which port?")).toEqual(NO_ONE);
    expect(questions.unasked).toMatchObject([{ question: "Which port?", why: "level" }]);
  });
});

test("a person's answer goes to the call that was put off, and to no other", async () => {
  const answers = new Map([["toolu_1", "SQLite"]]);
  const { questions, request } = await serve({}, { asks: "defer", answers });
  const asks = async (id: string): Promise<Reply> => {
    const params = { name: "ask_human", arguments: { question: "Which database?" } };
    return reply(await client.callTool({ ...params, _meta: { "claudecode/toolUseId": id } }));
  };
  // A new process has a new path for the report, which no prompt has named.
  expect(await asks("toolu_1")).toEqual({
    text: `SQLite\n\n(When you are done, write your report to ${request.reportPath}.)`,
    isError: false,
  });
  for (const id of ["toolu_2", ""]) expect(await asks(id)).toEqual(CLOSED);
  expect(questions.unasked).toEqual([]);
});

describe("a call that is held", () => {
  test("gets the answer as its result, and the next one too", async () => {
    const { nth } = await serve();
    const first = ask("Which port?", { options: ["80", "8080"] });
    const put = await nth(1);
    expect(put.asked).toEqual({
      question: "Which port?",
      options: ["80", "8080"],
      default: null,
      impact: "blocking",
      context: null,
      toolUseId: null,
    });
    put.answer("8080");
    expect(await first).toEqual({ text: "8080", isError: false });
    const second = ask("Which host?");
    (await nth(2)).answer("localhost");
    expect(await second).toEqual({ text: "localhost", isError: false });
  });

  test("is told to stop and wait when its time is up; the question stays", async () => {
    const { end } = await serve({ holdMs: 50 });
    expect(await ask("Which port?")).toEqual(PENDING);
    expect((await end()).ending).toMatchObject({ asked: { question: "Which port?" } });
  });

  test("keeps every other question away, and none that is the same", async () => {
    const { nth, questions } = await serve();
    const first = ask("Which port?");
    const put = await nth(1);
    const again = ask("which  PORT");
    expect(await ask("Which host?")).toEqual(BUSY);
    put.answer("8080");
    const same = { text: "8080", isError: false };
    expect(await Promise.all([first, again])).toEqual([same, same]);
    expect(questions.unasked).toEqual([]);
  });

  test("that the agent takes back ends; asked again, the question gets its answer", async () => {
    const { nth, asked } = await serve();
    const stop = new AbortController();
    const waiting = call("ask_human", { question: "Which port?" }, { signal: stop.signal });
    const put = await nth(1);
    stop.abort();
    await expect(waiting).rejects.toThrow("abort");
    const again = ask("Which port?");
    // Whoever asks something else shows that the server goes on meanwhile.
    expect(await ask("Which host?")).toEqual(BUSY);
    put.answer("8080");
    expect(await again).toEqual({ text: "8080", isError: false });
    expect(asked).toHaveLength(1);
  });

  const earlier = {
    question: question({ question: "which port" }),
    answer: answer({ text: "80" }),
  };

  test.each<[string, Partial<SessionRequest>, string, unknown]>([
    ["below the level", { level: 2 }, "level", NO_ONE],
    ["beyond the number", { questionsLeft: 0 }, "too-many", NO_ONE],
    ["asked before", { history: [earlier] }, "duplicate", { text: "80", isError: false }],
  ])("is not put where it is %s", async (_name, change, why, expected) => {
    const { asked, questions } = await serve(change);
    expect(await ask("Which port?", { impact: "major" })).toEqual(expected);
    expect(questions.unasked).toMatchObject([{ why }]);
    expect(asked).toEqual([]);
  });

  test("without a question is sent back", async () => {
    const { asked } = await serve();
    expect(await ask("\u001b[2J\u0007\u202e")).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });
});

test("where orch cannot be reached no person is asked, and the report says why it cannot be left", async () => {
  const { end, nth } = await serve();
  const waiting = ask("Which port?");
  await nth(1);
  await end();
  expect((await waiting).text).toMatch(/could not be put|^pending/);
  expect(await ask("Which port?")).toEqual(CLOSED);
  expect(await call("report", DONE)).toMatchObject({
    isError: true,
    text: expect.stringContaining("orch cannot be reached"),
  });
});

test("lines that are no messages are passed over, also one of many megabytes", async () => {
  await serve();
  input.write(`what?\n[]\n{}\n${"x".repeat(5 * 1024 * 1024)}\n`);
  expect((await client.listTools()).tools).toHaveLength(2);
});

const DONE = { version: 1, status: "completed", summary: "Did it." };

describe("report", () => {
  test("says all that is wrong and leaves nothing; then leaves what is right", async () => {
    const path = (await serve()).request.reportPath;
    expect(await call("report", { status: "blocked", requires_user_review: true })).toEqual({
      isError: true,
      text: [
        "The report was not left; nothing was written:",
        '- "summary" must say in a few sentences what was done',
        '- "review_reason" must say what a person should look at, because requires_user_review is true',
        '- "blockers" must name what blocks the work, because the status is blocked',
      ].join("\n"),
    });
    expect(readdirSync(dirname(path))).not.toContain(basename(path));
    expect(await call("report", DONE)).toEqual({
      isError: false,
      text: "The report is in order and left.",
    });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(DONE);
  });

  test("tells what will be read otherwise than written", async () => {
    await serve();
    const { text, isError } = await call("report", { ...DONE, artifacts: ["/etc/passwd"] });
    expect(isError).toBe(false);
    expect(text).toContain("a path inside the working tree");
  });

  test("replaces a link instead of following it", async () => {
    const path = (await serve()).request.reportPath;
    const victim = `${path}-victim`;
    writeFileSync(victim, "mine");
    symlinkSync(victim, path);
    expect(await call("report", DONE)).toMatchObject({ isError: false });
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });
});
