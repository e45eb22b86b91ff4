// How is text from outside made short enough and harmless enough to show?

/** Escape sequences a terminal would obey: CSI, OSC (with its text), and other two-byte escapes. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?|\u009b[0-?]*[ -/]*[@-~]/g;

/** In a group, so that splitting keeps them. */
// oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
const COLORS = /(\u001b\[\d{1,2}m)/;

/** Control characters apart from newline and tab, and the marks that reorder or hide text. */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The controls that stand in JSON as they are. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Text that a terminal shows and never obeys: escape sequences are gone with their parameters,
 * carriage returns become newlines, other control and direction characters are gone.
 */
export function inert(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(ESCAPES, "").replace(CONTROLS, "");
}

/** The same text, in which what a terminal might obey or hide can be seen: `\u001b`. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As `inert`, for a whole screen: plain colours, which orch put there itself, stay. */
export function inertButColored(text: string): string {
  return text
    .split(COLORS)
    .map((part, index) => (index % 2 === 1 ? part : inert(part)))
    .join("");
}

/** The same JSON, with what it may hold unescaped and a terminal might obey as escapes. */
export function inertJson(json: string): string {
  return json.replace(UNESCAPED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Inert text on one line, at most `charsMax` characters; what was cut is marked. */
export function excerpt(text: string, charsMax: number): string {
  // Cut before the costly part, generously: escapes and spaces may still fall away.
  const plain = inert(text.slice(0, charsMax * 4))
    .replace(/\s+/g, " ")
    .trim();
  return clip(plain, charsMax);
}

/** At most `charsMax` characters; never half of a surrogate pair; what was cut is marked. */
export function clip(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, Math.max(0, charsMax - 1));
  return `${cut.replace(/[\ud800-\udbff]$/, "")}…`;
}
