// What became of the files of tests, and which of the lost checks stood in them?

import type { TestFile } from "../../core/model/evidence.ts";
import { titleOf } from "../../core/model/verdict.ts";
import { testModulesIn } from "../proof/put-back.ts";
import { roleOf, type ChangedFile } from "./paths.ts";

/** A check that passed before the work, as its runner names it. */
export interface LostCheck {
  readonly name: string;
  readonly isGone: boolean;
}

/** Bounded. A new file of tests is none of them; a source of Rust that is gone is, with the tests inside of it. */
export function changedTests(
  files: readonly ChangedFile[],
  lost: readonly LostCheck[],
): readonly TestFile[] {
  const tests = files
    .filter(({ before }) => before !== null)
    .filter((file) => roleOf(file.path) === "test" || modulesIn(file).length > 0)
    .map((file) => ({ file, to: renamedTo(file, files)?.path ?? null }));
  return tests.slice(0, FILES_MAX).map(({ file, to }) => {
    const how = to !== null ? "renamed" : howChanged(file);
    const isOnly = tests.length === 1 && how !== "edited";
    const checks = lost.flatMap((one) => (stoodIn(file, one, isOnly) ? [one.name] : []));
    return { path: file.path, how, to, checks };
  });
}

const FILES_MAX = 50;

function howChanged({ after }: ChangedFile): TestFile["how"] {
  if (after === null) return "deleted";
  return after.trim() === "" ? "emptied" : "edited";
}

/** Inside of a source of Rust that is gone. */
function modulesIn({ path, before, after }: ChangedFile): ReturnType<typeof testModulesIn> {
  return path.endsWith(".rs") && after === null ? testModulesIn(before ?? "") : [];
}

/** With the same text, else with a module of its tests, else with the same name in another folder. */
export function renamedTo(file: ChangedFile, files: readonly ChangedFile[]): ChangedFile | null {
  const { path, before, after } = file;
  const end = `/${path.slice(path.lastIndexOf("/") + 1)}`;
  const added = after === null ? files.filter((one) => one.before === null) : [];
  const holds = ({ after: text }: ChangedFile): boolean =>
    modulesIn(file).some((one) => text?.includes(one.text));
  const same = added.find((one) => one.after === before) ?? added.find(holds);
  return same ?? added.find((one) => `/${one.path}`.endsWith(end)) ?? null;
}

/** By the file in its name; else by its title in the text, which is no longer there where the check is not. */
function stoodIn({ path, before, after }: ChangedFile, lost: LostCheck, isOnly: boolean): boolean {
  const [file = ""] = lost.name.split(/ [>›] |::/);
  const isNamed = roleOf(file) === "test" && !file.includes(" ");
  if (isNamed && !`/${path}`.endsWith(`/${file}`)) return false;
  // What stands in brackets behind it are the values of one case.
  const title = titleOf(lost.name).replace(/\[[^[]*\]$/, "");
  if (lost.isGone && after?.includes(title) === true) return false;
  return isNamed || isOnly || before?.includes(title) === true;
}
