// Where may the work of a step write, and what did it change outside, as the agent says why?

import { compileGlobs } from "./glob.ts";
import type { Evidence } from "./evidence.ts";
import { firstOf } from "./excerpt.ts";
import type { Crossing } from "./state.ts";

export interface Fence {
  /** Globs of the step's `fileAccess.allowWrite`; null: anywhere. */
  readonly allowWrite: readonly string[] | null;
  /** Globs of the task's `scope`; empty: anywhere. */
  readonly scope: readonly string[];
  /** Files that hold both sides of a merge: to resolve them is the work. */
  readonly conflicts: readonly string[];
}

export const NO_FENCE: Fence = { allowWrite: null, scope: [], conflicts: [] };

/** The first side that a path lies outside of. */
export type FenceSide = "allowWrite" | "scope";

/** For paths relative to the tree; null: it may be written. The patterns are read once. */
export function fenceTest({
  allowWrite,
  scope,
  conflicts,
}: Fence): (path: string) => FenceSide | null {
  const isAllowed = allowWrite === null ? null : compileGlobs(allowWrite);
  const isInScope = scope.length === 0 ? null : compileGlobs(scope);
  const joined = new Set(conflicts);
  return (path) => {
    if (joined.has(path)) return null;
    if (isAllowed?.(path) === false) return "allowWrite";
    return isInScope?.(path) === false ? "scope" : null;
  };
}

const PATTERNS_SHOWN_MAX = 20;

/** For an agent: "only src/**, test/**"; null: it may write anywhere. */
export function fenceWords({ allowWrite, scope }: Fence): string | null {
  const lists = [
    ...(allowWrite === null ? [] : [allowWrite]),
    ...(scope.length === 0 ? [] : [scope]),
  ];
  if (lists.length === 0) return null;
  if (allowWrite?.length === 0) return "no file at all";
  const words = lists.map((patterns) => {
    const more = patterns.length - PATTERNS_SHOWN_MAX;
    const shown = patterns.slice(0, PATTERNS_SHOWN_MAX).map((one) => `\`${one}\``);
    return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  });
  return `only ${words.join(", and of these only ")}`;
}

/** For a prompt; "" where everything may be written. Enforced where the agent has hooks, and measured everywhere. */
export function fenceSentence(fence: Fence): string {
  const words = fenceWords(fence);
  if (words === null) return "";
  const may = `Besides your report you may write ${words}.`;
  return fence.scope.length === 0
    ? may
    : `${may} If a command must change another file, such as a lock file, name it under \`changed_checks\` with its reason.`;
}

export interface OutOfScope {
  readonly path: string;
  /** Of this report or of an earlier one; null: the agent gave none. */
  readonly reason: string | null;
}

export function outOfScope({
  tree,
  ...given
}: Pick<Evidence, "tree" | "report" | "reasons">): readonly OutOfScope[] {
  const paths = tree.kind === "measured" ? tree.outOfScope : [];
  return paths.map((path) => ({ path, reason: reasonForPath(path, given) }));
}

/** The agent's, of this report or of an earlier one; null: it gave none. */
export function reasonForPath(
  path: string,
  { report, reasons }: Pick<Evidence, "report" | "reasons">,
): string | null {
  const all = [...(report.kind === "read" ? report.report.changedChecks : []), ...reasons];
  return all.find(({ check }) => isNamed(path, check.trim()))?.reason ?? null;
}

/** By its path, by the end of it, or by a folder around it. */
function isNamed(path: string, name: string): boolean {
  const named = name.startsWith("./") ? name.slice(2) : name;
  if (named === "") return false;
  const folder = named.endsWith("/") ? named : `${named}/`;
  return path === named || path.endsWith(`/${named}`) || path.startsWith(folder);
}

export function outOfScopeWords({ path, reason }: OutOfScope): string {
  return `${path} is outside the task's scope${reason === null ? "" : ` (the agent says: ${reason})`}`;
}

const PATHS_CROSSED_MAX = 3;

/** "docs wrote src/api/x.ts, which is in the scope of api". */
export function crossingWords({ by, into, paths }: Crossing): string {
  const which = firstOf(paths, PATHS_CROSSED_MAX);
  return `${by} wrote ${which}, which ${paths.length === 1 ? "is" : "are"} in the scope of ${into}`;
}

const REFUSED_NAMED_MAX = 5;

export function refusedWords(paths: readonly string[]): string {
  return `changed ${firstOf(paths, REFUSED_NAMED_MAX)}; what the run began with counts`;
}

export function unusableWords(problems: readonly string[]): string {
  return `wrote tasks that cannot be run and were not added: ${firstOf(problems, REFUSED_NAMED_MAX, { between: "; " })}`;
}
