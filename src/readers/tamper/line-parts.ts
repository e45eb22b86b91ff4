// What of a line is code, and what is a comment?

import type { Language } from "./paths.ts";

export interface LineParts {
  readonly whole: string;
  /** Strings are empty in it. */
  readonly code: string;
  readonly comments: readonly string[];
}

const LINE_CHARS_MAX = 600;
const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|${"`(?:[^`\\\\]|\\\\.)*`"}`;
const SLASHES = new RegExp(String.raw`\/\/.*|\/\*.*?(?:\*\/|$)|^\s*\*.*|${STRING}`, "g");
const HASH = new RegExp(`#.*|${STRING}`, "g");

/** By the line alone: of a string or a comment over several lines only the first is seen as one. */
export function partsOf(line: string, language: Language): LineParts {
  const comments: string[] = [];
  const whole = line.slice(0, LINE_CHARS_MAX);
  const tokens = language === "hash" || language === "python" ? HASH : SLASHES;
  const code = whole.replace(tokens, (token) => {
    if (/^["'`]/.test(token)) return '""';
    comments.push(token);
    return "";
  });
  return { whole, code, comments };
}
