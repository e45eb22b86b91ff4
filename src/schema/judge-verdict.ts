// What did the model answer that was asked for its opinion?

import { z } from "zod";

import { excerpt } from "../core/model/excerpt.ts";
import { JUDGE_ANSWERS, type JudgeVerdict } from "../core/model/judge.ts";
import { NO_TOKENS, type TokenCounts } from "../core/model/session.ts";
import { parsed, parseJson, parseWith, unparsed, type Parsed } from "./parsed.ts";

const REASON_CHARS_MAX = 300;
const VERDICT_CHARS_MAX = 16_000;

/** Closed: a key that was not asked for means that something else was answered. */
const VERDICT = z.strictObject({
  reason: z
    .string()
    .transform((text) => excerpt(text, REASON_CHARS_MAX))
    .refine((text) => text !== "", { error: "expected some text" }),
  answer: z.enum(JUDGE_ANSWERS),
  confidence: z.number().min(0).max(1),
});

/**
 * The same for the model, in the part of JSON Schema that providers enforce; bounds are not in it.
 * The reason comes first, because an answer given before its reason is not made for it.
 */
export const JUDGE_VERDICT_SCHEMA = {
  type: "object",
  properties: {
    reason: { type: "string", description: "One line of at most 200 characters." },
    answer: { type: "string", enum: [...JUDGE_ANSWERS] },
    confidence: { type: "number", description: "From 0 to 1." },
  },
  required: ["reason", "answer", "confidence"],
  additionalProperties: false,
};

export function parseJudgeVerdict(source: string): Parsed<JudgeVerdict> {
  if (source.length > VERDICT_CHARS_MAX)
    return unparsed(`expected at most ${VERDICT_CHARS_MAX} characters, found ${source.length}`);
  const raw = parseJson(source);
  return raw.ok ? parseWith(VERDICT, raw.value) : raw;
}

/** What is not counted, or not as a number, is none: an unread counter must not cost the answer. */
const count = z.int().min(0).catch(0);
const USAGE = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
  })
  .transform((usage): TokenCounts => ({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
  }))
  .catch(NO_TOKENS);

/** Open: providers add keys and kinds of content as they please. */
const MESSAGE = z.object({
  content: z.array(z.object({ type: z.string(), text: z.string().catch("") })),
  stop_reason: z.string(),
  usage: USAGE,
});

/**
 * A model's whole message; its text is read by `parseJudgeVerdict`. The stop reason is "end_turn"
 * where the model said all it wanted to say.
 */
export function parseJudgeMessage(raw: unknown) {
  const message = parseWith(MESSAGE, raw);
  if (!message.ok) return message;
  const { content, stop_reason: stopReason, usage } = message.value;
  const texts = content.map(({ type, text }) => (type === "text" ? text : ""));
  return parsed({ text: texts.join(""), stopReason, usage });
}
