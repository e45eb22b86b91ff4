// Which parts of a source text are code, and which are comments or the text of strings?

import type { Language } from "./paths.ts";

export interface Comment {
  readonly start: number;
  readonly text: string;
}

/** A source text, read once. */
export interface Source {
  readonly text: string;
  /** As long as the text; comments and what stands in strings are blank, quotes are kept. */
  readonly code: string;
  readonly comments: readonly Comment[];
}

/**
 * Tells code from comments and strings in one pass. Not a parser: what cannot be told without one
 * (a regular expression literal after a bracket, text between tags) is read as code, and a quoted
 * string ends with its line, so that a wrong guess never reaches far.
 */
export function scan(text: string, language: Language): Source {
  const reader: Reader = { text, pieces: [], comments: [], done: 0, templates: [] };
  const token = new RegExp(TOKENS[language], "g");
  let match = token.exec(text);
  while (match !== null) {
    const end = readToken(reader, language, match[0], match.index);
    token.lastIndex = Math.max(end, match.index + 1);
    match = token.exec(text);
  }
  reader.pieces.push(text.slice(reader.done));
  return { text, code: reader.pieces.join(""), comments: reader.comments };
}

/** Tells the line of an offset, from 1. The text is read at the first question. */
export function lineTeller(text: string): (offset: number) => number {
  let starts: readonly number[] | null = null;
  return (offset) => {
    starts ??= Array.from(text.matchAll(/\n/g), ({ index }) => index + 1);
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** Tells for an opening bracket where its closing one is. */
export interface Closings {
  /** The end of the code where it is never closed; undefined: no bracket opens there. */
  get(offset: number): number | undefined;
}

export function closings(code: string): Closings {
  // A map of every bracket costs several times as much as everything else here.
  const ends = new Int32Array(code.length);
  const open: number[] = [];
  const bracket = /[()[\]{}]/g;
  while (bracket.test(code)) {
    const at = bracket.lastIndex - 1;
    if (CLOSES.has(code.charCodeAt(at))) open.push(at);
    else closeOne(open, ends, code, at);
  }
  for (const at of open) ends[at] = code.length;
  return { get: (offset) => ends[offset] || undefined };
}

const CLOSES: ReadonlyMap<number, number> = new Map(
  ["()", "[]", "{}"].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]),
);
/** How far a stray bracket is looked past; a larger imbalance is not source code. */
const STRAY_MAX = 4;

function closeOne(open: number[], ends: Int32Array, code: string, at: number): void {
  for (let back = 1; back <= Math.min(STRAY_MAX, open.length); back++) {
    if (CLOSES.get(code.charCodeAt(open.at(-back) ?? 0)) !== code.charCodeAt(at)) continue;
    for (const opened of open.splice(-back)) ends[opened] = at;
    return;
  }
}

/** Whatever may begin a comment or a string, and in JavaScript the braces of a template. */
const TOKENS: Readonly<Record<Language, RegExp>> = {
  js: /\/\/|\/\*|["'`/{}]/,
  python: /#|"""|'''|["']/,
  go: /\/\/|\/\*|["'`]/,
  rust: /\/\/|\/\*|\br#{0,8}"|["']/,
  "c-like": /\/\/|\/\*|"""|["']/,
  hash: /(?<![^\s;])#|["']/,
};

interface Reader {
  readonly text: string;
  readonly pieces: string[];
  readonly comments: Comment[];
  /** Everything before this offset is in `pieces`. */
  done: number;
  /** Depth of braces within each open `${`. */
  readonly templates: number[];
}

/** Reads what begins at `start`; returns where reading goes on. */
function readToken(reader: Reader, language: Language, token: string, start: number): number {
  const { text } = reader;
  if (token === "//" || token === "#") return comment(reader, start, endOfLine(text, start));
  if (token === "/*") return comment(reader, start, endOf(text, "*/", start + 2));
  if (token === "{" || token === "}") return brace(reader, token, start);
  if (token === "/") return regexLiteral(reader, start);
  if (token === "`" && language === "js") return template(reader, start + 1);
  if (token === "`") return blank(reader, start + 1, endOf(text, "`", start + 1) - 1) + 1;
  if (token.startsWith("r")) {
    const close = `"${token.slice(1, -1)}`;
    const open = start + token.length;
    return blank(reader, open, endOf(text, close, open) - close.length) + close.length;
  }
  if (token.length === 3) return blank(reader, start + 3, endOf(text, token, start + 3) - 3) + 3;
  // In Rust it begins a character or a lifetime, and strings span lines.
  if (token === "'" && language === "rust") return character(reader, start);
  return quoted(reader, start, token, language === "rust");
}

function comment(reader: Reader, start: number, end: number): number {
  reader.comments.push({ start, text: reader.text.slice(start, end) });
  return blank(reader, start, end);
}

/** Keeps line breaks, so that lines of the code are lines of the text. */
function blank(reader: Reader, from: number, to: number): number {
  const end = Math.max(from, Math.min(to, reader.text.length));
  if (end > from) {
    reader.pieces.push(reader.text.slice(reader.done, from), blankOf(reader.text, from, end));
    reader.done = end;
  }
  return Math.max(from, to);
}

const SPACES = " ".repeat(1_000);

function blankOf(text: string, from: number, end: number): string {
  const part = text.slice(from, end);
  if (part.length <= SPACES.length && !part.includes("\n")) return SPACES.slice(0, part.length);
  return part.replace(/[^\n]+/g, (run) => " ".repeat(run.length));
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function endOf(text: string, close: string, from: number): number {
  const end = text.indexOf(close, from);
  return end < 0 ? text.length + close.length : end + close.length;
}

function quoted(reader: Reader, start: number, quote: string, spansLines: boolean): number {
  const end = unescaped(reader.text, start + 1, spansLines ? quote : `${quote}\n`);
  return blank(reader, start + 1, end) + (reader.text[end] === "\n" ? 0 : 1);
}

/** The first of the stops that no backslash stands before. */
function unescaped(text: string, from: number, stops: string): number {
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (stops.includes(char)) return at;
    at += char === "\\" ? 2 : 1;
  }
  return text.length;
}

function character(reader: Reader, start: number): number {
  const { text } = reader;
  const close = text[start + 1] === "\\" ? text.indexOf("'", start + 3) : start + 2;
  const isChar = text[close] === "'" && close - start <= 12;
  return isChar ? blank(reader, start + 1, close) + 1 : start + 1;
}

/** The text of a template literal up to its end or to `${`, where code begins again. */
function template(reader: Reader, from: number): number {
  let end = unescaped(reader.text, from, "`$");
  while (reader.text[end] === "$" && reader.text[end + 1] !== "{")
    end = unescaped(reader.text, end + 1, "`$");
  blank(reader, from, end);
  if (reader.text[end] !== "$") return end + 1;
  reader.templates.push(0);
  return end + 2;
}

function brace(reader: Reader, token: "{" | "}", start: number): number {
  const depth = reader.templates.pop();
  if (depth === undefined) return start + 1;
  if (token === "}" && depth === 0) return template(reader, start + 1);
  reader.templates.push(token === "{" ? depth + 1 : depth - 1);
  return start + 1;
}

/** Where a slash can begin a literal: after an operator, never after a value or a tag. */
const BEFORE_REGEX =
  /(?:[(,=:[!&|?{;+*%~^-]|=>|^|\b(?:return|typeof|case|in|of|void|throw))\s{0,20}$/;

/** Nobody writes longer ones, and each slash of a hostile line is looked at. */
const REGEX_CHARS_MAX = 300;

function regexLiteral(reader: Reader, start: number): number {
  if (!BEFORE_REGEX.test(reader.text.slice(Math.max(0, start - 30), start))) return start + 1;
  const last = Math.min(reader.text.length, start + REGEX_CHARS_MAX);
  let inClass = false;
  for (let at = start + 1; at < last; at++) {
    const char = reader.text[at];
    if (char === "\n") return start + 1;
    if (char === "\\") at += 1;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) return blank(reader, start + 1, at) + 1;
  }
  return start + 1;
}
