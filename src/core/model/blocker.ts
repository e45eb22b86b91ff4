// What kinds of blocker are there, and which of them need a person?

import type { DeclaredBlocker } from "./report.ts";

/** Soft blockers clear by trying again; hard ones need a person. */
export const BLOCKERS = {
  usage_limit: "soft",
  rate_limit: "soft",
  overloaded: "soft",
  network_transient: "soft",
  timeout: "soft",
  context_exhaustion: "soft",
  phase_incomplete: "soft",
  tool_transient: "soft",
  agent_usage_error: "soft",
  code_defect: "soft",
  missing_dependency: "soft",
  missing_credential: "hard",
  permission_policy: "hard",
  resource_exhausted: "hard",
  invalid_specification: "hard",
  unresolvable_build_error: "hard",
  strategy_failed: "hard",
  mathematically_false: "hard",
} as const satisfies Record<string, "soft" | "hard">;

export type BlockerType = keyof typeof BLOCKERS;
export type BlockerClass = "soft" | "hard";

/** What an agent declared, classified. Its type is a known one, or the agent's own word. */
export interface Blocker extends DeclaredBlocker {
  readonly class: BlockerClass;
}

export function isBlockerType(text: string): text is BlockerType {
  return Object.hasOwn(BLOCKERS, text);
}
