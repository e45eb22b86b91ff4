// What does the end of a text say in the writer's own voice, ready to be matched?

import { excerpt, inert } from "../../core/model/excerpt.ts";
import { isReport, isSkipped } from "./inert-lines.ts";

export interface EndingText {
  /** The last lines that speak for themselves, on one line; as written. */
  readonly shown: string;
  /** The same, in lower case (ASCII only, so that places in both agree). */
  readonly flat: string;
  /** The same with line breaks, for patterns that look at a line's beginning. Same places again. */
  readonly lined: string;
  /** Where the last line of a test report begins and ends; both 0: there is no report. */
  readonly reportStart: number;
  readonly reportEnd: number;
}

/**
 * The ending of a text: at most the last `LINES_MAX` lines of its last `TAIL_CHARS_MAX` characters, without
 * colour, stack frames, quotations, source lines, passed tests and calm log lines. Work done here and
 * after it is bounded by these limits, whatever the length of the text.
 */
export function endingText(text: string): EndingText {
  const tail = inert(text.slice(-TAIL_CHARS_MAX))
    .replace(/[\u2018\u2019\u201b]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\\n/g, " ")
    .replace(/\\"/g, '"');
  const kept: Line[] = [];
  const lines = withoutFences(tail.split("\n").slice(-RAW_LINES_MAX));
  for (const raw of [...lines].reverse()) {
    const line = lineOf(raw);
    if (speaksForItself(raw, line)) kept.unshift(line);
    if (kept.length === LINES_MAX) break;
  }
  return joined(withoutStaleRetries(kept));
}

/** The decisive words on one line with a little of what stands around them. */
export function evidenceAt(shown: string, index: number, length: number): string {
  const start = Math.max(0, index - EVIDENCE_BEFORE);
  return excerpt(shown.slice(start, index + Math.max(length, EVIDENCE_AFTER)), EVIDENCE_CHARS_MAX);
}

interface Line {
  readonly text: string;
  readonly lower: string;
}

const TAIL_CHARS_MAX = 12_000;
const RAW_LINES_MAX = 160;
const LINES_MAX = 30;
const LINE_CHARS_MAX = 900;
/** Enough to see the mark at the beginning of a line of a diff. */
const LINE_START_CHARS = 16;
const TEXT_CHARS_MAX = 4_000;
const EVIDENCE_BEFORE = 40;
const EVIDENCE_AFTER = 120;
const EVIDENCE_CHARS_MAX = 200;

/** Frames push the message they belong to out of the last lines and say nothing themselves. */
const FRAME =
  /^(?:at (?:\S{1,200} )?\(?(?:file:|node:|https?:|\/|[a-z]:\\|<|native|unknown|\S{1,200}:\d)|\d{1,3}: 0x[0-9a-f]+ |#\d+ 0x|\d+: +(?:<unknown>|\S{1,200}::)|goroutine \d+)/i;

/** Frames, bullets and marks that programs draw before a line. */
const DECORATION = /^(?:[\s*•]|[\u2500-\u25ff]|[\u2600-\u2712]|[✕✖✘❌❗⎿]|\u{fe0f}|🔴)+/u;

const RETRYING = /\b(?:retrying|reconnecting|attempt \d+ failed)\b/;

function lineOf(raw: string): Line {
  const cut =
    raw.length <= LINE_CHARS_MAX ? raw : `${raw.slice(0, LINE_CHARS_MAX - 300)} ${raw.slice(-300)}`;
  const text = cut.replace(/\s+/g, " ").replace(DECORATION, "").trim();
  return { text, lower: lowered(text) };
}

/** Without `toLowerCase`, which makes some letters longer and so would move every place behind them. */
function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase());
}

function speaksForItself(raw: string, { text, lower }: Line): boolean {
  return text !== "" && !FRAME.test(text) && !isSkipped(raw.slice(0, LINE_START_CHARS), lower);
}

/** A block between fences is quoted; a fence without its partner is part of the text. */
function withoutFences(lines: readonly string[]): readonly string[] {
  let opened: number | null = null;
  const quoted = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!/^\s{0,3}```/.test(line)) continue;
    if (opened === null) opened = index;
    else {
      for (let each = opened; each <= index; each++) quoted.add(each);
      opened = null;
    }
  }
  const own = lines.filter((_line, index) => !quoted.has(index));
  // Where everything is fenced, the fence is decoration.
  return own.some((line) => line.trim() !== "") ? own : lines;
}

/** A try that failed and was followed by other words is history; one at the very end is the ending. */
function withoutStaleRetries(lines: readonly Line[]): readonly Line[] {
  return lines.filter((line, index) => index >= lines.length - 3 || !RETRYING.test(line.lower));
}

function joined(lines: readonly Line[]): EndingText {
  let size = 0;
  const fitting: Line[] = [];
  for (const line of [...lines].reverse()) {
    size += line.text.length + 1;
    if (size > TEXT_CHARS_MAX) break;
    fitting.unshift(line);
  }
  let [end, reportStart, reportEnd] = [0, 0, 0];
  for (const line of fitting) {
    const start = end;
    end += line.text.length + 1;
    if (isReport(line.lower)) [reportStart, reportEnd] = [start, end];
  }
  const lined = fitting.map((line) => line.lower).join("\n");
  return {
    shown: fitting.map((line) => line.text).join(" "),
    flat: lined.replaceAll("\n", " "),
    lined,
    reportStart,
    reportEnd,
  };
}
