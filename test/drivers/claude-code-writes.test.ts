// Which files may Claude Code write with its own tools?

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { NO_FENCE, type Fence } from "../../src/core/model/fence.ts";
import { refusedWrite } from "../../src/drivers/fenced-write.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";
let root = "";
let temporary = "";

/** The tree `tree`, beside it another one, and links in the tree that lead there. */
beforeEach(() => {
  folder = privateFolder();
  [root, temporary] = [join(folder, "tree"), join(folder, "tmp")];
  for (const path of ["tree/src/api", "tree/docs", "tree/.orch/session/t1", "other", "tmp"])
    mkdirSync(join(folder, path), { recursive: true });
  symlinkSync("../other", join(root, "out"));
  symlinkSync("src", join(root, "source"));
  symlinkSync("loop", join(root, "loop"));
  symlinkSync(root, join(folder, "tree-by-another-name"));
});

const scoped: Fence = { ...NO_FENCE, scope: ["src/**"] };

function refused(path: string, fence: Fence = scoped, cwd = root): string | null {
  const reportPath = join(root, ".orch/session/t1/report.json");
  return refusedWrite(
    path.replace("<f>", folder),
    { root, reportPath, fence },
    { cwd, temporary: [temporary] },
  );
}

describe("may be written", () => {
  test.each<[string, string, Fence?]>([
    ["what the scope holds", "<f>/tree/src/a.ts"],
    ["a path that is not absolute", "src/api/new/deep/a.ts"],
    ["a link within the tree", "<f>/tree/source/a.ts"],
    ["the tree by another name", "<f>/tree-by-another-name/src/a.ts"],
    ["the plan beside it", "<f>/tree/.orch/session/t1/plan.md", { ...NO_FENCE, allowWrite: [] }],
    ["a temporary file", "<f>/tmp/notes/a.md", { ...NO_FENCE, allowWrite: [] }],
    ["anything in the tree without a fence", "<f>/tree/package.json", NO_FENCE],
    [
      "a file with both sides of a merge",
      "<f>/tree/docs/a.md",
      { ...scoped, conflicts: ["docs/a.md"] },
    ],
  ])("%s", (_what, path, fence) => {
    expect(refused(path, fence)).toBeNull();
  });
});

describe("may not be written", () => {
  test.each<[string, string, string, Fence?]>([
    [
      "what the scope does not hold",
      "<f>/tree/docs/a.md",
      "docs/a.md must not be changed. You may write only `src/**`.",
    ],
    ["a way out of the scope", "<f>/tree/src/../package.json", "package.json must not be changed."],
    [
      "a link that leads out of the scope",
      "<f>/tree/source/../docs/a.md",
      "docs/a.md must not be changed.",
    ],
    [
      "anything, where the step may write nothing",
      "src/a.ts",
      "You may write no file at all.",
      { ...scoped, allowWrite: [] },
    ],
    [
      "what only one side allows",
      "src/a.ts",
      "only `src/api/**`, and of these only `src/**`",
      { ...scoped, allowWrite: ["src/api/**"] },
    ],
    ["another folder without a fence", "<f>/other/a.ts", "is outside your working tree", NO_FENCE],
    ["a file of the system", "/etc/passwd", "/etc/passwd is outside your working tree"],
    ["a new file below such a link", "out/new/a.ts", "is outside your working tree"],
    ["a folder whose name begins as the tree's", "<f>/tree-2/a.ts", "is outside your working tree"],
  ])("%s", (_what, path, words, fence) => {
    expect(refused(path, fence)).toContain(words);
  });

  test("what a folder below the tree calls its neighbour", () => {
    expect(refused("../docs/a.md", scoped, join(root, "src"))).toContain("docs/a.md must not");
    expect(refused("a.ts", scoped, join(root, "src"))).toBeNull();
  });
});
