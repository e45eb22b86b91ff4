// What does a gate say about the work, and what do several gates say together?

/** One specific thing wrong, named by a failed gate. */
export interface Finding {
  /** The failing check: a test's full name, a file, or the gate itself. */
  readonly check: string;
  /** Its decisive line; short. */
  readonly message: string;
}

/** Why a gate gave no verdict. */
export type UnknownWhy =
  | "not-run"
  | "timed-out"
  | "killed"
  | "tool-missing"
  | "nothing-checked"
  | "output-unreadable";

/** A gate without a verdict: whatever kept it from one, it is called so. */
export interface Unknown {
  readonly kind: "unknown";
  readonly why: UnknownWhy;
  readonly detail: string;
}

/** Three values, always. Unknown is never a pass and never a failure. */
export type Verdict =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly findings: readonly Finding[] }
  | Unknown;

export function unknown(why: UnknownWhy, detail: string): Unknown {
  return { kind: "unknown", why, detail: detail.slice(0, DETAIL_CHARS_MAX) };
}

const DETAIL_CHARS_MAX = 400;

/** Counts parsed from a known test runner's output. */
export interface TestCounts {
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface GateResult {
  readonly name: string;
  readonly required: boolean;
  readonly verdict: Verdict;
  /** null: the output was not that of a runner orch can read. */
  readonly counts: TestCounts | null;
  readonly elapsedMs: number;
  /**
   * One identity for each thing that failed, sorted, read from the whole output: failures with
   * equal ones are the same. null: nothing failed, or the orch that wrote this kept none.
   */
  readonly faults: readonly string[] | null;
  /** Last lines of the output, bounded and redacted; "" where there was none. */
  readonly excerpt: string;
  /** It passed on the very tree it had failed on before. */
  readonly flaky: boolean;
  /** What the first failing run of a flaky gate named; empty for every other gate. */
  readonly flakyFindings: readonly Finding[];
}

/** It ran, and there was nothing yet that it could check. */
export function checkedNothing({ verdict }: Pick<GateResult, "verdict">): boolean {
  return verdict.kind === "unknown" && verdict.why === "nothing-checked";
}

/** Of a result on the base: however well the work is done, this gate could not tell. */
export function staysUnknown({ verdict, counts }: Pick<GateResult, "verdict" | "counts">): boolean {
  if (verdict.kind !== "unknown") return false;
  // Where there is no check yet, the task may write the first; one that leaves all of them out is wrong.
  const leavesAllOut = verdict.why === "nothing-checked" && (counts?.skipped ?? 0) > 0;
  return STAYS_UNKNOWN.has(verdict.why) || leavesAllOut;
}

const STAYS_UNKNOWN: ReadonlySet<UnknownWhy> = new Set(["tool-missing", "not-run", "killed"]);

/** For a reason that no change of the code removes. */
export function isUnknownOutsideTheWork({ verdict }: GateResult): boolean {
  return verdict.kind === "unknown" && OUTSIDE_THE_WORK.has(verdict.why);
}

const OUTSIDE_THE_WORK: ReadonlySet<UnknownWhy> = new Set([...STAYS_UNKNOWN, "timed-out"]);

/** What tells one failure of the required gates from another. */
export interface FailureIdentity {
  readonly fp: string;
  /** Names of the failing checks, sorted, each once. */
  readonly failing: readonly string[];
  /** As the runners counted, where they did; findings are bounded and may be fewer. */
  readonly failingCount: number;
}

/** A runner that counted before the work and passes without a word has checked nothing. */
export function unknownIfUncounted(now: GateResult, before: GateResult | null): GateResult {
  if (now.verdict.kind !== "passed" || now.counts !== null || !before?.counts) return now;
  const { passed, failed, skipped } = before.counts;
  const detail = `its runner counted ${passed + failed + skipped} checks before the work, and counts none now`;
  return { ...now, verdict: unknown("nothing-checked", detail) };
}

/** The sum of all required gates. "ungated" is the explicit choice `gates: "none"`. */
export type GateSum = "passed" | "failed" | "unknown" | "ungated";

/** False if any is false; unknown if none is false and any is unknown; else passed. */
export function sumGates(results: readonly GateResult[]): GateSum {
  const required = results.filter((result) => result.required);
  if (required.length === 0) return "ungated";
  if (required.some((result) => result.verdict.kind === "failed")) return "failed";
  if (required.some((result) => result.verdict.kind === "unknown")) return "unknown";
  return "passed";
}
