// How is text made even before words are looked for in it?

/** Typographic quotation marks as plain ones. The length stays, so that places stay. */
export function plainQuotes(text: string): string {
  return text.replace(/[‘’‛′]/g, "'").replace(/[“”„«»″]/g, '"');
}

/** ASCII only: `toLowerCase` makes some letters longer and so would move every place behind them. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

/** `rate_limit-error` as `rate limit error`: programs and people spell names in every way. */
export function apart(text: string): string {
  return text.replace(/[_-]/g, " ");
}
