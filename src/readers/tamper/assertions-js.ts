// What does a JavaScript test assert, and how exactly?

import { argumentsOf } from "./assertion-calls.ts";
import type { Assertion, Reading, Strength } from "./test-shapes.ts";

export function jsAssertions(reading: Reading): readonly Assertion[] {
  const found: Assertion[] = [];
  let last = 0;
  for (const match of reading.code.matchAll(ASSERTION)) {
    // What stands within another assertion is part of it.
    if (match.index < last) continue;
    const call = callAt(reading, match);
    if (call === null) continue;
    last = call.end;
    found.push({ start: match.index, text: call.text, strength: strengthOf(call) });
  }
  return found;
}

/**
 * `expect`, `assert` with or without a member, `t.` with the words of node:test, tap and ava, and
 * functions whose names begin like an assertion.
 */
const ASSERTION =
  /(?<![\w$.]|function )(?:(?:t\.)?expect(?:\.soft|\.poll)?|(?:t\.)?assert(?:\.\w{1,30}){0,2}|t\.(?:is|not|equal|equals|same|strictSame|deepEqual|like|match|matches|ok|notOk|true|false|truthy|falsy|throws|throwsAsync|rejects|regex|notRegex|snapshot|notDeepEqual)|(?:assert|expect|check|verify|should)[A-Z]\w{0,60}|sinon\.assert\.\w{1,30})\s?(?=\()|\.should\b|\bcy\.\w{1,30}(?=\()/g;

interface Call {
  readonly callee: string;
  /** Between the brackets. */
  readonly args: string;
  /** `.not.toBe(42)` */
  readonly chain: string;
  readonly text: string;
  readonly end: number;
}

const TEXT_CHARS_MAX = 2_000;

function callAt(reading: Reading, match: RegExpExecArray): Call | null {
  const { text, code, closings } = reading;
  const start = match.index;
  const callee = match[0].trim();
  const open = start + match[0].length;
  const called = code[open] === "(";
  const close = called ? (closings.get(open) ?? code.length) : open - 1;
  const end = endOfChain(reading, close + 1);
  const whole = text.slice(start, Math.min(end, start + TEXT_CHARS_MAX));
  // Cypress retries every query; only what ends in an assertion is one.
  if (callee.startsWith("cy.") && !/\.should\s?\(|\.and\s?\(/.test(whole)) return null;
  return {
    callee,
    args: called ? text.slice(open + 1, Math.min(close, open + TEXT_CHARS_MAX)).trim() : "",
    chain: text.slice(close + 1, Math.min(end, close + TEXT_CHARS_MAX)),
    text: whole.replace(/\s+/g, ""),
    end,
  };
}

const LINKS_MAX = 50;

/** Follows `.not.toBe(42)` to its end. */
function endOfChain({ code, closings }: Reading, from: number): number {
  const link = /\s{0,80}\??\.\s{0,80}[\w$]{1,60}/y;
  let end = from;
  for (let links = 0; links < LINKS_MAX; links++) {
    link.lastIndex = end;
    const match = link.exec(code);
    if (match === null) return end;
    end = link.lastIndex;
    if (code[end] === "(") end = (closings.get(end) ?? code.length) + 1;
  }
  return end;
}

const LITERAL =
  /^(?:true|false|null|undefined|-?\d[\d_.]{0,30}|"[^"\n]{0,200}"|'[^'\n]{0,200}'|`[^`$]{0,200}`|\{\}|\[\])$/;
const VAGUE_MATCHER =
  /\.(?:toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toBeTypeOf|toHaveBeenCalled|toBeCalled|toHaveReturned|toThrow|toThrowError|exist|ok|defined)\s?(?:\(\s?\)|$)|\.(?:toBeInstanceOf|toBeTypeOf|a|an)\s?\([^)]*\)$|\.not\s?\.\s?\w+\s?\(|\(\s?expect\.(?:anything|any)\([^)]*\)\s?\)$|\.toBeGreaterThanOrEqual\(\s?0\s?\)|^\s?\.(?:resolves|rejects)\s?\.toBeDefined/;
const COMPARES = /[=!]==?|[<>]=?|\binstanceof\b|\bin\b|\.(?:includes|test|every|some|startsWith)\(/;
const VAGUE_ASSERT =
  /\.(?:ok|truthy|exists|isOk|isDefined|isNotNull|isNotOk|notEqual|notStrictEqual|notDeepEqual|doesNotThrow|isObject|isArray|isString|isNumber|isFunction)$/;

function strengthOf({ callee, args, chain }: Call): Strength {
  if (callee === ".should" || callee.startsWith("cy.")) return "exact";
  if (/expect(?:\.soft|\.poll)?$/.test(callee)) return ofExpect(args, chain);
  if (/^(?:t\.)?assert$/.test(callee) || VAGUE_ASSERT.test(callee)) return ofTruth(args);
  return ofComparison(args);
}

function ofExpect(args: string, chain: string): Strength {
  if (chain.trim() === "") return "none";
  const against = /\(([^()]{0,300})\)$/.exec(chain)?.[1]?.trim() ?? "";
  if (LITERAL.test(args)) return against === "" || LITERAL.test(against) ? "none" : "exact";
  if (args !== "" && args === against && /^[\w$.]+$/.test(args)) return "none";
  return VAGUE_MATCHER.test(chain) ? "vague" : "exact";
}

function ofTruth(args: string): Strength {
  const [plain = ""] = argumentsOf(args);
  if (/\|\|\s?true\s{0,9}$/.test(plain)) return "none";
  if (LITERAL.test(plain)) return "none";
  const sides = /^([^=!]{1,200}?)\s?===?\s?([^=]{1,200})$/.exec(plain);
  if (sides !== null && sides[1]?.trim() === sides[2]?.trim()) return "none";
  return COMPARES.test(plain) ? "exact" : "vague";
}

function ofComparison(args: string): Strength {
  const [first = "", second = ""] = argumentsOf(args);
  const isSame = first !== "" && first === second && /^[\w$."'-]+$/.test(first);
  return isSame || (LITERAL.test(first) && LITERAL.test(second)) ? "none" : "exact";
}
