// What is asserted by calls, and with which arguments?

import type { Assertion, Reading } from "./test-shapes.ts";

const TEXT_CHARS_MAX = 2_000;

/** Calls of functions that assert; by their whole text they cannot fail, or are vague. */
export function callAssertions(
  { code, text, closings }: Reading,
  call: RegExp,
  { trivial, vague }: { readonly trivial: RegExp; readonly vague: RegExp },
): readonly Assertion[] {
  return Array.from(code.matchAll(call), ({ 0: callee, index: start }) => {
    const close = closings.get(start + callee.length) ?? start + callee.length;
    const whole = text.slice(start, Math.min(close + 1, start + TEXT_CHARS_MAX));
    const strength = trivial.test(whole) ? "none" : vague.test(whole) ? "vague" : "exact";
    return { start, text: whole.replace(/\s+/g, ""), strength };
  });
}

/** Split at the commas that stand in no bracket and no string. */
export function argumentsOf(text: string): readonly string[] {
  const all = text.slice(0, TEXT_CHARS_MAX);
  const parts: string[] = [];
  let depth = 0;
  let quote: string | null = null;
  let start = 0;
  for (let at = 0; at < all.length; at++) {
    const char = all[at] ?? "";
    if (char === "\\") at += 1;
    else if (quote !== null) quote = char === quote ? null : quote;
    else if (`"'\``.includes(char)) quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(all.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, all.slice(start).trim()];
}
