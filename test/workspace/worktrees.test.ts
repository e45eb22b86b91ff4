// How is a tree made, made again and removed, and does all of the user's stay as it is meanwhile?

import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { task } from "../support/builders.ts";
import {
  ENV,
  PREFIX,
  T,
  everythingOf,
  openTask,
  openTree,
  sandbox,
  sandboxAt,
  tempFolder,
  treeAt,
  commitWork,
} from "./sandbox.ts";
import { gitIn } from "../support/repository.ts";

const { signal } = new AbortController();

/** A checkout in the middle of somebody's work. */
function busy() {
  const box = sandbox();
  box.write("src/a.ts", "stashed\n");
  box.git("stash");
  box.write("src/a.ts", "staged\n");
  box.git("add", "src/a.ts");
  box.write("src/a.ts", "staged and changed\n");
  box.write("src/new.ts", "untracked\n");
  rmSync(join(box.root, "src/b.ts"));
  return box;
}

describe("a tree of a task's own", () => {
  test("holds the files of the commit it starts from, and nothing that lies uncommitted", async () => {
    const box = busy();
    const before = everythingOf(box);
    const { tree, workspace } = await openTree({ box });
    expect(workspace.branch).toBe("orch/t");
    expect(tree.root.startsWith(`${box.state}/orch-trees/`)).toBe(true);
    expect(readdirSync(tree.root).sort()).toEqual([".git", ".gitignore", "README.md", "src"]);
    expect([tree.read("src/a.ts"), tree.read("src/b.ts")]).toEqual(["a\n", "b\n"]);
    expect(box.git("rev-parse", "orch/t", `${PREFIX}/t/head`)).toBe(
      `${workspace.base}\n${workspace.base}`,
    );
    expect(everythingOf(box)).toEqual(before);
  });

  test("is known to no list of the user's working trees", async () => {
    const box = sandbox();
    await openTree({ box });
    expect(box.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    expect(existsSync(join(box.root, ".git/worktrees"))).toBe(false);
  });

  test("is private", async () => {
    const { tree, workspace } = await openTree();
    for (const folder of [tree.root, workspace.gitDir, dirname(tree.root)])
      expect([folder, lstatSync(folder).mode & 0o777]).toEqual([folder, 0o700]);
  });

  test("never takes a branch that is there already", async () => {
    const box = sandbox();
    box.git("branch", "orch/t");
    box.git("branch", "orch/t-2");
    const workspaces = box.workspaces();
    expect((await openTree({ box, workspaces })).workspace.branch).toBe("orch/t-3");
    expect((await openTree({ box, workspaces, id: "t-2" })).workspace.branch).toBe("orch/t-2-2");
  });

  test("is refused while a branch is called as the prefix", async () => {
    const box = sandbox();
    box.git("branch", "orch");
    await expect(openTree({ box })).rejects.toMatchObject({
      code: "branch-in-use",
      hint: "rename that branch, or set git.branchPrefix in the config",
    });
  });

  test("stands beside others, and each has its own work", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const opened = await Promise.all(
      ["one", "two", "three"].map((id) => openTree({ box, workspaces, id })),
    );
    for (const { tree } of opened) tree.write("src/a.ts", `${tree.root}\n`);
    await Promise.all(opened.map(({ checkpoint }) => checkpoint()));
    for (const { tree, workspace } of opened) {
      const id = workspace.branch.slice("orch/".length);
      expect(box.git("show", `${PREFIX}/${id}/2:src/a.ts`)).toBe(tree.root);
    }
  });
});

describe("a tree is made again", () => {
  test("where making it was cut off, without what stood there", async () => {
    const box = sandbox();
    const { tree, workspace } = await openTree({ box });
    rmSync(join(workspace.gitDir, "made"));
    tree.write("half", "x");
    rmSync(join(tree.root, "src"), { recursive: true });
    writeFileSync(join(workspace.gitDir, "HEAD.lock"), "");
    const again = box.workspaces();
    expect(again.isThere(workspace)).toBe(false);
    await again.make(workspace, T, null, signal);
    expect(again.isThere(workspace)).toBe(true);
    expect(readdirSync(tree.root).sort()).toEqual([".git", ".gitignore", "README.md", "src"]);
    expect(tree.git("status", "--porcelain", "--branch")).toBe("## orch/t");
  });

  test("where what was ignored could not be copied, which leaves nothing", async () => {
    const box = sandbox();
    box.write(".gitignore", "node_modules\n");
    box.write("node_modules/x.js", "x");
    const base = box.git("rev-parse", "HEAD");
    const workspaces = box.workspaces();
    const planned = await workspaces.plan(task("t"), { isolation: "worktree", base, portBase: 1 });
    await expect(workspaces.make(planned, T, null, AbortSignal.abort())).rejects.toThrow("aborted");
    expect(existsSync(planned.root)).toBe(false);
    await workspaces.make(planned, T, null, signal);
    expect(treeAt(planned.root).read("node_modules/x.js")).toBe("x");
  });

  test("where somebody deleted it, with the files of the last checkpoint", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTree();
    tree.write("src/a.ts", "committed\n");
    const commit = await commitWork(workspaces, workspace, T, "Work");
    tree.write("src/b.ts", "kept\n");
    tree.write("new.txt", "kept\n");
    const kept = await checkpoint();
    rmSync(dirname(tree.root), { recursive: true });
    expect(workspaces.isThere(workspace)).toBe(false);
    await workspaces.make(workspace, T, kept.tree, signal);
    expect(tree.git("rev-parse", "HEAD")).toBe(commit);
    expect([tree.read("src/b.ts"), tree.read("new.txt")]).toEqual(["kept\n", "kept\n"]);
    expect((await checkpoint({ attempt: 2 })).tree).toBe(kept.tree);
    expect(await commitWork(workspaces, workspace, T, "Rest")).toBe(box.git("rev-parse", "orch/t"));
  });

  test("where a link took its place, which leads nowhere", async () => {
    const { box, tree, workspaces, workspace } = await openTree({ box: busy() });
    const before = everythingOf(box);
    renameSync(tree.root, join(dirname(tree.root), "moved"));
    symlinkSync(box.root, tree.root);
    expect(workspaces.isThere(workspace)).toBe(false);
    expect(await workspaces.rescue(workspace, T, "work")).toEqual([]);
    await workspaces.make(workspace, T, null, signal);
    expect(tree.read("src/a.ts")).toBe("a\n");
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect(everythingOf(box)).toEqual(before);
  });

  test("where the user deleted its branch, which stays deleted until there is work to show", async () => {
    const { box, tree, workspaces, workspace } = await openTree();
    box.git("branch", "--quiet", "-D", "orch/t");
    tree.write("src/a.ts", "work\n");
    const commit = await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("rev-parse", "orch/t")).toBe(commit);
  });
});

describe("a tree is that of one run", () => {
  test("and a copy of the repository has it made again elsewhere, and removes its own alone", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTree();
    tree.write("new.txt", "kept\n");
    const { tree: kept } = await checkpoint();
    const copy = sandboxAt(join(tempFolder(), "copy"));
    cpSync(box.root, copy.root, { recursive: true });
    const others = copy.workspaces({ env: { HOME: box.state } });
    const place = await others.placeOf(workspace);
    expect([others.isThere(workspace), await workspaces.placeOf(workspace)]).toEqual([
      false,
      workspace,
    ]);
    await others.make(place, T, kept, signal);
    expect(treeAt(place.root).read("new.txt")).toBe("kept\n");
    await others.rescue(place, T, "work");
    await others.remove(place, T, "in commits or a rescue");
    expect([existsSync(place.root), workspaces.isThere(workspace)]).toEqual([false, true]);
    const inPlace = { kind: "in-place", root: box.root, base: workspace.base } as const;
    expect(await others.placeOf(inPlace)).toEqual({ ...inPlace, root: copy.root });
  });

  test("and goes with the run where the repository is moved, and so does what the agent keeps there", async () => {
    const { box, tree, workspace } = await openTree();
    tree.write("src/a.ts", "put away\n");
    tree.git("stash");
    tree.write("new.txt", "new\n");
    const root = join(tempFolder(), "moved");
    renameSync(box.root, root);
    const moved = sandboxAt(root);
    const workspaces = moved.workspaces({ env: { HOME: box.state } });
    const place = await workspaces.placeOf(workspace);
    expect([place.root, workspaces.isThere(place)]).toEqual([workspace.root, true]);
    await workspaces.rescue(place, T, "work");
    const rescues = moved.git("for-each-ref", "--format=%(subject)", `${PREFIX}/t/rescue-*`);
    expect(rescues).toContain("stash@{0}");
    expect(moved.git("ls-tree", "--name-only", `${PREFIX}/t/rescue-2`)).toContain("new.txt");
    expect(tree.git("status", "--porcelain")).toBe("?? new.txt");
  });

  test("and what took the place of the folder around it is replaced", async () => {
    const { box, tree, workspaces, workspace } = await openTree();
    const around = dirname(tree.root);
    renameSync(around, join(box.state, "moved"));
    symlinkSync(join(box.state, "moved"), around);
    expect(workspaces.isThere(workspace)).toBe(false);
    await workspaces.make(workspace, T, null, signal);
    expect([workspaces.isThere(workspace), lstatSync(around).isDirectory()]).toEqual([true, true]);
  });
});

describe("a tree is removed", () => {
  test("with all that orch kept beside it, and its branch and refs stay", async () => {
    const { box, tree, workspaces, workspace } = await openTree();
    tree.write("src/a.ts", "work\n");
    const commit = await commitWork(workspaces, workspace, T, "Work");
    await workspaces.remove(workspace, T, "in commits or a rescue");
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect([existsSync(dirname(tree.root)), existsSync(workspace.gitDir)]).toEqual([false, false]);
    expect(box.git("rev-parse", "orch/t", `${PREFIX}/t/head`)).toBe(`${commit}\n${commit}`);
  });
});

describe("where no tree can be made", () => {
  test("a folder outside git is plain: it works, and nothing is measured", async () => {
    const root = tempFolder();
    const workspaces = sandbox().workspaces({ cwd: root });
    const workspace = await workspaces.plan(task("t"), {
      isolation: "worktree",
      base: null,
      portBase: 1,
    });
    expect(workspace).toEqual({ kind: "plain", root });
    await workspaces.make(workspace, T, null, signal);
    expect(workspaces.isThere(workspace)).toBe(true);
    const change = await workspaces.change(workspace, { since: null, work: null }, null);
    expect(change).toEqual({
      kind: "not-measured",
      why: "the folder is not in a git repository",
    });
    expect(await workspaces.diff(workspace, null, change)).toBe("");
    expect(await commitWork(workspaces, workspace, T, "x")).toBeNull();
    expect(await workspaces.rescue(workspace, T, "x")).toEqual([]);
    await workspaces.remove(workspace, T, "in commits or a rescue");
  });

  test("a bare repository is no place to work", async () => {
    const root = tempFolder();
    gitIn(root)("init", "--quiet", "--bare");
    const plan = sandbox()
      .workspaces({ cwd: root })
      .plan(task("t"), { isolation: "worktree", base: "x", portBase: 1 });
    await expect(plan).rejects.toMatchObject({ code: "not-a-repository" });
  });

  test("a machine without git is told apart from a folder without a repository", async () => {
    const env = { PATH: "/nonexistent" };
    await expect(findRepository(sandbox().root, env)).rejects.toMatchObject({
      code: "git-failed",
      hint: "install git, or add it to PATH",
    });
    expect(await findRepository(tempFolder(), env)).toBeNull();
    const fake = sandbox();
    fake.write("bin/git", "#!/bin/sh\nexit 0\n");
    chmodSync(join(fake.root, "bin/git"), 0o755);
    const filled = { PATH: `${fake.root}/bin:bin` };
    await expect(findRepository(fake.root, filled)).rejects.toMatchObject({ code: "git-failed" });
    const root = join(tempFolder(), "gone");
    await expect(findRepository(root, ENV)).rejects.toMatchObject({ code: "not-a-repository" });
  });
});

describe("in place", () => {
  test("nothing moves, is removed, or is rescued", async () => {
    const box = busy();
    const before = everythingOf(box);
    const { workspaces, workspace, checkpoint } = await openTask({ box, isolation: "none" });
    expect(workspace).toEqual({
      kind: "in-place",
      root: box.root,
      base: box.git("rev-parse", "HEAD"),
    });
    await checkpoint();
    expect(await workspaces.rescue(workspace, T, "x")).toEqual([]);
    await workspaces.remove(workspace, T, "in commits or a rescue");
    expect(everythingOf(box)).toEqual(before);
  });
});
