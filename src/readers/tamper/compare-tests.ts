// Were tests removed, skipped, singled out, emptied or weakened?

import type { Alarm, AlarmKind } from "../../core/model/alarm.ts";
import { clip } from "../../core/model/excerpt.ts";
import { matchTests } from "./match-tests.ts";
import type { Matched, PlacedTest } from "./match-tests.ts";
import { alarmOf } from "./reading.ts";
import type { TestFile } from "./reading.ts";
import { countBy, surplus } from "./surplus.ts";
import type { PlacedMark, TestFacts } from "./test-facts.ts";
import type { Assertion, Mark } from "./test-shapes.ts";
import { lostOutside, weakeningOf } from "./weakened.ts";

export function testAlarms(files: readonly TestFile[]): readonly Alarm[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const matched = matchTests(
    files.flatMap((file) => placed(file, file.base)),
    files.flatMap((file) => placed(file, file.now)),
  );
  const isComplete = files.every(({ afterKind }) => afterKind !== "unread");
  return [
    ...(isComplete ? removals(matched, byPath) : []),
    ...marked(matched, files),
    ...weakened(matched, byPath),
    ...outsideAlarms(files),
  ];
}

type Files = ReadonlyMap<string, TestFile>;

function placed({ path }: TestFile, facts: TestFacts | null): readonly PlacedTest[] {
  return facts === null ? [] : facts.tests.map((test) => ({ path, test }));
}

function byPathOf(tests: readonly PlacedTest[]): ReadonlyMap<string, readonly PlacedTest[]> {
  const groups = new Map<string, PlacedTest[]>();
  for (const each of tests) {
    const group = groups.get(each.path) ?? [];
    groups.set(each.path, group);
    group.push(each);
  }
  return groups;
}

// ---- gone ---------------------------------------------------------------------------------------

function removals({ gone, fresh }: Matched, files: Files): readonly Alarm[] {
  const freshIn = byPathOf(fresh);
  const newTables = new Set(fresh.flatMap(({ path, test }) => (test.isTable ? [path] : [])));
  return [...byPathOf(gone)].flatMap(([path, inFile]) => {
    const file = files.get(path);
    const tables = [...files.values()].filter(
      (other) => other.path === path || newTables.has(other.path),
    );
    const left = inFile.filter(({ test }, at) => at >= ROWS_MAX || !isRow(test.name, tables));
    if (file === undefined || left.length === 0 || isRewritten(left, freshIn.get(path) ?? []))
      return [];
    return [removal(file, left)];
  });
}

const NAMES_MAX = 3;
const NAME_CHARS_MAX = 60;
const LINE_CHARS_MAX = 120;

function removal(file: TestFile, gone: readonly PlacedTest[]): Alarm {
  const total = file.base?.tests.length ?? gone.length;
  const names = gone.slice(0, NAMES_MAX).map(({ test }) => quoted(test.name));
  const list = `${names.join(", ")}${gone.length > names.length ? ", …" : ""}`;
  const how = howEmptied(file);
  if (how !== null)
    return alarmOf("test-emptied", file.path, `${how}; it held ${plural(total)}: ${list}`);
  const whole = file.after === null ? "the file was deleted; " : "";
  const share = gone.length === total ? "its" : `${gone.length} of`;
  const verb = gone.length === 1 ? "is" : "are";
  return alarmOf(
    "test-removal",
    file.path,
    `${whole}${share} ${plural(total)} ${verb} gone: ${list}`,
  );
}

function howEmptied({ afterKind, now }: TestFile): string | null {
  if (afterKind === "binary") return "is no longer a text file";
  return now !== null && !/\S/.test(now.source.code) ? "has no code any more" : null;
}

/** The name stands as a string in tests of now: it became a row of a table. */
function isRow(name: string, files: readonly TestFile[]): boolean {
  if (name.length < ROW_CHARS_MIN) return false;
  return files.some(
    ({ now }) =>
      now !== null &&
      ['"', "'", "`"].some((quote) => {
        const at = now.source.text.indexOf(`${quote}${name}${quote}`);
        return at >= 0 && now.source.code[at] === quote;
      }),
  );
}

const ROW_CHARS_MIN = 3;
/** More tests do not become rows of tables in one piece of work. */
const ROWS_MAX = 50;

/** As many new tests, with as many assertions, stand in the place of those that are gone. */
function isRewritten(gone: readonly PlacedTest[], fresh: readonly PlacedTest[]): boolean {
  return fresh.length >= gone.length && assertionsOf(fresh).length >= assertionsOf(gone).length;
}

function assertionsOf(tests: readonly PlacedTest[]): readonly Assertion[] {
  return tests.flatMap(({ test }) => test.assertions).filter(({ strength }) => strength !== "none");
}

// ---- marked -------------------------------------------------------------------------------------

const MARKED: Readonly<Record<Mark["kind"], readonly [kind: AlarmKind, words: string]>> = {
  skip: ["test-skipped", "newly skipped"],
  focus: ["test-focused", "lets only this run"],
  "expected-failure": ["test-skipped", "newly expected to fail"],
  exclusion: ["test-excluded", "the runner is told to leave out"],
};

function marked({ pairs }: Matched, files: readonly TestFile[]): readonly Alarm[] {
  const before = new Map(pairs.map(([base, now]) => [now.test, base.test.marks]));
  return files.flatMap(({ path, base, now }) => {
    if (now === null) return [];
    const suites = new Map(base?.suites.map(({ name, marks }) => [name, marks]));
    const marks: readonly PlacedMark[] = [
      ...now.tests.flatMap((test) => newMarks(before.get(test), test.marks)),
      ...now.suites.flatMap((suite) => newMarks(suites.get(suite.name), suite.marks)),
    ];
    const each = new Map(marks.map((mark) => [mark.start, mark]));
    return [...each.values()].map((mark) => markAlarm(path, now, mark));
  });
}

/**
 * As many of each kind as there are more than before, because a condition may be reworded; of the
 * lists of what is left out, all that say something new.
 */
function newMarks(
  base: readonly PlacedMark[] | undefined,
  now: readonly PlacedMark[],
): readonly PlacedMark[] {
  if (base === undefined) return now.filter(({ fineWhenNew }) => !fineWhenNew);
  return (["skip", "focus", "expected-failure", "exclusion"] as const).flatMap((kind) => {
    const [had, has] = [base, now].map((marks) => marks.filter((mark) => mark.kind === kind));
    const more = Math.max(0, (has?.length ?? 0) - (had?.length ?? 0));
    const fresh = surplus(has ?? [], had ?? [], ({ line }) => line);
    return kind === "exclusion" ? fresh : fresh.slice(0, more);
  });
}

function markAlarm(path: string, facts: TestFacts, mark: PlacedMark): Alarm {
  const [kind, words] = MARKED[mark.kind];
  const detail = `${words}: ${clip(mark.line, LINE_CHARS_MAX)}`;
  return { kind, path, detail, line: facts.lineOf(mark.start) };
}

// ---- weakened -----------------------------------------------------------------------------------

function weakened({ pairs, alike, fresh }: Matched, files: Files): readonly Alarm[] {
  const elsewhere = countBy(assertionsOf(fresh), ({ text }) => text);
  const tables = new Set(pairs.flatMap(([, now]) => (now.test.isTable ? [now] : [])));
  return pairs.flatMap(([base, now]) => {
    const facts = files.get(now.path)?.now ?? null;
    // Two tests of before may share one table, and neither is all of it.
    if (facts === null || (tables.has(now) && !base.test.isTable)) return [];
    if (base.test.body === now.test.body || isSkippedNow(base, now)) return [];
    const loss = weakeningOf({
      base: base.test,
      now: now.test,
      fileNow: facts.source.code,
      elsewhere,
      isSame: !alike.has(base),
    });
    if (loss === null) return [];
    const { kind, detail: loses, start } = loss;
    const detail = `${quoted(now.test.name)} ${loses}`;
    return [{ kind, path: now.path, detail, line: facts.lineOf(start ?? now.test.start) }];
  });
}

/** That it is skipped is said already. */
function isSkippedNow(base: PlacedTest, now: PlacedTest): boolean {
  return newMarks(base.test.marks, now.test.marks).some(({ kind }) => kind === "skip");
}

/** Only where the file as a whole asserts less: what left a shared function may be in the tests. */
function outsideAlarms(files: readonly TestFile[]): readonly Alarm[] {
  const shrunk = files.filter(
    ({ base, now, role }) =>
      role.isTest &&
      base !== null &&
      now !== null &&
      // With tests go the functions that only they used.
      now.tests.length >= base.tests.length &&
      allOf(now).length < allOf(base).length,
  );
  if (shrunk.length === 0) return [];
  const nowTexts = files.flatMap(({ now }) => (now === null ? [] : allOf(now)));
  const kept = new Set(nowTexts.map(({ text }) => text));
  return shrunk.flatMap(({ path, base, now }) => {
    const detail = lostOutside(base?.outside ?? [], now?.outside ?? [], kept);
    return detail === null ? [] : [{ kind: "test-weakened" as const, path, detail, line: null }];
  });
}

function allOf({ outside, tests }: TestFacts): readonly Assertion[] {
  const all = [...outside, ...tests.flatMap((test) => test.assertions)];
  return all.filter(({ strength }) => strength !== "none");
}

function quoted(name: string): string {
  return JSON.stringify(clip(name, NAME_CHARS_MAX));
}

function plural(count: number): string {
  return count === 1 ? "1 test" : `${count} tests`;
}
