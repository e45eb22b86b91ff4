// What does the block under a failed test say?

import { stableName } from "./inventory.ts";
import type { Failure } from "./tool.ts";

const BLOCK_LINES_MAX = 60;
const VALUES_MAX = 12;

/** What is known of a failed test beside its name and its block. */
interface Details {
  readonly unloaded?: boolean;
  /** Where it failed, where the block does not say so. */
  readonly file?: string;
  /** The class of the error, where the block does not begin with it. */
  readonly label?: string;
}

/** A failed test: its name, and what stands below it, which is read when it is asked for. */
export function failedTest(
  name: string,
  block: () => readonly string[],
  details: Details = {},
): Failure {
  return new FailedTest(stableName(name) || null, block, details);
}

/** A class, because a thousand objects with getters of their own take ten times as long. */
class FailedTest implements Failure {
  readonly check: string | null;
  readonly unloaded: boolean;
  readonly #block: () => readonly string[];
  readonly #details: Details;

  constructor(check: string | null, block: () => readonly string[], details: Details) {
    this.check = check;
    this.unloaded = details.unloaded ?? false;
    this.#block = block;
    this.#details = details;
  }

  get message(): string {
    const { label = "", file = "" } = this.#details;
    const { head, shown } = wordsOf(this.#block());
    const text = [...new Set([...head, ...shown])].join(" | ");
    const labelled = text.startsWith(label) ? text : `${label}: ${text}`;
    return file === "" ? labelled : `${labelled} (${file})`;
  }

  get words(): readonly string[] {
    const { file = "" } = this.#details;
    const { head, source, values } = wordsOf(this.#block());
    return [...new Set([file, ...head, ...source, ...values])].filter((line) => line !== "");
  }
}

/** Stack frames, code frames, and headings. */
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

/**
 * The first line (and a second one where it says little), both sides of a comparison, those of
 * them that are shown, and the line that a parser could not read: it says little else.
 */
function wordsOf(whole: readonly string[]) {
  const block = whole.slice(0, BLOCK_LINES_MAX).map((line) => line.trim());
  const isDiff = block.some((line) => DIFF_HEADER.test(line));
  // Where nothing stands above a comparison, the lines that differ decide.
  const isBare = DIFF_HEADER.test(block.find((line) => line !== "") ?? "");
  const [first, ...rest] = block.filter(
    (line) => isWorded(line) && (!isBare || /^[-+]/.test(line)),
  );
  if (first === undefined) return { head: [], shown: [], source: [], values: [] };
  const values = rest.filter((line) => VALUE.test(line)).slice(0, VALUES_MAX);
  const next = rest.find((line) => ERROR_CLASS.test(line)) ?? rest[0];
  const head = VAGUE.test(first) && next !== undefined && !isDiff ? [first, next] : [first];
  const source = UNPARSED.test(head.join(" ")) ? sourceAtCaret(block) : [];
  return { head, shown: isDiff ? sides(values) : compared(values), source, values };
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
  return ["-", "+"].flatMap((mark) => {
    const first = values.find((line) => line.startsWith(mark));
    return first === undefined ? [] : [first.replace(/\s+/g, " ")];
  });
}
