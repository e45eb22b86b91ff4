// What does a plan that an agent wrote say of itself?

import type { Plan } from "../../core/model/report.ts";

const TEXT_CHARS_MAX = 16_000;
const PATHS_MAX = 200;
const APPROACH_CHARS_MAX = 120;

const APPROACH = /^[ \t>*-]{0,8}\**approach\**[ \t]*:[ \t]*(.{1,400})$/im;
const HEADING = /^#{1,3} (.{1,400})$/m;
/** A code span that could be a path: with a folder, or with an extension. */
const CODE_SPAN = /`([^`\s]{1,200})`/g;
const PATH = /^(?=.*(?:\/|\w\.[a-z]\w{0,5}$))(?:[\w@.+-]{1,80}\/)*[\w@.+-]{1,80}$/i;

/** Total: any text is a plan of some kind, and "" is the plan that says nothing. */
export function planFrom(markdown: string): Plan {
  const text = markdown.slice(0, TEXT_CHARS_MAX);
  const named = APPROACH.exec(text)?.[1] ?? HEADING.exec(text)?.[1] ?? "";
  const spans = [...text.matchAll(CODE_SPAN)].flatMap(([, span]) => (span ? [span] : []));
  const paths = [...new Set(spans.map(withoutPlace).filter((span) => PATH.test(span)))].sort();
  return { text, approach: tag(named), paths: paths.slice(0, PATHS_MAX) };
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

/** `./src/a.ts:12` and `src/a.ts#L12` name the file. */
export function withoutPlace(span: string): string {
  const path = span.replace(/(?::\d{1,7}){1,2}$|#l?\d{1,7}$/i, "");
  return path.startsWith("./") ? path.slice(2) : path;
}
