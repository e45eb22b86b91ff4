// What does the block under a failed test say?

import { stableName } from "./inventory.ts";
import type { Failure } from "./tool.ts";

const BLOCK_LINES_MAX = 60;
const VALUES_MAX = 12;

/** A failed test: its name, and what stands below it, which is read when it is asked for. */
export function failedTest(
  check: string,
  block: readonly string[],
  more: Partial<Pick<Failure, "unloaded">> = {},
): Failure {
  let read: Words | null = null;
  return {
    check: stableName(headedName(check)) || null,
    get message() {
      const { head, shown } = (read ??= wordsOf(block));
      return [...new Set([...head, ...shown])].join(" | ");
    },
    get words() {
      const { head, source, values } = (read ??= wordsOf(block));
      return [...new Set([...head, ...source, ...values])];
    },
    unloaded: more.unloaded ?? false,
  };
}

/** What a test's name carries in a list that is no part of it: duration, retries, directives. */
export function testName(text: string): string {
  return without([...LISTED, ...HEADED], text.trim());
}

/** The same where no duration stands: in a heading, and in TAP. */
export function headedName(text: string): string {
  return without(HEADED, text.trim());
}

function without(ends: typeof LISTED, name: string): string {
  if (!/[)\]s]$| # /.test(name)) return name;
  return ends.reduce((rest, [, pattern]) => rest.replace(pattern, ""), name);
}

const LISTED: readonly (readonly [id: string, pattern: RegExp])[] = [
  ["retries", / \((?:retry|retries|repeat)\b[^()]{0,30}\)$/],
  ["duration-in-brackets", / \(\d+(?:\.\d+)? ?m?s\)$/],
  ["duration", / \d+(?:\.\d+)? ?m?s$/],
];
/** A failure is headed by the name without them, and perhaps by the file once more. */
const HEADED: typeof LISTED = [
  ["file", / \[ [^[\]]{1,300} \]$/],
  ["directive", / # (?:SKIP|TODO|time=)\b.{0,200}$/i],
];

interface Words {
  /** The first line; a second one where the first says little. */
  readonly head: readonly string[];
  /** A parser says little: the line that it could not read is what tells its errors apart. */
  readonly source: readonly string[];
  /** Both sides of a comparison. */
  readonly values: readonly string[];
  /** Those of them that are shown. */
  readonly shown: readonly string[];
}

/** Stack frames, code frames, and headings of a comparison. */
const FRAME = /^(?:at |❯ |\d+ ?\||> ?\d+ ?\||\|? *\^|\||⎯|\.{3}$|Serialized Error:|Caused by: ?$)/;
const DIFF_HEADER =
  /^\s*(?:[-+] (?:Expected|Received|expected|actual)\b(?!: .)|\+ (?:actual - expected|expected - actual)|[-+]{3} |Difference \(- actual, \+ expected\):)/;
const VALUE =
  /^(?:[-+](?: |[\w"'{[])|(?:Expected|Received)\b[^:]{0,40}: |expected: |actual: |\S{1,60} !?==? )/;
const VAGUE = /:$|^Jest encountered an unexpected token|^'?test failed'?$/;
const ERROR_CLASS = /^(?:\[[A-Z_]+\]|[\w.$]*(?:Error|Exception)\b)/;
const UNPARSED =
  /PARSE_ERROR|SyntaxError|Unexpected (?:token|end|identifier|strict)|Parse (?:error|failure)/i;

/** Does the block say more than where it was printed? */
export function saysAnything(block: readonly string[]): boolean {
  return block.some(isWorded);
}

function isWorded(line: string): boolean {
  const bare = line.trim();
  return bare !== "" && !FRAME.test(bare) && !DIFF_HEADER.test(bare);
}

function wordsOf(block: readonly string[]): Words {
  const [first, ...rest] = block
    .slice(0, BLOCK_LINES_MAX)
    .filter(isWorded)
    .map((line) => line.trim());
  if (first === undefined) return { head: [], source: [], values: [], shown: [] };
  const values = rest.filter((line) => VALUE.test(line)).slice(0, VALUES_MAX);
  const isDiff = block.some((line) => DIFF_HEADER.test(line));
  const next = rest.find((line) => ERROR_CLASS.test(line)) ?? rest[0];
  const head = VAGUE.test(first) && next !== undefined && !isDiff ? [first, next] : [first];
  const source = UNPARSED.test(head.join(" ")) ? sourceAtCaret(block) : [];
  return { head, source, values, shown: isDiff ? sides(values) : compared(values) };
}

function sourceAtCaret(block: readonly string[]): readonly string[] {
  const at = block.findIndex((line) => /^[\s|│]*[\^┬]/.test(line));
  const source = /^[\s>]*\d+ ?[|│] ?(.*)$/.exec(block[at - 1] ?? "")?.[1];
  return source === undefined ? [] : [source.trim()];
}

/** `Expected: 3` and `Received: 4`. */
function compared(values: readonly string[]): readonly string[] {
  return values.filter((line) => /^(?:Expected|Received)\b/.test(line)).slice(0, 2);
}

/** The first line of each side of a diff. */
function sides(values: readonly string[]): readonly string[] {
  const first = (mark: string): string => values.find((line) => line.startsWith(mark)) ?? "";
  return [first("-"), first("+")].flatMap((side) =>
    side === "" ? [] : [side.replace(/\s+/g, " ")],
  );
}
