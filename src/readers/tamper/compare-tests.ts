// Were tests removed, skipped, singled out, emptied or weakened?

import type { Alarm, AlarmKind } from "../../core/model/alarm.ts";
import { clip } from "../../core/model/excerpt.ts";
import { matchTests } from "./match-tests.ts";
import type { Matched, PlacedTest } from "./match-tests.ts";
import type { TestFile } from "./reading.ts";
import type { TestFacts } from "./test-facts.ts";
import type { Assertion, Mark } from "./test-shapes.ts";
import { lostOutside, weakeningOf } from "./weakened.ts";

export function testAlarms(files: readonly TestFile[]): readonly Alarm[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const matched = matchTests(
    files.flatMap((file) => placed(file, file.base)),
    files.flatMap((file) => placed(file, file.now)),
  );
  const places: Places = { byPath, files };
  const isComplete = files.every(({ afterKind }) => afterKind !== "unread");
  return [
    ...(isComplete ? removals(matched.gone, matched.fresh, places) : []),
    ...marked(matched.pairs, matched.fresh, places),
    ...weakened(matched, places),
    ...outsideAlarms(files),
  ];
}

interface Places {
  readonly byPath: ReadonlyMap<string, TestFile>;
  readonly files: readonly TestFile[];
}

function placed({ path }: TestFile, facts: TestFacts | null): readonly PlacedTest[] {
  return facts === null ? [] : facts.tests.map((test) => ({ path, test }));
}

function byPathOf(tests: readonly PlacedTest[]): ReadonlyMap<string, readonly PlacedTest[]> {
  const groups = new Map<string, PlacedTest[]>();
  for (const each of tests) {
    const group = groups.get(each.path);
    if (group === undefined) groups.set(each.path, [each]);
    else group.push(each);
  }
  return groups;
}

// ---- gone ---------------------------------------------------------------------------------------

function removals(
  gone: readonly PlacedTest[],
  fresh: readonly PlacedTest[],
  { byPath, files }: Places,
): readonly Alarm[] {
  const freshIn = byPathOf(fresh);
  const newTables = new Set(fresh.flatMap(({ path, test }) => (test.isTable ? [path] : [])));
  return [...byPathOf(gone)].flatMap(([path, inFile]) => {
    const file = byPath.get(path);
    const tables = files.filter((other) => other.path === path || newTables.has(other.path));
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
  const alarm = { path: file.path, line: null };
  if (how !== null)
    return { ...alarm, kind: "test-emptied", detail: `${how}; it held ${plural(total)}: ${list}` };
  const whole = file.after === null ? "the file was deleted; " : "";
  const share =
    gone.length === total ? `its ${plural(total)}` : `${gone.length} of ${plural(total)}`;
  const detail = `${whole}${share} ${gone.length === 1 ? "is" : "are"} gone: ${list}`;
  return { ...alarm, kind: "test-removal", detail };
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

function marked(
  pairs: readonly (readonly [PlacedTest, PlacedTest])[],
  fresh: readonly PlacedTest[],
  { byPath, files }: Places,
): readonly Alarm[] {
  const onTests = [
    ...pairs.flatMap(([base, now]) => found(now.path, newMarks(base.test.marks, now.test.marks))),
    ...fresh.flatMap(({ path, test }) =>
      found(
        path,
        test.marks.filter((m) => !m.fineWhenNew),
      ),
    ),
  ];
  const onSuites = files.flatMap(({ path, base, now }) =>
    (now?.suites ?? []).flatMap(({ name, marks }) => {
      const before = base?.suites.find((suite) => suite.name === name);
      const fine = before === undefined ? marks.filter((m) => !m.fineWhenNew) : null;
      return found(path, fine ?? newMarks(before?.marks ?? [], marks));
    }),
  );
  const each = new Map(
    [...onTests, ...onSuites].map((one) => [`${one.mark.start} ${one.path}`, one]),
  );
  return [...each.values()].flatMap(({ path, mark }) => {
    const facts = byPath.get(path)?.now ?? null;
    return facts === null ? [] : [markAlarm(path, facts, mark)];
  });
}

interface FoundMark {
  readonly path: string;
  readonly mark: Mark;
}

function found(path: string, marks: readonly Mark[]): readonly FoundMark[] {
  return marks.map((mark) => ({ path, mark }));
}

/** How many more there are of each kind; the innermost come first. */
function newMarks(base: readonly Mark[], now: readonly Mark[]): readonly Mark[] {
  return (["skip", "focus", "expected-failure", "exclusion"] as const).flatMap((kind) => {
    const before = base.filter((mark) => mark.kind === kind).length;
    // A second condition under which a test is skipped changes little; the first one is the news.
    return before > 0 ? [] : now.filter((mark) => mark.kind === kind).slice(0, 1);
  });
}

function markAlarm(path: string, facts: TestFacts, mark: Mark): Alarm {
  const [kind, words] = MARKED[mark.kind];
  const [line = ""] = facts.source.text.slice(mark.start, mark.start + 1_000).split("\n", 1);
  const detail = `${words}: ${clip(line.trim(), LINE_CHARS_MAX)}`;
  return { kind, path, detail, line: facts.lineOf(mark.start) };
}

// ---- weakened -----------------------------------------------------------------------------------

function weakened({ pairs, alike, fresh }: Matched, { byPath }: Places): readonly Alarm[] {
  const elsewhere = new Map<string, number>();
  for (const { text } of assertionsOf(fresh)) elsewhere.set(text, (elsewhere.get(text) ?? 0) + 1);
  const tables = new Set(pairs.flatMap(([, now]) => (now.test.isTable ? [now] : [])));
  return pairs.flatMap(([base, now]) => {
    const facts = byPath.get(now.path)?.now ?? null;
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
