// What is a plan, and when are two plans the same?

import { shortHash } from "./ids.ts";

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

/**
 * The paths a plan touches, and its approach. Its wording plays no part, unless
 * it names neither: then the words it uses, in whatever order, are all there is.
 */
export function planIdentity({ approach, paths, text }: Plan): string {
  const isNamed = approach !== "" || paths.length > 0;
  return shortHash(JSON.stringify(isNamed ? [approach, paths] : wordsOf(text)));
}

function wordsOf(text: string): readonly string[] {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words)].sort();
}
