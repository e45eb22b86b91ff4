// Which rule do the words of an ending fall under?

import type { BlockerType } from "../../core/model/blocker.ts";
import type { EndingText } from "./ending-text.ts";
import { firstMatch } from "./text-rule.ts";
import type { TextMatch } from "./text-rule.ts";
import { ACCESS_RULES } from "./text-rules-access.ts";
import { DEPENDENCY_RULES } from "./text-rules-dependencies.ts";
import { FUTILE_RULES } from "./text-rules-futile.ts";
import { LIMIT_RULES } from "./text-rules-limits.ts";
import { OWN_RULES, UNFINISHED_RULES } from "./text-rules-work.ts";
import { WORLD_RULES } from "./text-rules-world.ts";

/** Policy section 2, level 4: a general word must not match before the particular one. */
const OUTSIDE_RULES = [
  ...LIMIT_RULES,
  ...ACCESS_RULES,
  ...FUTILE_RULES,
  ...WORLD_RULES,
  ...UNFINISHED_RULES,
  ...DEPENDENCY_RULES,
] as const;
const ALL_RULES = [...OUTSIDE_RULES, ...OWN_RULES] as const;
const [FAILED_TEST] = OWN_RULES;
const [DISK_OR_MEMORY] = ACCESS_RULES;

/** What a test report may show without being made of it: tests that could not even begin. */
const IN_REPORT_RULES = [DISK_OR_MEMORY, ...DEPENDENCY_RULES] as const;

type Rule = (typeof ALL_RULES)[number];
export type TextRuleId = Rule["id"];

/** The winning rule among those of some types (null: all), or null. */
export function matchIn(
  text: EndingText,
  types: readonly BlockerType[] | null,
): TextMatch<Rule> | null {
  if (types !== null)
    return firstMatch(
      ALL_RULES.filter(({ type }) => types.includes(type)),
      text,
      0,
    );
  if (text.reportEnd === 0) return firstMatch(ALL_RULES, text, 0);
  // Tests about limits and permissions fail in words of limits and permissions. What was printed after the
  // report is not a test's.
  return (
    firstMatch(OUTSIDE_RULES, text, text.reportEnd) ??
    firstMatch(IN_REPORT_RULES, text, 0) ?? {
      rule: FAILED_TEST,
      index: text.reportStart,
      length: 0,
    }
  );
}
