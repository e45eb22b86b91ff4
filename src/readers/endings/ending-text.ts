// What does the end of a text say in the writer's own voice, ready to be matched?

import { excerpt, inert } from "../../core/model/excerpt.ts";
import { apart, lowered, oneLine, plainQuotes } from "../match/fold.ts";
import { isQuotedLine, withoutFences } from "../match/quoted.ts";
import { isInert, isReport } from "./inert-rows.ts";

export interface EndingText {
  /** The last lines that speak for themselves, on one line; as written. */
  readonly shown: string;
  /** The same in lower case. Places are the same in all three. */
  readonly flat: string;
  /** As `flat`, with line breaks, and with names apart: `rate_limit` as "rate limit". */
  readonly words: string;
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
  const tail = plainQuotes(inert(text.slice(-TAIL_CHARS_MAX)))
    .replace(/\\n/g, " ")
    .replace(/\\"/g, '"');
  const raw = tail.split("\n").slice(-RAW_LINES_MAX);
  const own = withoutFences(raw);
  // Where everything is fenced, the fence is decoration.
  const lines = own.some((line) => line.trim() !== "") ? own : raw;
  const kept: Line[] = [];
  let size = 0;
  for (const line of lines.map(lineOf).reverse()) {
    if (!speaksForItself(line)) continue;
    // A try that failed and was followed by other words is history; one at the very end is the ending.
    if (kept.length >= 3 && RETRYING.test(line.lower)) continue;
    size += line.text.length + 1;
    if (kept.length === LINES_MAX || size > TEXT_CHARS_MAX) break;
    kept.unshift(line);
  }
  return joined(kept);
}

/** The decisive words on one line with a little of what stands around them. */
export function evidenceAt(shown: string, index: number, length: number): string {
  const start = Math.max(0, index - EVIDENCE_BEFORE);
  return excerpt(shown.slice(start, index + Math.max(length, EVIDENCE_AFTER)), EVIDENCE_CHARS_MAX);
}

interface Line {
  readonly raw: string;
  readonly text: string;
  readonly lower: string;
}

const TAIL_CHARS_MAX = 12_000;
const RAW_LINES_MAX = 160;
const LINES_MAX = 30;
const LINE_CHARS_MAX = 900;
const TEXT_CHARS_MAX = 4_000;
const EVIDENCE_BEFORE = 40;
const EVIDENCE_AFTER = 120;
const EVIDENCE_CHARS_MAX = 200;

/** Frames push the message they belong to out of the last lines and say nothing themselves. */
const FRAME = [
  /^at (?:\S{1,200} )?\(?(?:file:|node:|https?:|\/|[a-z]:\\|<|native|unknown|\S{1,200}:\d)/i,
  /^(?:\d{1,3}: 0x[0-9a-f]+ |#\d+ 0x|\d+: +(?:<unknown>|\S{1,200}::)|goroutine \d+)/i,
];

/** Frames, bullets and marks that programs draw before a line. */
const DECORATION = /^(?:[\s*•]|[\u2500-\u25ff]|[\u2600-\u2712]|[✕✖✘❌❗⎿]|\u{fe0f}|🔴)+/u;

const RETRYING = /\b(?:retrying|reconnecting|attempt \d+ failed)\b/;

function lineOf(raw: string): Line {
  const cut =
    raw.length <= LINE_CHARS_MAX ? raw : `${raw.slice(0, LINE_CHARS_MAX - 300)} ${raw.slice(-300)}`;
  const text = oneLine(oneLine(cut).replace(DECORATION, ""));
  return { raw, text, lower: lowered(text) };
}

function speaksForItself({ raw, text, lower }: Line): boolean {
  if (text === "" || isQuotedLine(raw) || FRAME.some((frame) => frame.test(text))) return false;
  return !isInert(apart(lower));
}

function joined(lines: readonly Line[]): EndingText {
  let [end, reportStart, reportEnd] = [0, 0, 0];
  for (const { text, lower } of lines) {
    const start = end;
    end += text.length + 1;
    if (isReport(lower)) [reportStart, reportEnd] = [start, end];
  }
  const lined = lines.map(({ lower }) => lower).join("\n");
  return {
    shown: lines.map(({ text }) => text).join(" "),
    flat: lined.replaceAll("\n", " "),
    words: apart(lined),
    reportStart,
    reportEnd,
  };
}
