// Which secrets are tried, in which spellings, and what of them stands in a text?

import { createHash } from "node:crypto";

import { SECRET_NAMES, SECRET_SHAPES } from "../../src/adapters/secret-table.ts";

/** What a value becomes where it is written. */
export const WAYS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "JSON-escaped": (text) => JSON.stringify(text).slice(1, -1),
  "URL-coded": encodeURIComponent,
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 with a line break": (text) => Buffer.from(`${text}\n`).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
};

/** Letters and digits, other ones for each seed. */
export function letters(count: number, seed = ""): string {
  const drawn = createHash("shake256", { outputLength: 2 * count })
    .update(seed)
    .digest("base64");
  return `7${drawn.replace(/[+/=]/g, "")}`.slice(0, count);
}

/** By the name of the variable that holds it; what is known by its shape is held by one, too. */
export const VALUES: readonly (readonly [name: string, value: string])[] = [
  ...SECRET_NAMES.map(({ example }) => [example, `p4ss/w'rd&${letters(14, example)}=%`] as const),
  // Of an address the password alone is secret.
  ...SECRET_SHAPES.filter(({ triggers }) => !triggers.includes("://")).map(
    ({ says, example: [before, chars, after] }, index) =>
      [`SECRET_${index}`, `${before}${letters(chars, says)}${after}`] as const,
  ),
];

const PIECE_CHARS = 10;

/** Pieces of the spelt secrets that stand in the text, with what is around them. */
export function piecesIn(spelt: readonly string[]): (text: string) => readonly string[] {
  const pieces = new Set(spelt.flatMap(windows));
  return (text) => {
    const matches = [];
    for (let at = 0; at + PIECE_CHARS <= text.length; at += 1)
      if (pieces.has(text.slice(at, at + PIECE_CHARS)))
        matches.push(text.slice(Math.max(0, at - 40), (at += 40)));
    return matches;
  };
}

function windows(text: string): readonly string[] {
  const count = Math.max(0, text.length - PIECE_CHARS + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + PIECE_CHARS));
}
