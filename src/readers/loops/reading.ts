// What did a tool answer, apart from what changes with every run, and do its numbers move?

import { inert } from "../../core/model/excerpt.ts";
import { withoutRunNoise } from "../failure/noise.ts";
import { afterPiece, markText, NO_MARK } from "./mark.ts";

/** A text told by its marks and by the numbers in it. */
export interface Reading {
  /** Equal for texts that differ in times, durations and ids only. */
  readonly said: string;
  /** Equal for texts that differ in any numbers as well. */
  readonly shape: string;
  /** Small numbers in their order: counts, lines, percentages. */
  readonly counts: readonly number[];
  /** Durations in their order, in seconds. */
  readonly seconds: readonly number[];
}

/** The noise of a longer text is taken out at both ends; its middle counts as it is. */
const END_CHARS = 8 * 1024;
const MIDDLE_CHARS_MAX = 1024 * 1024;
const NUMBERS_MAX = 16;

/** With its unit; what a runner measured of a finished test is noise before. */
const DURATION =
  /(?<![\w.])(\d{1,9}(?:\.\d{1,9})?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/g;
const NUMBER = /\d{1,15}(?:\.\d{1,9})?/g;
/** Larger numbers are ports, sizes and ids of one run rather than counts. */
const COUNT_BELOW = 10_000;

/** By the first letter of a unit; what begins with "ms" or "milli" is a thousandth. */
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600 };

export function readingOf(text: string): Reading {
  const isLong = text.length > 2 * END_CHARS;
  const ends = isLong ? `${text.slice(0, END_CHARS)}\n${text.slice(-END_CHARS)}` : text;
  // The length speaks for what lies beyond the limit.
  const middle = isLong
    ? `${text.length}:${text.slice(END_CHARS, -END_CHARS).slice(0, MIDDLE_CHARS_MAX)}`
    : "";
  const seconds: number[] = [];
  const quiet = withoutRunNoise(inert(ends).toLowerCase()).replace(/\s+/g, " ").trim();
  const said = quiet.replace(DURATION, (_all, amount: string, unit: string) => {
    const length = /^ms|^milli/.test(unit) ? 0.001 : (SECONDS[unit.charAt(0)] ?? 1);
    seconds.push(Number(amount) * length);
    return "<long>";
  });
  const counts = [...said.matchAll(NUMBER)].map(([digits]) => Number(digits));
  const rest = afterPiece(NO_MARK, middle);
  return {
    said: markText(afterPiece(rest, said)),
    shape: markText(afterPiece(rest, said.replace(NUMBER, "#"))),
    counts: counts.filter((count) => count < COUNT_BELOW).slice(0, NUMBERS_MAX),
    seconds: seconds.slice(0, NUMBERS_MAX),
  };
}

/** Oldest first: the clock of something that runs went on from each to the next. */
export function isClockRunning(readings: readonly Reading[]): boolean {
  const steps = pairs(readings.map(({ seconds }) => seconds));
  return (
    steps.length > 0 &&
    steps.every(([before, after]) => {
      const moves = after.map((second, at) => second - (before[at] ?? 0));
      return before.length === after.length && Math.min(...moves) >= 0 && Math.max(...moves) > 0;
    })
  );
}

/** The same words each time, and another count or line at least once: something got elsewhere. */
export function haveCountsMoved(readings: readonly Reading[]): boolean {
  const steps = pairs(readings);
  return (
    steps.every(([before, after]) => before.shape === after.shape) &&
    steps.some(([before, after]) => after.counts.some((count, at) => count !== before.counts[at]))
  );
}

function pairs<T>(list: readonly T[]): readonly (readonly [T, T])[] {
  return list.slice(1).flatMap((after, at) => {
    const before = list[at];
    return before === undefined ? [] : [[before, after] as const];
  });
}
