// The agent of the demonstration: it plays a fixed part, with no more than any agent of your own has.
// What it is to do stands in its prompt; it asks with `orch ask`, and leaves a report.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const { ORCH_TASK, ORCH_ATTEMPT, ORCH_REPORT } = process.env;

const parts = {
  "01-fix-slug": ORCH_ATTEMPT === "1" ? replaceSpaces : keepWords,
  "02-add-truncate": addTruncate,
  "03-publish": publish,
};

function replaceSpaces() {
  console.log("Only the first space is replaced. I replace them all.");
  const source = readFileSync("src/slug.js", "utf8");
  writeFileSync("src/slug.js", source.replace('replace(" ", "-")', 'replaceAll(" ", "-")'));
  return { status: "completed", summary: "Every space becomes a dash." };
}

function keepWords() {
  console.log("The test about punctuation still fails. I keep letters and digits only.");
  writeFileSync("src/slug.js", SLUG);
  spawnSync("node", ["--test"], { stdio: "inherit" });
  return {
    status: "completed",
    summary: "Only letters and digits are kept; everything between them becomes one dash.",
    assumptions: [
      {
        decision: "letters of every script are kept",
        reason: "the task does not say that titles are English",
      },
    ],
  };
}

function addTruncate() {
  console.log("The mark is visible on every page, and the task does not name it. I ask.");
  const asked = spawnSync(
    "orch",
    [
      "ask",
      "What should mark the cut?",
      ...["--option", "…", "--option", "...", "--option", "[more]", "--default", "…"],
      "--context",
      "It shows on every page; changing it later changes all addresses.",
    ],
    { encoding: "utf8" },
  );
  // Nobody answered yet: the task goes on in another session, which finds the answer.
  if (asked.status !== 0) return { status: "partial", summary: "I wait for the answer." };
  const mark = asked.stdout.trim();
  console.log(`I mark the cut with ${mark}`);
  writeFileSync(
    "src/truncate.js",
    TRUNCATE.replace("MARK_OF_THE_CUT", () => mark),
  );
  writeFileSync("test/truncate.test.js", TRUNCATE_TEST);
  return { status: "completed", summary: "truncate cuts titles and marks the cut." };
}

function publish() {
  console.log("Publishing needs a token, and there is none in this environment.");
  return {
    status: "blocked",
    summary: "Nothing was published.",
    blockers: [
      {
        type: "missing_credential",
        message: "NPM_TOKEN is not set, so the package cannot be published",
        recoverable: false,
        recommendation: "set NPM_TOKEN, then run the task again",
      },
    ],
  };
}

function report(fields) {
  writeFileSync(ORCH_REPORT, JSON.stringify({ version: 1, ...fields }));
}

const SLUG = `/** Turns a title into the last part of its address: "Hello, World!" becomes "hello-world". */
export function slug(title) {
  const words = title.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) ?? [];
  return words.join("-");
}
`;

const TRUNCATE = `export const MARK = "MARK_OF_THE_CUT";

/** Cuts a title to \`length\` characters, the mark included. */
export function truncate(title, length) {
  if (title.length <= length) return title;
  return title.slice(0, length - MARK.length) + MARK;
}
`;

const TRUNCATE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";

import { MARK, truncate } from "../src/truncate.js";

test("a short title stays as it is", () => {
  assert.equal(truncate("slug", 10), "slug");
});

test("a long title is cut and marked", () => {
  const cut = truncate("The quick brown fox", 10);
  assert.equal(cut.length, 10);
  assert.ok(cut.endsWith(MARK));
});
`;

report(parts[ORCH_TASK]());
