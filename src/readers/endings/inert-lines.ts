// Which lines of an ending speak about something else than the ending?

import { pattern } from "./pattern.ts";

interface InertLine {
  readonly id: string;
  readonly any: readonly RegExp[];
  /** Words that show that the line is about the ending after all. */
  readonly unless: RegExp | null;
}

const LEVELS = "(?:trace|debug|info|notice|warn|warning)";
const STAMP =
  "(?:\\d{4}-\\d\\d-\\d\\d[t ][\\d:.,+z-]{5,30}\\W{0,3}|[\\d:.,]{5,15}\\W{0,3}|[a-z]{3} \\d{1,2} [\\d:]{8} \\S{1,60} )";
const ONLOOKERS = "(?:tenant|customer|visitor|shop|end[- ]user|subscriber)";
const DONE = [
  ["added", "adds", "implemented", "implements", "fixed", "fixes", "refactored", "updated"],
  ["renamed", "removed", "moved", "changed", "wrote", "created", "documented", "extended"],
  ["replaced", "introduced", "handled", "handles", "cleaned", "bumped", "covered", "improved"],
  ["simplified", "extracted", "wired", "switched", "verified", "tested", "reviewed"],
  ["explained", "mapped", "converted", "taught"],
]
  .flat()
  .join("|");
const SHOWS = [
  ["show", "return", "handle", "check", "retr[yi]", "wait", "print", "reject", "explain", "say"],
  ["use", "map", "throw", "fall", "log", "answer", "respond", "display", "refuse", "raise"],
]
  .flat()
  .join("|");

/**
 * Tried on the folded lower-case line, which is bounded before it comes here. Quotations, names of
 * tests, logs about others, and an agent's account of its work use the words of real blockers.
 */
const INERT_LINES = [
  { id: "quotation", any: [/^> /], unless: null },
  {
    id: "source",
    any: [
      /\bthrow new \w|\braise \w+\(|(?:^|[^.\w])new \w{0,40}error\(|\bconsole\.\w+\(/,
      /(?<!error: )\bexpect\(|\b(?:it|test|describe)\(["'`]|^(?:\/\/|\/\*|<!--)/,
      /^(?:return|const|let|var|if|else|elif|def|func|fn|function)\b.{0,300}[;:{(]$/,
      /^(?:import|export|assert|except|catch|case)\b.{0,300}[;:{(]$/,
    ],
    unless: null,
  },
  {
    id: "passed-test",
    any: [
      /^(?:✓|✔|√|☑|ok \d+\b|pass(?:ed)?\b|--- pass\b|\[ ?(?:ok|pass(?:ed)?) ?\])/,
      /^test .{1,200} \.\.\. ok\b|^.{1,300}::.{1,200} passed\b/,
    ],
    unless: /\bfail/,
  },
  {
    id: "calm-log",
    any: [
      new RegExp(`^\\W{0,4}${STAMP}?(?:\\[[\\w.-]{1,40}\\] )?\\W{0,2}${LEVELS}\\b`),
      new RegExp(`"(?:level|severity)": ?"${LEVELS}"|\\blevel=${LEVELS}\\b`),
    ],
    unless: /\bwarning:? (?:you've hit|you have (?:hit|reached)|usage limit reached)/,
  },
  {
    id: "tool-warning",
    any: [
      /^(?:npm (?:warn|notice)|yarn warn|\(node:\d+\) (?:\[\w+\] )?\w{0,40}warning)/,
      /^\S{0,200}\b(?:deprecation|user|future|runtime|experimental)warning:/,
    ],
    unless: null,
  },
  {
    id: "access-log",
    any: [
      /"(?:get|post|put|patch|delete|head|options) [^" ]{1,300}(?: http\/[\d.]{1,4})?" \d{3}\b/,
    ],
    unless: null,
  },
  {
    id: "limit-of-others",
    any: [
      new RegExp(
        `\\b${ONLOOKERS}\\b.{0,80}(?:limit|quota|429|throttl|unauthorized|denied|blocked)`,
      ),
      new RegExp(
        `(?:limit|quota|429|throttl\\w{0,5}|denied|blocked)\\b.{0,60}\\b(?:for|by|from) (?:the )?(?:${ONLOOKERS}|client|ip|remote)\\b`,
      ),
    ],
    unless: null,
  },
  {
    id: "near-limit",
    any: [
      pattern`
        \b(?:approaching|nearing|near|close to|about to (?:hit|
        reach))\b.{0,40}\b(?:limits?|quota|cap|budget|context)\b`,
      /\balmost (?:at|reached|hit|out of)\b.{0,40}\b(?:limits?|quota|cap|budget|context)\b/,
      /\b\d{1,2}(?:\.\d+)?% (?:of|used|left|remaining|full|consumed)\b|\busage (?:is )?at \d{1,2}%/,
      /\b\d+ (?:messages?|requests?|credits?|tokens?|turns?) (?:remaining|left)\b/,
      /\bcontext (?:left|low|remaining)\b/,
    ],
    unless: null,
  },
  { id: "condition", any: [/^(?:if|when|whenever|once|unless) /], unless: null },
  {
    id: "work-done",
    any: [
      new RegExp(`^(?:(?:i|we|i've|we've|i have|we have)(?: also| then| now)? )?(?:${DONE})\\b`),
      /^(?:this|that|it) (?:adds|fixes|removes|changes|covers|keeps|makes|moves|renames|handles)\b/,
      /^the (?:old|new|previous|former) (?:code|version|behaviou?r|implementation|logic|tests?)\b/,
      /^(?:[0-9a-f]{7,40} )?(?:feat|fix|docs|chore|refactor|perf)(?:\([^)]{1,40}\))?!?: /,
      /^\w+ works? (?:again|now)\b/,
    ],
    unless: pattern`
        \b(?:i|we) (?:could not|couldn't|cannot|can't|(?:was|were|am|are) unable|need|
        do not have|don't have)\b|\b(?:but|however|still)\b.{0,80}\b(?:fails?|failed|
        cannot|could not|denied|refuse[sd]?|blocked)\b`,
  },
  {
    id: "product-behaviour",
    any: [
      new RegExp(`\\b(?:now|should) (?:also |only )?(?:${SHOWS})(?:s|es|ies)?\\b`),
      pattern`
        \b(?:page|banner|section|readme|changelog|docs?|documentation|table|comment|guide|
        chapter) (?:now )?(?:explains?|describes?|shows?|covers?|documents?|lists?|
        mentions?|says?)\b`,
      pattern`
        \b(?:endpoint|handler|middleware|component|helper|function) (?:now )?(?:explains?|
        shows?|handles?|returns?|says?)\b`,
    ],
    unless: /error:|fatal:|error\[|error [a-z]{2}\d/,
  },
] as const satisfies readonly InertLine[];

/** Before folding: a diff is told by the first character of its lines. */
const DIFF = /^(?:\+(?![\d+])|\+\+\+ |-(?: {2,}|\t)|--- [ab]\/|@@ |diff --git )/;

/** Lines by which a test runner says that tests failed, or names one that did. Never of zero failures. */
const REPORT: readonly RegExp[] = [
  /^=+ .{0,200}\b[1-9]\d* (?:failed|errors?)\b.{0,200} in [\d.]+ ?s|^=+ (?:failures|short test)/,
  pattern`
    ^[1-9]\d* (?:failed|failing)\b|^(?:- )?failed \S{1,300}(?:::| > )|
    ^failed \((?:failures|errors)=`,
  /^fail {1,4}\S{1,300}|^fail\b.{0,100}\d+(?:\.\d+)?s$|^--- fail: |^not ok \d+|^[×✗] /,
  /^test(?: file| suite)?s?:? {1,12}[1-9]\d* failed|^tests?(?: suites)?:.{0,80}\b[1-9]\d* failed/,
  pattern`
    ^test result: failed|^(?:\[error\] )?tests run:.{0,60}(?:failures|errors): [1-9]|
    ^failures: [1-9]`,
  pattern`
    ^\d+ tests?(?: completed)?, [1-9]\d* (?:failed|failures?|errors?)|
    ^\d+ examples?, [1-9]\d* failures?`,
];

/** `raw`: the beginning of the line as written; `lower`: the folded line. */
export function isSkipped(raw: string, lower: string): boolean {
  if (DIFF.test(raw)) return true;
  return INERT_LINES.some(
    ({ any, unless }: InertLine) =>
      any.some((pattern) => pattern.test(lower)) && unless?.test(lower) !== true,
  );
}

export function isReport(lower: string): boolean {
  return REPORT.some((pattern) => pattern.test(lower));
}
