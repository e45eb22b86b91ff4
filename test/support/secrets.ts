// Which secrets are tried, in which spellings, and what of them stands in a text?

import { createHash } from "node:crypto";

import type { SECRET_NAMES, SECRET_SHAPES } from "../../src/adapters/secret-table.ts";

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

/** Of each way in which a variable can be called. */
const NAMES: Readonly<Record<keyof typeof SECRET_NAMES, string>> = {
  "`*WEBHOOK*`": "TEAM_WEBHOOK_URL",
  "`*_DSN`": "TRACKER_DSN",
  "`*CONNECTION_STRING*`": "DB_CONNECTION_STRING",
  "`*TOKEN*`": "GITHUB_TOKEN",
  "`*SECRET*`": "SESSION_SECRET",
  "`*PASSWORD*`, `*PASSPHRASE*`, `*_PASS`, `*_PWD`": "DB_PASS",
  "`*_HEADERS`": "OTLP_HEADERS",
  "`*CREDENTIAL*`": "SERVICE_CREDENTIALS",
  "`*API_KEY*`, `*ACCESS_KEY*`, `*PRIVATE_KEY*`": "LLM_API_KEY",
  "`*_KEY`, `*_AUTH*`, `*_PAT`, `*_COOKIE*`, `*_SALT`, `*_SIGNATURE`, with a digit or 16 characters":
    "ENCRYPTION_KEY",
};

/** What a key begins with, how many letters and digits follow, and what ends it. */
const KEYS: Readonly<
  Record<keyof typeof SECRET_SHAPES, readonly [before: string, chars: number, after?: string]>
> = {
  "private keys": ["-----BEGIN PRIVATE KEY-----\n", 64, "\n-----END PRIVATE KEY-----"],
  "keys of Anthropic, OpenAI and others that begin with `sk-`": ["sk-proj-", 40],
  Stripe: ["sk_live_", 24],
  GitHub: ["ghp_", 36],
  GitLab: ["glpat-", 20],
  npm: ["npm_", 36],
  "Hugging Face": ["hf_", 34],
  AWS: ["AKIAA2B3C4D5E6F7G8H9", 0],
  Google: ["AIza", 35],
  Slack: ["xoxb-", 30],
  "JSON Web Tokens": ["eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.", 43],
  "bearer tokens": ["Bearer ", 20],
  "passwords in addresses": ["postgres://me:", 20, "@db/x"],
};

/** A key for each shape. */
export const SHAPED = Object.entries(KEYS).map(
  ([says, [before, chars, after = ""]]) =>
    [says, `${before}${letters(chars, says)}${after}`] as const,
);

/** By the name of the variable that holds it; what is known by its shape is held by one, too. */
export const VALUES: readonly (readonly [name: string, value: string])[] = [
  ...Object.values(NAMES).map((name) => [name, `p4ss/w'rd&${letters(14, name)}=%`] as const),
  // Of an address the password alone is secret.
  ...SHAPED.filter(([says]) => says !== "passwords in addresses").map(
    ([, key], index) => [`SECRET_${index}`, key] as const,
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
