// Which alarms did the task's author allow?

import { globProblem, matchesGlob } from "../model/glob.ts";
import { IRREVERSIBLE_ACTIONS } from "../model/irreversible.ts";
import { ALARMS, isAlarmKind } from "../model/alarm.ts";
import type { Alarm, AlarmKind } from "../model/alarm.ts";

/** One entry of a task's `allow`. */
export interface AllowRule {
  readonly kind: AlarmKind;
  /** null: wherever it is. */
  readonly glob: string | null;
}

export interface AllowProblem {
  readonly problem: string;
  readonly suggestion: string | null;
}

/** Reads `kind` or `kind: glob`. */
export function parseAllow(text: string): AllowRule | AllowProblem {
  const line = text.slice(0, TEXT_CHARS_MAX).trim();
  const colon = line.indexOf(":");
  const kind = (colon < 0 ? line : line.slice(0, colon)).trim();
  if (!isAlarmKind(kind)) return unknownKind(kind);
  if (colon < 0) return { kind, glob: null };
  const glob = line.slice(colon + 1).trim();
  const problem = globProblem(glob);
  if (problem === null) return { kind, glob };
  return {
    problem: `the pattern ${JSON.stringify(glob)} ${problem}`,
    suggestion: glob === "" ? `write "${kind}" alone to allow it everywhere` : null,
  };
}

export function isAllowRule(read: AllowRule | AllowProblem): read is AllowRule {
  return !("problem" in read);
}

/** An alarm without a path is allowed only by an entry without a pattern. */
export function allowedBy(allow: readonly AllowRule[], alarm: Alarm): boolean {
  return allow.some(
    ({ kind, glob }) =>
      kind === alarm.kind &&
      (glob === null || (alarm.path !== null && matchesGlob(glob, alarm.path))),
  );
}

/**
 * The alarms that nobody allowed. Whoever allows that a test is removed or skipped allows that fewer
 * are run: how many of the missing ones those are, no count tells.
 */
export function disputed(alarms: readonly Alarm[], allow: readonly AllowRule[]): readonly Alarm[] {
  const open = alarms.filter((alarm) => !allowedBy(allow, alarm));
  const fewer = alarms.some((alarm) => LOWERS_COUNT.has(alarm.kind) && allowedBy(allow, alarm));
  return fewer ? open.filter((alarm) => alarm.kind !== "fewer-tests") : open;
}

const TEXT_CHARS_MAX = 2_000;

const LOWERS_COUNT: ReadonlySet<AlarmKind> = new Set<AlarmKind>([
  "test-removal",
  "test-emptied",
  "test-skipped",
  "test-focused",
  "test-excluded",
]);

/** Parts of words that people are likely to write, and what they mean; the first that fits wins. */
const MEANT: readonly (readonly [part: string, kind: AlarmKind])[] = [
  ["claim", "claimed-file-absent"],
  ["absent", "claimed-file-absent"],
  ["missing-file", "claimed-file-absent"],
  ["diff", "empty-diff"],
  ["no-change", "empty-diff"],
  ["suppress", "suppression-added"],
  ["ignore", "suppression-added"],
  ["disable", "suppression-added"],
  ["nolint", "suppression-added"],
  ["noqa", "suppression-added"],
  ["threshold", "threshold-loosened"],
  ["coverage", "threshold-loosened"],
  ["rule", "rules-loosened"],
  ["config", "rules-loosened"],
  ["strict", "rules-loosened"],
  ["lint", "rules-loosened"],
  ["edit", "gate-edited"],
  ["gate", "gate-weakened"],
  ["script", "gate-weakened"],
  ["few", "fewer-tests"],
  ["count", "fewer-tests"],
  ["exclu", "test-excluded"],
  ["focus", "test-focused"],
  ["only", "test-focused"],
  ["empt", "test-emptied"],
  ["weak", "test-weakened"],
  ["assert", "test-weakened"],
  ["skip", "test-skipped"],
  ["todo", "test-skipped"],
  ["xfail", "test-skipped"],
  ["remov", "test-removal"],
  ["delet", "test-removal"],
  ["test", "test-removal"],
];

function unknownKind(kind: string): AllowProblem {
  const word = kind.toLowerCase().slice(0, 80);
  const meant = MEANT.find(([part]) => word.includes(part))?.[1] ?? null;
  const all = [...Object.keys(ALARMS), ...IRREVERSIBLE_ACTIONS].join(", ");
  return {
    problem: `unknown rule ${JSON.stringify(kind.slice(0, 80))}`,
    suggestion: meant === null ? `known: ${all}` : `did you mean "${meant}"?`,
  };
}
