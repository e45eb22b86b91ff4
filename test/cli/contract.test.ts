import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { COMMANDS } from "../../src/cli/command-line/command-table.ts";
import { EXIT_CODES } from "../../src/core/model/exit-code.ts";
import { ERROR_CODES } from "../../src/errors.ts";
import { VERSION } from "../../src/version.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The first column of a page's first table, without backticks. */
function rows(path: string): readonly string[] {
  const table = page(path).slice(page(path).indexOf("\n| ") + 1);
  return table
    .slice(0, table.indexOf("\n\n"))
    .split("\n")
    .flatMap((line) => /^\| `?([a-z0-9-]+)`? \|/.exec(line)?.[1] ?? [])
    .filter((word) => word !== "code");
}

test("every error code is explained, and nothing else is", () => {
  expect(rows("docs/errors.md")).toEqual(ERROR_CODES);
});

test("every exit code is explained, with its name", () => {
  const byCode = EXIT_CODES.toSorted((a, b) => a.code - b.code);
  expect(rows("docs/exit-codes.md")).toEqual(byCode.map(({ code }) => String(code)));
  for (const { code, name } of byCode)
    expect(page("docs/exit-codes.md")).toContain(`| ${code} | ${name} |`);
});

test("the order of several causes is explained as it is", () => {
  const order = EXIT_CODES.map(({ code }) => code)
    .join(", ")
    .replace("130, 143", "130 and 143");
  expect(page("docs/exit-codes.md")).toContain(`${order}.`);
});

test("the version is that of the package", () => {
  expect(VERSION).toBe(JSON.parse(page("package.json")).version);
});

test("every command has examples, and says in one line what it is for", () => {
  for (const { usage, summary, examples } of COMMANDS) {
    expect([usage, summary.length > 0 && summary.length <= 60, examples.length > 0]).toEqual([
      usage,
      true,
      true,
    ]);
  }
});
