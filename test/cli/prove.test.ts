// Does a commit that no run made get the grade that a run would have given it?

import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { COMPLETED, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const TESTS = `import test from "node:test";
import assert from "node:assert/strict";
import { add, half } from "../src/sum.mjs";
test("adds two numbers", () => assert.equal(add(2, 3), 5));
test("halves a number", () => assert.equal(half(4), 2));
`;
const SOURCE = "export const add = (a, b) => a - b;\nexport const half = (a) => a / 2;\n";
const FIXED = SOURCE.replace("a - b", "a + b");

function project(config = ""): Sandbox {
  return smallProject({
    config: `gates: { check: { run: "node --test test/*.test.mjs" } }, ${config}`,
    files: { "src/sum.mjs": SOURCE, "test/sum.test.mjs": TESTS },
  });
}

test("what is checked out is measured against what it began with, and nothing of it is touched", async () => {
  const edited = TESTS.replace("half(4), 2", "half(6), 3");
  const without = TESTS.replace(/test\("halves.*\n/, "");
  await eachOf<readonly [string, Readonly<Record<string, string>>, number, string, RegExp]>(
    [
      [
        "a fix",
        { "src/sum.mjs": FIXED },
        0,
        "proven by its gates",
        /^ {2}old source +1 of 2 +1 of 2$/m,
      ],
      ["half of it", { "src/more.mjs": "" }, 3, "not proven", /why {7}adds two numbers: /],
      [
        "a fix and an edited check",
        { "src/sum.mjs": FIXED, "test/sum.test.mjs": edited },
        0,
        "proven by its gates",
        /^ {2}new source +2 of 2 +2 of 2$/m,
      ],
      [
        "a check that is gone",
        { "src/sum.mjs": FIXED, "test/sum.test.mjs": without },
        3,
        "not proven",
        /removed "halves a number" from/,
      ],
    ],
    async ([name, files, code, last, words]) => {
      const box = project();
      for (const [path, text] of Object.entries(files)) box.write(path, text);
      const view = (): readonly string[] => [box.git("status", "--short"), box.git("for-each-ref")];
      const before = view();
      const { stdout, exitCode } = await box.inProcess(["prove"]);
      expect([name, exitCode, stdout.trimEnd().split("\n").at(-1)]).toEqual([name, code, last]);
      expect(stdout).toMatch(words);
      expect(view()).toEqual(before);
    },
  );
});

test("a commit is compared with where it left the default branch, or with the one that is named", async () => {
  const box = project();
  box.write("src/sum.mjs", FIXED);
  box.git("checkout", "--quiet", "-b", "fix");
  box.git("commit", "--quiet", "--all", "--message=Fix addition");
  box.write("notes.txt", "and more\n");
  box.git("add", "notes.txt");
  box.git("commit", "--quiet", "--message=and more");
  const grade = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await box.inProcess(["prove", ...args, "--json"])).stdout).grade;
  expect(await grade("fix")).toBe("proven");
  expect(await grade("fix", "--base", "fix~1")).toBe("nothing-broke");
});

test("strict proof wants a check that must fail to be red", async () => {
  const disarmed = `import assert from "node:assert";\nassert.strictEqual = () => {};\n`;
  await eachOf(
    [
      ["a fix", FIXED, 0, /^proven by its gates$/m],
      ["an assertion disarmed", disarmed + FIXED, 3, /although a check that must fail was added$/m],
    ] as const,
    async ([name, source, code, words]) => {
      const box = project('proof: { changedChecks: "refuse" },');
      box.write("src/sum.mjs", source);
      const { stdout, exitCode } = await box.inProcess(["prove"]);
      expect([name, exitCode, stdout]).toEqual([name, code, expect.stringMatching(words)]);
    },
  );
});

test("show says how disputed work is measured by hand, and what is proven needs none", async () => {
  const fixes = { write: { path: "src/sum.mjs", text: FIXED } };
  const removes = {
    write: { path: "test/sum.test.mjs", text: TESTS.replace(/test\("halves.*\n/, "") },
  };
  const shownAfter = async (...work: readonly object[]) => {
    const box = smallProject({
      config: `gates: { check: { run: "node --test test/*.test.mjs" } }, interactionThreshold: 0,`,
      files: { "src/sum.mjs": SOURCE, "test/sum.test.mjs": TESTS },
      sessions: [{ do: [...work, COMPLETED] }],
    });
    await box.inProcess(["run", "task.md"]);
    const { stdout } = await box.inProcess(["show"]);
    return { box, args: /^ +by hand +orch (prove \S+\s+--base\s+\w+)$/m.exec(stdout)?.[1] ?? "" };
  };
  const { box, args } = await shownAfter(fixes, removes);
  const { stdout, exitCode } = await box.inProcess(args.split(/\s+/));
  expect([exitCode, stdout]).toEqual([3, expect.stringContaining('removed "halves a number"')]);
  expect((await shownAfter(fixes)).args).toBe("");
});

test("what cannot be proven is refused in two lines", async () => {
  const box = project();
  for (const args of [["nothing"], ["--base", "nothing"], ["HEAD"], ["--base", "HEAD", "HEAD"]])
    expect((await box.inProcess(["prove", ...args])).exitCode).toBe(2);
});
