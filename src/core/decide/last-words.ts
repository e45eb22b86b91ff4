// What do the last words of a session mean, where no structure says how it ended?

import type { BlockerType } from "../model/blocker.ts";
import type { CrashCause } from "../model/evidence.ts";
import type { Fault, FaultKind } from "../model/session.ts";

/** A cause that the output of a crashed program names, as a fault of the provider; null: it is none. */
export function faultFromText(crash: CrashCause): Fault | null {
  const kind = crash.type === "none" ? undefined : FAULT_OF[crash.type];
  if (kind === undefined) return null;
  const { resetAtMs, retryAfterMs, evidence } = crash;
  const wholeMs = resetAtMs === null ? null : endOfMinute(resetAtMs);
  return { kind, httpStatus: null, resetAtMs: wholeMs, retryAfterMs, message: evidence };
}

/** Words tell a time to the minute, and where the next try comes within it they tell the same again. */
function endOfMinute(moment: number): number {
  return moment % MINUTE_MS === 0 ? moment + MINUTE_MS : moment;
}

const MINUTE_MS = 60_000;

const FAULT_OF: Partial<Record<BlockerType, FaultKind>> = {
  usage_limit: "usage-limit",
  rate_limit: "rate-limit",
  overloaded: "overloaded",
  network_transient: "network",
  context_exhaustion: "context-overflow",
  missing_credential: "authentication",
};
