// What is a text rule, and which one matches first?

import type { BlockerClass, BlockerType } from "../../core/model/blocker.ts";
import type { EndingText } from "./ending-text.ts";

export interface TextRule {
  readonly id: string;
  readonly type: BlockerType;
  /** null: as the table of types says. Only dependencies can be either. */
  readonly class: BlockerClass | null;
  /** In lower case. One that looks at the beginning of lines carries the flag `m`. */
  readonly any: readonly RegExp[];
  /** Words that show that another rule is meant. */
  readonly unless: RegExp | null;
}

export interface TextMatch<R extends TextRule> {
  readonly rule: R;
  readonly index: number;
  readonly length: number;
}

/** The first rule of an ordered list that matches; order is meaning. */
export function firstMatch<R extends TextRule>(
  rules: readonly R[],
  text: EndingText,
  from: number,
): TextMatch<R> | null {
  const flat = text.flat.slice(from);
  const lined = text.lined.slice(from);
  for (const rule of rules) {
    for (const pattern of rule.any) {
      const found = pattern.exec(pattern.multiline ? lined : flat);
      if (found === null) continue;
      if (rule.unless?.test(flat) === true) break;
      return { rule, index: from + found.index, length: found[0].length };
    }
  }
  return null;
}
