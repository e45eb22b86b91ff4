// What is a plan, and when are two plans the same?

import { shortHash } from "./short-hash.ts";

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

const TEXT_CHARS_MAX = 16_000;
const PATHS_MAX = 200;
const APPROACH_CHARS_MAX = 120;

const APPROACH = /^[ \t>*-]{0,8}\**approach\**[ \t]*:[ \t]*(.{1,400})$/im;
const HEADING = /^#{1,3} (.{1,400})$/m;
/** A code span that could be a path: with a folder, or with an extension. */
const CODE_SPAN = /`([^`\s]{1,200})`/g;
const PATH = /^(?:[\w@.+-]{1,80}\/)*[\w@.+-]{1,80}$/;

/** Total: any text is a plan of some kind, and "" is the plan that says nothing. */
export function planFrom(markdown: string): Plan {
  const text = markdown.slice(0, TEXT_CHARS_MAX);
  const named = APPROACH.exec(text)?.[1] ?? HEADING.exec(text)?.[1] ?? "";
  const spans = [...text.matchAll(CODE_SPAN)].flatMap(([, span]) => (span ? [span] : []));
  const paths = [...new Set(spans.map(withoutPlace).filter(isPath))].sort(byCodeUnit);
  return { text, approach: tag(named), paths: paths.slice(0, PATHS_MAX) };
}

/** Policy section 12: the paths a plan touches, and its approach. Its wording plays no part. */
export function planIdentity({ approach, paths }: Plan): string {
  return shortHash(JSON.stringify([approach, paths]));
}

/** Letters and digits only, so that case, spacing and punctuation make no other approach. */
function tag(words: string): string {
  return words
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "")
    .slice(0, APPROACH_CHARS_MAX);
}

/** `src/a.ts:12` names the file. */
function withoutPlace(span: string): string {
  return span.replace(/:\d+(?::\d+)?$/, "").replace(/^\.\//, "");
}

function isPath(text: string): boolean {
  return PATH.test(text) && (text.includes("/") || /\w\.[a-z]\w{0,5}$/i.test(text));
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
