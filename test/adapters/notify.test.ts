import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { describe, expect, test } from "vitest";

import { notify, type Delivery } from "../../src/adapters/people/notify.ts";
import type { Notice } from "../../src/adapters/people/targets.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import type { Question } from "../../src/core/model/question.ts";
import type { NotifySettings } from "../../src/core/model/settings.ts";
import { question, RUN } from "../support/builders.ts";
import { privateFolder } from "../support/private-folder.ts";
import { marked } from "../support/processes.ts";
import { serve, type Turn } from "../support/scripted-server.ts";

const SECRET = "hook-value-0123456789";
const HOSTILE =
  "Delete `all`? $(rm -rf x) \"quoted\" 'single'\nsecond line \u001b[2J\u0007\u202eevil";
const HOSTILE_LINE = "Delete `all`? $(rm -rf x) \"quoted\" 'single' second line evil";

const asked = (over: Partial<Question> = {}): Notice => ({
  type: "question",
  run: RUN,
  question: question(over),
  answerWith: ["orch answer q1 1", 'orch answer q1 "your answer"'],
});

const ended: Notice = {
  type: "end",
  result: {
    run: RUN,
    outcome: "stalled",
    exitCode: 5,
    tasks: [
      { id: "add-login", title: "Add login", phase: "done", reason: null },
      { id: "add-logout", title: "Add logout", phase: "stalled", reason: "the same failure again" },
    ],
  },
};

interface Telling {
  readonly settings: Partial<NotifySettings>;
  readonly env?: Readonly<Record<string, string>>;
  readonly root?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function tell(
  notice: Notice,
  { settings, env = {}, signal = new AbortController().signal, ...over }: Telling,
): Promise<readonly Delivery[]> {
  const full = { PATH: process.env["PATH"] ?? "", ...env };
  const options = {
    settings: { command: null, url: null, header: null, to: null, chat: null, ...settings },
    root: privateFolder(),
    env: full,
    redact: createRedactor(full),
    version: "1.2.3",
    timeoutMs: 30_000,
    ...over,
  };
  return notify(notice, options, signal);
}

test("without a channel, nobody is told", async () => {
  expect(await tell(asked(), { settings: {} })).toEqual([]);
});

describe("a command", () => {
  /** What a command that keeps everything was given. */
  async function kept(notice: Notice, env: Readonly<Record<string, string>> = {}) {
    const root = privateFolder();
    const deliveries = await tell(notice, {
      settings: { command: "cat > record; env -0 > variables; pwd > folder" },
      env,
      root,
    });
    expect(deliveries).toEqual([{ channel: "command", trouble: null }]);
    const read = (name: string): string => readFileSync(join(root, name), "utf8");
    const variables = Object.fromEntries(
      read("variables")
        .split("\0")
        .filter((entry) => entry !== "")
        .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    );
    const record: unknown = JSON.parse(read("record"));
    return { root, record, variables, folder: read("folder").trim() };
  }

  test("gets a question as a record, in the repository's root", async () => {
    const { root, record, folder } = await kept(asked());
    expect(folder).toBe(root);
    expect(record).toEqual({
      version: 1,
      type: "question",
      run: RUN,
      project: basename(root),
      task: "add-login",
      step: "implement",
      attempt: 1,
      id: "q1",
      kind: "question",
      impact: "major",
      question: "Which session store should be used?",
      options: ["redis", "memory"],
      default: "redis",
      context: ["Sessions must survive a restart."],
      askedAt: "2026-11-20T12:18:00.000Z",
      expiresAt: null,
      answerWith: ["orch answer q1 1", 'orch answer q1 "your answer"'],
      title: "orch: add-login asks",
      text: `Which session store should be used?\norch answer q1 1\norch answer q1 "your answer"\n1. redis\n2. memory`,
    });
  });

  test("gets the end of a run as a record", async () => {
    const { record, variables } = await kept(ended);
    expect(record).toMatchObject({
      type: "end",
      outcome: "stalled",
      exitCode: 5,
      tasks: [
        { task: "add-login", title: "Add login", phase: "done", reason: null },
        { task: "add-logout", phase: "stalled", reason: "the same failure again" },
      ],
      tasksOmitted: 0,
    });
    expect(variables).toMatchObject({ ORCH_NOTIFY: "end", ORCH_RUN: RUN, ORCH_EXIT_CODE: "5" });
  });

  test("finds the short of it in its environment, and nothing of agents or outer runs", async () => {
    const { variables } = await kept(asked(), {
      ANTHROPIC_API_KEY: "sk-ant-api03-not-a-real-key-0123456789",
      ORCH_EXIT_CODE: "3",
      ORCH_RUN: "outer",
      HOME: "/home/ann",
    });
    expect(variables).toMatchObject({
      HOME: "/home/ann",
      ORCH_NOTIFY: "question",
      ORCH_RUN: RUN,
      ORCH_TASK: "add-login",
      ORCH_QUESTION_ID: "q1",
      ORCH_QUESTION: "Which session store should be used?",
    });
    expect(variables).not.toHaveProperty("ANTHROPIC_API_KEY");
    expect(variables).not.toHaveProperty("ORCH_EXIT_CODE");
  });

  test("is never made of a question, whatever stands in it", async () => {
    const { record, variables } = await kept(asked({ question: HOSTILE }));
    expect(variables["ORCH_QUESTION"]).toBe(HOSTILE_LINE);
    expect(record).toHaveProperty(
      "question",
      "Delete `all`? $(rm -rf x) \"quoted\" 'single'\nsecond line evil",
    );
  });

  test.each<[string, string, RegExp]>([
    [
      "that fails is told with its last words, without secrets",
      'echo "no route to $MY_TOKEN" >&2; exit 3',
      /^the command ended with exit code 3: no route to \[redacted\]$/,
    ],
    ["that is missing is trouble", "no-such-command --now", /exit code 127.*no-such-command/],
  ])("%s", async (_name, command, trouble) => {
    const env = { MY_TOKEN: SECRET };
    const deliveries = await tell(asked(), { settings: { command }, env });
    expect(deliveries).toEqual([{ channel: "command", trouble: expect.stringMatching(trouble) }]);
  });

  test("that hangs is ended with everything it started", async () => {
    const root = privateFolder();
    const command = 'echo "$ORCH_SESSION" > marker; sleep 1000 & sleep 1000';
    const deliveries = await tell(asked(), { settings: { command }, root, timeoutMs: 1_000 });
    expect(deliveries).toEqual([
      { channel: "command", trouble: "the command did not end within 1000 ms and was ended" },
    ]);
    const marker = readFileSync(join(root, "marker"), "utf8").trim();
    expect(marker).toMatch(/^notify-/);
    expect(marked(marker)).toEqual([]);
  });
});

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Turn =>
  (response) => {
    response.writeHead(code, headers).end("words that nobody reads");
  };
const silence: Turn = () => {};
const hangUp: Turn = (response) => void response.destroy();

/** A part of the address is a secret. */
async function secretServer(...turns: readonly [Turn, ...Turn[]]) {
  const server = await serve(...turns);
  return { ...server, url: `${server.url}/hook/secret-path` };
}

describe("an address", () => {
  const header = { name: "X-Token", variable: "HOOK" };

  test("gets the record once, with the secret header", async () => {
    const server = await secretServer(status(204));
    const deliveries = await tell(asked(), {
      settings: { url: server.url, header },
      env: { HOOK: `${SECRET}\n` },
    });
    expect(deliveries).toEqual([{ channel: "url", trouble: null }]);
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: "/hook/secret-path",
      headers: {
        "content-type": "application/json",
        "user-agent": "orch/1.2.3",
        "x-token": SECRET,
      },
    });
    expect(request?.body).toMatchObject({ version: 1, type: "question", run: RUN });
  });

  test.each<[string, readonly [Turn, ...Turn[]], number, string | null]>([
    ["500 and 200 is told at the second try", [status(500), status(200)], 2, null],
    ["429 is tried again", [status(429), status(200)], 2, null],
    ["a lost connection is tried again", [hangUp, status(200)], 2, null],
    ["500 for ever is given up", [status(500)], 2, "HOST answered 500"],
    ["404 is not tried again", [status(404)], 1, "HOST answered 404"],
    [
      "a redirect is not followed",
      [status(307, { location: "/elsewhere" })],
      1,
      "HOST answered 307",
    ],
    ["silence is given up", [silence], 2, "HOST did not answer within 300 ms"],
  ])("%s", async (_name, turns, tries, trouble) => {
    const server = await secretServer(...turns);
    expect(await tell(ended, { settings: { url: server.url }, timeoutMs: 300 })).toEqual([
      { channel: "url", trouble: trouble?.replace("HOST", server.host) ?? null },
    ]);
    expect(server.requests).toHaveLength(tries);
    expect(server.requests.map(({ path }) => path)).not.toContain("/elsewhere");
  });

  test("that is not there is trouble without its path", async () => {
    const server = await secretServer(status(200));
    await server.close();
    const deliveries = await tell(asked(), { settings: { url: server.url } });
    expect(deliveries).toEqual([
      { channel: "url", trouble: `${server.host} could not be reached (ECONNREFUSED)` },
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ["is missing", {}, "the variable HOOK is not set; nothing was sent"],
    ["is empty", { HOOK: " \n" }, "the variable HOOK is not set; nothing was sent"],
    [
      "would break the header",
      { HOOK: `${SECRET}\r\nX-Other: 1` },
      "the value of HOOK cannot stand in a header; nothing was sent",
    ],
  ])("gets nothing where the secret %s", async (_name, env, trouble) => {
    const server = await secretServer(status(200));
    const deliveries = await tell(asked(), { settings: { url: server.url, header }, env });
    expect(deliveries).toEqual([{ channel: "url", trouble }]);
    expect(server.requests).toEqual([]);
  });

  test("gets long texts cut, and long lists in part", async () => {
    const server = await secretServer(status(200));
    const { url } = server;
    const context = Array.from({ length: 300 }, () => "c".repeat(5_000));
    await tell(asked({ question: '\n"界'.repeat(400_000), context }), { settings: { url } });
    const cut = expect.stringMatching(/^[^]{1999}…$/);
    expect(server.requests[0]?.body).toMatchObject({ question: cut, context: Array(50).fill(cut) });
  });

  test("gets no secret and nothing that a terminal obeys", async () => {
    const server = await secretServer(status(200));
    await tell(
      asked({ question: `${HOSTILE} ${SECRET}`, context: ["ghp_abcdefghijklmnop0123456789"] }),
      { settings: { url: server.url, header }, env: { HOOK: SECRET } },
    );
    const body = server.requests[0]?.body;
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect(JSON.stringify(body)).not.toContain("ghp_");
    // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
    const obeyed = /[\u0000-\u0009\u000b-\u001f\u202e]/;
    expect(body).toMatchObject({ question: expect.not.stringMatching(obeyed) });
  });
});

test("both channels are told, and trouble of one is no trouble of the other", async () => {
  const server = await secretServer(status(403));
  const deliveries = await tell(asked(), { settings: { command: "true", url: server.url } });
  expect(deliveries).toEqual([
    { channel: "command", trouble: null },
    { channel: "url", trouble: `${server.host} answered 403` },
  ]);
});
