// What kinds of blocker are there, and which of them need a person?

/** Policy section 3. Soft blockers clear by trying again; hard ones need a person. */
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

/** A classified blocker, with the words it came with and where they came from. */
export interface Blocker {
  /** A known type, or the agent's own word kept verbatim. */
  readonly type: string;
  readonly class: BlockerClass;
  readonly message: string;
  readonly recommendation: string | null;
  readonly source: "declared" | "session";
}

export function isBlockerType(text: string): text is BlockerType {
  return Object.hasOwn(BLOCKERS, text);
}
