// Which words in prose say no more than that somebody doubts?

/** Words and turns of phrase; matched as whole words in the agent's own sentences. */
export const HESITATION_WORDS = [
  "not sure",
  "unsure",
  "uncertain",
  "unclear",
  "not certain",
  "not confident",
  "maybe",
  "perhaps",
  "possibly",
  "probably",
  "presumably",
  "might",
  "i think",
  "i guess",
  "i believe",
  "i assume",
  "seems to",
  "appears to",
  "hopefully",
  "confusing",
  "confused",
  "ambiguous",
  "hard to tell",
  "hard to say",
  "no idea",
  "i wonder",
] as const;

/** With the global flag: for `match` and `replace`, not for `test`. */
export const HESITATION = new RegExp(`\\b(?:${HESITATION_WORDS.join("|")})\\b`, "g");
