// How is a closing text cut down to the words the agent itself says at its end?

import { inert } from "../../core/model/excerpt.ts";
import { apart, oneLine, plainQuotes } from "../match/fold.ts";
import { blanked, isQuotedLine, withoutFences } from "../match/quoted.ts";

export interface Prose {
  /** The ending on one line: plain marks, lower case, names apart, without what is quoted or code. */
  readonly own: string;
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  /** As in `own`, with its closing mark. */
  readonly own: string;
  /** As the agent wrote it, for people to read. */
  readonly said: string;
}

const INPUT_CHARS_MAX = 12_000;
const ENDING_CHARS_MAX = 4_000;
const ENDING_LINES_MAX = 30;
const SENTENCES_MAX = 60;

/** Reads at most the last 12 000 characters, and of these the last 30 lines or 4 000 characters. */
export function proseOf(text: string): Prose {
  const plain = plainQuotes(inert(text.slice(-INPUT_CHARS_MAX)).normalize("NFKC"));
  const lines = withoutFences(plain.split("\n")).filter(
    (line) => line.trim() !== "" && !isQuotedLine(line),
  );
  const ending = lines.slice(-ENDING_LINES_MAX).join("\n").slice(-ENDING_CHARS_MAX);
  const own = blanked(ending);
  return { own: ownWords(own), sentences: sentencesOf(ending, own) };
}

function sentencesOf(ending: string, own: string): readonly Sentence[] {
  let at = 0;
  const sentences = own.split(/(?<=[.!?])(?=\s)|(?<=\n)/).map((part) => {
    const said = ending.slice(at, at + part.length);
    at += part.length;
    return { own: ownWords(withoutBullet(part)), said: withoutMarks(withoutBullet(said)) };
  });
  return sentences.filter((sentence) => sentence.own !== "").slice(-SENTENCES_MAX);
}

function ownWords(text: string): string {
  return oneLine(apart(withoutMarks(text).toLowerCase()));
}

/** Bold and italic letters, headings. */
function withoutMarks(text: string): string {
  return oneLine(text.replace(/(?<!\w)[*_#]{1,3}(?=\w)|(?<=[\w.!?])[*_]{1,3}(?!\w)/g, ""));
}

function withoutBullet(sentence: string): string {
  return sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s/, "");
}
