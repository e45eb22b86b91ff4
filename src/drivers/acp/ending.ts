// How did a session by the Agent Client Protocol end?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { isObject, numberAt, textAt } from "../../core/model/json.ts";
import type { NotStarted, SessionEnding } from "../../core/model/session.ts";
import { faultRecord, faultRow, recordIn } from "../../readers/endings/faults.ts";
import { crashed, faultEnding, refused, type StreamExit } from "../ending.ts";
import type { Seen } from "./updates.ts";

/** What the agent answered last. */
export type Outcome =
  | { readonly kind: "answered"; readonly stopReason: string }
  | {
      readonly kind: "failed";
      readonly code: number | null;
      readonly message: string;
      readonly data: unknown;
    }
  | { readonly kind: "refused"; readonly reason: NotStarted; readonly detail: string }
  | { readonly kind: "no-model"; readonly detail: string };

/** Of the protocol: the agent wants a sign-in first. */
const SIGN_IN = -32_000;
/** The agent ended its turn, and its process goes on. */
const NO_EXIT = { exitCode: null, signal: null };

/** Of an error that a request was answered with, or of one of orch's own. */
export function failureOf(error: unknown): Outcome & { kind: "failed" } {
  const given = isObject(error) ? error : {};
  const data = given["data"];
  const details = isObject(data) ? textAt(data, "details") : null;
  const message = [error instanceof Error ? error.message : String(error), details];
  const words = message.filter((each) => each !== null).join(": ");
  return { kind: "failed", code: numberAt(given, "code"), message: words, data };
}

interface Ended {
  /** null: the agent was gone before it answered. */
  readonly outcome: Outcome | null;
  /** There is a conversation. */
  readonly hasBegun: boolean;
  readonly seen: Seen;
  readonly exit: StreamExit;
}

/** A turn that ended says nothing of the work: the report and the gates do. */
export function endingOf({ outcome, hasBegun, seen, exit }: Ended): SessionEnding {
  if (outcome === null) return gone(hasBegun, exit);
  switch (outcome.kind) {
    case "refused":
      return { kind: "not-started", reason: outcome.reason, detail: outcome.detail };
    case "no-model":
      return faultEnding("model-not-found", outcome.detail);
    case "failed":
      return failed(outcome, hasBegun);
    case "answered":
      return answered(outcome.stopReason, seen);
    default:
      return assertNever(outcome, "outcome");
  }
}

function gone(hasBegun: boolean, exit: StreamExit): SessionEnding {
  const { signal, detail, exitCode } = exit;
  return hasBegun || signal !== null ? crashed(exit, detail) : refused(detail, exitCode);
}

function failed({ code, message, data }: Outcome & { kind: "failed" }, hasBegun: boolean) {
  if (code === SIGN_IN) return faultEnding("authentication", message);
  const record = faultRecord({ code, data, said: recordIn(message) });
  const cause = faultRow(record.httpStatus, record.name);
  if (cause !== null) return faultEnding(cause.kind, message, record);
  if (!hasBegun) return refused(message, null);
  return crashed(NO_EXIT, message);
}

function answered(stopReason: string, { closing, didNothing }: Seen): SessionEnding {
  switch (stopReason) {
    case "end_turn": {
      if (!didNothing) return { kind: "finished" };
      // A request that failed may be told as the agent's own words, and as an end like any other.
      const record = faultRecord(recordIn(closing) ?? {});
      const cause = faultRow(record.httpStatus, record.name);
      const words = closing === "" ? "it ended its turn and did nothing" : closing;
      return cause === null ? crashed(NO_EXIT, words) : faultEnding(cause.kind, words, record);
    }
    case "max_tokens":
      return faultEnding("context-overflow", "the agent reached the most tokens that it may use");
    case "max_turn_requests":
      return { kind: "limit", limit: "turns" };
    case "refusal":
      return faultEnding("refusal", "the model refused to answer");
    default:
      return crashed(NO_EXIT, `the turn ended with "${excerpt(stopReason, 40)}"`);
  }
}
