// Whose is a lock that stands in orch's way, and what becomes of it?

import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { PREFIX, T, label, openTree, type Sandbox, commitWork } from "./sandbox.ts";

function lock(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  // Nobody is at work any more.
  utimesSync(path, 1, 1);
}

const inGit = (box: Sandbox, path: string): string => join(box.root, ".git", path);

describe("a lock that a killed git of the run left", () => {
  test.each<[where: string, at: (box: Sandbox, gitDir: string) => string]>([
    ["on the ref of the task", (box) => inGit(box, `${PREFIX}/t/head.lock`)],
    ["on the branch that shows it", (box) => inGit(box, "refs/heads/orch/t.lock")],
    ["on a checkpoint", (box) => inGit(box, `${PREFIX}/t/2.lock`)],
    ["on the HEAD of the tree", (_box, gitDir) => join(gitDir, "HEAD.lock")],
  ])("%s goes when the run goes on", async (_where, at) => {
    const { box, tree, workspace } = await openTree();
    const path = at(box, workspace.gitDir);
    lock(path);
    const again = box.workspaces();
    tree.write("src/a.ts", "work\n");
    expect((await again.checkpoint(workspace, label("t")))?.ref).toBe(`${PREFIX}/t/2`);
    expect(await commitWork(again, workspace, T, "Work")).toBe(box.git("rev-parse", "orch/t"));
    expect(existsSync(path)).toBe(false);
  });
});

describe("somebody else's lock", () => {
  test("that stays in the way is waited for, told, and left", async () => {
    const { box, workspaces, workspace } = await openTree();
    box.git("pack-refs", "--all");
    const path = inGit(box, "packed-refs.lock");
    lock(path);
    // Its branch shows nothing, and is to go.
    await expect(workspaces.remove(workspace, T, "in commits or a rescue")).rejects.toMatchObject({
      code: "git-busy",
      hint: expect.stringContaining("remove the lock file where none is running"),
    });
    expect(existsSync(path)).toBe(true);
    rmSync(path);
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect(box.git("branch", "--list", "orch/t")).toBe("");
  });

  test.each(["index.lock", "HEAD.lock", "packed-refs.lock"])(
    "%s of the user's repository keeps no task from its work",
    async (name) => {
      const { box, tree, workspaces, workspace, checkpoint } = await openTree();
      lock(inGit(box, name));
      tree.write("src/a.ts", "work\n");
      tree.git("commit", "--quiet", "--all", "--message=by the agent");
      await checkpoint();
      tree.write("src/b.ts", "work\n");
      await commitWork(workspaces, workspace, T, "Work");
      expect(await workspaces.rescue(workspace, T, "x")).toEqual([]);
      const other = await openTree({ box, id: "other" });
      expect(other.tree.read("src/a.ts")).toBe("a\n");
      expect(existsSync(inGit(box, name))).toBe(true);
    },
  );
});
