// Which row of a table do the words of an ending fall under?

import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { Words } from "../match/phrases.ts";

/** A family of messages, told by its words. The first row of a table that fits wins. */
export interface EndingRow {
  readonly id: string;
  readonly means: BlockerType;
  /** Where the table of types does not say it: a dependency can be within reach or not. */
  readonly class?: BlockerClass;
  readonly any: Words;
  /** Words that show that another row is meant. */
  readonly unless?: Words;
  /** Words that must stand somewhere in the text as well. */
  readonly where?: Words;
}

export interface RowMatch<R> {
  readonly row: R;
  readonly index: number;
  readonly length: number;
}

export function firstRow<R extends EndingRow>(
  rows: readonly R[],
  text: string,
): RowMatch<R> | null {
  for (const row of rows) {
    const found = row.any.exec(text);
    if (found === null || row.unless?.test(text) === true || row.where?.test(text) === false)
      continue;
    return { row, index: found.index, length: found[0].length };
  }
  return null;
}
