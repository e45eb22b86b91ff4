// What does an agent's side say to orch?

import { z } from "zod";

import { isObject, jsonIn, numberAt, textAt } from "../core/model/json.ts";
import type { AskedQuestion } from "../core/model/session.ts";
import { parseDuration } from "../core/model/duration.ts";
import { QUESTION_SYNONYMS, questionShape, SUMMARY_CHARS_MAX, withImpact } from "./report-shape.ts";
import { entry, normalised, orNull, readTolerantly, text } from "./tolerant.ts";

const DAY_MS = 86_400_000;

/** All that can be said over a session's channel. Nothing in it answers, allows or ends anything. */
export type AgentRequest =
  | {
      readonly verb: "ask";
      readonly question: unknown;
      /** How long the caller can wait; null: as long as orch likes. */
      readonly holdMs: number | null;
      /** The call of the tool that asks, by its id; null: a command asks. "": a call without one. */
      readonly call: string | null;
    }
  | { readonly verb: "report"; readonly report: unknown };

/** null: no request. */
export function parseRequest(line: string): AgentRequest | null {
  const request = jsonIn(line);
  if (!isObject(request)) return null;
  switch (request["verb"]) {
    case "ask": {
      const asker = { holdMs: numberAt(request, "holdMs"), call: textAt(request, "call") };
      return { verb: "ask", question: request["question"], ...asker };
    }
    case "report":
      return { verb: "report", report: request["report"] };
    default:
      return null;
  }
}

/** A question as an agent put it; null where there are no words to ask with. */
export type PutQuestion = Omit<AskedQuestion, "toolUseId">;

/** Agents write "2h"; `orch ask` has milliseconds. */
const expiry = z.union([
  z.string().transform((written) => parseDuration(written.trim())),
  z
    .number()
    .positive()
    .transform((ms) => Math.min(Math.ceil(ms), 30 * DAY_MS)),
]);

const putQuestion = entry(
  { ...questionShape, context: orNull(text(SUMMARY_CHARS_MAX)), expiresIn: orNull(expiry) },
  { ...QUESTION_SYNONYMS, expiresIn: ["expiresInMs"] },
).transform(({ expiresIn: expiresInMs, ...asked }): PutQuestion => ({
  ...withImpact(asked),
  context: asked.context,
  expiresInMs,
}));

export function parseAskedQuestion(input: unknown): PutQuestion | null {
  return readTolerantly(putQuestion, normalised(input)).value;
}
