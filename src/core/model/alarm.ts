// What can be wrong with a completion whose gates are green, and what did its author allow?

import { globProblem, matchesGlob } from "./glob.ts";
import type { QuestionKind } from "./question.ts";
import type { Unheld } from "./workspace.ts";

/**
 * Every kind of alarm, in the words that users write under `allow:` in a task, each with a sentence
 * that says when it is raised.
 */
export const ALARMS = {
  "checks-lost": "checks that passed before the work are gone or skipped",
  "checks-changed": "checks that passed before the work fail with their original tests",
  ignored: "a gate passes, or a file is named, only where files are that no commit holds",
  "gate-edited": "orch's own config was changed",
  "suppression-added":
    "a comment or attribute was added that silences a check which a gate makes, without a reason",
  "secret-written":
    "a secret of the environment or of an ignored file stands in a file that was changed, or in its name",
  "named-file-absent": "the task names a file that does not exist",
  "source-knows-runner": "product code that was added asks whether a runner of tests runs it",
  "home-changed": "what changes how programs run was changed in the home during the session",
  "claimed-file-absent": "the report names a file that does not exist",
  "empty-diff": "the work is claimed complete, and nothing differs from the base commit",
} as const satisfies Record<string, string>;

export type AlarmKind = keyof typeof ALARMS;

/** With a reason in the report these are only noted. */
export const EXPLAINABLE: ReadonlySet<AlarmKind> = new Set([
  "named-file-absent",
  "source-knows-runner",
  "home-changed",
]);

/** One thing that makes a completion disputed. */
export interface Alarm {
  readonly kind: AlarmKind;
  /** A file, or of "checks-lost" and "checks-changed" the check; null: of the work as a whole. */
  readonly path: string | null;
  /** One line, with counts or the decisive line. */
  readonly detail: string;
  /** In the file as it is now, from 1; null: it is of the whole file, or of what is gone. */
  readonly line: number | null;
}

export function alarmLine({ kind, path, line, detail }: Alarm): string {
  if (kind === "ignored") return `${path ?? "a file"}: ${detail}`;
  const place = path === null ? "" : ` in ${path}${line === null ? "" : `:${line}`}`;
  return `${kind}${place}: ${detail}`;
}

function isAlarmKind(text: string): text is AlarmKind {
  return Object.hasOwn(ALARMS, text);
}

/** By path, line and kind, each once and bounded: of one kind in one file the first few are enough. */
export function tidy(alarms: readonly Alarm[]): readonly Alarm[] {
  const kept = new Map<string, Alarm[]>();
  const sorted = [...alarms].sort(inOrder);
  for (const alarm of sorted) {
    const key = `${alarm.path ?? ""}\n${alarm.kind}`;
    const same = kept.get(key) ?? [];
    kept.set(key, same);
    if (!same.some((other) => other.line === alarm.line && other.detail === alarm.detail))
      same.push(alarm);
  }
  return [...kept.values()].flatMap(firstFew).sort(inOrder).slice(0, ALARMS_MAX);
}

const ALARMS_MAX = 100;
const SAME_MAX = 5;

function firstFew(same: readonly Alarm[]): readonly Alarm[] {
  const more = same.length - SAME_MAX;
  const few = same.slice(0, SAME_MAX);
  const last = few.at(-1);
  if (more <= 0 || last === undefined) return few;
  return [...few.slice(0, -1), { ...last, detail: `${last.detail} (and ${more} more)` }];
}

function inOrder(a: Alarm, b: Alarm): number {
  return (
    compare(a.path ?? "", b.path ?? "") ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.kind, b.kind) ||
    compare(a.detail, b.detail)
  );
}

/** By code unit, so that no locale of a machine changes the order. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
  if (!isAlarmKind(word)) return `unknown rule ${JSON.stringify(word.slice(0, 80))}`;
  if (colon < 0) return { kind: word, glob: null };
  const glob = line.slice(colon + 1).trim();
  const problem = globProblem(glob);
  return problem === null ? { kind: word, glob } : `the pattern ${JSON.stringify(glob)} ${problem}`;
}

/** Of a task's entries; what is none was refused when the task was read. */
export function allowRules(texts: readonly string[]): readonly AllowRule[] {
  return texts.map(parseAllow).filter((rule) => typeof rule !== "string");
}

/** An alarm without a path is allowed only by an entry without a pattern. */
export function allowedBy(allow: readonly AllowRule[], alarm: Alarm): boolean {
  return allows(allow, alarm.kind, alarm.path === null ? [] : namesOf(alarm.path));
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

function allows(allow: readonly AllowRule[], kind: AlarmKind, names: readonly string[]): boolean {
  return allow.some(
    ({ kind: allowed, glob }) =>
      allowed === kind && (glob === null || names.some((name) => matchesGlob(glob, name))),
  );
}

/** A pattern may cover the whole name of a check or a part of it: its file, its suite, its title. */
function namesOf(name: string): readonly string[] {
  return [name, ...name.split(/::| [>›»] |: /).map((part) => part.trim())];
}

/** The alarms that the task does not allow. */
export function disputed(alarms: readonly Alarm[], allow: readonly AllowRule[]): readonly Alarm[] {
  return alarms.filter((alarm) => !allowedBy(allow, alarm));
}

export function alarmOfUnheld({ path, what }: Unheld): Alarm {
  const why =
    what === "installed"
      ? "it is installed, and in no list of dependencies"
      : `no commit holds it (${what})`;
  const detail = `${why}; the gates pass only with it`;
  return { kind: "ignored", path, detail, line: null };
}

/** With what no commit holds the gates pass, and all of it is allowed, or a person took it. */
export function isTakenBeside(
  unheld: readonly Unheld[],
  accepted: readonly QuestionKind[],
  allow: readonly AllowRule[],
): boolean {
  if (unheld.length === 0) return false;
  return accepted.includes("dispute") || disputed(unheld.map(alarmOfUnheld), allow).length === 0;
}

const TEXT_CHARS_MAX = 2_000;
