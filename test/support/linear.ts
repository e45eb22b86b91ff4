// Does the time to read a text grow as its length does, and no faster?

import { expect } from "vitest";

const CHARS = 2 * 1024;
const TIMES_LONGER = 8;
/** As long as the text, with room for a busy machine; the square of the length would be 64. */
const RATIO_MAX = 24;
/** Below this a ratio says more about the machine than about what is measured. */
const FLOOR_MS = 2;
const TRIES = 3;

/** So many characters of nothing but this. */
export function longRun(unit: string, chars: number): string {
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
}

/**
 * Reads long runs of each unit at one length and at another: what backtracks over one of them takes
 * far longer at the second than its length explains.
 */
export function expectLinear(units: readonly string[], read: (text: string) => unknown): void {
  const [short, long] = [CHARS, CHARS * TIMES_LONGER].map((chars) =>
    units.map((unit) => longRun(unit, chars)),
  );
  // Not measured: the first time is slower, whatever is read.
  cpuMs(short ?? [], read);
  const ratios: number[] = [];
  // Another program on the machine makes a ratio larger once, and not each time.
  while (ratios.length < TRIES && !(Math.min(...ratios) < RATIO_MAX))
    ratios.push(cpuMs(long ?? [], read) / Math.max(cpuMs(short ?? [], read), FLOOR_MS));
  expect(Math.min(...ratios)).toBeLessThan(RATIO_MAX);
}

function cpuMs(texts: readonly string[], read: (text: string) => unknown): number {
  const before = process.cpuUsage();
  for (const text of texts) read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
