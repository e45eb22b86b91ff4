// How is text from outside made short and harmless enough to show, and laid out in lines?

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
  if (text.search(CONTROLS) === -1) return text;
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
  return clip(oneLine(inert(text.slice(0, charsMax * 4))), charsMax);
}

/** One line of Markdown in which markup is escaped, and an @ mentions no account. */
export function unmarked(text: string, charsMax: number): string {
  return clip(oneLine(inert(text)), charsMax)
    .replace(/[<>[\]`#*_|\\]/g, "\\$&")
    .replaceAll("@", "@\u200d");
}

/** The same text, in whose lines the runner of GitHub Actions finds nothing to obey. */
export function withoutCommands(text: string): string {
  return text.replace(/^(\s*:):/gm, "$1 :").replaceAll("##[", "## [");
}

/** All white space as one space, none at the ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** "a, b and 2 more": the first `most` of them, and how many of `count` are left. */
export function firstOf(
  all: readonly string[],
  most: number,
  { between = ", ", count = all.length } = {},
): string {
  const more = count - Math.min(most, all.length);
  return `${all.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

/** At most `charsMax` characters; never half of a surrogate pair; what was cut is marked. */
export function clip(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const cut = text.slice(0, Math.max(0, charsMax - 1));
  return `${cut.replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Lines of at most `columns` cells; a word that is longer is broken, a path or id at no letter. Newlines in the text stay. */
export function wrap(text: string, columns: number, indent = "", hanging = indent): string {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = lines.length === 0 ? indent : hanging;
    let empty = true;
    // Most lines fit as they are.
    if (!/^\s|\s{2}|\s$/.test(paragraph) && cells(line + paragraph) <= columns) {
      lines.push((line + paragraph).trimEnd());
      continue;
    }
    for (const word of paragraph.split(/\s+/).filter((part) => part !== "")) {
      for (const [at, piece] of broken(word, Math.max(1, columns - cells(hanging))).entries()) {
        const fits = cells(line) + cells(piece) + (empty ? 0 : 1) <= columns;
        if (!empty && (at > 0 || !fits)) {
          lines.push(line);
          line = hanging;
          empty = true;
        }
        line += empty ? piece : ` ${piece}`;
        empty = false;
      }
    }
    lines.push(line.trimEnd());
  }
  return lines.join("\n");
}

function broken(word: string, columns: number): readonly string[] {
  if (cells(word) <= columns) return [word];
  const pieces: string[] = [];
  let piece = "";
  const parts = word.split(/(?<=[/-])/);
  for (const part of parts.flatMap((one) => (cells(one) > columns ? Array.from(one) : [one]))) {
    if (cells(piece + part) > columns) {
      pieces.push(piece);
      piece = "";
    }
    piece += part;
  }
  return [...pieces, piece];
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many terminal cells a text takes. */
export function cells(text: string): number {
  // oxlint-disable-next-line no-control-regex -- Our own colour codes take no cells.
  const shown = text.replace(/\u001b\[\d+m/g, "");
  const others = shown.replace(/[\u0020-\u007e]+/g, "");
  let count = shown.length - others.length;
  for (const character of others) {
    if (/\p{Mark}/u.test(character)) continue;
    count += WIDE.test(character) ? 2 : 1;
  }
  return count;
}
