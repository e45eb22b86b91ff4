// What must be known of a piece of work before its integrity can be judged?

import type { TestCounts } from "../../core/model/verdict.ts";

/** A file's content in one of the two trees. */
export type FileText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  /** Not text: binary content, a symbolic link, a submodule. */
  | { readonly kind: "binary" }
  /** Not read: the file is too large, or there were too many. Nothing is concluded from it. */
  | { readonly kind: "unread" };

/** A path whose content differs between the base and the final tree. A move is two of them. */
export interface ChangedFile {
  readonly path: string;
  readonly before: FileText;
  readonly after: FileText;
}

/** What one gate's test runner counted on both trees; null: not run, or not readable. */
export interface CountedGate {
  readonly gate: string;
  readonly before: TestCounts | null;
  readonly after: TestCounts | null;
}

/** A path that the report names as made or changed, and what was found there. */
export interface ClaimedFile {
  readonly path: string;
  /** "elsewhere": it is not a path inside the working tree, and nobody looked. */
  readonly found: "present" | "absent" | "elsewhere";
}

export interface WorkClaim {
  readonly completed: boolean;
  /** How many paths differ from the task's base; null: not measured. */
  readonly sinceBaseCount: number | null;
  readonly files: readonly ClaimedFile[];
}

export interface IntegrityChange {
  readonly files: readonly ChangedFile[];
  readonly counts: readonly CountedGate[];
  /** Command lines of the gates, so that the scripts they run are known. */
  readonly commands: readonly string[];
  /** null: no readable report. */
  readonly claim: WorkClaim | null;
}

/** The text to look at; null where there is none to look at. Longer text is not read. */
export function textIn(content: FileText): string | null {
  if (content.kind !== "text" || content.text.length > FILE_CHARS_MAX) return null;
  return content.text;
}

/** Larger files are data or generated; the patterns of the rules are linear up to any size. */
export const FILE_CHARS_MAX = 1024 * 1024;
