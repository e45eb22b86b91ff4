// What does the agent claim about its own attempt, and which plan did it leave?

import { shortHash, slug } from "./ids.ts";

/**
 * "unstated" is a report without a usable status (for example "uncertain"): its other fields
 * still count, but it claims nothing, which is neither success nor failure.
 */
export type ReportStatus = "completed" | "partial" | "failed" | "blocked" | "unstated";

/**
 * How much hangs on a question, from most to least. The interaction level decides from which
 * rung on a person is asked (policy.ts, `asksFrom`).
 */
export const IMPACTS = ["blocking", "contradiction", "major", "minor", "taste"] as const;
export type Impact = (typeof IMPACTS)[number];

export interface DeclaredBlocker {
  /** As the agent wrote it, lower-cased; unknown types are kept. */
  readonly type: string;
  readonly message: string;
  /** null: not stated. */
  readonly recoverable: boolean | null;
  readonly recommendation: string | null;
}

export interface DeclaredQuestion {
  readonly question: string;
  readonly options: readonly string[];
  readonly default: string | null;
  readonly impact: Impact;
}

export interface Assumption {
  readonly decision: string;
  readonly reason: string | null;
}

export interface PartialProgress {
  readonly stage: string | null;
  readonly details: string | null;
  readonly phasesCompleted: number | null;
  readonly phasesTotal: number | null;
  readonly handoffPath: string | null;
}

/** Something that the task demands; `met` null: it cannot be told. */
export interface Criterion {
  readonly text: string;
  readonly met: boolean | null;
  /** Where it is seen. */
  readonly evidence: string | null;
}

/** From the worst on. */
export const SEVERITIES = ["critical", "major", "minor", "nit"] as const;

export interface ReviewFinding {
  readonly severity: (typeof SEVERITIES)[number];
  readonly file: string | null;
  readonly reason: string;
}

/** The agent's report after parsing. Every field is a claim. */
export interface AgentReport {
  readonly status: ReportStatus;
  readonly summary: string;
  readonly review: { readonly reason: string | null } | null;
  readonly blockers: readonly DeclaredBlocker[];
  readonly progress: PartialProgress | null;
  readonly assumptions: readonly Assumption[];
  readonly questions: readonly DeclaredQuestion[];
  readonly criteria: readonly Criterion[];
  /** What a coach finds in the work of another agent. */
  readonly findings: readonly ReviewFinding[];
  readonly approachesTried: readonly string[];
  readonly artifacts: readonly { readonly path: string; readonly summary: string | null }[];
  /** Checks that it changed on purpose: a check's name, or its file, and why. */
  readonly changedChecks: readonly { readonly check: string; readonly reason: string }[];
  readonly confidence: number | null;
  readonly nextSteps: string | null;
}

/**
 * What was found where the report should be. Four kinds of "no report" are kept apart:
 * none of them is failure or success, and each gets its own words to the agent.
 */
export type ReportFinding =
  | { readonly kind: "read"; readonly report: AgentReport; readonly notes: readonly string[] }
  | { readonly kind: "in-progress" }
  | { readonly kind: "missing" }
  /** A report exists, but from another session: an earlier attempt's path was written to. */
  | { readonly kind: "stale"; readonly detail: string }
  | { readonly kind: "unreadable"; readonly problems: readonly string[] };

/** What a planning session left beside its report. */
export type PlanFinding =
  /** The attempt was not one of planning. */
  | { readonly kind: "not-asked" }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "written"; readonly plan: Plan };

export interface Plan {
  /** The whole of plan.md, bounded. */
  readonly text: string;
  /** What the plan calls its own approach, folded; "" where it says nothing. */
  readonly approach: string;
  /** Paths it names, sorted, each once; bounded. */
  readonly paths: readonly string[];
}

/** The paths a plan touches, and its approach. Only where it names neither its words are all there is. */
export function planIdentity({ approach, paths, text }: Plan): string {
  const isNamed = approach !== "" || paths.length > 0;
  return shortHash(JSON.stringify(isNamed ? [approach, paths] : slug(text, text.length)));
}

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
