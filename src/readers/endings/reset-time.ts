// When does a message say that a limit resets?

import { civilIn, weekdayOf, zoneAfter, zonedMs, type Civil } from "./zones.ts";

/** The reader's clock and zone: what "tomorrow" and a bare "5pm" mean. */
export interface Reader {
  readonly nowMs: number;
  readonly zone: string;
}

/** "unknown": the words have this form, but name no time that exists, or only a day. */
type Moment = number | "unknown";

export interface Reset {
  readonly atMs: number;
  /** Where the message states a span rather than a moment. */
  readonly delayMs: number | null;
}

/**
 * The first reset a message states, read in the lower-case text of an ending. null: none is stated, or it
 * cannot be read, or only a day is known. Nothing is ever guessed.
 */
export function resetIn(flat: string, reader: Reader): Reset | null {
  const bar = EPOCH_AFTER_BAR.exec(flat);
  if (bar !== null) return at(epochAfter(bar[0].slice(1)));
  for (const cue of flat.matchAll(CUE)) {
    const start = cue.index + cue[0].length;
    const reset = stated(flat.slice(start, start + AFTER_CUE_CHARS), cue[0], reader);
    if (reset !== null) return reset;
  }
  return null;
}

/** `limit reached|1760000400`, as some versions print it. */
const EPOCH_AFTER_BAR = /\|\d{10}(?:\d{3})?(?!\d)/;

/** Words after which a program names the time. "Retrying in" is not among them: that is its own try. */
const CUE = new RegExp(
  `\\b(?:${[
    "resets?(?:_?at|_?after|_?in(?:_?seconds)?)?",
    "try again|retry(?:[-_ ]?after)?(?:[-_]?ms)?|retrydelay|quotaresetdelay",
    "available(?: again)?|(?:re)?gain access|wait|renews?|refreshes|unlocks|back (?:at|on|in)",
  ].join("|")})\\b`,
  "g",
);

/** What may stand between the word and the time. */
const FILLER_WORDS =
  "on at in after around about until by for is again access your will be of the limit within approximately another";
const FILLER = new RegExp(`^(?:["':=,·(|\\s]|(?:${FILLER_WORDS.replaceAll(" ", "|")})\\b){0,24}`);

const AFTER_CUE_CHARS = 110;

function stated(after: string, cue: string, reader: Reader): Reset | null {
  const rest = after.slice(FILLER.exec(after)?.[0].length ?? 0);
  const moment = isoAfter(rest, reader) ?? dateAfter(rest, reader) ?? epochAfter(rest);
  if (moment !== null) return at(moment);
  const delayMs = durationAfter(rest, cue);
  return delayMs === null
    ? at(clockAfter(rest, reader))
    : { atMs: reader.nowMs + delayMs, delayMs };
}

function at(moment: Moment | null): Reset | null {
  return moment === null || moment === "unknown" ? null : { atMs: moment, delayMs: null };
}

/** Seconds or milliseconds since 1970. */
function epochAfter(rest: string): number | null {
  const [digits] = /^\d{10}(?:\d{3})?(?!\d)/.exec(rest) ?? [];
  if (digits === undefined) return null;
  return digits.length === 10 ? Number(digits) * 1000 : Number(digits);
}

/** `2026-01-01T12:00:00Z`, `2026-07-01 at 00:00 UTC`; without an offset in the reader's zone. */
function isoAfter(rest: string, reader: Reader): Moment | null {
  const match = ISO.exec(rest);
  if (match === null) return null;
  const [whole, ...shown] = match;
  const civil = shown[3] === undefined ? null : civilFrom(shown.map(Number));
  const zone = zoneAfter(rest.slice(whole.length)) ?? reader.zone;
  return (civil === null ? null : zonedMs(civil, zone)) ?? "unknown";
}

/** `Oct 6, 6pm`, `May 11th, 2026 1:36 PM`, `6 October 2026, 18:00`, `Mon 12:00am`, `tomorrow at 9am`. */
function dateAfter(rest: string, reader: Reader): Moment | null {
  const [whole, first, second, third] = MONTH_DAY.exec(rest) ?? DAY_MONTH.exec(rest) ?? [];
  if (whole === undefined) return namedDayAfter(rest, reader);
  const isDayFirst = /^\d/.test(first ?? "");
  const [name, day] = isDayFirst ? [second, first] : [first, second];
  return onDays(rest.slice(whole.length), reader, (today) => {
    const year = third === undefined ? today.year : Number(third);
    const month = MONTHS.indexOf(name ?? "") + 1;
    const civil = civilFrom([year, month, Number(day), today.hour, today.minute]);
    if (civil === null) return null;
    return third === undefined ? [civil, { ...civil, year: year + 1 }] : [civil];
  });
}

/** `5pm`, `3:20 a.m.`, `18:00`, with a zone or in the reader's; one that has passed means tomorrow. */
function clockAfter(rest: string, reader: Reader): Moment | null {
  if (clockAt(rest) === null) return null;
  return onDays(rest, reader, (at) => [at, { ...at, day: at.day + 1 }], 0);
}

/** `3 days`, `2 days 17 hours 14 minutes`, `8h44m7s`, `53s`, `201.5ms`; bare numbers after a header's name. */
function durationAfter(rest: string, cue: string): number | null {
  let totalMs = 0;
  let left = rest;
  let parts = 0;
  for (; parts < PARTS_MAX; parts++) {
    const [whole, amount, unit] = PART.exec(left) ?? [];
    if (whole === undefined || unit === undefined) break;
    totalMs +=
      Number(amount) *
      (UNITS_MS[unit.slice(0, 2) === "ms" || unit.startsWith("mil") ? "ms" : unit.charAt(0)] ?? 0);
    left = left.slice(whole.length);
  }
  if (parts > 0) return Math.round(totalMs);
  const [bare] = HEADER.test(cue) ? (/^\d{1,7}(?:\.\d{1,9})?(?![\w:/-])/.exec(rest) ?? []) : [];
  if (bare === undefined) return null;
  return Math.round(Number(bare) * (cue.endsWith("ms") ? 1 : 1000));
}

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:(?:t|,? at |,? | )(\d{1,2}):(\d{2})(?::\d{2}(?:[.,]\d{1,9})?)?)?/;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?";
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";
const YEAR = "(?:,? (\\d{4})(?![\\d:]))?";
const MONTH_DAY = new RegExp(`^(?:[a-z]{3,9},? )?${MONTH} ${DAY}${YEAR}`);
const DAY_MONTH = new RegExp(`^(?:[a-z]{3,9},? )?${DAY} (?:of )?${MONTH}${YEAR}`);
const BETWEEN = /^(?:,|\bat\b|\bby\b|[\s·-]){0,4}/;
const CLOCK_12 = /^(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})? ?(am|pm|a\.m\.|p\.m\.)(?![a-z])/;
const CLOCK_24 = /^(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])/;
const UNIT =
  "days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|millis|msecs?|ms|m|seconds?|secs?|s|weeks?|w";
const PART = new RegExp(`^(?:,? ?and |, ?| )?(\\d{1,9}(?:\\.\\d{1,9})?)[ -]?(${UNIT})(?![a-z])`);
const HEADER = /after|ms$|seconds$|retrydelay/;
const PARTS_MAX = 6;
const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
/** A date without a year that has passed by less is late news, not next year's. */
const LATE_MS = 86_400_000;

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly rest: string;
}

function namedDayAfter(rest: string, reader: Reader): Moment | null {
  const [whole, name = ""] =
    /^(tomorrow|today|(?:sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6})\b/.exec(rest) ?? [];
  if (whole === undefined) return null;
  return onDays(
    rest.slice(whole.length),
    reader,
    (at) => {
      const ahead = (DAYS.indexOf(name.slice(0, 3)) - weekdayOf(at) + 7) % 7;
      const days = name === "today" ? [0] : name === "tomorrow" ? [1] : [ahead, ahead + 7];
      return days.map((more) => ({ ...at, day: at.day + more }));
    },
    0,
  );
}

/**
 * The clock behind a date, on the first of some days on which it is not past; the last where on all it is.
 * `daysOf` is told the reader's day at that clock.
 */
function onDays(
  rest: string,
  reader: Reader,
  daysOf: (at: Civil) => readonly Civil[] | null,
  lateMs = LATE_MS,
): Moment {
  const clock = clockAt(rest.slice(BETWEEN.exec(rest)?.[0].length ?? 0));
  const zone = (clock === null ? null : zoneAfter(clock.rest)) ?? reader.zone;
  const today = civilIn(reader.nowMs, zone);
  if (clock === null || today === null) return "unknown";
  const at = { ...today, hour: clock.hour, minute: clock.minute };
  const moments = (daysOf(at) ?? []).map((civil) => zonedMs(civil, zone));
  const next = moments.find((ms) => ms !== null && ms >= reader.nowMs - lateMs);
  return next ?? moments.at(-1) ?? "unknown";
}

function clockAt(rest: string): Clock | null {
  const half = CLOCK_12.exec(rest);
  const match = half ?? CLOCK_24.exec(rest);
  if (match === null) return null;
  const [whole, hours, minutes, meridiem] = match;
  const [shown, minute] = [Number(hours), Number(minutes ?? 0)];
  if (half !== null && (shown < 1 || shown > 12)) return null;
  const hour = half === null ? shown : (shown % 12) + (meridiem?.startsWith("p") === true ? 12 : 0);
  return hour > 23 || minute > 59 ? null : { hour, minute, rest: rest.slice(whole.length) };
}

/** null: no such day, such as February 30. */
function civilFrom(numbers: readonly number[]): Civil | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = numbers;
  const rolledOver = civilIn(Date.UTC(year, month - 1, day), "UTC");
  const exists = rolledOver?.month === month && rolledOver.day === day;
  return exists && hour <= 23 && minute <= 59 ? { year, month, day, hour, minute } : null;
}
