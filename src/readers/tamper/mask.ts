// Which parts of a source text are code, and which are comments or the text of strings?

import type { Language } from "./paths.ts";

/** A source text, read once. Both texts have its length and its lines. */
export interface Masked {
  /** Comments and what stands in strings are blank. */
  readonly code: string;
  /** Only comments are blank. */
  readonly withStrings: string;
  readonly comments: readonly Comment[];
}

export interface Comment {
  readonly start: number;
  readonly text: string;
}

/**
 * One pass with one pattern, and no parser: a quoted string ends with its line, so that a wrong guess
 * never reaches far.
 */
export function mask(text: string, language: Language): Masked {
  const comments: Comment[] = [];
  const strings: string[] = [];
  const code: string[] = [];
  let done = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS[language])) {
    const between = text.slice(done, index);
    const isComment = COMMENT.test(token);
    if (isComment) comments.push({ start: index, text: token });
    strings.push(between, isComment ? blank(token) : token);
    code.push(between, blank(token));
    done = index + token.length;
  }
  const rest = text.slice(done);
  return { code: [...code, rest].join(""), withStrings: [...strings, rest].join(""), comments };
}

const COMMENT = /^(?:\/[/*]|#)/;

function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

const LINE = String.raw`\/\/[^\n]*`;
const BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`(?<![^\s;])#[^\n]*`;
const DOUBLE = String.raw`"(?:[^"\\\n]|\\[\s\S])*"?`;
const SINGLE = String.raw`'(?:[^'\\\n]|\\[\s\S])*'?`;
const TRIPLE = String.raw`"""[\s\S]*?(?:"""|$)`;
const TEMPLATE = "`(?:[^`\\\\]|\\\\[\\s\\S])*`?";
/** A slash begins a literal after an operator, never after a value or a tag. */
const REGEX = String.raw`(?<=(?:[(,=:[!&|?{;]|\breturn)\s{0,3})\/(?![*/])(?:[^\\/\n]|\\.){1,200}\/`;

function any(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join("|"), "g");
}

const TOKENS: Readonly<Record<Language, RegExp>> = {
  js: any(LINE, BLOCK, DOUBLE, SINGLE, TEMPLATE, REGEX),
  python: any("#[^\\n]*", TRIPLE, TRIPLE.replaceAll('"', "'"), DOUBLE, SINGLE),
  go: any(LINE, BLOCK, DOUBLE, SINGLE, "`[^`]*`?"),
  // "'" begins a character or a lifetime, and strings span lines.
  rust: any(
    String.raw`\br(#{0,8})"[\s\S]*?(?:"\1|$)`,
    LINE,
    BLOCK,
    String.raw`"(?:[^"\\]|\\[\s\S])*"?`,
    String.raw`'(?:\\[^']{1,9}|[^\\'\n])'`,
  ),
  "c-like": any(LINE, BLOCK, TRIPLE, DOUBLE, SINGLE),
  hash: any(HASH, DOUBLE, SINGLE),
};
