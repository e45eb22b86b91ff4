// Which alarms did the task's author allow?

import { globProblem, matchesGlob } from "../model/glob.ts";
import { isAlarmKind } from "../model/alarm.ts";
import type { Alarm, AlarmKind } from "../model/alarm.ts";

/** One entry of a task's `allow`. */
export interface AllowRule {
  readonly kind: AlarmKind;
  /** null: wherever it is. */
  readonly glob: string | null;
}

/** Reads `kind` or `kind: glob`; the answer in words says why neither stands there. */
export function parseAllow(text: string): AllowRule | string {
  const line = text.slice(0, TEXT_CHARS_MAX).trim();
  const colon = line.indexOf(":");
  const kind = (colon < 0 ? line : line.slice(0, colon)).trim();
  if (!isAlarmKind(kind)) return `unknown rule ${JSON.stringify(kind.slice(0, 80))}`;
  if (colon < 0) return { kind, glob: null };
  const glob = line.slice(colon + 1).trim();
  const problem = globProblem(glob);
  return problem === null ? { kind, glob } : `the pattern ${JSON.stringify(glob)} ${problem}`;
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
