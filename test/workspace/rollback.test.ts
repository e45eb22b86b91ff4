import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openTask, openTree } from "./sandbox.ts";

/** A tree with a checkpoint of work that passed, and then with work that did not. */
async function failedWork() {
  const opened = await openTree();
  const { tree, checkpoint } = opened;
  tree.write("src/a.ts", "passed\n");
  tree.write("src/new.ts", "new\n");
  tree.write("ignored/cache", "warm\n");
  const passed = await checkpoint({ when: "after", verdict: "passed" });
  tree.write("src/a.ts", "failed\n");
  tree.write("src/worse.ts", "worse\n");
  tree.write("ignored/cache", "warmer\n");
  rmSync(join(tree.root, "src/new.ts"));
  rmSync(join(tree.root, "src/b.ts"));
  return { ...opened, passed };
}

test("a tree that is put back has the files of its checkpoint, and what git ignores stays", async () => {
  const { tree, workspace, workspaces, passed } = await failedWork();
  await workspaces.rollback(workspace, passed);
  expect(
    ["src/a.ts", "src/b.ts", "src/new.ts", "ignored/cache"].map((path) => tree.read(path)),
  ).toEqual(["passed\n", "b\n", "new\n", "warmer\n"]);
  expect(existsSync(join(tree.root, "src/worse.ts"))).toBe(false);
  const after = await workspaces.change(workspace, { since: passed, work: null }, null);
  expect(after).toMatchObject({ kind: "measured", tree: passed.tree, changedCount: 0 });
});

test("what an agent committed since stays among the commits, and its files go back", async () => {
  const { tree, workspace, workspaces, passed, checkpoint } = await failedWork();
  tree.git("add", "--all");
  tree.git("commit", "-qm", "It works, I think");
  await checkpoint({ when: "after", attempt: 2, verdict: "failed" });
  await workspaces.rollback(workspace, passed);
  expect(tree.read("src/a.ts")).toBe("passed\n");
  expect(tree.git("log", "-1", "--format=%s")).toBe("It works, I think");
  expect(tree.git("status", "--porcelain").split("\n")).toContain("M  src/a.ts");
});

test("it can be put back again by another process, from wherever the first one died", async () => {
  const { box, tree, workspace, workspaces, passed } = await failedWork();
  await workspaces.rollback(workspace, passed);
  tree.write("src/a.ts", "half\n");
  rmSync(join(tree.root, "src/new.ts"));
  await box.workspaces().rollback(workspace, passed);
  expect(["src/a.ts", "src/new.ts"].map((path) => tree.read(path))).toEqual(["passed\n", "new\n"]);
});

test("files in place are the user's, and are never put back", async () => {
  const { workspace, workspaces, checkpoint } = await openTask({ isolation: "none" });
  const there = await checkpoint();
  await expect(workspaces.rollback(workspace, there)).rejects.toThrow("in-place");
});
