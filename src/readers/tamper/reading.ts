// What does a changed file hold that the rules look at?

import type { Alarm, AlarmKind } from "../../core/model/alarm.ts";
import { textIn } from "./change.ts";
import type { ChangedFile } from "./change.ts";
import { roleOf } from "./paths.ts";
import type { Role } from "./paths.ts";
import { scan } from "./scan.ts";
import type { Source } from "./scan.ts";
import { testFacts } from "./test-facts.ts";
import type { TestFacts } from "./test-facts.ts";

/** A changed file that matters, with what its path says. */
export interface ReadFile {
  readonly path: string;
  readonly role: Role;
  /** null: absent, or not to be looked at. */
  readonly before: string | null;
  readonly after: string | null;
  readonly afterKind: ChangedFile["after"]["kind"];
  /** Scanned when it is first asked for; null: absent, or in no language with comments. */
  sourceOf(side: Side): Source | null;
}

export type Side = "before" | "after";

export function readFiles(files: readonly ChangedFile[]): readonly ReadFile[] {
  return files.flatMap(({ path, before, after }) => {
    const role = roleOf(path);
    if (role === null) return [];
    const texts = { before: textIn(before), after: textIn(after) };
    const afterKind = after.kind === "text" && texts.after === null ? "unread" : after.kind;
    return [{ path, role, ...texts, afterKind, sourceOf: scanner(role, texts) }];
  });
}

/** Several rules look at the same source, and most files none of them looks at. */
function scanner({ language }: Role, texts: Readonly<Record<Side, string | null>>) {
  const scanned: Partial<Record<Side, Source>> = {};
  return (side: Side): Source | null => {
    const text = texts[side];
    return text === null || language === null ? null : (scanned[side] ??= scan(text, language));
  };
}

/** A file with tests, on both sides. */
export interface TestFile extends ReadFile {
  readonly base: TestFacts | null;
  readonly now: TestFacts | null;
}

/** Files with tests; a test among other code counts too. */
export function testFiles(files: readonly ReadFile[]): readonly TestFile[] {
  return files.flatMap((file) => {
    const { language } = file.role;
    if (language === null || !holdsTests(file)) return [];
    const facts = (side: Side): TestFacts | null => {
      const source = file.sourceOf(side);
      return source === null ? null : testFacts(source, language, file.path);
    };
    const [base, now] = [facts("before"), facts("after")];
    const isNothing = base === null && now === null && file.afterKind !== "unread";
    return isNothing ? [] : [{ ...file, base, now }];
  });
}

function holdsTests({ role, before, after }: ReadFile): boolean {
  if (role.settings !== null) return false;
  if (role.isTest) return true;
  const sign = role.language === "js" ? RUNNER_IMPORT : role.language === "rust" ? RUST_TEST : null;
  return sign !== null && (sign.test(before ?? "") || sign.test(after ?? ""));
}

const RUNNER_IMPORT =
  /(?:from|require\()\s{0,9}["'](?:vitest|node:test|bun:test|@jest\/globals|mocha|ava|tap|@playwright\/test)["']/;
const RUST_TEST = /#\[(?:\w{1,40}::){0,4}(?:test|rstest|test_case|quickcheck)\b/;

/** Of the whole file, or of what is gone, where no line is told. */
export function alarmOf(
  kind: AlarmKind,
  path: string | null,
  detail: string,
  line: number | null = null,
): Alarm {
  return { kind, path, detail, line };
}
