// When does a message say that a limit resets?

import { casual } from "chrono-node/en";

/** The reader's clock and zone: what "tomorrow" and a bare "5pm" mean. */
export interface Reader {
  readonly nowMs: number;
  /** IANA zone, used where the text names none. */
  readonly zone: string;
}

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
  const epochMs = epochAfter(rest);
  const delayMs = epochMs === null ? durationAfter(rest, cue) : null;
  return delayMs === null
    ? at(epochMs ?? momentAfter(rest, reader))
    : { atMs: reader.nowMs + delayMs, delayMs };
}

function at(atMs: number | null): Reset | null {
  return atMs === null ? null : { atMs, delayMs: null };
}

/** Seconds or milliseconds since 1970. */
function epochAfter(rest: string): number | null {
  const [digits] = /^\d{10}(?:\d{3})?(?!\d)/.exec(rest) ?? [];
  if (digits === undefined) return null;
  return digits.length === 10 ? Number(digits) * 1000 : Number(digits);
}

/** `3 days`, `2 days 17 hours 14 minutes`, `8h44m7s`, `53s`, `201.5ms`; bare numbers after a header's name. */
function durationAfter(rest: string, cue: string): number | null {
  const [whole = ""] = PARTS.exec(rest) ?? [];
  if (whole !== "") {
    const parts = [...whole.matchAll(/([\d.]+)[ -]?(mi?l?s|[a-z])/g)];
    const sum = parts.map(([, amount, unit = ""]) => Number(amount) * (UNITS_MS[unit] ?? 1));
    return Math.round(sum.reduce((total, ms) => total + ms, 0));
  }
  const [bare] = HEADER.test(cue) ? (/^\d{1,7}(?:\.\d{1,9})?(?![\w:/-])/.exec(rest) ?? []) : [];
  return bare === undefined ? null : Math.round(Number(bare) * (cue.endsWith("ms") ? 1 : 1000));
}

const UNIT =
  "days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|millis|msecs?|ms|m|seconds?|secs?|s|weeks?|w";
const PARTS = new RegExp(
  `^(?:(?:,? ?and |, ?| )?\\d{1,9}(?:\\.\\d{1,9})?[ -]?(?:${UNIT})(?![a-z])){1,6}`,
);
const HEADER = /after|ms$|seconds$|retrydelay/;
/** By the first letter; milliseconds are one. */
const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `2026-07-01 at 00:00 UTC`, `Oct 6, 6pm`, `tomorrow at 9am`, `3:20 a.m. (Europe/Berlin)`; never a day alone. */
function momentAfter(rest: string, { nowMs, zone }: Reader): number | null {
  const read = (offset: number) =>
    casual.parse(rest, { instant: new Date(nowMs), timezone: offset }, { forwardDate: true })[0];
  const text = read(0)?.text ?? "";
  const after = rest.slice(text.length);
  const [, named = zone] = NAMED.exec(after) ?? [];
  const moment = read(minutesFromUtc(named, nowMs) ?? 0);
  if (moment?.index !== 0 || !moment.start.isCertain("hour") || AREA.test(after)) return null;
  const shownMs = moment.start.date().getTime();
  if (moment.start.isCertain("timezoneOffset")) return AMBIGUOUS.test(text) ? null : shownMs;
  const [now, then] = [nowMs, shownMs].map((ms) => minutesFromUtc(named, ms));
  if (now === undefined || now === null || then === undefined || then === null) return null;
  const atMs = shownMs + (now - then) * 60_000;
  const isLate = !moment.start.isCertain("year") && atMs - nowMs > YEAR_MS - LATE_MS;
  return isLate ? atMs - YEAR_MS : atMs;
}

/** `(America/Los_Angeles)`, `Etc/GMT+5`. */
const NAMED = /^ ?\(?((?:[a-z_]{2,20}\/){1,2}[a-z0-9_+-]{2,30})/;
/** An abbreviation (PST, IST) may mean several zones, and names none that can be trusted. */
const AMBIGUOUS = /[a-z](?<!\b(?:utc|gmt)|z)\)?$/;
const AREA = /^ ?\(?(?:[a-z]{2,4}t|pacific|eastern|central|mountain)\b/;
const YEAR_MS = 365 * 86_400_000;
/** A date without a year that has passed by less is late news, not next year's. */
const LATE_MS = 86_400_000;

/** null: there is no such zone. */
function minutesFromUtc(timeZone: string, ms: number): number | null {
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(format.format(ms)) ?? [];
    return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1);
  } catch {
    // The constructor's only complaint about these options is a zone it does not know.
    return null;
  }
}
