// Which alarms did the task's author allow?

import { globProblem, matchesGlob } from "../model/glob.ts";
import { alarmKindOf, type Alarm, type AlarmKind } from "../model/alarm.ts";

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
  const word = (colon < 0 ? line : line.slice(0, colon)).trim();
  const kind = alarmKindOf(word);
  if (kind === null) return `unknown rule ${JSON.stringify(word.slice(0, 80))}`;
  if (colon < 0) return { kind, glob: null };
  const glob = line.slice(colon + 1).trim();
  const problem = globProblem(glob);
  return problem === null ? { kind, glob } : `the pattern ${JSON.stringify(glob)} ${problem}`;
}

/** Of a task's entries; what is none was refused when the task was read. */
export function allowRules(texts: readonly string[]): readonly AllowRule[] {
  return texts.map(parseAllow).filter((rule) => typeof rule !== "string");
}

/** An alarm without a path is allowed only by an entry without a pattern. */
export function allowedBy(allow: readonly AllowRule[], alarm: Alarm): boolean {
  return allows(allow, alarmKindOf(alarm.kind), alarm.path === null ? [] : namesOf(alarm.path));
}

/** Who allows that checks are lost allows that they are changed. */
export function allowsCheck(
  allow: readonly AllowRule[],
  kind: "checks-lost" | "checks-changed",
  check: string,
): boolean {
  const names = namesOf(check);
  return allows(allow, "checks-lost", names) || allows(allow, kind, names);
}

function allows(
  allow: readonly AllowRule[],
  kind: AlarmKind | null,
  names: readonly string[],
): boolean {
  return allow.some(
    ({ kind: allowed, glob }) =>
      allowed === kind && (glob === null || names.some((name) => matchesGlob(glob, name))),
  );
}

/** A pattern may cover the whole name of a check or a part of it: its file, its suite, its title. */
function namesOf(name: string): readonly string[] {
  return [name, ...name.split(/::| [>›»] |: /).map((part) => part.trim())];
}

/** The alarms that nobody allowed. */
export function disputed(alarms: readonly Alarm[], allow: readonly AllowRule[]): readonly Alarm[] {
  return alarms.filter((alarm) => !allowedBy(allow, alarm));
}

const TEXT_CHARS_MAX = 2_000;
