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

interface Said {
  readonly text: string;
  readonly isError: boolean;
}

async function call(name: string, input: object, signal?: AbortSignal): Promise<Said> {
  const options = signal === undefined ? {} : { signal };
  const params = { name, arguments: { ...input } };
  const result = await client.callTool(params, undefined, options);
  const [first] = Array.isArray(result.content) ? result.content : [];
  return { text: String(first?.text), isError: result.isError === true };
}

const ask = (question: string, more: object = {}): Promise<Said> =>
  call("ask_human", { question, ...more });

const NO_ONE = { text: expect.stringMatching(/^No one is available/), isError: false };
const PENDING = { text: expect.stringMatching(/^pending: /), isError: false };
const BUSY = { text: expect.stringMatching(/^One question at a time/), isError: true };

describe("the tools", () => {
  test("both are annotated so that no agent asks for permission to call them", async () => {
    await serve();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["ask_human", "report"]);
    for (const tool of tools) {
      expect(tool.annotations).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(tool._meta).toEqual({ "anthropic/alwaysLoad": true });
    }
  });

  test("where the agent's program puts questions off, they are put in their order", async () => {
    await serve({}, { asks: "defer" });
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([false, true]);
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

  test("an answer on its way to an earlier call keeps the tool on the list", async () => {
    await serve({ level: 0 }, { answers: new Map([["toolu_1", "8080"]]) });
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});

describe("a call that is held", () => {
  test("gets the answer as its result, and the next one too", async () => {
    const { nth } = await serve();
    const first = ask("Which port?", { options: ["80", "8080"], expires_in: "2h" });
    const put = await nth(1);
    expect(put.asked).toEqual({
      question: "Which port?",
      options: ["80", "8080"],
      default: null,
      impact: "blocking",
      context: null,
      toolUseId: null,
      expiresInMs: 7_200_000,
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

  test("is let go as soon as it is known that nobody will answer", async () => {
    const { nth } = await serve();
    const held = ask("Which port?");
    (await nth(1)).answer(null);
    expect(await held).toEqual(PENDING);
  });

  test("keeps every other question away, and none that is the same", async () => {
    const { nth, questions } = await serve();
    const first = ask("Which port?");
    const put = await nth(1);
    const again = ask("which  PORT");
    expect(await ask("Which host?")).toEqual(BUSY);
    put.answer("8080");
    expect(await Promise.all([first, again])).toEqual([
      { text: "8080", isError: false },
      { text: "8080", isError: false },
    ]);
    expect(questions.unasked).toEqual([]);
  });

  test("of two at the same moment one is put", async () => {
    const { nth } = await serve();
    const both = [ask("Which port?"), ask("Which host?")];
    expect(await Promise.race(both)).toEqual(BUSY);
    (await nth(1)).answer("that one");
    expect(await Promise.all(both)).toContainEqual({ text: "that one", isError: false });
  });

  test("that the agent takes back ends; asked again, the question finds its answer", async () => {
    const { nth, asked } = await serve();
    const stop = new AbortController();
    const held = call("ask_human", { question: "Which port?" }, stop.signal);
    const put = await nth(1);
    stop.abort();
    await expect(held).rejects.toThrow("abort");
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
  ])("is not put where it is %s", async (_name, change, why, answer) => {
    const { asked, questions } = await serve(change);
    expect(await ask("Which port?", { impact: "major" })).toEqual(answer);
    expect(questions.unasked).toMatchObject([{ why }]);
    expect(asked).toEqual([]);
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["a number", { question: 7 }],
    ["control characters alone", { question: "\u001b[2J\u0007\u202e" }],
  ])("with %s for a question is sent back", async (_name, input) => {
    const { asked } = await serve();
    expect(await call("ask_human", input)).toMatchObject({ isError: true });
    expect(asked).toEqual([]);
  });

  test("of a million characters, escapes among them, is cut and made inert", async () => {
    const { nth } = await serve();
    const held = ask(`Which\u001b[2J port? ${"x".repeat(1_000_000)}`);
    const put = await nth(1);
    expect(put.asked.question).toMatch(/^Which port\? x+…$/);
    expect(put.asked.question.length).toBeLessThanOrEqual(2_000);
    put.answer("short");
    expect(await held).toEqual({ text: "short", isError: false });
  });

  test("ends with the connection", async () => {
    const { nth } = await serve();
    const held = ask("Which port?").catch(() => "gone");
    await nth(1);
    input.end();
    await served;
    await client.close();
    expect(await held).toBe("gone");
  });
});

describe("where orch cannot be reached", () => {
  const CLOSED = { text: expect.stringContaining("could not be put to a person"), isError: true };

  test("nobody is asked, and the report says why it cannot be left", async () => {
    const { end } = await serve();
    await end();
    expect(await ask("Which port?")).toEqual(CLOSED);
    expect(await call("report", DONE)).toMatchObject({
      isError: true,
      text: expect.stringContaining("orch cannot be reached"),
    });
  });

  test("a call that is held is let go", async () => {
    const { nth, end } = await serve();
    const held = ask("Which port?");
    await nth(1);
    await end();
    expect(await held).toMatchObject({ text: expect.stringMatching(/could not be put|^pending/) });
  });
});

const DONE = { version: 1, status: "completed", summary: "Did it." };

describe("report", () => {
  test("says all that is wrong and leaves nothing; then leaves what is right", async () => {
    const path = (await serve()).request.reportPath;
    const wrong = { status: "blocked", requires_user_review: true };
    const said = await call("report", wrong);
    expect(said).toEqual({
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
    const said = await call("report", { ...DONE, confidence: 7, artifacts: ["/etc/passwd"] });
    expect(said).toMatchObject({ isError: false });
    expect(said.text).toContain("confidence: dropped");
    expect(said.text).toContain("a path inside the working tree");
  });

  test("keeps the one before when the next is too long", async () => {
    const path = (await serve()).request.reportPath;
    await call("report", DONE);
    const said = await call("report", { ...DONE, next_steps: "x".repeat(300_000) });
    expect(said).toMatchObject({ isError: true, text: expect.stringContaining("at most 262144") });
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(DONE);
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
