// Which environment does a session's program get, and how did it end?

import type { Confine } from "../adapters/process/confine.ts";
import type { ProcessEnd, ProcessRequest } from "../adapters/process/process.ts";
import type { Redact } from "../adapters/redact.ts";
import { assertNever } from "../core/model/assert.ts";
import type { SessionEnding } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";

/** What every driver is given by the one who creates it. */
export interface DriverDeps {
  /** Environment that agents start from in a tree; the agent's own `env` is added to it. */
  readonly env: (tree: string) => Readonly<Record<string, string>>;
  readonly confine: Confine;
  /** Makes text safe to write. */
  readonly redact: Redact;
  /** How a session is asked to end; `STOP_STEPS` unless a test is in a hurry. */
  readonly stop: ProcessRequest["stop"];
}

/** Interrupt, 5 s, terminate, 5 s; a kill of the whole tree follows. */
export const STOP_STEPS: ProcessRequest["stop"] = [
  { signal: "SIGINT", graceMs: 5_000 },
  { signal: "SIGTERM", graceMs: 5_000 },
];

/** The agent's environment: where to leave the report, and what it is working on. */
export function sessionEnvironment(
  request: SessionRequest,
  base: Readonly<Record<string, string>>,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const { names } = request;
  return {
    ...base,
    ...configured,
    ...request.variables,
    ORCH_REPORT: request.reportPath,
    ORCH_RUN: names.run,
    ORCH_TASK: names.task,
    ORCH_STEP: names.step,
    ORCH_ATTEMPT: names.attempt,
  };
}

/**
 * How the session stopped. What orch did to the process outranks what the agent said of itself
 * before; an ending of the agent's own outranks its exit code.
 */
export function endingOf(
  end: ProcessEnd,
  declared: SessionEnding | null,
  errorTail: string,
): SessionEnding {
  if (end.kind === "not-started")
    return { kind: "not-started", reason: end.why, detail: end.detail };
  switch (end.cause) {
    case "aborted":
      return { kind: "interrupted" };
    case "timed-out":
      return { kind: "timed-out", limit: "session" };
    case "idle":
      return { kind: "timed-out", limit: "idle" };
    case "unguarded":
      return { kind: "crashed", exitCode: null, signal: null, detail: UNGUARDED };
    case "self":
      if (declared !== null) return declared;
      if (end.exitCode === 0) return { kind: "finished" };
      return {
        kind: "crashed",
        exitCode: end.exitCode,
        signal: end.signal,
        detail: errorTail,
      };
    default:
      return assertNever(end.cause, "cause");
  }
}

const UNGUARDED =
  "orch ended the session: the process that guards it was killed repeatedly, or could not be restarted";
