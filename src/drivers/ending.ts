// How is an ending told that programs of several agents come to?

import { excerpt } from "../core/model/excerpt.ts";
import type { Fault, FaultKind, NotStarted, SessionEnding } from "../core/model/session.ts";

/** How the process left; `detail` is the tail of its error output. */
export type StreamExit = Omit<Extract<SessionEnding, { kind: "crashed" }>, "kind">;

const MESSAGE_CHARS_MAX = 500;

/** `details`: what else the answer that failed says. */
export function faultEnding(kind: FaultKind, message: string, details: Partial<Fault> = {}) {
  const { httpStatus = null, resetAtMs = null, retryAfterMs = null } = details;
  const words = excerpt(message, MESSAGE_CHARS_MAX);
  return {
    kind: "fault",
    fault: { kind, httpStatus, resetAtMs, retryAfterMs, message: words },
  } as const;
}

export function crashed(
  { exitCode, signal }: Pick<StreamExit, "exitCode" | "signal">,
  detail: string,
): SessionEnding {
  return { kind: "crashed", exitCode, signal, detail };
}

/** Causes that a program names in words alone. */
export type Lost = readonly { readonly says: RegExp; readonly reason: NotStarted }[];

/** It left before there was a conversation; without a word its exit code is all there is. */
export function refused(detail: string, exitCode: number | null, lost: Lost = []): SessionEnding {
  const reason = lost.find(({ says }) => says.test(detail))?.reason ?? "refused";
  const words = detail === "" ? `exit code ${exitCode}, without a word` : detail;
  return { kind: "not-started", reason, detail: words };
}
