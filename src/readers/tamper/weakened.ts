// Does a test still check what it checked before?

import { clip } from "../../core/model/excerpt.ts";
import { surplus, takeOne } from "./surplus.ts";
import type { TestCase } from "./test-facts.ts";
import type { Assertion } from "./test-shapes.ts";

export interface Weakening {
  readonly kind: "test-emptied" | "test-weakened";
  readonly detail: string;
  readonly start: number | null;
}

export interface Comparison {
  readonly base: TestCase;
  readonly now: TestCase;
  /** Code of the file as it is now, where functions that the test calls may stand. */
  readonly fileNow: string;
  /** Assertions of tests that are new: what was moved there is not lost. Used up when found. */
  readonly elsewhere: Map<string, number>;
  /** Not only alike: what a test asserts that took another's place need not be as exact. */
  readonly isSame: boolean;
}

/**
 * null: it does, or it may. Fewer assertions are no loss where they became a loop, rows of a table
 * or a function of their own, where another test has them now, where all their values are still
 * compared, or where as many exact ones are left.
 */
export function weakeningOf(comparison: Comparison): Weakening | null {
  const { base, now } = comparison;
  const had = base.assertions.filter(canFail);
  const has = now.assertions.filter(canFail);
  if (isHollow(now) && !isHollow(base))
    return {
      kind: "test-emptied",
      detail: had.length > 0 ? `has no content, it had ${count(had)}` : "has no content any more",
      start: null,
    };
  const lost = surplus(had, has, textOf).filter(({ text }) => !takeOne(comparison.elsewhere, text));
  if (lost.length === 0 || isRestructured(comparison)) return null;
  if (has.length === 0) return emptied(had, now);
  const gained = surplus(has, had, textOf);
  const isVaguer = exactIn(has) < exactIn(had);
  if ((isVaguer || exactIn(had) === 0) && has.length < had.length && !valuesKept(lost, now))
    return {
      kind: "test-weakened",
      detail: `has ${count(has)}, it had ${had.length}; gone: ${first(lost)}`,
      start: null,
    };
  const vaguer = gained.find(({ strength }) => strength === "vague");
  if (!comparison.isSame || !isVaguer || vaguer === undefined) return null;
  return {
    kind: "test-weakened",
    detail: `is vaguer: ${lineOf(vaguer)}, was ${first(lost)}`,
    start: vaguer.start,
  };
}

/** As above for what functions outside the tests assert; `kept` still stands somewhere. */
export function lostOutside(
  base: readonly Assertion[],
  now: readonly Assertion[],
  kept: ReadonlySet<string>,
): string | null {
  const had = base.filter(canFail);
  const has = now.filter(canFail);
  const lost = surplus(had, has, textOf).filter(({ text }) => !kept.has(text));
  if (has.length >= had.length || lost.length === 0) return null;
  return `functions that tests share have ${count(has)}, they had ${had.length}; gone: ${first(lost)}`;
}

function canFail(assertion: Assertion): boolean {
  return assertion.strength !== "none";
}

function emptied(had: readonly Assertion[], now: TestCase): Weakening {
  const trivial = now.assertions.find((assertion) => !canFail(assertion));
  const left = trivial === undefined ? "" : `: ${lineOf(trivial)}`;
  return {
    kind: "test-emptied",
    detail: `has no assertion that can fail, it had ${had.length}${left}`,
    start: trivial?.start ?? null,
  };
}

function textOf({ text }: Assertion): string {
  return text;
}

function exactIn(assertions: readonly Assertion[]): number {
  return assertions.filter(({ strength }) => strength === "exact").length;
}

/** `test("title", checksThat, …)`: the function stands elsewhere; the title is blank in the code. */
const BY_NAME =
  /^[^\n"'`]{0,200}\(\s{0,200}["'`][^"'`]{0,400}["'`]\s{0,20},\s{0,200}(?:\{[^{}]{0,300}\}\s{0,9},\s{0,200})?[A-Za-z_$][\w$.]{0,100}\s{0,200}(?:,(?!\s{0,9}=>)|$)/;
const LOOP = /\bfor\b|\bwhile\b|\.(?:forEach|map|each|for|every)\s?\(/;

function isRestructured({ base, now, fileNow }: Comparison): boolean {
  if (now.isTable && !base.isTable) return true;
  if (BY_NAME.test(now.code) && !BY_NAME.test(base.code)) return true;
  if (LOOP.test(now.code) && !LOOP.test(base.code)) return true;
  const before = callsIn(base.code);
  return [...callsIn(now.code)].some(
    (name) =>
      !before.has(name) && (CHECKS.test(name) || isDefinedIn(fileNow, name.replace(".", ""))),
  );
}

/** A function that checks, and no member of a library of assertions. */
const CHECKS = /^(?:assert|check|verify|ensure|should|validate|expect)[A-Z_]/;

/** Names that are called; of a member with the dot before it. */
function callsIn(code: string): ReadonlySet<string> {
  const calls = code.matchAll(/(\.?\b[A-Za-z_$][\w$]{1,80})\s?\(/g);
  return new Set(Array.from(calls, ([, name = ""]) => name));
}

function isDefinedIn(code: string, name: string): boolean {
  const own = name.replaceAll("$", String.raw`\$`);
  return new RegExp(String.raw`(?:function|const|def|func|fn|macro_rules!) ${own}(?![\w$])`).test(
    code,
  );
}

/** Every value of what is gone still stands in the test: the comparisons were put together. */
function valuesKept(lost: readonly Assertion[], now: TestCase): boolean {
  const body = now.assertions.map(({ text }) => text).join("\n");
  return lost.every(({ text }) => {
    const values = text.match(/"[^"]{1,200}"|'[^']{1,200}'|\b\d[\d.]{0,20}\b/g) ?? [];
    return values.length > 0 && values.every((value) => body.includes(value));
  });
}

/** Nothing between the brackets, `pass`, or a return before anything else. */
const HOLLOW_WHOLE: readonly RegExp[] = [
  /(?:=>|\))\s{0,20}\{\s{0,200}\}\s{0,20},?\s{0,20}$/,
  /\)[^(){}]{0,80}\{\s{0,200}$/,
];
const HOLLOW_HEAD: readonly RegExp[] = [
  /^[^;\n]{0,400}?(?:=>|\)) ?\{\s{0,200}return ?(?:;|\n)/,
  /^(?:@[^\n]{0,300}\n\s{0,40}){0,9}(?:async )?def \w{1,200}\([^()]{0,300}\)[^:\n]{0,80}:\s{0,200}(?:["']{6}\s{0,200})?(?:(?:pass|\.\.\.|return)\s{0,200}(?:$|\n))/,
];
const HOLLOW_CHARS_MAX = 1_500;

function isHollow({ code }: TestCase): boolean {
  const head = code.slice(0, HOLLOW_CHARS_MAX);
  if (HOLLOW_HEAD.some((pattern) => pattern.test(head))) return true;
  return head.length === code.length && HOLLOW_WHOLE.some((pattern) => pattern.test(head));
}

function count(assertions: readonly Assertion[]): string {
  return assertions.length === 1 ? "1 assertion" : `${assertions.length} assertions`;
}

function first(assertions: readonly Assertion[]): string {
  const [assertion] = assertions;
  return assertion === undefined ? "" : lineOf(assertion);
}

function lineOf({ text }: Assertion): string {
  return clip(text, 100);
}
