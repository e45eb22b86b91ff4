// Which secrets are tried, in which spellings, and what of them stands in a text?

import { createHash } from "node:crypto";

import { SPELLINGS } from "../../src/adapters/secret-spellings.ts";
import { SECRET_NAMES, SECRET_SHAPES } from "../../src/adapters/secret-table.ts";
import { inert } from "../../src/core/model/excerpt.ts";

type Ways = Readonly<Record<string, (text: string) => string>>;

const ESCAPE = "\u001b";

function every(text: string, chars: number, between: string): string {
  return text.match(new RegExp(`[^]{1,${chars}}`, "g"))?.join(between) ?? "";
}

/** What a terminal shows and a program writes between the characters of a text; none of it hides. */
export const HIDDEN: Ways = {
  "with a colour at each character": (text) => every(text, 1, `${ESCAPE}[32m`),
  "with a colour inside": (text) => every(text, 6, `${ESCAPE}[1;31m`),
  "with a colour that JSON spells": (text) => every(text, 6, "\\u001b[1;31m"),
};
export const WRAPPED: Ways = {
  "wrapped over lines": (text) => every(text, 11, "\n"),
  "wrapped and moved in": (text) => every(text, 11, "\r\n    "),
  "wrapped in JSON": (text) => every(text, 11, "\\n"),
  "base64, wrapped": (text) => every(Buffer.from(`${text}\n`).toString("base64"), 12, "\n"),
};
export const WAYS: Ways = { ...SPELLINGS, ...HIDDEN, ...WRAPPED };

/** Letters and digits, other ones for each seed. */
export function letters(count: number, seed = ""): string {
  const drawn = createHash("shake256", { outputLength: 2 * count })
    .update(seed)
    .digest("base64");
  return `7${drawn.replace(/[+/=]/g, "")}`.slice(0, count);
}

/** By the name of the variable that holds it; what is known by its shape is held by one, too. */
export const VALUES: readonly (readonly [name: string, value: string])[] = [
  ...SECRET_NAMES.map(
    ({ example }) => [example, `p4ss/w"rd &<${letters(14, example)}>'=%`] as const,
  ),
  // Of an address the password alone is secret.
  ...SECRET_SHAPES.filter(({ triggers }) => !triggers.includes("://")).map(
    ({ says, example: [before, chars, after] }, index) =>
      [`SECRET_${index}`, `${before}${letters(chars, says)}${after}`] as const,
  ),
];

/** Without colours and line breaks, plain and as JSON spells them. */
function flat(text: string): string {
  return inert(text.replace(/\\{1,8}u001b\[[\d;]*m/g, "")).replace(
    /\\{1,8}r(?=\\)|\\{1,8}n|\s/g,
    "",
  );
}

const PIECE_CHARS = 10;

/** Pieces of the spelt secrets that stand in the text, with what is around them. */
export function piecesIn(spelt: readonly string[]): (text: string) => readonly string[] {
  const pieces = new Set(spelt.flatMap((one) => windows(flat(one))));
  return (text) => {
    const shown = flat(text);
    const found = [];
    for (let at = 0; at + PIECE_CHARS <= shown.length; at += 1)
      if (pieces.has(shown.slice(at, at + PIECE_CHARS)))
        found.push(shown.slice(Math.max(0, at - 40), (at += 40)));
    return found;
  };
}

function windows(text: string): readonly string[] {
  const count = Math.max(0, text.length - PIECE_CHARS + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + PIECE_CHARS));
}
