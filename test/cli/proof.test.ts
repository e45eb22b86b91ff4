import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { eventsOf, filesOf } from "../support/run-record.ts";
import { smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const SOURCE =
  "export const add = (a, b) => a - b;\nexport const twice = (a) => 2 * a;\nexport const half = (a) => a / 3;\n";
const TESTS = `import test from "node:test";
import assert from "node:assert/strict";
import { add, half, twice } from "../src/sum.mjs";
test("adds two numbers", () => assert.equal(add(2, 3), 5));
test("halves a number", () => assert.equal(half(4), 2));
test("doubles a number", () => assert.equal(twice(2), 4));
`;
const MEND_ADD = { edit: { path: "src/sum.mjs", find: "a - b", replace: "a + b" } };
const MEND_HALF = { edit: { path: "src/sum.mjs", find: "a / 3", replace: "a / 2" } };

function change(find: string, replace: string): object {
  return { edit: { path: "test/sum.test.mjs", find, replace } };
}

function completed(more: object = {}): object {
  return { report: { version: 1, status: "completed", summary: "it works", ...more } };
}

interface Outcome {
  readonly end: string;
  readonly grade: string | null;
  readonly reason: string | null;
  readonly changedChecks: readonly { readonly check: string; readonly how: string }[];
}

function project(gate: string, work: readonly object[], more: object = {}): Sandbox {
  return smallProject({
    config: `interactionThreshold: 0, gates: { check: { run: ${JSON.stringify(gate)} } },`,
    files: { "src/sum.mjs": SOURCE, "test/sum.test.mjs": TESTS, ...more },
    sessions: [{ do: work }],
  });
}

async function outcomeOf(box: Sandbox): Promise<Outcome> {
  const { stdout } = await box.orch(["run", "task.md", "--json"]);
  const [outcome] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "").tasks;
  return outcome;
}

const AUTO = "node --test test/*.test.mjs";
const AS_TEXT = { proven: ["done", "proven"], blocked: ["blocked", null] } as const;

test("what earns which grade, and what is refused", async () => {
  const DOUBLES = 'test("doubles a number", () => assert.equal(twice(2), 4));\n';
  const THRICE = { edit: { path: "src/sum.mjs", find: "2 * a", replace: "3 * a" } };
  const reason = {
    changed_checks: [{ check: "doubles a number", reason: "the task asks for it" }],
  };
  const MENDED = [MEND_ADD, MEND_HALF];
  await eachOf<readonly [string, readonly object[], readonly (string | null)[]]>(
    [
      ["an honest fix", [...MENDED, completed()], AS_TEXT.proven],
      [
        "a test that is renamed",
        [...MENDED, change("doubles a", "twice a"), completed()],
        ["done", "proven-checks-changed"],
      ],
      [
        "a red test that is made to agree",
        [MEND_ADD, change("half(4), 2", "half(6), 2"), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a red test that is skipped",
        [MEND_ADD, change('test("halves', 'test.skip("halves'), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that is removed",
        [...MENDED, change(DOUBLES, ""), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that the work breaks and removes",
        [...MENDED, THRICE, change(DOUBLES, ""), completed()],
        AS_TEXT.blocked,
      ],
      [
        "a green test that is changed with a reason",
        [...MENDED, THRICE, change("twice(2), 4", "twice(2), 6"), completed(reason)],
        ["done", "proven-checks-changed"],
      ],
    ],
    async ([name, work, expected]) => {
      const { end, grade } = await outcomeOf(project(AUTO, work));
      expect([name, end, grade]).toEqual([name, ...expected]);
    },
  );
});

test("a fix of some of the red tests is not done", async () => {
  const { end } = await outcomeOf(project(AUTO, [MEND_ADD, completed()]));
  expect(end).toBe("stalled");
});

test("a gate whose program is missing is said before a session is paid for", async () => {
  const box = project("no-such-program --check", [MEND_ADD, completed()]);
  const { end, reason } = await outcomeOf(box);
  expect([end, reason]).toEqual(["blocked", expect.stringContaining("no-such-program")]);
  expect(eventsOf(box, "session-started")).toEqual([]);
});

test("where a copy does not run as the tree does, the tree itself is the base", async () => {
  const built = "node -e \"require('./built/mark.cjs')\" && node --test test/*.test.mjs";
  const box = project(built, [MEND_ADD, MEND_HALF, change("doubles a", "twice a"), completed()], {
    ".gitignore": "built/\n",
  });
  box.write("built/mark.cjs", "");
  const { end, grade } = await outcomeOf(box);
  expect([end, grade]).toEqual(["done", "not-verified"]);
  expect(eventsOf(box, "base-checked")).toMatchObject([{ where: "tree" }]);
  expect(filesOf(box).id).not.toBe("");
});
