// Does the last paragraph of what a session said ask the reader something?

import { isQuotedLine, withoutFences } from "./match/quoted.ts";
import { oneLine } from "../core/model/excerpt.ts";

const TEXT_CHARS_MAX = 4_000;

/** The question as the agent wrote it; null: nothing is asked that is worth a person's time. */
export function questionIn(text: string): string | null {
  const sentences = lastParagraph(text.slice(-TEXT_CHARS_MAX))
    .split(/(?<=[.!?])["*_)]{0,3}\s+/)
    .filter((sentence) => sentence !== "");
  return (
    sentences.findLast((one) => ASKS.some((words) => words.test(one)) && !OFFER.test(one)) ?? null
  );
}

/** The options below a question belong to it. */
function lastParagraph(text: string): string {
  const lines = withoutFences(text.split(/\r?\n/)).filter(
    (line) => !isQuotedLine(line) && (line.includes("?") || !LIST_ITEM.test(line)),
  );
  return oneLine(
    lines
      .join("\n")
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "",
  );
}

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;

const ASKS: readonly RegExp[] = [
  /\?["*_)]{0,3}$/,
  /^(?:please )?(?:confirm|decide|choose|clarify|specify|(?:let me know|tell me|advise(?: on)?) (?:how|which|what|whether|who|when|where))\b/i,
];

/** Permission to go on, and courtesy. */
const OFFER =
  /\b(?:(?:would you like|do you want|like|want) me to|(?:should|shall|may|can) i (?:also |now |go ahead and )?(?:go|continue|proceed|start|begin|run|commit|push|open|add|try)|anything else|how can i help|what(?:'s| is) next|(?:any|further) (?:questions|feedback)|does that (?:work|help|make sense)|is that ok(?:ay)?)\b/i;
