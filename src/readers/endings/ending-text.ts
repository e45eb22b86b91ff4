// What does the end of a text say in the writer's own voice, ready to be matched?

import { excerpt, inert, oneLine } from "../../core/model/excerpt.ts";

export interface EndingText {
  /** The last lines that speak for themselves, on one line; as written. */
  readonly shown: string;
  /** The same in lower case. Places are the same in all three. */
  readonly flat: string;
  /** As `flat`, with names apart: `rate_limit` as "rate limit". */
  readonly words: string;
}

/**
 * At most the last `LINES_MAX` lines of the last `TAIL_CHARS_MAX` characters, without quotations, stack
 * frames, and lines that speak about something else than the ending.
 */
export function endingText(text: string): EndingText {
  const tail = plainQuotes(inert(text.slice(-TAIL_CHARS_MAX)))
    .replaceAll("\\n", " ")
    .replaceAll('\\"', '"');
  const raw = tail.split("\n");
  const unfenced = withoutFences(raw);
  // Where everything is fenced, the fence is decoration.
  const lines = unfenced.some((line) => line.trim() !== "") ? unfenced : raw;
  const kept = lines
    .filter((line) => !isQuotedLine(line))
    .map((line) => oneLine(line.slice(0, LINE_CHARS_MAX).replace(DECORATION, "")))
    .filter((line) => line !== "" && !FRAME.test(line));
  // Tests about limits and credentials fail in words of limits and credentials.
  const report = kept.findLastIndex((line) => TEST_REPORT.test(line));
  const shown = kept
    .slice(report + 1)
    .slice(-LINES_MAX)
    .filter((line) => !ABOUT_OTHERS.some((one) => one.test(line)))
    .join(" ");
  const flat = lowered(shown);
  return { shown, flat, words: apart(flat) };
}

/** The decisive words on one line with a little of what stands around them. */
export function excerptAt({ shown }: EndingText, index: number, length: number): string {
  const start = Math.max(0, index - EXCERPT_BEFORE);
  return excerpt(shown.slice(start, index + Math.max(length, EXCERPT_AFTER)), EXCERPT_CHARS_MAX);
}

const TAIL_CHARS_MAX = 12_000;
const LINES_MAX = 30;
const LINE_CHARS_MAX = 900;
const EXCERPT_BEFORE = 40;
const EXCERPT_AFTER = 120;
const EXCERPT_CHARS_MAX = 200;

/** Frames push the message they belong to out of the last lines and say nothing themselves. */
const FRAME = /^at (?:\S{1,200} )?\(?(?:file:|node:|https?:|\/|[a-z]:\\|<|\S{1,200}:\d)/i;

/** Bullets and marks that programs draw before a line. */
const DECORATION = /^(?:[\s*•]|[\u2500-\u25ff]|[\u2600-\u2712]|[✕✖✘❌❗⎿]|\u{fe0f}|🔴)+/u;

/** The last of them ends a report about tests that failed. */
const TEST_REPORT =
  /^=+ .{0,200}\b[1-9]\d* (?:failed|errors?)\b|^(?:FAIL|FAILED|--- FAIL:) +\S*[./:]\S|^not ok \d|^tests?(?: files?| suites?)?:?.{0,80}\b[1-9]\d* failed|^[1-9]\d* (?:failed|failing)\b/i;

const ABOUT_OTHERS: readonly RegExp[] = [
  // Source code, and the names of tests that pass.
  /\bthrow new \w|\braise \w+\(|\bconsole\.\w+\(|\bexpect\(|\b(?:it|test|describe)\(["'`]|^(?:\/\/|\/\*)|^(?:✓|✔|√|ok \d|pass(?:ed)?\b)/i,
  // A calm line of a log.
  /^[\W\d]{0,4}(?:[a-z]{3} \d{1,2} )?[\dtz:.,+ -]{0,32}\W{0,3}(?:trace|debug|info|notice|warn|warning)\b|"level": ?"(?:info|warn|debug)|^npm (?:warn|notice)\b/i,
  // A limit that is near.
  /\b(?:approaching|nearing|close to|about to (?:hit|reach))\b|\b\d{1,2}(?:\.\d+)?% (?:of|used|left|remaining)\b/i,
  // An account of the work, and a condition.
  /^(?:i|we)?(?:'ve| have)? ?(?:now |also )?(?:added|fixed|implemented|updated|changed|handled|documented)\b|^(?:feat|fix|docs|chore|refactor|test)(?:\(.{1,40}\))?: |^(?:if|when|whenever|once|unless)\b/i,
];

/** Typographic quotation marks as plain ones. The length stays, so that places stay. */
export function plainQuotes(text: string): string {
  return text.replace(/[‘’‛′]/g, "'").replace(/[“”„«»″]/g, '"');
}

/** ASCII only: `toLowerCase` makes some letters longer and so would move every place behind them. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

/** `rate_limit-error` as `rate limit error`: programs and people spell names in every way. */
export function apart(text: string): string {
  return text.replace(/[_-]/g, " ");
}

/** Without the blocks between fences. A fence that has lost its partner is left out by itself. */
export function withoutFences(lines: readonly string[]): readonly string[] {
  const isFence = (line: string): boolean => /^\s{0,8}(?:```|~~~)/.test(line);
  const fences = lines.filter(isFence).length;
  let seen = 0;
  return lines.filter((line) => {
    const isOpen = seen % 2 === 1 && seen < fences;
    if (isFence(line)) seen += 1;
    return !isOpen && !isFence(line);
  });
}

/** A quotation, a row of a table, or a line of a diff. The beginning of the line decides. */
export function isQuotedLine(line: string): boolean {
  return QUOTED_LINE.test(line);
}

const QUOTED_LINE =
  /^(?:\s{0,8}(?:>|\||@@\s|diff --git )|\+(?![\d+])|\+\+\+ |-(?: {2,}|\t)|\s{0,8}--- [ab]?\/)/;
