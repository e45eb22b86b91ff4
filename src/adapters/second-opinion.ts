// How is a second model asked for its opinion?

import { BaseAnthropic } from "@anthropic-ai/sdk/client";
import { APIConnectionError, APIError } from "@anthropic-ai/sdk/core/error";
import type { MessageCreateParamsNonStreaming } from "@anthropic-ai/sdk/resources/messages";

import { excerpt } from "../core/model/excerpt.ts";
import type { JudgeReply } from "../core/model/judge.ts";
import { PROMPT_BYTES_MAX, type JudgePrompt } from "../core/run/judge-prompt.ts";
import { NO_TOKENS, type TokenCounts } from "../core/model/session.ts";
import {
  JUDGE_VERDICT_SCHEMA,
  parseJudgeMessage,
  parseJudgeVerdict,
} from "../schema/judge-verdict.ts";
import type { ModelJudge } from "../engine/ports.ts";
import { causeCode } from "./files/disk.ts";
import { createRedactor } from "./redact.ts";

export interface SecondOpinionOptions {
  readonly apiKey: string;
  /** null: the provider's own address, whatever the environment names. */
  readonly baseUrl: string | null;
  readonly model: string;
  /** A whole number from 1, for a whole call: its retry and the wait before it included. */
  readonly timeoutMs: number;
}

const RETRIES_MAX = 1;
/** A verdict takes a hundred; models that think before they answer do so within the same limit. */
const OUTPUT_TOKENS_MAX = 4_096;
const REPLY_BYTES_MAX = 256 * 1024;
const WHY_CHARS_MAX = 300;

export function createSecondOpinion(options: SecondOpinionOptions): ModelJudge {
  return {
    ask: async (prompt, signal) => {
      const bytes = Buffer.byteLength(prompt.system) + Buffer.byteLength(prompt.user);
      if (bytes > PROMPT_BYTES_MAX) return failed(`the prompt is ${bytes} bytes long`);
      const { timeoutMs } = options;
      const late = AbortSignal.timeout(timeoutMs);
      try {
        return replyFrom(await send(options, prompt, AbortSignal.any([signal, late])));
      } catch (error) {
        if (signal.aborted) return failed("orch was told to stop");
        if (late.aborted) return failed(`no answer within ${timeoutMs} ms`);
        return failed(wordsOf(error, options.apiKey));
      }
    },
  };
}

async function send(
  { apiKey, baseUrl, model, timeoutMs }: SecondOpinionOptions,
  prompt: JudgePrompt,
  signal: AbortSignal,
): Promise<unknown> {
  const client = new BaseAnthropic({
    apiKey,
    baseURL: baseUrl,
    timeout: timeoutMs,
    maxRetries: RETRIES_MAX,
    // Nothing but orch writes to its terminal, and nobody else is told what it asks.
    logLevel: "off",
    openTelemetry: { traces: false },
    fetch: fetchBounded,
  });
  // No tool that the model is made to call, no temperature, no word about thinking: there are
  // models that refuse each of them. All take a format.
  const body: MessageCreateParamsNonStreaming = {
    model,
    max_tokens: OUTPUT_TOKENS_MAX,
    system: prompt.system,
    messages: [{ role: "user", content: prompt.user }],
    output_config: { format: { type: "json_schema", schema: JUDGE_VERDICT_SCHEMA } },
  };
  // The bare client: the one with every endpoint is four times as large, and its `messages.create`
  // writes to the console when a model is old.
  return client.post("/v1/messages", { body, signal });
}

async function fetchBounded(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > REPLY_BYTES_MAX) throw Object.assign(new Error("too large"), { code: "EFBIG" });
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}

function replyFrom(raw: unknown): JudgeReply {
  const message = parseJudgeMessage(raw);
  if (!message.ok) return failed(`not a message: ${message.problems.join("; ")}`);
  const { text, stopReason, usage } = message.value;
  if (stopReason !== "end_turn") return failed(`the answer ended with ${stopReason}`, usage);
  const verdict = parseJudgeVerdict(text);
  return verdict.ok
    ? { kind: "judged", verdict: verdict.value, usage }
    : failed(`not a verdict: ${verdict.problems.join("; ")}`, usage);
}

/**
 * Only a server's own words are passed on, with the key taken out should they repeat it. Errors
 * from below may quote a header, and headers hold secrets, also some of the environment's: of
 * those, the name or the code is told.
 */
function wordsOf(error: unknown, apiKey: string): string {
  if (error instanceof APIError && error.status !== undefined) {
    const { status, type, apiMessage, message } = error;
    const words = apiMessage === null ? message : `${status} ${type}: ${apiMessage}`;
    return createRedactor({}, [apiKey])(`the server answered ${words}`);
  }
  if (error instanceof APIConnectionError) return `no answer: ${causeCode(error.cause)}`;
  return `the call failed: ${causeCode(error)}`;
}

function failed(why: string, usage: TokenCounts = NO_TOKENS): JudgeReply {
  return { kind: "failed", why: excerpt(why, WHY_CHARS_MAX), usage };
}
