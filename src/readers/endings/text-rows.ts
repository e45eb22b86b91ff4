// Which row do the words of an ending fall under?

import type { BlockerType } from "../../core/model/blocker.ts";
import { firstRow, type EndingRow, type RowMatch } from "./ending-row.ts";
import type { EndingText } from "./ending-text.ts";
import { ACCESS_ROWS } from "./rows-access.ts";
import { FUTILE_ROWS } from "./rows-futile.ts";
import { LIMIT_ROWS } from "./rows-limits.ts";
import { DEPENDENCY_ROWS, OWN_ROWS } from "./rows-work.ts";
import { UNFINISHED_ROWS, WORLD_ROWS } from "./rows-world.ts";

/** Policy section 2, level 4: a general word must not match before the particular one. */
const OUTSIDE = [
  ...LIMIT_ROWS,
  ...ACCESS_ROWS,
  ...FUTILE_ROWS,
  ...WORLD_ROWS,
  ...UNFINISHED_ROWS,
  ...DEPENDENCY_ROWS,
] as const;

export type TextRuleId = (typeof OUTSIDE | typeof OWN_ROWS)[number]["id"];
export type TextRow = EndingRow & { readonly id: TextRuleId };

/** In their order of precedence. */
export const TEXT_ROWS: readonly TextRow[] = [...OUTSIDE, ...OWN_ROWS];

/** What a test report may show without being made of it: tests that could not even begin. */
const IN_REPORT: readonly TextRow[] = [ACCESS_ROWS[0], ...DEPENDENCY_ROWS];

/** The first row among those of some types (null: all), or null. */
export function rowIn(
  { words, reportStart, reportEnd }: EndingText,
  types: readonly BlockerType[] | null,
): RowMatch<TextRow> | null {
  if (types !== null) {
    return firstRow(
      TEXT_ROWS.filter(({ means }) => types.includes(means)),
      words,
    );
  }
  if (reportEnd === 0) return firstRow(TEXT_ROWS, words);
  // Tests about limits and permissions fail in words of limits and permissions. What was printed after the
  // report is not a test's.
  const after = firstRow<TextRow>(OUTSIDE, words.slice(reportEnd));
  if (after !== null) return { ...after, index: after.index + reportEnd };
  return firstRow(IN_REPORT, words) ?? { row: OWN_ROWS[0], index: reportStart, length: 0 };
}
