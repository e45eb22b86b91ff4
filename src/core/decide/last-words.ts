// What do the last words of a session mean, where no structure says how it ended?

import type { BlockerType } from "../model/blocker.ts";
import type { CrashCause } from "../model/evidence.ts";
import type { Fault, FaultKind } from "../model/session.ts";

/** A cause that the output of a crashed program names, as a fault of the provider; null: it is none. */
export function faultFromText(crash: CrashCause): Fault | null {
  const kind = crash.type === "none" ? undefined : FAULT_OF[crash.type];
  if (kind === undefined) return null;
  const { resetAtMs, retryAfterMs, evidence } = crash;
  return { kind, httpStatus: null, resetAtMs, retryAfterMs, message: evidence };
}

const FAULT_OF: Partial<Record<BlockerType, FaultKind>> = {
  usage_limit: "usage-limit",
  rate_limit: "rate-limit",
  overloaded: "overloaded",
  network_transient: "network",
  context_exhaustion: "context-overflow",
  missing_credential: "authentication",
};
