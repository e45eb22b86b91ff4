// Does the agent say one passage over and over, in one breath?

import { excerpt } from "../../core/model/excerpt.ts";
import { markOf } from "./mark.ts";
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
  /** The sentence that is not complete yet. */
  readonly sentence: string;
  /** Marks of the last sentences, oldest first. */
  readonly sentences: readonly string[];
  /** Letters of running prose so far. */
  readonly letters: number;
  /** Stays until something is done. */
  readonly chant: Chant | null;
}

export const SILENCE: Speech = {
  reader: NOTHING_READ,
  tail: "",
  unseenChars: 0,
  sentence: "",
  sentences: [],
  letters: 0,
  chant: null,
};

const TIMES = LOOP_LIMITS.chanting;
/** Longer passages are seen sentence by sentence. */
const TAIL_CHARS_MAX = 3_072;
/** Looking costs one walk over the tail, so it is not done for every word. */
const LOOK_EVERY_CHARS = 64;
/** "No, no, no, no" is not chanting yet. Without spaces. */
const CHANTED_CHARS_MIN = 80;
const SENTENCES_KEPT = 48;
const SENTENCE_CHARS_MAX = 600;
/** "Done." may be said of many things. Without spaces. */
const SENTENCE_CHARS_MIN = 16;
/** A passage is a few sentences; one that returns among ever new ones is a manner of speech. */
const PASSAGE_SENTENCES_MAX = 5;
const SHOWN_CHARS_MAX = 60;

/** A piece of what is said; it may be cut anywhere. */
export function afterWords(speech: Speech, piece: string): Speech {
  if (piece === "") return speech;
  const { reader, stretches } = afterPieceOf(speech.reader, piece);
  return stretches.reduce(afterStretch, { ...speech, reader });
}

export function afterWordsEnd(speech: Speech): Speech {
  const { reader, stretches } = afterMessage(speech.reader);
  return looked(stretches.reduce(afterStretch, { ...speech, reader }), 1);
}

function afterStretch(speech: Speech, stretch: Stretch): Speech {
  if (stretch.kind === "break") {
    const { reader, letters, chant } = looked(speech, 1);
    return { ...SILENCE, reader, letters, chant };
  }
  const heard = {
    ...speech,
    tail: (speech.tail + stretch.text).slice(-TAIL_CHARS_MAX),
    unseenChars: speech.unseenChars + stretch.text.length,
    letters: speech.letters + (stretch.text.match(/\p{L}/gu)?.length ?? 0),
  };
  return looked(afterSentences(heard, stretch.text), LOOK_EVERY_CHARS);
}

function afterSentences(speech: Speech, text: string): Speech {
  const parts = (speech.sentence + text).split(/(?<=[.!?…。！？])\s|\n/);
  const sentence = (parts.pop() ?? "").slice(-SENTENCE_CHARS_MAX);
  return parts.reduce(afterSentence, { ...speech, sentence });
}

function afterSentence(speech: Speech, sentence: string): Speech {
  const words = bare(sentence);
  if (words === "") return speech;
  const mark = markOf(words);
  const sentences = [...speech.sentences, mark].slice(-SENTENCES_KEPT);
  if (speech.chant !== null || words.length < SENTENCE_CHARS_MIN || !hasWords(words)) {
    return { ...speech, sentences };
  }
  const places = sentences.flatMap((other, at) => (other === mark ? [at] : []));
  const first = places.at(-TIMES);
  const isChant =
    first !== undefined && new Set(sentences.slice(first)).size <= PASSAGE_SENTENCES_MAX;
  return { ...speech, sentences, chant: isChant ? chantOf(sentence, places.length) : null };
}

/** Looks whether the tail ends in one passage said again and again, with or without full stops. */
function looked(speech: Speech, unseenMin: number): Speech {
  if (speech.chant !== null || speech.unseenChars < unseenMin) return speech;
  const letters = bare(speech.tail);
  const period = periodAtEnd(letters);
  const seen = { ...speech, unseenChars: 0 };
  if (period === null) return seen;
  return { ...seen, chant: chantOf(spaced(speech.tail, period), period.times) };
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

function chantOf(passage: string, times: number): Chant {
  return { passage: excerpt(passage, SHOWN_CHARS_MAX), times };
}

/** Without white space and case, so that it does not matter where lines and pieces end. */
function bare(text: string): string {
  return text.replace(/\s+/g, "").toLowerCase();
}

/** Dividers and rows of dots repeat too, and say nothing. */
function hasWords(text: string): boolean {
  return new Set(text.slice(0, SENTENCE_CHARS_MAX).match(/\p{L}/gu)).size > 1;
}
