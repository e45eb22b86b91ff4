// What does the model answer, and what is its silence or refusal a fault of?

import { setTimeout as sleep } from "node:timers/promises";

import { BaseAnthropic as Client } from "@anthropic-ai/sdk/client";
import { Messages } from "@anthropic-ai/sdk/resources/messages/messages";

import { excerpt } from "../../core/model/excerpt.ts";
import type { Fault } from "../../core/model/session.ts";
import { faultRow } from "../../readers/endings/faults.ts";
import type { AgentLine, AgentOptions } from "./options.ts";
import type { ToolSpec } from "./tool.ts";

export type ModelAnswer = Messages.Message;
export type CallResult = Messages.ToolResultBlockParam;
/** What the model is given: words, and what its calls came to. */
export type Given = Messages.TextBlockParam | CallResult;

export type Message =
  | { readonly role: "user"; readonly content: Given[] }
  | { readonly role: "assistant"; readonly content: Messages.ContentBlock[] };

export type AskModel = (messages: readonly Message[]) => Promise<ModelAnswer | Fault>;

const ANSWER_TOKENS_MAX = 16_000;
/** For the first byte of an answer. */
const TIMEOUT_MS = 300_000;
const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 500;
/** Longer waits are orch's, which tells people about them. */
const WAIT_MS_MAX = 60_000;
const PASSING = ["rate-limit", "overloaded", "server-error", "network"];

const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

const CACHED = { cache_control: { type: "ephemeral" } } as const;

/**
 * Never rejects. Retries are made here and not by the SDK: it does not retry a stream that is cut, waits
 * for as long as a server says, and does so in silence.
 */
export function createModel(
  { secrets, model, effort, system }: Pick<AgentOptions, "secrets" | "model" | "effort" | "system">,
  tools: readonly ToolSpec[],
  print: (line: AgentLine) => void,
): AskModel {
  const client = clientWith(secrets);
  const fixed = {
    model,
    max_tokens: ANSWER_TOKENS_MAX,
    // Less than the least that there is, is the least.
    ...(effort !== null && {
      output_config: { effort: EFFORTS.find((one) => one === effort) ?? "low" },
    }),
    system: [{ type: "text" as const, text: system, ...CACHED }],
    tools: cachedAtEnd(tools),
  };
  return async (messages) => {
    for (let retry = 1; ; retry += 1) {
      try {
        const cached = [
          ...messages.slice(0, -1),
          ...messages
            .slice(-1)
            .map((last) =>
              last.role === "user" ? { ...last, content: cachedAtEnd(last.content) } : last,
            ),
        ];
        return await client.stream({ ...fixed, messages: cached }).finalMessage();
      } catch (error) {
        const fault = faultOf(error, Date.now());
        const waitMs = fault.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (retry - 1);
        if (retry > RETRIES_MAX || waitMs > WAIT_MS_MAX || !PASSING.includes(fault.kind))
          return fault;
        print({ type: "retry", detail: `${fault.message}, retry ${retry} of ${RETRIES_MAX}` });
        await sleep(waitMs);
      }
    }
  };
}

/** The SDK takes them from the environment, where the commands of the model would find them afterwards. */
function clientWith(secrets: AgentOptions["secrets"]): Messages {
  Object.assign(process.env, secrets);
  const client = new Client({ maxRetries: 0, timeout: TIMEOUT_MS, logLevel: "off" });
  for (const name of Object.keys(secrets)) delete process.env[name];
  return new Messages(client);
}

/** Up to here the next request reads from the cache. */
function cachedAtEnd<T extends object>(list: readonly T[]): T[] {
  return list.map((one, at) => (at === list.length - 1 ? { ...one, ...CACHED } : one));
}

/** By status, type and headers. Without any of them there was no whole answer. */
export function faultOf(error: unknown, nowMs: number): Fault {
  const message = excerpt(error instanceof Error ? error.message : String(error), 500);
  const { status = null, type = null, headers } = error instanceof Client.APIError ? error : {};
  const ofRange = status === null ? "network" : status < 500 ? "bad-request" : "server-error";
  const isFull = message.toLowerCase().includes("prompt is too long");
  return {
    kind: isFull ? "context-overflow" : (faultRow(status, type)?.kind ?? ofRange),
    httpStatus: status,
    resetAtMs: resetIn(headers),
    retryAfterMs: retryAfterIn(headers?.get("retry-after") ?? "", nowMs),
    message,
  };
}

/** In seconds, or a date. */
function retryAfterIn(written: string, nowMs: number): number | null {
  const ms = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) * 1000 : Date.parse(written) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : null;
}

/** Every limit has such headers; of those that are used up the latest reset counts. */
function resetIn(headers: Headers = new Headers()): number | null {
  const resets = [...headers].flatMap(([name, value]) => {
    const isUsedUp = headers.get(name.replace(/-reset$/, "-remaining")) === "0";
    return name.endsWith("-reset") && isUsedUp ? [Date.parse(value)] : [];
  });
  const latest = Math.max(...resets);
  return Number.isFinite(latest) ? latest : null;
}
