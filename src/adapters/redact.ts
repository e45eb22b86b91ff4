// Which parts of a text, or of output that comes in pieces, are secrets, and how do they go?

import { existsSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { parseEnv } from "node:util";

import { PLACE_NAME, SECRET_NAMES, SECRET_SHAPES } from "./secret-table.ts";
import type { SecretName, SecretShape } from "./secret-table.ts";

export type Redact = (text: string) => string;
export type Variables = Readonly<Record<string, string | undefined>>;

const REDACTED = "[redacted]";
const VALUE_CHARS_MIN = 8;
const WORD_CHARS_MAX = 15;

/**
 * Takes out the values of secret-looking environment variables, `more` values the user named, those
 * `learned` later, and keys that are known by their shape. Runs in linear time over text of any author,
 * and touches text without secrets only to look. Text is given in whole lines: a secret cut in two is not
 * seen. Structure survives: JSON stays JSON, whether the secret stands in it plain or escaped.
 */
export function createRedactor(
  env: Variables,
  more: readonly string[] = [],
  learned: readonly NamedSecret[] = [],
): Redact {
  const given = [...namedSecrets(env).map(([value]) => value), ...more];
  let [spellings, learnedCount] = [spellingsOf(given), 0];
  return (text) => {
    if (learned.length > learnedCount)
      spellings = spellingsOf([...given, ...learned.map(([value]) => value)]);
    learnedCount = learned.length;
    let safe = text;
    for (const { spelt, pattern } of spellings)
      if (safe.includes(spelt)) safe = safe.replace(pattern, REDACTED);
    return ANY_TRIGGER.test(safe) ? withoutShapes(safe) : safe;
  };
}

const VALUE_LINE_CHARS_MIN = 16;
const CODED_CHARS_MIN = 8;

interface Spelling {
  readonly spelt: string;
  readonly pattern: RegExp;
}

/** Longest first, so that a secret that contains another one goes as a whole. */
function spellingsOf(values: readonly string[]): readonly Spelling[] {
  const all = values
    .map((value) => value.trim())
    .filter((value) => value !== "")
    .flatMap((value) => {
      const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
      const long = lines.filter(({ length }) => length >= VALUE_LINE_CHARS_MIN);
      const plain = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...long];
      const coded = [base64(value, "base64"), base64(value, "base64url")];
      return [
        ...plain.map((spelt) => ({ spelt, rest: "" })),
        ...coded
          .filter(({ length }) => length >= CODED_CHARS_MIN)
          .map((spelt) => ({ spelt, rest: CODED_REST })),
      ];
    });
  return [...new Map(all.map((one) => [one.spelt, one])).values()]
    .toSorted((one, other) => other.spelt.length - one.spelt.length)
    .map(({ spelt, rest }) => ({ spelt, pattern: new RegExp(literal(spelt) + rest, "g") }));
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The last group, which differs with what stands behind the value: `echo` adds a line break. */
const CODED_REST = String.raw`[\w+/=-]{0,6}`;

/** Without the last group. */
function base64(value: string, code: "base64" | "base64url"): string {
  const bytes = Buffer.from(value);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(code);
}

export type NamedSecret = readonly [value: string, name: string];

/** Values of secret-looking variables, with the variable's name. */
export function namedSecrets(env: Variables): readonly NamedSecret[] {
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
export function tellingSecrets(env: Variables): readonly NamedSecret[] {
  return namedSecrets(env).filter(isTelling);
}

function isTelling([value]: NamedSecret): boolean {
  return value.length > WORD_CHARS_MAX || (/\d/.test(value) && value.length > TELLING_MIN);
}

/** Of a file with settings: under names of secrets, and known by their shape. What names a variable is none. */
export function secretsInFile(file: string, text: string): readonly NamedSecret[] {
  const rows = Object.entries(parseEnv(text)).filter(([name]) => /^[\w.:/@-]+$/.test(name));
  const shaped = SHAPES.flatMap(({ pattern }) => text.match(pattern) ?? []);
  const all = [
    ...namedSecrets(Object.fromEntries(rows)),
    ...shaped.map((value) => [value, "a key"] as const),
  ];
  return all
    .filter((one) => isTelling(one) && !one[0].includes("${"))
    .map(([value, name]) => [value, `${name} in ${file}`]);
}

const TELLING_MIN = 11;
const NUMBER = /^\d{1,12}$/;
const NAMES: readonly SecretName[] = Object.values(SECRET_NAMES);

function looksSecret(name: string, value: string): boolean {
  const row = NAMES.find((one) => one.name.test(name));
  if (row === undefined || value.length < VALUE_CHARS_MIN) return false;
  if (row.value !== "address" && PLACE_NAME.test(name)) return false;
  // A path names a place, whatever the variable is called; taking it out would cripple every path.
  if (value.startsWith("/") && existsSync(value)) return false;
  if (row.value === "strange") return /\d/.test(value) || value.length > WORD_CHARS_MAX;
  return !(name.toUpperCase().endsWith("TOKENS") && NUMBER.test(value));
}

const SHAPES: readonly SecretShape[] = Object.values(SECRET_SHAPES);
/** One look for all of them is what most texts cost. */
const ANY_TRIGGER = new RegExp(SHAPES.flatMap(({ triggers }) => triggers).join("|"));

function withoutShapes(text: string): string {
  let safe = text;
  for (const { triggers, pattern } of SHAPES)
    if (triggers.some((trigger) => safe.includes(trigger))) safe = safe.replace(pattern, REDACTED);
  return safe;
}

/** Text that waits for its line to end, or for the rest of a key, is not kept longer. */
const CHARS_MAX = 64 * 1024;
const NEWLINE = 10;

/** Where a private key begins that does not end in the text; the text's length: none does. */
function openKeyAt(text: string): number {
  const key = text.lastIndexOf("-----BEGIN ");
  return key === -1 || text.includes("-----END ", key) ? text.length : key;
}

/** Bytes in, whole lines without secrets out: "" while a line or a private key goes on. */
export function redactStream(redact: Redact, charsMax = CHARS_MAX) {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  return {
    write(chunk: Buffer): string {
      pending += decoder.write(chunk);
      // A line that comes in a thousand pieces is not searched a thousand times.
      if (!chunk.includes(NEWLINE) && pending.length <= charsMax) return "";
      const end = pending.lastIndexOf("\n", openKeyAt(pending)) + 1;
      if (pending.length - end <= charsMax) {
        const whole = pending.slice(0, end);
        pending = pending.slice(end);
        return redact(whole);
      }
      const all = redact(pending);
      pending = all.slice(-charsMax / 2);
      return all.slice(0, all.length - pending.length);
    },
    end(): string {
      const safe = redact(pending + decoder.end());
      pending = "";
      return safe === "" || safe.endsWith("\n") ? safe : `${safe}\n`;
    },
  };
}
