// Which words in prose say no more than that somebody doubts?

import { proseOf } from "./prose.ts";

/** Words and turns of phrase; matched as whole words in the agent's own sentences. */
export const HESITATION_WORDS = [
  ["not sure", "unsure", "uncertain", "unclear", "not certain", "not confident", "ambiguous"],
  ["maybe", "perhaps", "possibly", "probably", "presumably", "might", "hopefully"],
  ["i think", "i guess", "i believe", "i assume", "i wonder", "seems to", "appears to"],
  ["confusing", "confused", "hard to tell", "hard to say", "no idea"],
].flat();

/** With the global flag: for `match` and `replace`, not for `test`. */
export const HESITATION = new RegExp(`\\b(?:${HESITATION_WORDS.join("|")})\\b`, "g");

const WORDS_SHOWN_MAX = 5;

/** `proseOf` bounds the text and leaves out what is quoted: only the agent's own doubt counts. */
export function doubtsIn(closing: string): readonly string[] {
  return [...new Set(proseOf(closing).own.match(HESITATION) ?? [])].slice(0, WORDS_SHOWN_MAX);
}
