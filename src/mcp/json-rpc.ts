// How does a server answer calls that come a line each, in the way of JSON-RPC?

import type { Readable, Writable } from "node:stream";

import { readJsonLines } from "../adapters/process/output-lines.ts";
import { isObject, objectAt, textAt, type JsonObject } from "../core/model/json.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: JsonObject;
  /** Aborts when the caller takes the call back, or goes. */
  readonly signal: AbortSignal;
}

/** null: there is no such method. */
export type AnswerCall = (call: RpcCall) => Promise<object | null>;

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

const NO_METHOD = { code: -32_601, message: "Method not found" };

/**
 * Serves until the caller closes a stream. What is no message is passed over, and a call that was taken
 * back gets no answer. Never rejects.
 */
export async function serveRpc({ input, output }: Streams, answer: AnswerCall): Promise<void> {
  const open = new Map<unknown, AbortController>();
  const write = (message: object): void => void output.write(`${JSON.stringify(message)}\n`);
  const take = async (message: unknown): Promise<void> => {
    if (!isObject(message)) return;
    const { id } = message;
    if (textAt(message, "method") === "notifications/cancelled")
      open.get(objectAt(message, "params")?.["requestId"])?.abort();
    const call = new AbortController();
    open.set(id, call);
    const reply = await replyTo(message, answer, call.signal);
    open.delete(id);
    if (reply !== null && !call.signal.aborted) write(reply);
  };
  await untilClosed({ input, output }, (message) => void take(message));
  for (const call of open.values()) call.abort();
  input.destroy();
}

/** What one message is answered by; null: by nothing, because it only tells. */
export async function replyTo(
  message: JsonObject,
  answer: AnswerCall,
  signal: AbortSignal,
): Promise<object | null> {
  const method = textAt(message, "method");
  const { id } = message;
  if (method === null || (typeof id !== "string" && typeof id !== "number")) return null;
  const result = await answer({ method, params: objectAt(message, "params") ?? {}, signal });
  return { jsonrpc: "2.0", id, ...(result === null ? { error: NO_METHOD } : { result }) };
}

function untilClosed(
  { input, output }: Streams,
  onMessage: (message: object) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const close = (): void => resolve();
    const lines = readJsonLines({ onJson: onMessage, onText: () => {} });
    input.on("data", (chunk: Buffer) => lines.write(chunk));
    input.on("end", close).on("close", close).on("error", close);
    output.on("error", close);
  });
}
