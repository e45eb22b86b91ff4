// Which parts of a text are secrets, and how is it made safe to write or show?

import { existsSync } from "node:fs";

export type Redact = (text: string) => string;

const REDACTED = "[redacted]";
export const VALUE_CHARS_MIN = 8;
const WORD_CHARS_MAX = 15;
const VALUE_LINE_CHARS_MIN = 16;

/**
 * Takes out the values of secret-looking environment variables, `more` values the user named, and
 * keys that are known by their shape. Runs in linear time over text of any author, and touches text
 * without secrets only to look. Text is given in whole lines: a secret cut in two is not seen.
 * Structure survives: JSON stays JSON, whether the secret stands in it plain or escaped.
 */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  more: readonly string[] = [],
): Redact {
  const values = secretValues(env, more);
  return (text) => {
    let safe = text;
    for (const value of values) if (safe.includes(value)) safe = safe.replaceAll(value, REDACTED);
    if (!ANY_TRIGGER.test(safe)) return safe;
    for (const { triggers, take } of SHAPES)
      if (triggers.some((trigger) => safe.includes(trigger))) safe = take(safe);
    return safe;
  };
}

/** The same value with every text in it redacted; keys and what `keep` names are left alone. */
export function redactDeep(value: unknown, redact: Redact, keep: ReadonlySet<string>): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact, keep));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === "string" && keep.has(key) ? item : redactDeep(item, redact, keep),
  ]);
  return Object.fromEntries(entries);
}

/** Names that say "secret" by themselves. */
const STRONG_NAME =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY|[A-Z]_PWD$/i;
/** Names that say so only when the value looks the part: a cache key is not a secret. */
const WEAK_NAME = /KEY(?:_|$)|(?:^|_)(?:AUTH|PAT|COOKIE|SALT|SIGNATURE)(?:_|$)/i;
/** Names of places where a secret lies; the place is none. */
const PLACE_NAME = /_(?:PATH|FILE|DIR|URL|URI|ENDPOINT|SOCK|HOST)$/i;
const NUMBER = /^\d{1,12}$/;

/** Values of secret-looking variables, with the variable's name. */
export function namedSecrets(
  env: Readonly<Record<string, string | undefined>>,
): readonly (readonly [value: string, name: string])[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && looksSecret(name, value.trim()) ? [[value.trim(), name] as const] : [],
  );
}

/** Longest first, so that a secret that contains another one goes as a whole. */
function secretValues(
  env: Readonly<Record<string, string | undefined>>,
  more: readonly string[],
): readonly string[] {
  const named = namedSecrets(env).map(([value]) => value);
  const values = [...named, ...more.map((value) => value.trim()).filter((value) => value !== "")];
  const spellings = new Set(values.flatMap(spellingsOf));
  return [...spellings].sort((a, b) => b.length - a.length);
}

export function looksSecret(name: string, value: string): boolean {
  if (value.length < VALUE_CHARS_MIN || PLACE_NAME.test(name)) return false;
  // A path names a place, whatever the variable is called; taking it out would cripple every path.
  if (value.startsWith("/") && existsSync(value)) return false;
  if (STRONG_NAME.test(name)) return !(/TOKENS$/i.test(name) && NUMBER.test(value));
  return WEAK_NAME.test(name) && (/\d/.test(value) || value.length > WORD_CHARS_MAX);
}

/** As it is, as a JSON text holds it, as JSON inside JSON does; and the lines of a long one. */
function spellingsOf(value: string): readonly string[] {
  const once = escaped(value);
  const lines = value.includes("\n")
    ? value.split("\n").filter((line) => line.trim().length >= VALUE_LINE_CHARS_MIN)
    : [];
  return [value, once, escaped(once), ...lines.map((line) => line.trim())];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

interface Shape {
  /** Plain texts without any character of a pattern's own, one of which is in every match. */
  readonly triggers: readonly string[];
  readonly take: (text: string) => string;
}

/**
 * A match begins where a word begins, or after what only looks like a part of it: an escape such as
 * `\n` in JSON, a colour code, a character of an encoded URL. This is also what keeps the patterns
 * linear: a run of letters is entered once, not at each of its characters.
 */
const START = String.raw`(?:(?<![\w-])|(?<=\\[nrt])|(?<=\[[\d;]{0,12}m)|(?<=%[\dA-Fa-f]{2}))`;

/**
 * From BEGIN to END, or to the first character that no key contains where the END was cut off. What
 * begins is always taken, so no text is looked through twice.
 */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\:;,.()@<>-]*?(?:-----END [A-Z0-9 ]{0,50}-----|(?![\w+/=\s\\:;,.()@<>-]))/g;

const SHAPES: readonly Shape[] = [
  { triggers: ["PRIVATE KEY"], take: (text) => text.replace(PRIVATE_KEY, REDACTED) },
  shape(["sk-"], String.raw`sk-(?:(?:ant|proj|svcacct|admin|or|lf)-[\w-]{8,}|[A-Za-z0-9]{24,})`),
  // Longer than they need be: `task_` and `ask_` are in every other line, and hold "sk_".
  shape(["k_live_", "k_test_"], "[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"),
  shape(["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{16,}"),
  shape(["github_pat_"], String.raw`github_pat_\w{16,}`),
  shape(["glpat-"], String.raw`glpat-[\w-]{16,}`),
  shape(["npm_"], "npm_[A-Za-z0-9]{30,}"),
  shape(["hf_"], "hf_[A-Za-z0-9]{30,}"),
  shape(["AKIA", "ASIA"], "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
  shape(["AIza"], String.raw`AIza[\w-]{35}`),
  shape(["xox"], "xox[a-z]-[A-Za-z0-9-]{10,}"),
  shape(["eyJ"], String.raw`eyJ[\w-]{10,}(?:\.[\w-]{10,}){2,4}`),
  shape(["earer ", "EARER "], String.raw`(?<=[Bb](?:earer|EARER) )[\w.~+/=-]{16,}`, /\d/),
  shape(["://"], String.raw`(?<=://[^\s/:@"'\\]{0,64}:)[^\s/@"'\\]{3,256}(?=@)`),
];

/** One look for all of them is what most texts cost. */
const ANY_TRIGGER = new RegExp(SHAPES.flatMap(({ triggers }) => triggers).join("|"));

/** `only`: what a match must contain to be more than a long word. */
function shape(triggers: readonly string[], pattern: string, only: RegExp | null = null): Shape {
  const prefix = pattern.startsWith("(?<=") ? "" : START;
  const regex = new RegExp(`${prefix}(?:${pattern})`, "g");
  const replaced = (found: string) => (only?.test(found) === false ? found : REDACTED);
  return { triggers, take: (text) => text.replace(regex, replaced) };
}
