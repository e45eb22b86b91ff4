// What became of the files of tests, and which of the lost checks stood in them?

import type { TestFile } from "../../core/model/evidence.ts";
import { titleOf } from "../../core/model/verdict.ts";
import { roleOf, type ChangedFile } from "./paths.ts";

/** A check that passed before the work, as its runner names it. */
export interface LostCheck {
  readonly name: string;
  readonly isGone: boolean;
}

/** Bounded. A new file of tests is none of them. */
export function changedTests(
  files: readonly ChangedFile[],
  lost: readonly LostCheck[],
): readonly TestFile[] {
  const tests = files
    .filter(({ path, before }) => before !== null && roleOf(path) === "test")
    .map((file) => ({ file, to: renamedTo(file, files) }));
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

/** With the same text, or with the same name in another folder. */
function renamedTo({ path, before, after }: ChangedFile, files: readonly ChangedFile[]) {
  const name = path.slice(path.lastIndexOf("/"));
  const isMoved = (one: ChangedFile): boolean =>
    one.before === null && (one.after === before || `/${one.path}`.endsWith(`/${name}`));
  return after === null ? (files.find(isMoved)?.path ?? null) : null;
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
