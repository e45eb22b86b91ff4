// Is this the question that somebody had in mind when they wrote an answer in advance?

import { folded } from "./question.ts";

/** More than any question a person would write down word for word. */
export const PATTERN_CHARS_MAX = 2_000;

/**
 * `*` stands for any words, or none. Everything else is compared as questions are: case, spacing and
 * punctuation at the end make no difference.
 */
export function matchesQuestion(pattern: string, question: string): boolean {
  if (pattern.length > PATTERN_CHARS_MAX) return false;
  const text = folded(question);
  const [first = "", ...rest] = folded(pattern).split("*");
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  // Each piece is taken where it comes first: what an earlier one left over is never looked at again.
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
