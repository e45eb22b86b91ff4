// Does the agent say one passage over and over, in one breath?

import { excerpt } from "../../core/model/excerpt.ts";
import { afterMessage, afterPieceOf, NOTHING_READ, type Reader, type Stretch } from "./prose.ts";
import { LOOP_LIMITS } from "./step.ts";

export interface Chant {
  readonly passage: string;
  readonly times: number;
}

/** What was said since something was done; a few thousand characters at most. */
export interface Speech {
  readonly reader: Reader;
  /** The end of the running prose. */
  readonly tail: string;
  /** Characters of the tail that no look for repetition has seen. */
  readonly unseenChars: number;
  /** Letters of running prose so far. */
  readonly letters: number;
  /** Stays until something is done. */
  readonly chant: Chant | null;
}

export const SILENCE: Speech = {
  reader: NOTHING_READ,
  tail: "",
  unseenChars: 0,
  letters: 0,
  chant: null,
};

const TIMES = LOOP_LIMITS.chanting;
/** As many times a long paragraph. */
const TAIL_CHARS_MAX = TIMES * 640;
/** Looking costs one walk, so it is not done for every word, and over the whole tail at an end only. */
const LOOK_EVERY_CHARS = 64;
const LOOK_BACK_CHARS = TIMES * 384;
/** "No, no, no, no" is not chanting yet. Without spaces. */
const CHANTED_CHARS_MIN = 80;
const SHOWN_CHARS_MAX = 60;

/** A piece of what is said; it may be cut anywhere. */
export function afterWords(speech: Speech, piece: string): Speech {
  if (piece === "") return speech;
  const { reader, stretches } = afterPieceOf(speech.reader, piece);
  return stretches.reduce(afterStretch, { ...speech, reader });
}

export function afterWordsEnd(speech: Speech): Speech {
  const { reader, stretches } = afterMessage(speech.reader);
  return looked(stretches.reduce(afterStretch, { ...speech, reader }), TAIL_CHARS_MAX);
}

function afterStretch(speech: Speech, stretch: Stretch): Speech {
  if (stretch.kind === "break") {
    const { reader, letters, chant } = looked(speech, TAIL_CHARS_MAX);
    return { ...SILENCE, reader, letters, chant };
  }
  let heard = speech;
  for (let at = 0; at < stretch.text.length; at += LOOK_EVERY_CHARS) {
    const text = stretch.text.slice(at, at + LOOK_EVERY_CHARS);
    const tail = (heard.tail + text).slice(-TAIL_CHARS_MAX);
    const letters = heard.letters + (text.match(/\p{L}/gu)?.length ?? 0);
    const unseenChars = heard.unseenChars + text.length;
    heard = { ...heard, tail, letters, unseenChars };
    if (unseenChars >= LOOK_EVERY_CHARS) heard = looked(heard, LOOK_BACK_CHARS);
  }
  return heard;
}

/** Looks whether the tail ends in one passage said again and again, with or without full stops. */
function looked(speech: Speech, chars: number): Speech {
  if (speech.chant !== null || speech.tail === "") return speech;
  const period = periodAtEnd(bare(speech.tail.slice(-chars)));
  const seen = { ...speech, unseenChars: 0 };
  if (period === null) return seen;
  const passage = excerpt(spaced(speech.tail, period), SHOWN_CHARS_MAX);
  return { ...seen, chant: { passage, times: period.times } };
}

interface Period {
  readonly chars: number;
  readonly times: number;
}

/**
 * The shortest passage that makes up the end of a text, often enough. One walk: in the reversed
 * text every beginning that is periodic shows in the table of its borders.
 */
function periodAtEnd(letters: string): Period | null {
  const units = Array.from({ length: letters.length }, (_, at) =>
    letters.charCodeAt(letters.length - 1 - at),
  );
  const borders: number[] = [0];
  let best: Period | null = null;
  for (let at = 1; at < units.length; at++) {
    let border = borders[at - 1] ?? 0;
    while (border > 0 && units[at] !== units[border]) border = borders[border - 1] ?? 0;
    if (units[at] === units[border]) border += 1;
    borders.push(border);
    const chars = at + 1 - border;
    const times = Math.floor((at + 1) / chars);
    if (times >= TIMES && at + 1 >= CHANTED_CHARS_MIN && (best === null || chars === best.chars)) {
      best = { chars, times };
    }
  }
  return best !== null && hasWords(letters.slice(-best.chars)) ? best : null;
}

/** The passage as it was written, with its spaces. */
function spaced(tail: string, period: Period): string {
  let at = tail.length;
  for (let left = period.chars; left > 0 && at > 0; at--) {
    if (/\S/.test(tail.charAt(at - 1))) left -= 1;
  }
  return tail.slice(at);
}

/** Without white space and case, so that it does not matter where lines and pieces end. */
function bare(text: string): string {
  return text.replace(/\s+/g, "").toLowerCase();
}

/** Dividers and rows of dots repeat too, and say nothing. */
function hasWords(text: string): boolean {
  return new Set(text.match(/\p{L}/gu)).size > 1;
}
