// What does an agent's own MCP client see of orch's server, over the streams they share?

import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import type { Asking } from "../../src/core/model/question.ts";
import {
  dropPending,
  readPending,
  readUnasked,
  writeAnswer,
  writeHold,
} from "../../src/mcp/ask-files.ts";
import { serveMcp } from "../../src/mcp/server.ts";
import { reportSchema } from "../../scripts/published-shapes.ts";
import { asking } from "../support/asking.ts";
import { until } from "../support/processes.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";
let input = new PassThrough();
let served: Promise<void>;
let client: Client;

beforeEach(async () => {
  folder = privateFolder();
  hold("hold");
  asking(folder, {});
  client = new Client({ name: "test", version: "1" });
  input = new PassThrough();
  const output = new PassThrough();
  served = serveMcp({ folder, version: "1.2.3", input, output });
  // That a server uses it as well makes no difference: messages from one stream, and to the other.
  await client.connect(new StdioServerTransport(output, input));
});
afterEach(async () => {
  await client.close();
  input.end();
  await served;
});

function hold(asks: "hold" | "defer"): void {
  const reportPath = join(folder, "report.json");
  writeHold(folder, { reportPath, asks, root: folder, allowedActions: [], fence: NO_FENCE });
}

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

/** The id of the question that waits, once it does. */
async function waiting(): Promise<string> {
  await until(() => readPending(folder) !== null);
  return readPending(folder)?.id ?? "";
}

/** As orch does when a person has answered. */
function give(id: string, answer: string): void {
  dropPending(folder);
  writeAnswer(folder, id, answer);
}

const NO_ONE = { text: expect.stringMatching(/^No one is available/), isError: false };
const PENDING = { text: expect.stringMatching(/^pending: /), isError: false };
const BUSY = { text: expect.stringMatching(/^One question at a time/), isError: true };

describe("the tools", () => {
  test("both are annotated so that no agent asks for leave to call them", async () => {
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
    hold("defer");
    const { tools } = await client.listTools();
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([false, true]);
  });

  test("the report's schema has the fields of the published one", async () => {
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === "report")?.inputSchema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(Object.keys(reportSchema.shape));
  });

  test("at level 0 there is no way to ask, and a call all the same is answered and noted", async () => {
    asking(folder, { level: 0 });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["report"]);
    expect(await ask("Which port?")).toEqual(NO_ONE);
    expect(readUnasked(folder)).toMatchObject([{ question: "Which port?", why: "level" }]);
  });

  test("an answer on its way to an earlier call keeps the tool on the list", async () => {
    asking(folder, { level: 0 });
    writeAnswer(folder, "toolu_1", "8080");
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});

describe("a call that is held", () => {
  test("gets the answer as its result, and the next one too", async () => {
    const first = ask("Which port?", { options: ["80", "8080"], expires_in: "2h" });
    const id = await waiting();
    expect(readPending(folder)?.asked).toEqual({
      question: "Which port?",
      options: ["80", "8080"],
      default: null,
      impact: "blocking",
      context: null,
      expiresInMs: 7_200_000,
    });
    give(id, "8080");
    expect(await first).toEqual({ text: "8080", isError: false });
    const second = ask("Which host?");
    give(await waiting(), "localhost");
    expect(await second).toEqual({ text: "localhost", isError: false });
  });

  test("is told to stop and wait when its time is up; the question stays", async () => {
    asking(folder, { holdMs: 50 });
    expect(await ask("Which port?")).toEqual(PENDING);
    expect(readPending(folder)?.asked).toMatchObject({ question: "Which port?" });
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is let go as soon as it is known that nobody will answer", async () => {
    const held = ask("Which port?");
    await waiting();
    asking(folder, { holdMs: 0 });
    expect(await held).toEqual(PENDING);
  });

  test("keeps every other question away, and none that is the same", async () => {
    const first = ask("Which port?");
    const id = await waiting();
    const again = ask("which  PORT");
    expect(await ask("Which host?")).toEqual(BUSY);
    give(id, "8080");
    expect(await Promise.all([first, again])).toEqual([
      { text: "8080", isError: false },
      { text: "8080", isError: false },
    ]);
    expect(readUnasked(folder)).toEqual([]);
  });

  test("of two at the same moment one is put", async () => {
    const both = [ask("Which port?"), ask("Which host?")];
    expect(await Promise.race(both)).toEqual(BUSY);
    give(await waiting(), "that one");
    expect(await Promise.all(both)).toContainEqual({ text: "that one", isError: false });
  });

  test("that the agent takes back ends; asked again, the question finds its answer", async () => {
    const stop = new AbortController();
    const held = call("ask_human", { question: "Which port?" }, stop.signal);
    const id = await waiting();
    stop.abort();
    await expect(held).rejects.toThrow("abort");
    const again = ask("Which port?");
    // Whoever asks something else shows that the server goes on meanwhile.
    expect(await ask("Which host?")).toEqual(BUSY);
    give(id, "8080");
    expect(await again).toEqual({ text: "8080", isError: false });
  });

  test.each<[string, Partial<Asking>, string, unknown]>([
    ["below the level", { level: 2 }, "level", NO_ONE],
    ["beyond the number", { questionsLeft: 0 }, "too-many", NO_ONE],
    [
      "asked before",
      { answered: [{ question: "which port", answer: "80" }] },
      "duplicate",
      { text: "80", isError: false },
    ],
  ])("is not put where it is %s", async (_name, change, why, answer) => {
    asking(folder, change);
    expect(await ask("Which port?", { impact: "major" })).toEqual(answer);
    expect(readUnasked(folder)).toMatchObject([{ why }]);
    expect(readPending(folder)).toBeNull();
  });

  test.each<[string, object]>([
    ["nothing", {}],
    ["a number", { question: 7 }],
    ["control characters alone", { question: "\u001b[2J\u0007\u202e" }],
  ])("with %s for a question is sent back", async (_name, input) => {
    expect(await call("ask_human", input)).toMatchObject({ isError: true });
    expect(readPending(folder)).toBeNull();
  });

  test("of a million characters, escapes among them, is cut and made inert", async () => {
    const held = ask(`Which\u001b[2J port? ${"x".repeat(1_000_000)}`);
    const id = await waiting();
    const question = readPending(folder)?.asked?.question ?? "";
    expect(question).toMatch(/^Which port\? x+…$/);
    expect(question.length).toBeLessThanOrEqual(2_000);
    give(id, "short");
    expect(await held).toEqual({ text: "short", isError: false });
  });

  test("ends with the connection", async () => {
    const held = ask("Which port?").catch(() => "gone");
    await waiting();
    input.end();
    await served;
    await client.close();
    expect(await held).toBe("gone");
  });
});

describe("a folder that is not as orch left it", () => {
  const CLOSED = { text: expect.stringContaining("could not be put to a person"), isError: true };

  test("gone: nobody can be reached, and the report says why it cannot be left", async () => {
    rmSync(folder, { recursive: true });
    expect(await ask("Which port?")).toEqual(CLOSED);
    expect(await call("report", DONE)).toMatchObject({ isError: true });
  });

  test("gone while a call is held: it is let go", async () => {
    const held = ask("Which port?");
    await waiting();
    rmSync(folder, { recursive: true });
    expect(await held).toEqual(PENDING);
  });

  test.each<[string, () => void]>([
    ["a folder where the question belongs", () => mkdirSync(join(folder, "asked.json"))],
    ["a link", () => symlinkSync("/etc/hosts", join(folder, "asked.json"))],
    ["half a file", () => writeFileSync(join(folder, "asked.json"), '{"id":"a')],
    ["an id that is a path", () => writeFileSync(join(folder, "asked.json"), '{"id":"../x"}')],
  ])("%s keeps questions away and does nothing else", async (_name, put) => {
    put();
    expect(await ask("Which port?")).toEqual(BUSY);
  });

  test("a link where orch's own record belongs is not followed", async () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "mine");
    symlinkSync(victim, join(folder, "unasked.jsonl"));
    asking(folder, { level: 1 });
    expect(await ask("Tabs?", { impact: "taste" })).toMatchObject({ isError: true });
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });
});

const DONE = { version: 1, status: "completed", summary: "Did it." };

describe("report", () => {
  const path = (): string => join(folder, "report.json");

  test("says all that is wrong and leaves nothing; then leaves what is right", async () => {
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
    expect(readdirSync(folder)).not.toContain("report.json");
    expect(await call("report", DONE)).toEqual({
      isError: false,
      text: "The report is in order and left.",
    });
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual(DONE);
  });

  test("tells what will be read otherwise than written", async () => {
    const said = await call("report", { ...DONE, confidence: 7, artifacts: ["/etc/passwd"] });
    expect(said).toMatchObject({ isError: false });
    expect(said.text).toContain("confidence: dropped");
    expect(said.text).toContain("a path inside the working tree");
  });

  test("keeps the one before when the next is too long", async () => {
    await call("report", DONE);
    const said = await call("report", { ...DONE, next_steps: "x".repeat(300_000) });
    expect(said).toMatchObject({ isError: true, text: expect.stringContaining("at most 262144") });
    expect(JSON.parse(readFileSync(path(), "utf8"))).toEqual(DONE);
  });

  test("replaces a link instead of following it", async () => {
    const victim = join(folder, "victim");
    writeFileSync(victim, "mine");
    symlinkSync(victim, path());
    expect(await call("report", DONE)).toMatchObject({ isError: false });
    expect(readFileSync(victim, "utf8")).toBe("mine");
  });
});
