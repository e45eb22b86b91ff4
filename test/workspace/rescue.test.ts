// Is work that leaves a tree kept whole, and does the tree stay where it is not?

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { listRescues } from "../../src/workspace/keep/rescue.ts";
import { gitIn } from "../support/repository.ts";
import { makePipe } from "../support/pipe.ts";
import {
  ENV,
  PREFIX,
  RUN,
  T,
  everythingOf,
  openTree,
  sandbox,
  tempFolder,
  commitWork,
} from "./sandbox.ts";

const WHY = "work of t, which is not done";
const REF = `${PREFIX}/t/rescue-1`;

async function working(box = sandbox()) {
  const opened = await openTree({ box });
  const { tree, workspaces, workspace } = opened;
  tree.write("src/a.ts", "half\n");
  tree.write("new.txt", "new\n");
  rmSync(join(tree.root, "src/b.ts"));
  const rescue = (by = workspaces) => by.rescue(workspace, T, WHY);
  const remove = async (by = workspaces): Promise<boolean> => {
    await by.remove(workspace, T, "in commits or a rescue");
    return !existsSync(tree.root);
  };
  return { ...opened, rescue, remove };
}

describe("a rescue", () => {
  test("holds everything that no commit of the task holds, and changes no file", async () => {
    const { box, tree, rescue, remove } = await working();
    const before = everythingOf(box);
    tree.git("add", "new.txt");
    const status = tree.git("status", "--porcelain");
    expect(await rescue()).toEqual([{ ref: REF, why: WHY }]);
    expect(tree.git("status", "--porcelain")).toBe(status);
    expect(box.git("ls-tree", "-r", "--name-only", REF)).toBe(
      ".gitignore\nREADME.md\nnew.txt\nsrc/a.ts",
    );
    expect(await remove()).toBe(true);
    expect(everythingOf(box)).toEqual(before);
  });

  test("comes back with git alone, and is listed", async () => {
    const { box, rescue, remove } = await working();
    await rescue();
    await remove();
    box.git("cherry-pick", "--no-commit", REF);
    expect(box.git("status", "--porcelain").split("\n")).toEqual([
      "A  new.txt",
      "M  src/a.ts",
      "D  src/b.ts",
    ]);
    const git = await findRepository(box.root, ENV);
    if (git === null) throw new Error("expected a repository");
    const commit = box.git("rev-parse", REF);
    const madeAt = box.git("log", "-1", "--format=%cI", REF);
    expect(await listRescues(git)).toEqual([
      { ref: REF, commit, madeAt, why: WHY, run: RUN, task: "t" },
    ]);
  });

  test("is made once for the same work, and again for more of it", async () => {
    const { box, tree, rescue } = await working();
    const first = await rescue();
    expect(await rescue(box.workspaces())).toEqual(first);
    tree.write("more.txt", "more\n");
    expect(await rescue()).toEqual([{ ref: `${PREFIX}/t/rescue-2`, why: WHY }]);
    expect(box.git("cat-file", "-e", `${REF}:new.txt`)).toBe("");
  });

  test("is not made where the task's commits hold everything", async () => {
    const { workspaces, workspace, rescue, remove } = await working();
    await commitWork(workspaces, workspace, T, "All");
    expect(await rescue()).toEqual([]);
    expect(await remove()).toBe(true);
  });

  test("holds what was pruned away while orch knew it as kept", async () => {
    const { box, workspaces, workspace, checkpoint, rescue, remove } = await working();
    const since = await checkpoint();
    await workspaces.change(workspace, { since, work: null }, null);
    box.git("update-ref", "-d", since.ref);
    box.git("gc", "--quiet", "--prune=now");
    expect(() => box.git("cat-file", "-e", since.tree)).toThrow("Command failed");
    expect(await rescue()).toHaveLength(1);
    expect(box.git("show", `${REF}:new.txt`)).toBe("new");
    expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
    expect(await remove()).toBe(true);
  });

  test("that does not hold all of it any more is made whole before the tree goes", async () => {
    const { box, rescue } = await working();
    await rescue();
    const blob = box.git("rev-parse", `${REF}:new.txt`);
    rmSync(join(box.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(await rescue()).toHaveLength(1);
    expect(box.git("show", `${REF}:new.txt`)).toBe("new");
  });
});

describe("what is measured is not pruned before it is kept", () => {
  test("while gates run, and somebody collects garbage", async () => {
    const { box, workspaces, workspace, tree, checkpoint } = await working();
    const since = await checkpoint();
    tree.write("later.txt", "later\n");
    const change = await workspaces.change(workspace, { since, work: null }, null);
    if (change.kind !== "measured") throw new Error(change.why);
    box.git("gc", "--quiet", "--prune=now");
    const made = await checkpoint({ when: "after", tree: change.tree });
    expect(box.git("show", `${made.commit}:later.txt`)).toBe("later");
  });
});

describe("on doubt the tree stays", () => {
  test("without a rescue", async () => {
    const { remove } = await working();
    expect(await remove()).toBe(false);
  });

  test("where a file changed since the rescue", async () => {
    const { tree, rescue, remove } = await working();
    await rescue();
    tree.write("new.txt", "newer\n");
    expect(await remove()).toBe(false);
    await rescue();
    expect(await remove()).toBe(true);
  });

  test("where it holds a repository of its own, which no commit can hold", async () => {
    const { tree, rescue, remove } = await working();
    mkdirSync(join(tree.root, "deep/nested"), { recursive: true });
    gitIn(join(tree.root, "deep/nested"))("init", "--quiet");
    tree.write("deep/nested/work.txt", "work\n");
    await rescue();
    expect(await remove()).toBe(false);
    rmSync(join(tree.root, "deep"), { recursive: true });
    expect(await remove()).toBe(true);
  });

  test("where something is no file, and the rescue says so", async () => {
    const { tree, rescue, remove } = await working();
    makePipe(join(tree.root, "src/b.ts"));
    const [rescued] = await rescue();
    expect(rescued?.why).toBe(`${WHY}, without a file that no commit can hold, left in the tree`);
    expect(await remove()).toBe(false);
  });

  test.each(["commit-tree", "write-tree", "update-ref", "rev-list"])(
    "where `git %s` is killed while the work is kept",
    async (command) => {
      const { box, workspace, remove } = await working();
      const workspaces = box.workspaces({ env: failing(command, "kill -9 $$") });
      await expect(workspaces.rescue(workspace, T, WHY)).rejects.toMatchObject({
        code: "git-failed",
      });
      // The ref may be there: only a look that came to its end decides.
      if (command !== "rev-list") expect(await remove()).toBe(false);
    },
  );
});

/** Variables with which every git that is called so ends so. */
function failing(command: string, end: string): Readonly<Record<string, string>> {
  const bin = tempFolder();
  const script = `case " $* " in *" ${command} "*) ${end};; esac\nPATH="$REAL_PATH" exec git "$@"`;
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const path = ENV["PATH"] ?? "";
  return { REAL_PATH: path, PATH: `${bin}:${path}` };
}
