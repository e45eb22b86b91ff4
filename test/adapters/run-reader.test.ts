import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";

import { createRunFolder } from "../../src/adapters/log/run-files.ts";
import { findRuns, pickRun, unfinishedRuns } from "../../src/adapters/log/run-reader.ts";
import { idOf, type RunId } from "../../src/core/model/ids.ts";
import { privateFolder } from "../support/private-folder.ts";

/** In the order in which they are made; the log of null was never created. */
function repository(runs: Readonly<Record<string, string | null>>): string {
  const root = privateFolder();
  for (const [id, log] of Object.entries(runs)) {
    const files = createRunFolder(root, idOf<RunId>(id));
    if (log !== null) writeFileSync(files.log, log);
  }
  return root;
}

const BEGUN = '{"v":1,"seq":1,"type":"run-started"}\n';

test.each([
  ["without a log", null],
  ["with an empty log", ""],
  ["with a log whose first line is torn", '{"v":1,"se'],
])("a newer run %s is not the one to go on with", (_, log) => {
  const root = repository({ "20261120-120000-a-aaaa": BEGUN, "20261120-120000-a-bbbb": log });
  expect(unfinishedRuns(findRuns(root))).toEqual(["20261120-120000-a-aaaa"]);
  expect(pickRun(findRuns(root), null)).toBe("20261120-120000-a-aaaa");
});

test("an ended run is meant sooner than one that never began", () => {
  const root = repository({ "20261120-120000-a-aaaa": BEGUN, "20261120-120001-a-bbbb": null });
  const { result } = createRunFolder(root, idOf<RunId>("20261120-115959-a-cccc"));
  writeFileSync(result, '{"finished": true}');
  writeFileSync(result.replace("115959-a-cccc", "120000-a-aaaa"), '{"finished": true}');
  expect(unfinishedRuns(findRuns(root))).toEqual([]);
  expect(pickRun(findRuns(root), null)).toBe("20261120-120000-a-aaaa");
});

test("a run that never began is meant where there is no other", () => {
  const root = repository({ "20261120-120000-a-aaaa": null });
  expect(pickRun(findRuns(root), null)).toBe("20261120-120000-a-aaaa");
});
