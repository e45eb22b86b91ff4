// What does a gate say about the work, what do several say together, and what became of their checks?

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
  | "not-installed"
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
  /** 0: it is known from before. */
  readonly elapsedMs: number;
  /** How long it took when it was run. */
  readonly tookMs: number;
  /**
   * One identity for each thing that failed, sorted, read from the whole output: failures with
   * equal ones are the same. null: nothing failed, or none is told from another.
   */
  readonly faults: readonly string[] | null;
  /** Last lines of the output, bounded and redacted; "" where there was none. */
  readonly excerpt: string;
  /** It passed on the very tree it had failed on before. */
  readonly flaky: boolean;
  /** What the first failing run of a flaky gate named; empty for every other gate. */
  readonly flakyFindings: readonly Finding[];
}

/** Of a gate that ran no program, or one of which nothing is known. */
export const NO_OUTPUT = {
  counts: null,
  faults: null,
  excerpt: "",
  flaky: false,
  flakyFindings: [],
} as const satisfies Partial<GateResult>;

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

const STAYS_UNKNOWN: ReadonlySet<UnknownWhy> = new Set([
  "tool-missing",
  "not-installed",
  "not-run",
  "killed",
  "timed-out",
]);

/** For a reason that no change of the code removes. */
export function isUnknownOutsideTheWork({ verdict }: GateResult): boolean {
  return verdict.kind === "unknown" && STAYS_UNKNOWN.has(verdict.why);
}

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

export function isRed({ required, verdict }: GateResult): boolean {
  return required && verdict.kind === "failed";
}

/** The sum of all required gates. "ungated" is the explicit choice `gates: "none"`. */
export type GateSum = "passed" | "failed" | "unknown" | "ungated";

/** False if any is false; unknown if none is false and any is unknown; else passed. */
export function sumGates(results: readonly GateResult[]): GateSum {
  const required = results.filter((result) => result.required);
  if (required.length === 0) return "ungated";
  if (required.some(isRed)) return "failed";
  if (required.some((result) => result.verdict.kind === "unknown")) return "unknown";
  return "passed";
}

/** One check, named as its runner names it, without what changes from run to run. */
export interface Check {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
}

/** What a runner said that it did. */
export interface Inventory {
  /** null: it did not count. */
  readonly counts: TestCounts | null;
  /** Empty: it names none, or only those that failed. */
  readonly checks: readonly Check[];
}

/** Some checks: how many, and the first of their names, sorted. */
export interface Named {
  readonly count: number;
  readonly names: readonly string[];
}

/** One gate on the base and now. Where the runner names no checks, only the counts are known. */
export type Comparison =
  | {
      readonly kind: "compared";
      readonly gate: string;
      /** Passed on the base, and are not there now. */
      readonly gone: Named;
      /** Passed on the base, and are skipped now. */
      readonly skipped: Named;
      /** Passed on the base, and fail now. */
      readonly broken: Named;
      /** Failed on the base, and still do, are skipped, or are gone with nothing in their place. */
      readonly stillFailing: Named;
      /** Failed on the base, and pass now. */
      readonly mended: Named;
      /** Were not on the base, and pass now. */
      readonly added: Named;
    }
  | { readonly kind: "not-comparable"; readonly gate: string; readonly why: string };

const NAMES_MAX = 50;

/** Checks of one name count together: as the worst that was said of any of them. */
export function compareInventories(gate: string, base: Inventory, now: Inventory): Comparison {
  if (base.counts === null) return notComparable(gate, "no check was counted before the work");
  if (now.counts === null)
    return notComparable(gate, "its runner counted before the work, and is silent now");
  if (base.checks.length === 0 || now.checks.length === 0)
    return byCount(gate, base.counts, now.counts);
  const [before, after] = [statesOf(base.checks), statesOf(now.checks)];
  const all = (was: Check["state"], is: Check["state"] | undefined): readonly string[] =>
    [...before.keys()].filter((name) => before.get(name) === was && after.get(name) === is);
  const those = (...states: Parameters<typeof all>): Named => named(all(...states));
  const added = [...after].flatMap(([name, state]) =>
    state === "passed" && !before.has(name) ? [name] : [],
  );
  // One that stood for a file that could not be loaded has others in its place.
  const unmade = all("failed", undefined);
  const isLess = unmade.length > added.length && all("passed", undefined).length === 0;
  const open = isLess ? unmade : [];
  return {
    kind: "compared",
    gate,
    gone: those("passed", undefined),
    skipped: those("passed", "skipped"),
    broken: those("passed", "failed"),
    stillFailing: named([...all("failed", "failed"), ...all("failed", "skipped"), ...open]),
    mended: those("failed", "passed"),
    added: named(added),
  };
}

function notComparable(gate: string, why: string): Comparison {
  return { kind: "not-comparable", gate, why };
}

const WORST = { passed: 0, skipped: 1, failed: 2 } as const;

/** By name; where several checks have it, the worst that was said of any of them. */
export function statesOf(checks: readonly Check[]): ReadonlyMap<string, Check["state"]> {
  const states = new Map<string, Check["state"]>();
  for (const { name, state } of checks) {
    const before = states.get(name);
    if (before === undefined || WORST[state] > WORST[before]) states.set(name, state);
  }
  return states;
}

function named(names: readonly string[]): Named {
  const sorted = [...names].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { count: sorted.length, names: sorted.slice(0, NAMES_MAX) };
}

/** Numbers alone cannot tell a check that is gone from one that another replaced. */
function byCount(gate: string, base: TestCounts, now: TestCounts): Comparison {
  const many = (count: number): Named => ({ count: Math.max(0, count), names: [] });
  const skipped = Math.max(0, now.skipped - base.skipped);
  const all = (counts: TestCounts): number => counts.passed + counts.failed + counts.skipped;
  return {
    kind: "compared",
    gate,
    gone: many(all(base) - all(now)),
    skipped: many(skipped),
    broken: many(now.failed - base.failed),
    stillFailing: many(Math.min(base.failed, now.failed)),
    mended: many(base.failed - now.failed),
    added: many(all(now) - all(base)),
  };
}

/** A check without the suites and files around it. */
export function titleOf(check: string): string {
  return check.split(/ [>›] |::/).at(-1) ?? check;
}

export function findingsIn(gate: GateResult | null): readonly Finding[] {
  return gate?.verdict.kind === "failed" ? gate.verdict.findings : [];
}
