// Which parts of a text are secrets, and how is it made safe to write or show?

import { existsSync } from "node:fs";

import { inert } from "../core/model/excerpt.ts";
import { PLACE_NAME, SECRET_NAMES, SECRET_SHAPES } from "./secret-table.ts";
import { BREAK, flat, spellingsOf, type Spelling } from "./secret-spellings.ts";

export interface Redact {
  (text: string): string;
  /**
   * Where the last secret begins that may go on in what follows; the text's length: none does. Only for
   * what comes in pieces.
   */
  readonly opensAt?: (text: string) => number;
}
export type Variables = Readonly<Record<string, string | undefined>>;

const REDACTED = "[redacted]";
export const VALUE_CHARS_MIN = 8;
const WORD_CHARS_MAX = 15;

/**
 * Takes out the values of secret-looking environment variables, `more` values the user named, and
 * keys that are known by their shape. Runs in linear time over text of any author, and touches text
 * without secrets only to look. Text is given in whole lines: a secret cut in two is not seen.
 * Structure survives: JSON stays JSON, whether the secret stands in it plain or escaped.
 *
 * What a terminal would obey hides what it stands in. So text with escapes is looked at without them,
 * too, and loses them where that shows a secret.
 */
export function createRedactor(env: Variables, more: readonly string[] = []): Redact {
  const values = [...namedSecrets(env).map(([value]) => value), ...more];
  const spellings = spellingsOf([...values, ...values.map(inert)]);
  const redactShown = redactorOf(spellings);
  const isClean = (text: string): boolean => redactShown(text) === text;
  const redact = (text: string): string => {
    if (!HIDING.test(text)) return redactShown(text);
    // What stands behind a colour stands at the edge of a word, and without the colour no longer.
    if (isClean(shown(text))) return ANY_TRIGGER.test(text) ? withoutShapes(text) : text;
    const safe = redactShown(text);
    return isClean(shown(safe)) ? safe : redactShown(shown(safe));
  };
  return Object.assign(redact, { opensAt: (text: string) => openingIn(text, spellings) });
}

const OPENING_CHARS_MIN = 2;
const CODED_LINE = /[\w+/-]{60}$/;

function openingIn(text: string, spellings: readonly Spelling[]): number {
  const key = text.lastIndexOf("-----BEGIN ");
  const isOpen = key !== -1 && !text.includes("-----END ", key);
  const line = flat(shown(text));
  const begun = Math.max(0, ...spellings.map((one) => begunChars(line, one.flat)));
  let from = text.length;
  const before = (): number => text.lastIndexOf("\n", from - 2) + 1;
  while (from > 0 && flat(shown(text.slice(from))).length < begun) from = before();
  while (from > 0 && CODED_LINE.test(text.slice(before(), from).trimEnd().slice(-60)))
    from = before();
  return isOpen ? Math.min(key, from) : from;
}

/** How much of the secret the line ends with. */
function begunChars(line: string, secret: string): number {
  const first = secret.slice(0, OPENING_CHARS_MIN);
  let at = line.indexOf(first, line.length - secret.length + 1);
  while (at !== -1 && !secret.startsWith(line.slice(at))) at = line.indexOf(first, at + 1);
  return at === -1 ? 0 : line.length - at;
}

function shown(text: string): string {
  return inert(text).replace(SPELT_ESCAPE, "");
}

/** Values of secret-looking variables, with the variable's name. */
export function namedSecrets(env: Variables): readonly (readonly [value: string, name: string])[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && looksSecret(name, value.trim()) ? [[value.trim(), name] as const] : [],
  );
}

/** Whether the text under a key names something to orch itself. `kind` is that of the object it is in. */
export type Keep = (key: string, text: string, kind: unknown) => boolean;

/** The same value with every text in it redacted, keys too; names are left alone. */
export function redactDeep(value: unknown, redact: Redact, keep: Keep): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, keep));
  if (typeof value !== "object" || value === null) return value;
  const kind = "kind" in value ? value.kind : null;
  const entries = Object.entries(value).map(([key, item]: [string, unknown]) => [
    redact(key),
    typeof item === "string" && keep(key, item, kind) ? item : redactDeep(item, redact, keep),
  ]);
  return Object.fromEntries(entries);
}

/** Those that no file holds by chance, as it may hold a word. */
export function tellingSecrets(env: Variables): ReturnType<typeof namedSecrets> {
  return namedSecrets(env).filter(
    ([value]) => value.length > WORD_CHARS_MAX || (/\d/.test(value) && value.length > TELLING_MIN),
  );
}

const TELLING_MIN = 11;
const NUMBER = /^\d{1,12}$/;

export function looksSecret(name: string, value: string): boolean {
  const row = SECRET_NAMES.find((one) => one.name.test(name));
  if (row === undefined || value.length < VALUE_CHARS_MIN) return false;
  if (row.value !== "address" && PLACE_NAME.test(name)) return false;
  // A path names a place, whatever the variable is called; taking it out would cripple every path.
  if (value.startsWith("/") && existsSync(value)) return false;
  if (row.value === "strange") return /\d/.test(value) || value.length > WORD_CHARS_MAX;
  return !(/TOKENS$/i.test(name) && NUMBER.test(value));
}

/** A colour as JSON or a script spells it. */
const SPELT_ESCAPE = /(?<!\\)\\{1,8}(?:u001[bB]|x1[bB]|033|e)\[[\d;?]{0,20}[A-Za-z]/g;
/** One of the signs that `inert` takes out, or the beginning of an escape that is spelt. */
const HIDING =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\\(?:u001[bB]|x1[bB]|033|e)\[/;
/** One look for all of them is what most texts cost. */
const ANY_TRIGGER = new RegExp(SECRET_SHAPES.flatMap(({ triggers }) => triggers).join("|"));

function redactorOf(spellings: readonly Spelling[]): Redact {
  const redactPlain: Redact = (text) => {
    const line = spellings.length === 0 ? text : flat(text);
    let safe = text;
    for (const one of spellings)
      if (line.includes(one.flat)) safe = safe.replace(one.pattern, REDACTED);
    return ANY_TRIGGER.test(safe) ? withoutShapes(safe) : safe;
  };
  return (text) => {
    const safe = redactPlain(text);
    return safe.replace(CODED, (coded) => {
      const decoded = Buffer.from(coded.replace(BREAKS, ""), "base64").toString("latin1");
      return redactPlain(decoded) === decoded ? coded : REDACTED;
    });
  };
}

/** What may be base64 of a text that holds a key or a value somewhere: a header, a file of settings. */
const CODED = new RegExp(String.raw`(?<![\w+/-])[\w+/-]{24,}(?:${BREAK}[\w+/-]{4,})*={0,2}`, "g");
const BREAKS = new RegExp(BREAK, "g");

/** As `redact`, for a diff: what was wrapped over lines stands there with a sign before each. */
export function redactDiff(diff: string, redact: Redact): string {
  const block = (lines: string, sign: string): string => {
    const plain = lines.split("\n").map((line) => line.slice(1));
    return `${sign}${redact(plain.join("\n")).replaceAll("\n", `\n${sign}`)}`;
  };
  return redact(diff.replace(/(?<![^\n])([+-])[^\n]*(?:\n\1[^\n]*)*/g, block));
}

function withoutShapes(text: string): string {
  let safe = text;
  for (const { triggers, pattern } of SECRET_SHAPES)
    if (triggers.some((trigger) => safe.includes(trigger))) safe = safe.replace(pattern, REDACTED);
  return safe;
}
