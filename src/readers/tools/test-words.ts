// What does the block under a failed test say?

import { stableName } from "./inventory.ts";
import { beginsWithError, type Failure } from "./tool.ts";
import { oneLine } from "../../core/model/excerpt.ts";

const BLOCK_LINES_MAX = 60;
const VALUES_MAX = 12;

/** A failed test: its name, and what stands below it, which is read when it is asked for. */
export function failedTest(
  name: string,
  block: () => readonly string[],
  unloaded = false,
): Failure {
  return {
    check: stableName(name) || null,
    unloaded,
    get message() {
      const { head, sides } = wordsOf(block());
      return [...new Set([...head, ...sides])].join(" | ");
    },
    get words() {
      const { head, source, values } = wordsOf(block());
      return [...new Set([...head, ...source, ...values])];
    },
  };
}

/** Frames of a stack or of the source, and what heads the sides of a comparison. */
const ASIDE =
  /^(?:$|at |❯ |>? ?\d+ ?\||\|? *\^|\||⎯|@@ |\.{3}$|Serialized Error:|Caused by: ?$|[-+] (?:Expected|Received|expected|actual)\b(?!: .)|\+ (?:actual - expected|expected - actual)|[-+]{3} |'?(?:Difference \(|Error thrown in test:))/;
const VALUE =
  /^(?:[-+](?: |[\w"'{[])|(?:Expected|Received)\b[^:]{0,40}: |expected: |actual: |\S{1,60} !?==? )/;

const PARSERS = ["SyntaxError", "PARSE_ERROR"];

/** Does the block say more than where it was printed? */
export function saysAnything(block: readonly string[]): boolean {
  return block.some((line) => !ASIDE.test(line.trim()));
}

/** The first line, and a second one where it says little; the lines of a comparison, and the first of each side. */
function wordsOf(block: readonly string[]) {
  const lines = block.slice(0, BLOCK_LINES_MAX).map((line) => line.trim());
  const [first, ...rest] = lines.filter((line) => !ASIDE.test(line));
  if (first === undefined) return { head: [], source: [], values: [], sides: [] };
  const values = [first, ...rest].filter((line) => VALUE.test(line)).slice(0, VALUES_MAX);
  const sidesOf = (...marks: readonly string[]): readonly string[] =>
    marks.flatMap((mark) => values.find((line) => line.startsWith(mark)) ?? []);
  const differing = sidesOf("-", "+").map((line) => oneLine(line));
  const isDiff = differing.length === 2;
  const next = rest.find(beginsWithError) ?? rest[0];
  const isVague = first.endsWith(":") || first.startsWith("Jest encountered an unexpected token");
  const head = isVague && next !== undefined && !isDiff ? [first, next] : [first];
  // A parser says little else than which line it could not read.
  const caret = lines.findIndex((line) => /^[|│ ]*[\^┬]/.test(line));
  const isUnparsed = PARSERS.some((words) => head.join(" ").includes(words));
  const source = isUnparsed ? (lines[caret - 1] ?? "").split(/[|│]/).slice(1) : [];
  return { head, source, values, sides: isDiff ? differing : sidesOf("Expected", "Received") };
}
