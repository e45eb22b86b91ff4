// What does an agent's side say to orch?

import { isObject, jsonIn, numberAt, textAt } from "../core/model/json.ts";
import type { AskedQuestion } from "../core/model/session.ts";
import { claimOf, given, text, type Claim } from "./claims.ts";
import { parseDuration } from "./duration.ts";
import { SUMMARY_CHARS_MAX, readQuestion } from "./report-items.ts";

const DAY_MS = 86_400_000;

/** All that can be said over a session's channel. Nothing in it answers, allows or ends anything. */
export type AgentRequest =
  /** Would orch answer this by itself? A person is not asked. */
  | { readonly verb: "alone"; readonly question: unknown }
  | {
      readonly verb: "ask";
      readonly question: unknown;
      /** How long the caller can wait; null: as long as orch likes. */
      readonly holdMs: number | null;
      /** The call of the tool that asks, by its id; null: a command asks. "": a call without one. */
      readonly call: string | null;
    }
  | { readonly verb: "report"; readonly report: unknown };

/** null: no request, or without the session's own token. */
export function parseRequest(line: string, token: string): AgentRequest | null {
  const said = jsonIn(line);
  if (!isObject(said) || said["token"] !== token) return null;
  switch (said["verb"]) {
    case "alone":
      return { verb: "alone", question: said["question"] };
    case "ask": {
      const asker = { holdMs: numberAt(said, "holdMs"), call: textAt(said, "call") };
      return { verb: "ask", question: said["question"], ...asker };
    }
    case "report":
      return { verb: "report", report: said["report"] };
    default:
      return null;
  }
}

/** A question as an agent put it; null where there are no words to ask with. */
export type PutQuestion = Omit<AskedQuestion, "toolUseId">;

export function parseAskedQuestion(input: unknown): PutQuestion | null {
  const claim = claimOf(input);
  const question = claim && readQuestion(claim);
  if (claim === null || question === null) return null;
  const context = text(claim, SUMMARY_CHARS_MAX, "context");
  return { ...question, context, expiresInMs: expiryOf(claim) };
}

/** Agents write "2h"; `orch ask` has milliseconds. What is neither is as if not given. */
function expiryOf(claim: Claim): number | null {
  const written = given(claim, "expires_in");
  if (typeof written === "string") return parseDuration(written.trim());
  const ms = given(claim, "expires_in_ms");
  const isSpan = typeof ms === "number" && Number.isFinite(ms) && ms > 0;
  return isSpan ? Math.min(Math.ceil(ms), 30 * DAY_MS) : null;
}
