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
  readonly text: string;
  /** What stands behind it belongs to the same group of characters. */
  readonly isCoded: boolean;
}

/** Longest first, so that a secret that contains another one goes as a whole. */
export function spellingsOf(values: readonly string[]): readonly Spelling[] {
  const all = new Map<string, Spelling>();
  for (const value of values.map((one) => one.trim())) {
    const lines = value.includes("\n") ? value.split("\n").map((line) => line.trim()) : [];
    const long = lines.filter((line) => line.length >= VALUE_LINE_CHARS_MIN);
    for (const [name, spell] of Object.entries(SPELLINGS)) {
      const isCoded = name.startsWith("base64");
      const text = spell(value);
      if (text.length >= (isCoded ? CODED_CHARS_MIN : 1)) all.set(text, { text, isCoded });
    }
    for (const text of long) all.set(text, { text, isCoded: false });
  }
  return [...all.values()].toSorted((a, b) => b.text.length - a.text.length);
}

const SIGN = /[\\^$.*+?()[\]{}|/-]/;
const MAYBE_BREAK = String.raw`(?:(?:\r?\n|\\{1,4}(?:r\\{1,4})?n)[ \t]{0,40})?`;

/** Finds it, with line breaks anywhere between its characters. */
export function wrapped({ text, isCoded }: Spelling): RegExp {
  const chars = Array.from(text, (char) => (SIGN.test(char) ? `\\${char}` : char));
  return new RegExp(chars.join(MAYBE_BREAK) + (isCoded ? "[\\w+/=-]{0,6}" : ""), "g");
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Without the last group, which differs with what stands behind the value: `echo` adds a line break. */
function stableBase64(value: string, code: "base64" | "base64url"): string {
  const bytes = Buffer.from(value);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(code);
}
