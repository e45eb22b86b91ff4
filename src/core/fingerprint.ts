// Is this the same failure as before?

import { sha256Hex } from "./digest.ts";
import { inert } from "./excerpt.ts";
import type { Finding, GateResult } from "./verdict.ts";

/** What tells one failure of the required gates from another. */
export interface FailureIdentity {
  readonly fp: string;
  /** Names of the failing checks, sorted, each once. */
  readonly failing: readonly string[];
  /** As the runners counted, where they did; findings are bounded and may be fewer. */
  readonly failingCount: number;
}

/**
 * Identity of what the required gates found: the set of failing checks with the normalised first
 * line of each. The order in which a runner lists them plays no part. null: no required gate failed.
 */
export function failureIdentity(gates: readonly GateResult[]): FailureIdentity | null {
  const failed = gates.flatMap((gate) =>
    gate.required && gate.verdict.kind === "failed"
      ? [{ gate, findings: gate.verdict.findings }]
      : [],
  );
  if (failed.length === 0) return null;
  const checks = failed.flatMap(({ gate, findings }) =>
    findings.length === 0
      ? [{ name: gate.name, message: "" }]
      : findings.map((finding) => named(gate.name, finding)),
  );
  return {
    fp: fingerprint(checks),
    failing: unique(checks.map((check) => check.name)),
    failingCount: sum(
      failed.map(({ gate, findings }) => Math.max(gate.counts?.failed ?? 0, findings.length, 1)),
    ),
  };
}

/**
 * The message with everything that changes from run to run taken out, and everything that tells
 * one error from another kept (policy section 6). Bounded before any pattern is tried.
 */
export function normalise(message: string): string {
  let text = inert(message.slice(0, INPUT_CHARS_MAX).normalize("NFKC"));
  text = withoutLabels(text.trim()).toLowerCase();
  // A large number is noise in "worker 48213 died" and the whole point in "expected 48213".
  const noise = ASSERTION.test(text) ? NOISE : [...NOISE, LARGE_NUMBER];
  for (const [pattern, replacement] of noise) text = text.replace(pattern, replacement);
  return text.replace(/\s+/g, " ").trim().slice(0, OUTPUT_CHARS_MAX);
}

interface Check {
  readonly name: string;
  readonly message: string;
}

const INPUT_CHARS_MAX = 2_000;
const OUTPUT_CHARS_MAX = 300;
const LABELS_MAX = 4;
const FP_CHARS = 16;

/** What may stand before an error's own words; tried again and again, up to `LABELS_MAX` times. */
const LABEL =
  /^(?:error ts\d+:|npm (?:err!|error)|(?:uncaught |unhandled )?(?:[\w$]{1,80}[.:]{1,2}){0,8}[\w$]{0,80}(?:error|exception|warning|failure)(?: \[[\w ]{1,60}\])?:|fatal(?: error)?:|panic:|e {3,})\s*/i;

const ASSERTION = /\b(?:expected|received|actual|assert\w*|left|right)\b|[=!]==?/;

type Replacement = readonly [pattern: RegExp, replacement: string];

const LARGE_NUMBER: Replacement = [/(?<![\w.:#-]|port[ =:])\d{5,}\b/g, "<n>"];

/** In this order: what is found first is not looked at again. Input is lower case and bounded. */
const NOISE: readonly Replacement[] = [
  [/(\bhttps?:\/\/[^\s?#"'<>]*)\?[^\s"'<>)]*/g, "$1"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  [
    /\b((?:request|trace|correlation|session|run|span)[-_ ]?id)["']?\s*[:=]?\s*["']?[\w-]{4,}/g,
    "$1 <id>",
  ],
  [/\b(?:req|trace|msg)_[a-z0-9]{6,}\b/g, "<id>"],
  [
    /\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:z|utc|[+-]\d{2}:?\d{2})?)?/g,
    "<time>",
  ],
  [
    /\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}(?:,? \d{4})?\b/g,
    "<time>",
  ],
  [/\b\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})\b/g, "<time>"],
  [
    /(?<![\w.:/])\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[ap]m\b)?(?:\s?(?:utc|gmt|z)\b)?(?![\w:])/g,
    "<time>",
  ],
  // Temporary and home folders: only the last part of the path says what went wrong.
  [
    /(?:file:\/\/)?(?:(?:\/private)?(?:\/var|\/usr)?\/tmp\/|(?:\/private)?\/var\/folders\/|\/dev\/shm\/|\/home\/|\/users\/|\/root\/|~\/|\b[a-z]:\\users\\|%temp%\\)(?:[^\s"'`<>()[\]{},;:|/\\]*[/\\])*/g,
    "",
  ],
  [/\b0x[0-9a-f]+\b/g, "<hex>"],
  [/\b(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{8,}\b/g, "<hex>"],
  [/([-_.])(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,12}(?=$|[\s"'`):,;])/g, "$1<id>"],
  [/\b(pid|process|thread|worker|node)[ =:#(]{1,3}\d+/g, "$1 <n>"],
  [/==\d+==/g, "<n>"],
  [/\b(line|lines|column|col|row)[ :]{1,2}\d+(?:[-:,]\d+)?/g, "$1 <n>"],
  [/:\d+:\d+\b/g, ""],
  [/\(\d+,\s?\d+\)/g, ""],
  [/(\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|swift|vue)):\d+\b/g, "$1"],
  [/\b(attempt|attempts|try|retry|retries|retrying)[ :#(]{1,2}\d+(?:(?: of |\/)\d+)?/g, "$1 <n>"],
  [/\b\d+(?: more)? (attempts?|tries|retries|times)\b/g, "<n> $1"],
  [
    /(?<![\w.])\d+(?:\.\d+)?\s?(?:ms|msecs?|milliseconds?|µs|μs|us|ns|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b/g,
    "<time>",
  ],
];

function withoutLabels(text: string): string {
  let rest = text;
  for (let n = 0; n < LABELS_MAX; n++) {
    const without = rest.replace(LABEL, "");
    // A label with nothing behind it is the message.
    if (without === rest || without === "") break;
    rest = without;
  }
  return rest;
}

function named(gate: string, finding: Finding): Check {
  const name = finding.check === gate ? gate : `${gate}: ${finding.check}`;
  return { name, message: normalise(finding.message) };
}

function fingerprint(checks: readonly Check[]): string {
  const lines = unique(checks.map((check) => `${check.name}\n${check.message}`));
  return sha256Hex(lines.join("\n\n")).slice(0, FP_CHARS);
}

/** Sorted by code unit, so that no locale of a machine changes a fingerprint. */
function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
