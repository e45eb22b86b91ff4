// What does a row of the tables about endings hold?

import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { Row } from "../match/rows.ts";

export interface EndingRow extends Row<BlockerType> {
  /** Where the table of types does not say it: a dependency can be within reach or not. */
  readonly class?: BlockerClass;
}
