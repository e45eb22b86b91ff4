import { describe, expect, test } from "vitest";

import {
  createSecondOpinion,
  type SecondOpinionOptions,
} from "../../src/adapters/second-opinion.ts";
import type { JudgeReply } from "../../src/core/model/judge.ts";
import { PROMPT_BYTES_MAX, type JudgePrompt } from "../../src/core/run/judge-prompt.ts";
import { NO_TOKENS } from "../../src/core/model/session.ts";
import { serve, type Turn } from "../support/scripted-server.ts";

const KEY = "sk-ant-api03-not-a-real-key-0123456789";
const PROMPT: JudgePrompt = { system: "You judge.", user: "Attempt 3 failed." };
const VERDICT = {
  reason: "attempts 2 and 3 fail alike",
  answer: "needs-new-plan",
  confidence: 0.95,
};

const raw =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Turn =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
const message = (over: object = {}): Turn =>
  raw(
    200,
    JSON.stringify({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text: JSON.stringify(VERDICT) }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 900, output_tokens: 60, cache_read_input_tokens: 0 },
      ...over,
    }),
  );
const says = (text: string): Turn => message({ content: [{ type: "text", text }] });
const verdict = (over: object): Turn => says(JSON.stringify({ ...VERDICT, ...over }));
/** The wait before a retry is the server's to name; a millisecond keeps the tests quick. */
const refuses = (status: number, type: string, words = "scripted"): Turn =>
  raw(status, JSON.stringify({ type: "error", error: { type, message: words } }), {
    "retry-after-ms": "1",
  });
const drops: Turn = (response) => response.destroy();
const hangs: Turn = () => undefined;
const stopsHalfway: Turn = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write('{"type":');
};

const never = new AbortController().signal;

function ask(
  url: string,
  over: Partial<SecondOpinionOptions> = {},
  signal = never,
  prompt = PROMPT,
): Promise<JudgeReply> {
  const given = { apiKey: KEY, baseUrl: url, model: "m", timeoutMs: 20_000, ...over };
  return createSecondOpinion(given).ask(prompt, signal);
}

const failure = (why: string | RegExp, usage: object = NO_TOKENS) => ({
  kind: "failed",
  why: typeof why === "string" ? why : expect.stringMatching(why),
  usage,
});

const USED = { input: 900, output: 60, cacheRead: 0, cacheWrite: 0 };

describe("a verdict", () => {
  test("comes with what it cost", async () => {
    const { url } = await serve(message());
    expect(await ask(url)).toEqual({ kind: "judged", verdict: VERDICT, usage: USED });
  });

  test("comes also after a server that was too busy once", async () => {
    const { url, requests } = await serve(refuses(529, "overloaded_error"), message());
    expect(await ask(url)).toMatchObject({ kind: "judged", verdict: VERDICT });
    expect(requests).toHaveLength(2);
  });

  test("is asked for in a closed form, of a bounded length, and with nothing that a model refuses", async () => {
    const { url, requests } = await serve(message());
    await ask(url, { model: "some-model" });
    const headers = { authorization: `Bearer ${KEY}` };
    expect(requests).toMatchObject([{ method: "POST", path: "/v1/messages", headers }]);
    expect(requests[0]?.body).toEqual({
      model: "some-model",
      max_tokens: 4096,
      system: PROMPT.system,
      messages: [{ role: "user", content: PROMPT.user }],
      output_config: {
        format: {
          type: "json_schema",
          schema: expect.objectContaining({
            additionalProperties: false,
            required: ["reason", "answer", "confidence"],
          }),
        },
      },
    });
  });
});

describe("there is none, and its cost is told", () => {
  test.each<[string, Turn, RegExp]>([
    ["an answer nobody offered", verdict({ answer: "complete" }), /not a verdict: answer/],
    ["a confidence out of range", verdict({ confidence: 95 }), /not a verdict: confidence/],
    ["a key nobody asked for", verdict({ complete: true }), /not a verdict: .*complete/],
    ["an empty reason", verdict({ reason: "" }), /not a verdict: reason/],
    ["words instead of JSON", says("I would go on."), /not a verdict: not valid JSON/],
    [
      "half of an answer",
      says(JSON.stringify(VERDICT).slice(0, 40)),
      /not a verdict: not valid JSON/,
    ],
    ["no words at all", message({ content: [] }), /not a verdict: not valid JSON/],
    ["a refusal", message({ stop_reason: "refusal", content: [] }), /ended with refusal/],
    ["an answer that was cut off", message({ stop_reason: "max_tokens" }), /ended with max_tokens/],
    ["a call of a tool", message({ stop_reason: "tool_use" }), /ended with tool_use/],
  ])("after %s", async (_what, turn, why) => {
    const { url, requests } = await serve(turn);
    expect(await ask(url)).toEqual(failure(why, USED));
    expect(requests).toHaveLength(1);
  });
});

describe("a server that gives no message", () => {
  test.each<[string, Turn, RegExp, number]>([
    [
      "because of the key",
      refuses(401, "authentication_error", "invalid key"),
      /^the server answered 401 authentication_error: invalid key$/,
      1,
    ],
    ["because of the request", refuses(400, "invalid_request_error"), /400 invalid_request/, 1],
    ["because of the model", refuses(404, "not_found_error"), /404 not_found_error/, 1],
    ["because of a limit", refuses(429, "rate_limit_error"), /429 rate_limit_error/, 2],
    ["because it broke", refuses(500, "api_error"), /500 api_error/, 2],
    [
      "and sends a page instead",
      raw(502, "<html>\n<b>Bad\u001b[31m gateway</b>", {
        "content-type": "text/html",
        "retry-after-ms": "1",
      }),
      /^the server answered 502 <html> <b>Bad gateway<\/b>$/,
      2,
    ],
    ["and sends JSON of another kind", raw(200, '{"choices":[]}'), /not a message: content/, 1],
    ["and sends half of it", raw(200, '{"type":'), /^the call failed: SyntaxError$/, 1],
    ["and sends nothing", raw(200, ""), /^the call failed: SyntaxError$/, 1],
    ["and sends no end of it", raw(200, `"${"x".repeat(300_000)}"`), /^no answer: EFBIG$/, 2],
    ["and hangs up", drops, /^no answer: (?:UND_ERR_SOCKET|ECONNRESET)$/, 2],
  ])("%s is a failure, in one line", async (_why, turn, why, calls) => {
    const { url, requests } = await serve(turn);
    expect(await ask(url)).toEqual(failure(why));
    expect(requests).toHaveLength(calls);
  });

  test("is a failure where there is no server", async () => {
    const { url, close } = await serve(message());
    await close();
    expect(await ask(url)).toEqual(failure("no answer: ECONNREFUSED"));
  });

  test("is a failure where the address is none", async () => {
    expect(await ask("not an address")).toEqual(failure(/^the call failed: /));
  });
});

describe("an answer that does not come", () => {
  test.each([
    ["at all", hangs],
    ["to its end", stopsHalfway],
  ])("%s is waited for no longer than was said", async (_what, turn) => {
    const { url } = await serve(turn);
    expect(await ask(url, { timeoutMs: 50 })).toEqual(failure("no answer within 50 ms"));
  });

  test("because the server wants to be asked again in an hour is not waited for", async () => {
    const { url } = await serve(raw(429, "{}", { "retry-after": "3600" }));
    expect(await ask(url, { timeoutMs: 300 })).toMatchObject({ why: "no answer within 300 ms" });
  });

  test.each([
    ["at all", hangs],
    ["to its end", stopsHalfway],
  ])("%s is not waited for once orch is told to stop", async (_what, turn) => {
    const { url, next } = await serve(turn);
    const stop = new AbortController();
    const arrived = next();
    const reply = ask(url, {}, stop.signal);
    await arrived;
    stop.abort();
    expect(await reply).toMatchObject({ kind: "failed", why: "orch was told to stop" });
  });

  test("is not even asked for after orch was told to stop", async () => {
    const { url, requests } = await serve(message());
    const reply = await ask(url, {}, AbortSignal.abort());
    expect(reply).toMatchObject({ kind: "failed", why: "orch was told to stop" });
    expect(requests).toEqual([]);
  });
});

describe("the key", () => {
  test("is taken out where the server repeats it", async () => {
    const { url } = await serve(refuses(401, "authentication_error", `no such key: ${KEY}!`));
    expect(await ask(url)).toMatchObject({
      why: "the server answered 401 authentication_error: no such key: [redacted]!",
    });
  });

  test("is taken out also where it looks like nothing", async () => {
    const { url } = await serve(raw(403, '{"you":"said open sesame"}'));
    expect(await ask(url, { apiKey: "open sesame" })).toMatchObject({
      why: 'the server answered 403 {"you":"said [redacted]"}',
    });
  });

  test("is not told where it cannot be sent", async () => {
    const { url, requests } = await serve(message());
    expect(await ask(url, { apiKey: "open\nsesame" })).toEqual({
      kind: "failed",
      why: expect.not.stringContaining("sesame"),
      usage: NO_TOKENS,
    });
    expect(requests).toEqual([]);
  });
});

test("a prompt beyond its limit is not sent", async () => {
  const { url, requests } = await serve(message());
  const letters = (count: number) => ({ system: "é", user: "x".repeat(count) });
  const over = await ask(url, {}, never, letters(PROMPT_BYTES_MAX - 1));
  expect(over).toEqual(failure(`the prompt is ${PROMPT_BYTES_MAX + 1} bytes long`));
  expect(requests).toEqual([]);
  expect(await ask(url, {}, never, letters(PROMPT_BYTES_MAX - 2))).toMatchObject({
    kind: "judged",
  });
});
