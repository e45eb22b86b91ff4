import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { found } from "./acts-cases.ts";

/** Each line is one command of ordinary work, in sections with titles. */
const SECTIONS = readFileSync(new URL("../fixtures/acts/ordinary.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((section) => section.slice("== ".length).split("\n"));

describe.each(SECTIONS)("ordinary: %s", (_title, ...commands) => {
  test.each(commands)("%s", (script) => {
    expect(found(script)).toBeNull();
  });
});
