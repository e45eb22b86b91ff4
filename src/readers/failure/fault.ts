// Are two outputs of a failed command the same error?

import { shortHash } from "../../core/model/short-hash.ts";
import { normalise } from "./normalise.ts";
import { COMPILER_READERS } from "./read-compilers.ts";
import { JS_RUN_READERS } from "./read-runs-js.ts";
import { RUN_READERS } from "./read-runs.ts";
import { STACK_READERS } from "./read-stacks.ts";
import { TOOL_READERS } from "./read-tools.ts";
import { baseName, linesOf } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";

/** Identity of one error output. */
export interface Fault {
  /** Equal for the same fault with other noise around it. */
  readonly fp: string;
  /** Tool and code, for example "tsc TS2322" or "http 429", for reports; null: none recognised. */
  readonly family: string | null;
  /** The decisive lines, normalised and bounded. */
  readonly line: string;
}

/**
 * What the output of a failed command says is wrong. Total: any text has an identity, and the
 * time to find it grows with the length of the text up to a megabyte, then not at all.
 */
export function fingerprint(output: string): Fault {
  const { code, tool, facts, place } = identify(output);
  const parts = [code ?? "", place ?? "", ...facts];
  return {
    fp: shortHash(parts.join("\n")),
    family: [tool, code].filter((part) => part !== null).join(" ") || null,
    line: facts.join(" | ").slice(0, LINE_CHARS_MAX),
  };
}

/**
 * Whether two outputs report the same fault. Equal fingerprints do; so do equal words where one
 * side left out the class of the error or the file: a log repeats the message without its stack.
 */
export function sameError(a: string, b: string): boolean {
  const [one, other] = [identify(a), identify(b)];
  return (
    agree(one.code, other.code) &&
    agree(one.place, other.place) &&
    one.facts.length === other.facts.length &&
    one.facts.every((fact, at) => fact === other.facts[at])
  );
}

const LINE_CHARS_MAX = 300;
const FACTS_MAX = 1_000;

/** From what says most to what says least: a test run may quote any of the others. */
const READERS: readonly Reader[] = [
  ...JS_RUN_READERS,
  ...RUN_READERS,
  ...COMPILER_READERS,
  ...STACK_READERS,
  ...TOOL_READERS,
];

/** The reading of the first reader that understands the output, its facts normalised and sorted. */
function identify(output: string): Reading {
  const lines = linesOf(output);
  const reading = firstReading(lines);
  const facts = reading.facts
    .slice(0, FACTS_MAX)
    .map(normalise)
    .filter((fact) => fact !== "");
  const place = reading.place === null ? null : baseName(normalise(reading.place));
  return { ...reading, facts: [...new Set(facts)].sort(), place };
}

function firstReading(lines: readonly string[]): Reading {
  for (const { read } of READERS) {
    const reading = read(lines);
    if (reading !== null) return reading;
  }
  return { tool: null, code: null, facts: [], place: null };
}

function agree(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null;
}
