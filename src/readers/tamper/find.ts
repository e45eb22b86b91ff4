// Was what proves the work tampered with, as far as only its text tells?

import { tidy, type Alarm, type AlarmKind } from "../../core/model/alarm.ts";
import { isProduct, roleOf, type ChangedFile } from "./paths.ts";
import { excerpt, firstOf } from "../../core/model/excerpt.ts";
import { addedSuppressions } from "./suppressions.ts";

/** A path that the report names as made or changed, and what was found there. */
export interface ClaimedFile {
  readonly path: string;
  /** "ignored": it is there, and in no commit; "elsewhere": it is not a path inside the working tree, and nobody looked. */
  readonly presence: "present" | "ignored" | "absent" | "elsewhere";
}

export interface WorkClaim {
  /** How many paths differ from the task's base; null: not measured, or no change is expected. */
  readonly sinceBaseCount: number | null;
  readonly files: readonly ClaimedFile[];
  /** Files that the task names and that are nowhere. */
  readonly absent: readonly string[];
  /** Where nothing differs: what was made and is not in the work. */
  readonly apart: readonly string[];
}

export interface IntegrityChange {
  readonly files: readonly ChangedFile[];
  /** What the gates come to run, as it was on the base. */
  readonly lines: readonly string[];
  readonly claim: WorkClaim;
  readonly secrets: readonly Secret[];
}

/** What no file may hold, with what it is the value of: a variable, or a line of a file. */
export type Secret = readonly [value: string, name: string];

/**
 * Alarms, which dispute a completion, and notes, which a person should only know; sorted and bounded. Whether
 * checks were lost is measured by running them: here is what running cannot tell.
 */
export function scanChange({ files, lines, claim, secrets }: IntegrityChange) {
  const added = addedSuppressions(files, lines);
  const silenced = (isAlarm: boolean): readonly Alarm[] =>
    added.flatMap((one) =>
      one.isAlarm === isAlarm ? alarmOf("suppression-added", one.path, one.text, one.line) : [],
    );
  return {
    alarms: tidy([
      ...ownConfig(files),
      ...secretAlarms(files, secrets),
      ...claimAlarms(claim),
      ...silenced(true),
    ]),
    notes: tidy([...silenced(false), ...absentNotes(claim), ...runnerNotes(files)]),
  };
}

/** Of the whole file, or of what is gone, where no line is told. */
function alarmOf(
  kind: AlarmKind,
  path: string | null,
  detail: string,
  line: number | null = null,
): Alarm {
  return { kind, path, detail, line };
}

const OWN_CONFIG = /(?:^|\/)\.?orchestrator\.config\.[cm]?[jt]s$/;

function ownConfig(files: readonly ChangedFile[]): readonly Alarm[] {
  return files
    .filter(({ path, before }) => OWN_CONFIG.test(path) && before !== null)
    .map(({ path }) => alarmOf("gate-edited", path, "orch's own config was changed"));
}

/** Where one stood in a changed file before, its owner put it there. */
function secretAlarms(files: readonly ChangedFile[], secrets: readonly Secret[]): readonly Alarm[] {
  const fresh = secrets.filter(([value]) => files.every(({ before }) => !before?.includes(value)));
  return files.flatMap(({ path, before, after }) =>
    fresh.flatMap(([value, name]) => {
      const [above, ...rest] = after?.split(value) ?? [];
      const isInName = before === null && path.includes(value);
      const line = isInName ? null : (above?.split("\n").length ?? null);
      const detail = `${isInName ? "its name" : "it"} holds the value of ${name}`;
      const isFound = rest.length > 0 || isInName;
      return isFound ? [alarmOf("secret-written", path, detail, line)] : [];
    }),
  );
}

/** By which a program can learn that a runner of tests runs it; one row for all of them. */
const RUNNER =
  /\b(?:VITEST(?:_\w+)?|JEST_WORKER_ID|NODE_TEST_CONTEXT|PYTEST_(?:CURRENT_TEST|VERSION)|sys\.modules|PHPUNIT_\w+)\b|\bcfg!\(test\)|\btesting\.Testing\(|\bflag\.Lookup\("test\.|\bos\.Args\[0\].*\.test\b|\b(?:env\.|(?:[Gg]et)?(?:env|ENV)(?:iron)?(?:\.get|::var)?[[(]["'])CI\b/;

function runnerNotes(files: readonly ChangedFile[]): readonly Alarm[] {
  const before = new Set(files.flatMap((file) => file.before?.split("\n") ?? []));
  return files.flatMap(({ path, after }) => {
    if (roleOf(path) !== "source" || !isProduct(path) || after === null) return [];
    return after.split("\n").flatMap((text, at) => {
      const isAdded = RUNNER.test(text) && !before.has(text);
      return isAdded ? [alarmOf("source-knows-runner", path, excerpt(text, 160), at + 1)] : [];
    });
  });
}

function absentNotes({ absent }: WorkClaim): readonly Alarm[] {
  const detail = "the task names it, and it does not exist";
  return absent.map((path) => alarmOf("named-file-absent", path, detail));
}

function claimAlarms({ apart, ...claim }: WorkClaim): readonly Alarm[] {
  const nothing = "nothing differs from what the task started from";
  const where = apart.length === 0 ? nothing : `no commit of it holds ${firstOf(apart, 3)}`;
  const none = `the work is claimed complete, and ${where}`;
  const ignored = "no commit holds it (ignored), and the report or the task names it";
  const absent = "the report names it, and it does not exist";
  return [
    ...(claim.sinceBaseCount === 0 ? [alarmOf("empty-diff", null, none)] : []),
    ...claim.files.flatMap(({ path, presence }) => {
      if (presence === "ignored") return [alarmOf("ignored", path, ignored)];
      return presence === "absent" ? [alarmOf("claimed-file-absent", path, absent)] : [];
    }),
  ];
}
