// Does the agent say one passage over and over, in one breath?

import { excerpt } from "../../core/model/excerpt.ts";
import { isFence, isQuotedLine } from "../match/quoted.ts";
import { LOOP_LIMITS } from "./step.ts";
import type { Speech } from "./memory.ts";

const TIMES = LOOP_LIMITS.chanting;
/** As many times a long paragraph. */
const TAIL_CHARS_MAX = TIMES * 640;
/** Looking costs one walk, so it is not done for every letter. */
const LOOK_EVERY_CHARS = 64;
/** A piece is read up to here; a longer one is no speech. */
const PIECE_CHARS_MAX = 64 * 1024;
/** What a line is shows in its beginning. */
const LINE_CHARS_MAX = 512;
/** "No, no, no, no" is not chanting yet. */
const CHANTED_CHARS_MIN = 90;
const SHOWN_CHARS_MAX = 60;

/** Lines that are alike by their nature: code, rows, items, headings, markup. */
const OTHER_THAN_PROSE: readonly RegExp[] = [
  /^(?: {4}|\t)|^\s*#{1,6}\s|^\s*[>$<{}[\]"]|[;{}]\s*$|\|.*\|/,
  /^\s*(?:[-*+•‣◦–—▪✓✔✗✘☐☑]|\[[ x]\]|\(?\d{1,4}[.):]|\(?[a-z][.)])(?:\s|$)/i,
];

/** A piece of what is said; it may be cut anywhere. */
export function afterWords(speech: Speech, piece: string): Speech {
  let now = speech;
  for (const [at, part] of piece.slice(0, PIECE_CHARS_MAX).split("\n").entries()) {
    if (at > 0) now = afterLineEnd(now);
    for (let from = 0; from < part.length; from += LOOK_EVERY_CHARS)
      now = heard(now, part.slice(from, from + LOOK_EVERY_CHARS));
  }
  return now;
}

function afterLineEnd(speech: Speech): Speech {
  const isFenced = isFence(speech.line) !== speech.isFenced;
  return { ...speech, line: "", said: isProse(speech) ? joined(speech.said, "\n") : "", isFenced };
}

/** Whether the line that is being written is running prose. */
function isProse({ line, isFenced }: Speech): boolean {
  const isOther =
    isFence(line) || isQuotedLine(line) || OTHER_THAN_PROSE.some((one) => one.test(line));
  return !isFenced && !isOther;
}

function heard(speech: Speech, words: string): Speech {
  const line = (speech.line + words).slice(0, LINE_CHARS_MAX);
  const now = { ...speech, line, said: joined(speech.said, words) };
  if (!isProse(now)) return now;
  const letters = now.letters + (words.match(/\p{L}/gu)?.length ?? 0);
  return { ...now, letters, chant: now.chant ?? chantAtEnd(now.said.replace(/\s+/g, " ")) };
}

function joined(said: string, more: string): string {
  return (said + more).slice(-TAIL_CHARS_MAX);
}

/**
 * The shortest passage that makes up the end of a text, often enough. One walk: in the reversed
 * text every beginning that is periodic shows in the table of its borders.
 */
function chantAtEnd(text: string): Speech["chant"] {
  const units = Array.from(text.toLowerCase()).reverse();
  const borders: number[] = [0];
  let [chars, times] = [0, 0];
  for (let at = 1; at < units.length; at++) {
    let border = borders[at - 1] ?? 0;
    while (border > 0 && units[at] !== units[border]) border = borders[border - 1] ?? 0;
    if (units[at] === units[border]) border += 1;
    borders.push(border);
    const period = at + 1 - border;
    // The space behind the last one may be missing.
    const found = Math.floor((at + 2) / period);
    if (found >= TIMES && at + 1 >= CHANTED_CHARS_MIN && (times === 0 || period === chars))
      [chars, times] = [period, found];
  }
  const passage = units.slice(0, chars).reverse().join("");
  // Dividers and rows of dots repeat too, and say nothing.
  if (new Set(passage.match(/\p{L}/gu)).size < 2) return null;
  return { passage: excerpt(passage, SHOWN_CHARS_MAX), times };
}
