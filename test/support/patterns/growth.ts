// How does the work of a pattern grow with the text?

import { parseRegExpLiteral, visitRegExpAST, type AST } from "@eslint-community/regexpp";

import { stepCounter, TooManySteps } from "./count-steps.ts";
import { textOf, worstTexts, type Worst } from "./worst-texts.ts";

export interface Growth {
  readonly worst: Worst;
  /** Of a text four times as long. The square would be 16. */
  readonly timesSteps: number;
}

const TRIED = 64;
/** The shorter ones where a loop in the pattern goes deeper than the stack. */
const LONG = [512, 256, TRIED];
const TIMES_LONGER = 4;
/** Fewer rounds than this multiply a text's cost by a constant that nobody notices. */
const MANY_ROUNDS = 20;
const CHOSEN = 2;
/** More is too much, however it grows. */
export const STEPS_PER_CHAR_MAX = 1_000;

/** The worst of what is tried; null where nothing in the pattern repeats. Counted in steps, so that it is the same each time. */
export function growthOf(regex: RegExp): Growth | null {
  const parsed = parseRegExpLiteral(regex);
  if (!repeats(parsed)) return null;
  const count = stepCounter(parsed);
  const steps = (worst: Worst, chars: number): number | null => {
    try {
      return count(textOf(worst, chars), chars * STEPS_PER_CHAR_MAX);
    } catch (error) {
      if (error instanceof TooManySteps) return Infinity;
      if (error instanceof RangeError) return null;
      throw error;
    }
  };
  const growth = (worst: Worst, lengths: readonly number[]) => {
    for (const chars of lengths) {
      const all = steps(worst, chars * TIMES_LONGER);
      if (all === Infinity) return { worst, all, timesSteps: all };
      if (all !== null) return { worst, all, timesSteps: all / (steps(worst, chars) ?? 1) };
    }
    return { worst, all: Infinity, timesSteps: Infinity };
  };
  const tried = worstTexts(parsed).map((worst) => growth(worst, [TRIED]));
  const slowest = tried.toSorted((one, other) => other.all - one.all).slice(0, CHOSEN);
  const steepest = tried.toSorted((one, other) => other.timesSteps - one.timesSteps);
  return [...new Set([...slowest, ...steepest.slice(0, CHOSEN)])]
    .map(({ worst }) => growth(worst, LONG))
    .reduce((one, other) => (other.timesSteps > one.timesSteps ? other : one));
}

function repeats(regex: AST.RegExpLiteral): boolean {
  let found = false;
  visitRegExpAST(regex, { onQuantifierEnter: ({ max }) => void (found ||= max >= MANY_ROUNDS) });
  return found;
}
