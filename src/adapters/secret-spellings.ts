// In which spellings does a secret value stand in a text?

/** What a value becomes where it is written; the first is the value as it is. */
export const SPELLINGS: Readonly<Record<string, (value: string) => string>> = {
  plain: (value) => value,
  "JSON-escaped": escaped,
  "JSON-escaped twice": (value) => escaped(escaped(value)),
  "URL-coded": encodeURIComponent,
  "URL-coded, small letters": (value) =>
    encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
  "URL-coded as a form": (value) => new URLSearchParams({ "": value }).toString().slice(1),
  "XML-escaped": (value) => value.replace(/[&<>"']/g, (sign) => XML_SIGNS[sign] ?? sign),
  base64: (value) => stableBase64(value, "base64"),
  base64url: (value) => stableBase64(value, "base64url"),
};

const XML_SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const VALUE_LINE_CHARS_MIN = 16;
const CODED_CHARS_MIN = 8;

export interface Spelling {
  /** As it stands on one line, with nothing escaped: see `flat`. */
  readonly flat: string;
  /** Finds it, with line breaks anywhere between its characters, and escaped however often. */
  readonly pattern: RegExp;
}

/** Longest first, so that a secret that contains another one goes as a whole. */
export function spellingsOf(values: readonly string[]): readonly Spelling[] {
  const all = new Map<string, Spelling>();
  const add = (text: string, isCoded: boolean): void => {
    const spelt = flat(text);
    // The first of several that differ in backslashes alone has the fewest, and finds them all.
    if (spelt !== "" && !all.has(spelt))
      all.set(spelt, { flat: spelt, pattern: anywhere(text, isCoded) });
  };
  for (const value of values.map((one) => one.trim())) {
    const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const isCoded = name.startsWith("base64");
      const text = spell(value);
      if (text.length >= (isCoded ? CODED_CHARS_MIN : 1)) add(text, isCoded);
    }
    for (const line of lines.filter(({ length }) => length >= VALUE_LINE_CHARS_MIN))
      add(line, false);
  }
  return [...all.values()].toSorted((a, b) => b.flat.length - a.flat.length);
}

/** A line break, plain or as JSON within JSON writes it, and how the next line is moved in. */
export const BREAK = String.raw`(?:\r?\n|\\{1,16}(?:r\\{1,16})?n)[ \t]{0,40}`;
const BREAK_OR_ESCAPE = new RegExp(`${BREAK}|\\\\`, "g");

/** The text as one line without backslashes: so a secret is found where a line was wrapped, too. */
export function flat(text: string): string {
  return text.replace(BREAK_OR_ESCAPE, "");
}

const SIGN = /[\\^$.*+?()[\]{}|/-]/;
/** Of several backslashes in a row it matters only that there are some. */
const CHARS = /\\+|\r?\n|[^]/gu;

function anywhere(text: string, isCoded: boolean): RegExp {
  const chars = (text.match(CHARS) ?? []).map((char) => {
    if (char.startsWith("\\")) return String.raw`\\{1,64}`;
    if (char.endsWith("\n")) return BREAK;
    if (char === '"' || char === "/") return String.raw`\\{0,16}${char}`;
    return SIGN.test(char) ? `\\${char}` : char;
  });
  return new RegExp(chars.join(`(?:${BREAK})?`) + (isCoded ? "[\\w+/=-]{0,6}" : ""), "g");
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Without the last group, which differs with what stands behind the value: `echo` adds a line break. */
function stableBase64(value: string, code: "base64" | "base64url"): string {
  const bytes = Buffer.from(value);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(code);
}
