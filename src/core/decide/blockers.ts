// Which declared blocker counts, and does it need a person?

import { BLOCKERS, isBlockerType, type Blocker, type BlockerClass } from "../model/blocker.ts";
import type { AgentReport, DeclaredBlocker } from "../model/report.ts";

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
