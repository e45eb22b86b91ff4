// Which parts of a text are secrets, and how is it made safe to write or show?

import { existsSync } from "node:fs";

import { inert } from "../core/model/excerpt.ts";
import { PLACE_NAME, SECRET_NAMES, SECRET_SHAPES } from "./secret-table.ts";
import { spellingsOf, wrapped } from "./secret-spellings.ts";

export type Redact = (text: string) => string;
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
  const redactShown = redactorOf([...namedSecrets(env).map(([value]) => value), ...more]);
  const isClean = (text: string): boolean => redactShown(text) === text;
  return (text) => {
    if (!HIDING.test(text)) return redactShown(text);
    // What stands behind a colour stands at the edge of a word, and without the colour no longer.
    if (isClean(shown(text))) return ANY_TRIGGER.test(text) ? withoutShapes(text) : text;
    const safe = redactShown(text);
    return isClean(shown(safe)) ? safe : redactShown(shown(safe));
  };
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

/** The same value with every text in it redacted, keys too; what `keep` names is left alone. */
export function redactDeep(value: unknown, redact: Redact, keep: ReadonlySet<string>): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, keep));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    redact(key),
    typeof item === "string" && keep.has(key) ? item : redactDeep(item, redact, keep),
  ]);
  return Object.fromEntries(entries);
}

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
/** A line break, plain or as JSON writes it, and how the next line is moved in. */
const BREAK = /(?:\r?\n|(?<!\\)\\{1,4}(?:r\\{1,4})?n)[ \t]{0,40}/g;

/** One look for all of them is what most texts cost. */
const ANY_TRIGGER = new RegExp(SECRET_SHAPES.flatMap(({ triggers }) => triggers).join("|"));

/** Values are looked for in the text as one line: so they are found where a line was wrapped, too. */
function redactorOf(values: readonly string[]): Redact {
  const spellings = spellingsOf([...values, ...values.map(inert)]).map((spelling) => ({
    spelling,
    joined: spelling.text.replace(BREAK, ""),
  }));
  return (text) => {
    const joined = spellings.length === 0 ? text : text.replace(BREAK, "");
    let safe = text;
    for (const one of spellings)
      if (joined.includes(one.joined)) safe = safe.replace(wrapped(one.spelling), REDACTED);
    return ANY_TRIGGER.test(safe) ? withoutShapes(safe) : safe;
  };
}

function withoutShapes(text: string): string {
  let safe = text;
  for (const { triggers, pattern } of SECRET_SHAPES)
    if (triggers.some((trigger) => safe.includes(trigger))) safe = safe.replace(pattern, REDACTED);
  return safe;
}
