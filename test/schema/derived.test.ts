import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import type { OrchConfig as Published } from "../../schemas/config.d.ts";
import { eventShapesFile } from "../../scripts/event-shapes.ts";
import { derivedFiles } from "../../scripts/derived.ts";
import { DEFAULT_CONFIG_POLICY, valueAt } from "../../src/schema/policy-values.ts";

import type { OrchConfig } from "../../src/schema/config-types.ts";
import { POLICY_KEYS } from "../../src/schema/policy-keys.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const files = derivedFiles(read);

test.each(Object.keys(files))("%s says what the code says; `npm run build` writes it", (path) => {
  expect(read(path)).toBe(files[path]);
});

test("the shapes of events are those of their types; `npm run build` writes them", () => {
  const path = "src/schema/event-shapes.ts";
  expect(read(path)).toBe(eventShapesFile(ROOT));
});

test("every document that crosses a boundary has a schema, and none has one besides", () => {
  expect(readdirSync(join(ROOT, "schemas")).toSorted()).toEqual([
    "answer.schema.json",
    "config.d.ts",
    "config.schema.json",
    "event.schema.json",
    "question.schema.json",
    "report.schema.json",
    "result.schema.json",
    "task-front-matter.schema.json",
  ]);
});

type Same<A, B> = [A, B] extends [B, A] ? true : false;

test("the published types of a config are those that it is read by", () => {
  // Checked by the compiler.
  const isSame: Same<Published, OrchConfig> = true;
  expect(isSame).toBe(true);
});

test.each(POLICY_KEYS.map(({ key, at }) => [key, at] as const))(
  "%s stands in the policy, in its unit",
  (_key, at) => {
    expect(valueAt(DEFAULT_CONFIG_POLICY, at)).not.toBeUndefined();
  },
);
