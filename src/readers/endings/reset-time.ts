// When does a message say that a limit resets?

import { clockAfter, dateAfter, durationAfter, epochAfter, isoAfter } from "./reset-formats.ts";
import type { Moment, Reader } from "./reset-formats.ts";

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
