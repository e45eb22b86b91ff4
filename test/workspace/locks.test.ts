// Whose is a lock that stands in orch's way, and what becomes of it?

import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { BEGAN_MS, PREFIX, T, label, openTree, type Sandbox, commitWork } from "./sandbox.ts";

/** Nobody is at work any more. */
function lock(path: string, atMs = BEGAN_MS, content = ""): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  utimesSync(path, atMs / 1000, atMs / 1000);
}

/** What the log names. */
const shown = [{ ref: `${PREFIX}/t/head`, branch: "orch/t" }];

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
    const again = box.workspaces({ shown });
    tree.write("src/a.ts", "work\n");
    expect((await again.checkpoint(workspace, label("t")))?.ref).toBe(`${PREFIX}/t/2`);
    expect(await commitWork(again, workspace, T, "Work")).toBe(box.git("rev-parse", "orch/t"));
    expect(existsSync(path)).toBe(false);
  });

  test("on the branch, when the ref had moved already: the branch follows", async () => {
    const { box, tree, workspaces, workspace } = await openTree();
    const before = box.git("rev-parse", "orch/t");
    tree.write("src/a.ts", "work\n");
    const commit = await commitWork(workspaces, workspace, T, "Work");
    box.git("update-ref", "refs/heads/orch/t", before);
    lock(inGit(box, "refs/heads/orch/t.lock"), BEGAN_MS, `${commit}\n`);
    await box.workspaces({ shown }).checkpoint(workspace, label("t"));
    expect(box.git("rev-parse", "orch/t")).toBe(commit);
    expect(existsSync(inGit(box, "refs/heads/orch/t.lock"))).toBe(false);
  });
});

describe("somebody else's lock", () => {
  test.each([
    ["from before the run", "orch/t", BEGAN_MS - 1],
    ["on a branch that is not named as orch's", "main", BEGAN_MS],
  ])("%s is left", async (_which, branch, atMs) => {
    const { box, workspace } = await openTree();
    const path = inGit(box, `refs/heads/${branch}.lock`);
    lock(path, atMs);
    const again = box.workspaces({ shown: [{ ref: `${PREFIX}/t/head`, branch }] });
    await again.checkpoint(workspace, label("t"));
    expect(existsSync(path)).toBe(true);
  });

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
