// What became of tests, in the words with which runners count and list them?

import type { Check } from "../../core/model/checks.ts";
import type { Summary } from "./tool.ts";

type State = Check["state"];

const WORDS: readonly (readonly [kind: State | "total", words: RegExp])[] = [
  ["passed", /^(?:x?pass(?:ed)?|ok|succeeded|leak|flaky|\.)$/],
  [
    "failed",
    /^(?:fail(?:ed|ures?)?|exec failed|errors?|f|e|timed out|timeout|abort|sig[a-z]+|unexpected success(?:es)?)$/,
  ],
  [
    "skipped",
    /^(?:skip(?:ped|s)?|s|xfail(?:ed)?|expected failures?|pendings?|omissions|ignored|incomplete|risky)$/,
  ],
  ["total", /^(?:tests?(?: run)?|runs|examples?|total(?: tests)?)$/],
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

/** `2 failed`, or `Failures: 2` and `failures=2`. */
const COUNT = /(\d{1,9}) ((?:exec |timed )?[a-z]+)|([a-z ]{1,30})[:=] {0,9}(\d{1,9})\b(?! [a-z])/gi;

/** All that a closing line counts. Where it tells no number of those that passed, they are the rest. */
export function countsIn(text: string): Omit<Summary, "line"> {
  const counted = { passed: 0, failed: 0, skipped: 0, total: 0 };
  for (const [, before, word, name = "", after] of text.matchAll(COUNT)) {
    const kind = kindOf(word ?? name);
    if (kind !== null) counted[kind] += Number(before ?? after);
  }
  const { passed, failed, skipped, total } = counted;
  return { passed: passed || Math.max(0, total - failed - skipped), failed, skipped };
}
