// How is a closing text cut down to the words the agent itself says at its end?

import { inert } from "../../core/model/excerpt.ts";

export interface Prose {
  /** The ending on one line, typographic marks made plain, lower case. */
  readonly text: string;
  /** As `text`, with what is quoted or written as code blanked out: others said that. */
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
  const plain = inert(text.slice(-INPUT_CHARS_MAX))
    .normalize("NFKC")
    .replace(/[‘’‛′]/g, "'")
    .replace(/[“”„«»″]/g, '"');
  const lines = withoutFences(plain.split("\n")).filter(isOwnLine);
  const ending = lines.slice(-ENDING_LINES_MAX).join("\n").slice(-ENDING_CHARS_MAX);
  const own = blanked(ending);
  return { text: lower(ending), own: lower(own), sentences: sentencesOf(ending, own) };
}

function folded(text: string): string {
  return text
    .replace(/(?<!\w)[*_#]{1,3}(?=\w)|(?<=[\w.!?])[*_]{1,3}(?!\w)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function lower(text: string): string {
  return folded(text).toLowerCase();
}

function withoutFences(lines: readonly string[]): readonly string[] {
  const marks = lines.map((line) => /^\s{0,8}(?:```|~~~)/.test(line));
  // An odd fence has lost its partner to the cut: then nothing can be told apart by fences.
  if (marks.filter(Boolean).length % 2 === 1) return lines.filter((_line, index) => !marks[index]);
  let inside = false;
  return lines.filter((_line, index) => {
    if (marks[index] === true) {
      inside = !inside;
      return false;
    }
    return !inside;
  });
}

function isOwnLine(line: string): boolean {
  return !/^\s{0,8}(?:>|\||[+-]{3}\s|@@\s|diff --git)/.test(line) && line.trim() !== "";
}

/** What stands in quotes is somebody else's word. The length stays, so that places stay. */
function blanked(text: string): string {
  return text
    .replace(/`[^`\n]{1,200}`|"[^"\n]{1,300}"/g, emptied)
    .replace(/(?<!\w)'[^'\n]{1,200}'(?!\w)/g, emptied);
}

function emptied(quoted: string): string {
  return `x${" ".repeat(Math.max(0, quoted.length - 1))}`;
}

function sentencesOf(ending: string, own: string): readonly Sentence[] {
  let at = 0;
  const sentences = own.split(/(?<=[.!?])(?=\s)|(?<=\n)/).map((part) => {
    const said = ending.slice(at, at + part.length);
    at += part.length;
    return { own: lower(withoutBullet(part)), said: folded(withoutBullet(said)) };
  });
  return sentences.filter((sentence) => sentence.own !== "").slice(-SENTENCES_MAX);
}

function withoutBullet(sentence: string): string {
  return sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s/, "");
}
