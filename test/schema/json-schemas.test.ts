import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { jsonSchemas } from "../../src/schema/json-schemas.ts";

const FOLDER = new URL("../../schemas/", import.meta.url);

test("the published schemas say what the code says; `npm run build` brings them up to date", () => {
  const published = readdirSync(FOLDER).map((name) => [
    name,
    readFileSync(new URL(name, FOLDER), "utf8"),
  ]);
  expect(Object.fromEntries(published)).toEqual(jsonSchemas());
});

test("every document that crosses a boundary has one", () => {
  expect(Object.keys(jsonSchemas()).toSorted()).toEqual([
    "answer.schema.json",
    "config.schema.json",
    "event.schema.json",
    "question.schema.json",
    "report.schema.json",
    "result.schema.json",
    "task-front-matter.schema.json",
  ]);
});
