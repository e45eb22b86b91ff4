// What is a terminal to those who write on it?

import type { Writable } from "node:stream";

export interface ScreenStream extends Writable {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Some pseudo-terminals say 0 until somebody looks at them. */
export function stated(cells: number | undefined, otherwise: number): number {
  return cells === undefined || cells <= 0 ? otherwise : cells;
}
