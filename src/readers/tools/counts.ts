// What became of tests, in the words with which runners count and list them?

import type { Check } from "../../core/model/checks.ts";
import { matchesIn, type Summary } from "./tool.ts";

type State = Check["state"];

const WORDS: readonly (readonly [kind: State | "total", words: RegExp])[] = [
  ["passed", /^(?:x?pass(?:ed|ing)?|expected fail|known|ok|succeeded|leak|flaky|\.)$/],
  [
    "failed",
    /^(?:fail(?:ed|ing|ures?)?|cancelled|uncaught|unhandled|remained|exec failed|errors?|f|e|timed out|timeout|abort|sig[a-z]+|unexpected success(?:es)?)$/,
  ],
  [
    "skipped",
    /^(?:skip(?:ped|s)?|s|xfail(?:ed)?|expected failures?|pendings?|todo|omissions|ignored|incomplete|risky)$/,
  ],
  ["total", /^(?:tests?(?: run)?|runs|examples?|specs?|total(?: tests)?)$/],
];

function kindOf(word: string): State | "total" | null {
  const bare = word.trim().toLowerCase();
  return WORDS.find(([, words]) => words.test(bare))?.[0] ?? null;
}

/** Of a word that stands beside a test; null: it says nothing about it. */
export function stateOfWord(word: string): State | null {
  const kind = kindOf(word);
  return kind === "total" ? null : kind;
}

/** `2 failed`, or `Failures: 2`, `failures=2` and `fail 2` at the end of a line. */
const COUNT =
  /(\d{1,9}) ((?:exec |timed |expected )?[a-z]+)|([a-z ]{1,30})(?:[:=] {0,9}(\d{1,9})\b(?! [a-z])| (\d{1,9})$)/gim;

/** All that a closing line counts. Where it tells no number of those that passed, they are the rest. */
export function countsIn(text: string): Omit<Summary, "line"> {
  const counted = { passed: 0, failed: 0, skipped: 0, total: 0 };
  for (const [, before, word, name = "", after, last] of text.matchAll(COUNT)) {
    const kind = kindOf(word ?? name);
    if (kind !== null) counted[kind] += Number(before ?? after ?? last);
  }
  const { passed, failed, skipped, total } = counted;
  return { passed: passed || Math.max(0, total - failed - skipped), failed, skipped };
}

/** The numbers of each closing: those in its group `counts`, where the pattern has one. */
export function summariesIn(text: string, closing: RegExp): readonly Summary[] {
  return matchesIn(text, closing).map(({ words, groups, to }) => ({
    ...countsIn("counts" in groups ? (groups["counts"] ?? "") : words),
    line: to,
  }));
}
