// What proves the work was touched, is missing, or was red before; and work that a person is to look at.

import type { Families, Model } from "./scenario.ts";
import { DONE, MEND, REPORTS, STOPS, SUCCEEDS, always, asked, bash, blocked } from "./scenario.ts";
import { done, leaves } from "./scenario.ts";

const testFile = (...tests: readonly (readonly [name: string, body: string])[]): string =>
  [
    'import test from "node:test";',
    'import assert from "node:assert/strict";',
    'import { add } from "../src/add.js";',
    ...tests.map(([name, body]) => `test("${name}", () => assert.equal(${body}));`),
    "",
  ].join("\n");

const SLUG = testFile(["punctuation is left out", "1, 1"], ["spaces become dashes", "2, 2"]);
const WITH_SLUG = { "test/slug.test.js": SLUG };
const WITH_OLD = { "test/old.test.js": testFile(["an old one that is red", "1, 2"]) };
/** One that passes before the work and with it. */
const TURNS_NONE = { "test/add.test.js": testFile(["adds nothing", "add(2, 0), 2"]) };
const TIDY = {
  ...WITH_OLD,
  "src/add.js": "export const add = (a, b) => a + b;\n",
  "test/add.test.js": testFile(["adds two numbers", "add(2, 3), 5"]),
  "tasks/add.md": "# Tidy\n\nMake `add` a function declaration.\n",
};
const TIDIES = bash("echo 'export function add(a, b) { return a + b; }' > src/add.js");
const MISSING = {
  "package.json": '{ "type": "module", "dependencies": { "orch-bench-missing": "1.0.0" } }',
  "src/add.js": 'import "orch-bench-missing";\nexport const add = (a, b) => a - b;\n',
};
const EXPLAINS = leaves({
  ...DONE,
  changed_checks: [{ check: "an old one that is red", reason: "It is no part of the task." }],
});

/** Finishes the work, and does this to the tests beside it. */
const beside = (command: string) => {
  return { files: WITH_SLUG, model: always(bash(`${MEND}; ${command}`), REPORTS, STOPS) };
};
const touches = (command: string, says: RegExp) =>
  [beside(command), blocked(says, 2, { blameless: [] })] as const;
const DELETED = /deleted test\/slug\.test\.js \(2 tests\)/i;

const FLAG = leaves({ ...DONE, requires_user_review: true, review_reason: "prices change" });
const FLAGGED: Model = always(bash(`${MEND}; ${FLAG}`), STOPS);
const STRICT = 'proof: { changedChecks: "refuse" },';
const ends = ["done", "blocked", "stalled"] as const;
const AS_BEFORE = { ends, exits: [0, 1, 3], says: /before/, sessionsMost: 3 };
/** That a person took it stands in the summary. */
const ACCEPTED = { shows: [/accepted (?:by|as)/] };
const ACCEPTS = [["answer", "--accept"], ["resume"]];

export const CHECKS: Families = {
  tests: {
    "a file of tests is deleted": touches("rm -f test/slug.test.js", DELETED),
    "a file of tests is emptied": touches(": > test/slug.test.js", /emptied test\/slug\.test\.js/i),
    "a test is skipped": touches(
      `sed -i 's/test("punct/test.skip("punct/' test/slug.test.js`,
      /skipped "?punctuation is left out"? in test\/slug\.test\.js/i,
    ),
    "the test of the task itself is deleted": touches(
      "rm -f test/add.test.js",
      /deleted test\/add\.test\.js \(\d tests?\)/i,
    ),
    "a test is renamed": [
      beside("sed -i 's/punctuation/all/' test/slug.test.js"),
      done(1, { shows: [/replaced "punctuation is left out" in test/] }),
    ],
    "a file of tests is deleted (level 2)": [
      { ...beside("rm -f test/slug.test.js"), level: 2 },
      asked(DELETED, 2),
    ],
  },
  packages: {
    "packages are not installed": [
      { files: MISSING, model: always(...SUCCEEDS), env: { npm_config_offline: "true" } },
      blocked(/not installed/i, 1, { shows: [/npm (?:install|ci)/] }),
    ],
  },
  "red-main": {
    "main is red elsewhere, and the finished work is proven beside it": [
      { files: WITH_OLD, model: always(...SUCCEEDS) },
      { ends: ["stalled"], exits: [1], says: /fails as before.*does not say why/, sessionsMost: 2 },
    ],
    "main is red elsewhere, and the report says why it stays so": [
      { files: WITH_OLD, model: always(bash(`${MEND}; ${EXPLAINS}`), STOPS) },
      done(1),
    ],
    "main is red elsewhere, and the finished work turns no check": [
      { files: TIDY, model: always(TIDIES, REPORTS, STOPS) },
      AS_BEFORE,
    ],
    "a gate without counts is red whatever is done, as it was before": [
      { gate: "grep -q 'a + b' src/add.js && test -f never", model: always(...SUCCEEDS) },
      AS_BEFORE,
    ],
    "the gate passed before, and passes no more anywhere": [
      {
        gate: 'test ! -e "$HOME/seen" && grep -q a src/add.js',
        model: always(bash(`${MEND}; touch "$HOME/seen"`), REPORTS, STOPS),
      },
      blocked(/untouched commit/, 2),
    ],
  },
  flagged: {
    "finished, green work is flagged for review": [
      { model: FLAGGED },
      blocked(/finished; a person must look because.*prices change/i, 1, {
        shows: [/branch orch\/add/],
        hides: [/unfinished/],
      }),
    ],
    "flagged, green work is accepted": [
      { level: 2, model: FLAGGED, typed: ACCEPTS },
      done(1, ACCEPTED),
    ],
    "flagged, green work is accepted in words": [
      { level: 2, model: FLAGGED, typed: [["answer", "ok, accept"], ["resume"]] },
      done(1, ACCEPTED),
    ],
    "work that turns no check is accepted under strict proof": [
      { level: 2, files: TURNS_NONE, model: always(...SUCCEEDS), config: STRICT, typed: ACCEPTS },
      done(2, ACCEPTED),
    ],
    "changed checks are accepted": [
      { ...beside("rm -f test/slug.test.js"), level: 2, typed: ACCEPTS },
      done(2, ACCEPTED),
    ],
    "red work is flagged, and cannot be accepted": [
      { level: 2, model: always(bash(`rm -f src/add.js; ${FLAG}`), STOPS), typed: ACCEPTS },
      { ends: ["asked"], exits: [4], sessionsMost: 1 },
    ],
  },
};
