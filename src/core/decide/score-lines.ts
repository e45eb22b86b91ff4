// What does a person read beside an uncertainty score?

import { SIGNALS } from "../model/signals.ts";
import type { ScorePart } from "../model/signals.ts";

/** The parts that count, heaviest first. */
export function scoreLines(parts: readonly ScorePart[]): readonly string[] {
  return parts
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ signal, weight, detail }) => `${weight}  ${SIGNALS[signal]}: ${detail}`);
}
