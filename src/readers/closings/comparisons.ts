// What do two measurements of the same thing say: before and after, claimed and measured?

import type { ClosingFact, FactId } from "./facts.ts";
import { amountOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";

const BEFORE = /\b(?:before|base|baseline|old|previous|previously|was|from|main|original)\b/g;
const AFTER = /\b(?:after|head|new|current|now|to|final|then)\b/g;
const CLAIMED = /\b(?:claimed|claims?|reported|said|stated|declared)\b/g;
const MEASURED = /\b(?:measured|actual|actually|found|real|present|existing|on disk|observed)\b/g;
/** Containers that say nothing about what was counted. */
const CONTAINER =
  /\b(?:counts?|results?|evidence|diff|git|stats?|summary|numbers?|measurements?)\b/g;

interface Trend {
  readonly fact: FactId;
  readonly subject: RegExp;
  readonly direction: "fell" | "rose" | "did not fall";
}

const TIME = /\b(?:ms|millis\w*|secs?|seconds?|time|duration|latency|elapsed|p9[59]|runtime)\b/;

/** The first row whose subject fits decides; a subject that fits none says nothing. */
const TRENDS: readonly Trend[] = [
  { fact: "not-faster", subject: TIME, direction: "did not fall" },
  {
    fact: "tests-silenced",
    subject: /\b(?:skip\w*|todo|xfail\w*|ignored|pending|excluded|deselected)\b/,
    direction: "rose",
  },
  {
    fact: "suppressions-added",
    subject: /\b(?:suppress\w*|disables?|noqa|ts ignore)\b/,
    direction: "rose",
  },
  {
    fact: "gate-weakened",
    subject: /\b(?:max\w*|allowed|tolerances?|permitted)\b/,
    direction: "rose",
  },
  {
    fact: "gate-weakened",
    subject: /\b(?:thresholds?|min\w*|floor|required|strict\w*|rules?|fail under)\b/,
    direction: "fell",
  },
  { fact: "assertions-weakened", subject: /\b(?:assert\w*|expect\w*)\b/, direction: "fell" },
  {
    fact: "fewer-tests",
    subject:
      /^$|\b(?:tests?|total|executed|collected|passed|passing|specs?|cases?|ran|run|checks?|count)\b/,
    direction: "fell",
  },
];

/** A limit that is itself moved is no ordinary rise or fall. */
const LIMIT = /\b(?:thresholds?|min\w*|max\w*|floor|required|allowed|fail under|tolerances?)\b/;

/** No trend is read from these: their rise and fall is ordinary. */
const NO_TREND =
  /\b(?:fail\w*|errors?|red|coverage|warnings?|size|bytes|lines?|hash|sha|commit|same)\b/;

export function comparisonFacts(leaves: readonly Leaf[]): readonly ClosingFact[] {
  return [
    ...pairs(leaves, BEFORE, AFTER).flatMap(trendFact),
    ...leaves.flatMap(arrowFact),
    ...pairs(leaves, CLAIMED, MEASURED).flatMap(excessFact),
    ...criteriaFacts(leaves),
    ...changeFacts(leaves),
  ];
}

interface Pair {
  readonly subject: string;
  readonly one: number;
  readonly other: number;
}

/** Two amounts under keys that differ in the two kinds of words only. */
function pairs(leaves: readonly Leaf[], first: RegExp, second: RegExp): readonly Pair[] {
  const ones = leaves.filter((leaf) => leaf.path.search(first) >= 0);
  return ones.flatMap((leaf) => {
    const subject = bare(leaf.path, first);
    const match =
      leaves.find((one) => one.path.search(second) >= 0 && bare(one.path, second) === subject) ??
      leaves.find((one) => !ones.includes(one) && bare(one.path, second) === subject);
    const [one, other] = [amountOf(leaf), match === undefined ? null : amountOf(match)];
    // A gate that turned from true to false is no count that fell.
    const counted = typeof leaf.value === "number" && typeof match?.value === "number";
    return one === null || other === null || !counted ? [] : [{ subject, one, other }];
  });
}

function bare(path: string, words: RegExp): string {
  return path.replace(words, " ").replace(CONTAINER, " ").replace(/\s+/g, " ").trim();
}

function trendFact({ subject, one, other }: Pair): readonly ClosingFact[] {
  if (NO_TREND.test(subject) && !LIMIT.test(subject)) return [];
  const trend = TRENDS.find((row) => row.subject.test(subject));
  if (trend === undefined || !went(trend.direction, one, other)) return [];
  return [{ id: trend.fact, detail: `${subject === "" ? "count" : subject}: ${one} -> ${other}` }];
}

/** A value that holds both measurements: "85 -> 60". */
function arrowFact(leaf: Leaf): readonly ClosingFact[] {
  const match =
    typeof leaf.value === "string"
      ? /(\d{1,9}(?:\.\d{1,4})?) ?%? ?(?:->|=>|→|to) ?(\d{1,9}(?:\.\d{1,4})?)/.exec(leaf.value)
      : null;
  if (match === null || typeof leaf.value !== "string") return [];
  const words = `${leaf.path} ${leaf.value.toLowerCase()}`.replace(/[^a-z]+/g, " ");
  return trendFact({ subject: words.trim(), one: Number(match[1]), other: Number(match[2]) });
}

function went(direction: Trend["direction"], one: number, other: number): boolean {
  if (direction === "fell") return other < one;
  return direction === "rose" ? other > one : other >= one;
}

function excessFact({ subject, one, other }: Pair): readonly ClosingFact[] {
  return one > other
    ? [{ id: "claim-exceeds-measure", detail: `${subject}: claimed ${one}, measured ${other}` }]
    : [];
}

function criteriaFacts(leaves: readonly Leaf[]): readonly ClosingFact[] {
  const criteria = leaves.filter(({ path }) =>
    /\b(?:criteria|acceptance|requirements)\b/.test(path),
  );
  const met = criteria.find(({ path }) => /\b(?:met|verified|passed|done|fulfilled)$/.test(path));
  const total = criteria.find(({ path }) => /\b(?:total|all|count)$/.test(path));
  const [part, whole] = [met, total].map((leaf) => (leaf === undefined ? null : amountOf(leaf)));
  if (part === null || whole === null || part === undefined || whole === undefined) return [];
  return part < whole ? [{ id: "work-left", detail: `criteria: ${part} of ${whole}` }] : [];
}

const CHANGE_SIZE =
  /^(?:git |diff |evidence )*(?:changed files?|files? changed|changed|changed paths|changed count|diff|lines?|lines changed|files|insertions|deletions|additions|bytes|size|stat|modified files)$/;

/** No change at all: every measure of the change's size that is there says none. */
function changeFacts(leaves: readonly Leaf[]): readonly ClosingFact[] {
  const sizes = leaves.filter((leaf) => CHANGE_SIZE.test(leaf.path) && amountOf(leaf) !== null);
  const empty = leaves.find(
    (leaf) => /\bdiff (?:is )?empty$/.test(leaf.path) && leaf.value === true,
  );
  const nothing = sizes.length > 0 && sizes.every((leaf) => amountOf(leaf) === 0);
  if (!nothing && empty === undefined) return [];
  return [{ id: "nothing-changed", detail: (empty ?? sizes[0])?.path ?? "diff" }];
}
