import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { OrchConfig as Published } from "../../schemas/config.d.ts";
import { eventShapesFile } from "../../scripts/event-shapes.ts";
import { derivedFiles } from "../../scripts/derived.ts";
import type { OrchConfig } from "../../src/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const files = derivedFiles(read);

test.each(Object.keys(files))("%s says what the code says; `npm run build` writes it", (path) => {
  expect(read(path)).toBe(files[path]);
});

test("the shapes of events are those of their types; `npm run build` writes them", () => {
  const path = "generated/event-shapes.ts";
  expect(read(path)).toBe(eventShapesFile(ROOT));
});

test("every document that crosses a boundary has a schema, and none has one besides", () => {
  const made = Object.keys(files).filter((path) => path.startsWith("schemas/"));
  const there = readdirSync(join(ROOT, "schemas")).map((name) => `schemas/${name}`);
  expect(there.toSorted()).toEqual(made.toSorted());
});

type Same<A, B> = [A, B] extends [B, A] ? true : false;

test("the published types of a config are those that it is read by", () => {
  // Checked by the compiler.
  const isSame: Same<Published, OrchConfig> = true;
  expect(isSame).toBe(true);
});
