// What kinds of blocker are there, and which of them need a person?

import type { DeclaredBlocker, AgentReport } from "./report.ts";

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

/** The declared blockers with their class, hard ones first. */
export function declaredBlockers(report: AgentReport): readonly Blocker[] {
  const all = report.blockers.map((declared) => ({ ...declared, class: classOf(declared) }));
  return [...all.filter((b) => b.class === "hard"), ...all.filter((b) => b.class === "soft")];
}

/**
 * The table decides for known types; one of them depends on the flag: a dependency the agent
 * cannot install from inside the workspace needs a person. Unknown types are classed by their
 * flag alone, and without one they are soft: trying again is cheaper than a needless question.
 */
function classOf(declared: DeclaredBlocker): BlockerClass {
  if (!isBlockerType(declared.type)) return declared.recoverable === false ? "hard" : "soft";
  if (declared.type === "missing_dependency" && declared.recoverable === false) return "hard";
  return BLOCKERS[declared.type];
}
