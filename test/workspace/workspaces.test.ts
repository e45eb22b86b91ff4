import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { findRepository } from "../../src/workspace/git.ts";
import { listRescues } from "../../src/workspace/rescue.ts";
import {
  DONE,
  ENV,
  RUN,
  STALLED,
  label,
  sandbox,
  tempFolder,
  type Sandbox,
  openTask,
} from "./sandbox.ts";
import { task } from "../support/builders.ts";
import { makePipe } from "../support/pipe.ts";

const PREFIX = `refs/orch/${RUN}`;

function head(box: Sandbox): string {
  return box.git("symbolic-ref", "--short", "HEAD");
}

function status(box: Sandbox): string {
  return box.git("status", "--porcelain");
}

describe("a task with a branch of its own", () => {
  test("starts from HEAD on orch/<task>, and is found again after a crash", async () => {
    const box = sandbox();
    const base = box.git("rev-parse", "HEAD");
    const opened = await box.workspaces().open(task("t"), "branch");
    expect(opened).toEqual({
      kind: "branch",
      root: box.root,
      branch: "orch/t",
      base,
      from: "main",
    });
    expect(head(box)).toBe("orch/t");
    box.write("src/a.ts", "half done\n");
    expect(await box.workspaces().open(task("t"), "branch")).toEqual(opened);
    expect(box.read("src/a.ts")).toBe("half done\n");
  });

  test("is opened once when orch dies between its record and its branch", async () => {
    const box = sandbox();
    const opened = await box.workspaces().open(task("t"), "branch");
    box.git("checkout", "--quiet", "main");
    box.git("branch", "--quiet", "-D", "orch/t");
    expect(await box.workspaces().open(task("t"), "branch")).toEqual(opened);
    expect(head(box)).toBe("orch/t");
  });

  test("never resets a branch that is there already", async () => {
    const box = sandbox();
    box.git("branch", "orch/t");
    box.git("branch", "orch/t-2");
    const opened = await box.workspaces().open(task("t"), "branch");
    expect(opened).toMatchObject({ branch: "orch/t-3" });
  });

  test("is refused while a branch is called as the prefix", async () => {
    const box = sandbox();
    box.git("branch", "orch");
    await expect(box.workspaces().open(task("t"), "branch")).rejects.toMatchObject({
      code: "branch-in-use",
      hint: "rename that branch, or set git.branchPrefix in the config",
    });
  });

  test("is refused in a dirty tree, which names what is in the way", async () => {
    const box = sandbox();
    box.write("src/a.ts", "staged\n");
    box.git("add", "src/a.ts");
    box.write("src/b.ts", "unstaged\n");
    for (const n of [1, 2, 3, 4]) box.write(`new-${n}.txt`, "x");
    await expect(box.workspaces().open(task("t"), "branch")).rejects.toMatchObject({
      code: "dirty-tree",
      message: `the working tree "${box.root}" is expected to be clean, and has uncommitted changes: "src/a.ts", "src/b.ts", "new-1.txt", "new-2.txt", "new-3.txt" and 1 more`,
      hint: "commit or stash them, or run with `--isolation none`",
    });
    expect(head(box)).toBe("main");
    expect(box.git("for-each-ref", "refs/orch")).toBe("");
  });

  test("minds neither ignored files nor .orch nor nested repositories", async () => {
    const box = sandbox();
    box.write("ignored/x", "x");
    rmSync(join(box.root, ".orch/.gitignore"));
    box.write(".orch/runs/x", "x");
    mkdirSync(join(box.root, "deep/nested"), { recursive: true });
    execFileSync("git", ["init", "--quiet"], { cwd: join(box.root, "deep/nested"), env: ENV });
    expect(await box.workspaces().open(task("t"), "branch")).toMatchObject({
      branch: "orch/t",
    });
  });

  test("waits for no unfinished merge", async () => {
    const box = sandbox();
    writeFileSync(join(box.root, ".git/MERGE_HEAD"), box.git("rev-parse", "HEAD"));
    await expect(box.workspaces().open(task("t"), "branch")).rejects.toMatchObject({
      code: "git-busy",
      message: `a merge is in progress in "${box.root}"`,
      hint: "finish it, or end it with `git merge --abort`",
    });
  });

  test("works from a sub-directory, a linked worktree and a detached HEAD", async () => {
    const box = sandbox();
    const base = box.git("rev-parse", "HEAD");
    const linked = join(tempFolder(), "linked");
    box.git("worktree", "add", "--quiet", "--detach", linked);
    const opened = await box.workspaces({ cwd: join(linked, "src") }).open(task("t"), "branch");
    expect(opened).toEqual({ kind: "branch", root: linked, branch: "orch/t", base, from: base });
    if (opened.kind !== "branch") throw new Error("expected a branch");
    await box.workspaces().cleanUp(opened, task("t"), STALLED);
    const left = execFileSync("git", ["rev-parse", "--abbrev-ref", "HEAD"], {
      cwd: linked,
      env: ENV,
      encoding: "utf8",
    });
    expect(left).toBe("HEAD\n");
    expect(head(box)).toBe("main");
  });
});

describe("where branches are impossible", () => {
  test("a folder outside git is plain: it works, and nothing is measured", async () => {
    const root = tempFolder();
    const workspaces = sandbox().workspaces({ cwd: root });
    const workspace = await workspaces.open(task("t"), "branch");
    expect(workspace).toEqual({ kind: "plain", root });
    expect(await workspaces.checkpoint(workspace, label("t"))).toBeNull();
    const change = await workspaces.change(workspace, null, null);
    expect(change).toEqual({
      kind: "not-measured",
      why: "the folder is not in a git repository",
    });
    expect(await workspaces.diff(workspace, null, change)).toBe("");
    expect(await workspaces.commit(workspace, "x")).toBeNull();
    await workspaces.enter(workspace);
    expect(await workspaces.cleanUp(workspace, task("t"), DONE)).toEqual([]);
  });

  test.each(["branch", "none"] as const)(
    "a repository without a commit says so (%s)",
    async (isolation) => {
      const box = sandbox({ commit: false });
      await expect(box.workspaces().open(task("t"), isolation)).rejects.toMatchObject({
        code: "no-commits",
      });
    },
  );

  test("a bare repository is no place to work", async () => {
    const root = tempFolder();
    execFileSync("git", ["init", "--quiet", "--bare"], { cwd: root, env: ENV });
    await expect(
      sandbox().workspaces({ cwd: root }).open(task("t"), "branch"),
    ).rejects.toMatchObject({ code: "not-a-repository" });
  });

  test("a machine without git is told apart from a folder without a repository", async () => {
    const box = sandbox();
    const env = { PATH: "/nonexistent" };
    await expect(findRepository(box.root, env)).rejects.toMatchObject({
      code: "git-failed",
      hint: "install git, or add it to PATH",
    });
    expect(await findRepository(tempFolder(), env)).toBeNull();
  });

  test("a folder that is gone is named", async () => {
    const root = join(tempFolder(), "gone");
    await expect(findRepository(root, ENV)).rejects.toMatchObject({ code: "not-a-repository" });
  });
});

describe("entering a task again", () => {
  async function begun(box = sandbox()) {
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write("src/a.ts", "work\n");
    const made = await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    if (workspace.kind !== "branch" || made === null) throw new Error("expected a branch");
    return { box, workspace, made };
  }

  test("goes back from what the user checked out in between, if that is clean", async () => {
    const { box, workspace } = await begun();
    box.git("commit", "--quiet", "--all", "--message=kept by hand");
    box.git("checkout", "--quiet", "main");
    await box.workspaces().enter(workspace);
    expect([head(box), box.read("src/a.ts")]).toEqual(["orch/t", "work\n"]);
  });

  test("touches nothing when the user has work of their own there", async () => {
    const { box, workspace } = await begun();
    box.git("stash");
    box.git("checkout", "--quiet", "main");
    box.write("README.md", "mine\n");
    await expect(box.workspaces().enter(workspace)).rejects.toMatchObject({
      code: "dirty-tree",
      hint: "commit or stash them, then run `orch resume`; the task goes on in the branch orch/t",
    });
    expect([head(box), box.read("README.md")]).toEqual(["main", "mine\n"]);
  });

  test("brings a deleted branch back with the work of the last checkpoint", async () => {
    const { box, workspace, made } = await begun();
    box.write("new.txt", "untracked\n");
    const workspaces = box.workspaces();
    await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
    box.git("reset", "--quiet", "--hard");
    box.git("clean", "--quiet", "--force");
    box.git("checkout", "--quiet", "main");
    box.git("branch", "--quiet", "-D", "orch/t");
    await box.workspaces().enter(workspace);
    expect([head(box), box.git("rev-parse", "HEAD")]).toEqual(["orch/t", workspace.base]);
    expect([box.read("src/a.ts"), box.read("new.txt")]).toEqual(["work\n", "untracked\n"]);
    expect(box.git("rev-parse", made.ref)).toBe(made.commit);
  });

  test("follows an agent that went to a branch of its own, without losing a byte", async () => {
    const { box, workspace } = await begun();
    box.git("checkout", "--quiet", "-b", "fix/by-agent");
    box.git("commit", "--quiet", "--all", "--message=by the agent");
    box.write("more.txt", "uncommitted\n");
    const workspaces = box.workspaces();
    await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    await workspaces.enter(workspace);
    expect([head(box), status(box)]).toEqual(["orch/t", " M src/a.ts\n?? more.txt"]);
    expect(box.git("log", "-1", "--format=%s", "fix/by-agent")).toBe("by the agent");
  });
});

describe("an agent that moves about during its attempt", () => {
  async function attempt(box = sandbox()) {
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    await workspaces.checkpoint(workspace, label("t"));
    return { box, workspaces, workspace };
  }

  test("and commits on a branch of its own is judged by the tree it left", async () => {
    const { box, workspaces, workspace } = await attempt();
    box.git("checkout", "--quiet", "-b", "by-agent");
    box.write("one.txt", "1\n");
    box.git("add", "one.txt");
    box.git("commit", "--quiet", "--message=by the agent");
    box.write("two.txt", "2\n");
    await workspaces.enter(workspace);
    expect([head(box), status(box)]).toEqual(["orch/t", "?? one.txt\n?? two.txt"]);
  });

  test("and deletes the task's branch gets it back, with the tree it left", async () => {
    const { box, workspaces, workspace } = await attempt();
    box.write("one.txt", "1\n");
    box.git("checkout", "--quiet", "main");
    box.git("branch", "--quiet", "-D", "orch/t");
    await workspaces.enter(workspace);
    expect([head(box), status(box)]).toEqual(["orch/t", "?? one.txt"]);
    const commit = await workspaces.commit(workspace, "One");
    expect(box.git("rev-parse", "orch/t", "orch/t^")).toBe(
      `${commit}\n${box.git("rev-parse", "main")}`,
    );
  });

  test("and leaves a rebase half done keeps its tree for the gates", async () => {
    const { box, workspaces, workspace } = await attempt();
    box.write("one.txt", "1\n");
    box.git("checkout", "--quiet", "--detach");
    mkdirSync(join(box.root, ".git/rebase-merge"));
    await workspaces.enter(workspace);
    expect(status(box)).toBe("?? one.txt");
    await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    await expect(workspaces.enter(workspace)).rejects.toMatchObject({ code: "git-busy" });
  });

  test("and commits without a branch loses none of it when another process goes on", async () => {
    const { box, workspace } = await attempt();
    box.git("checkout", "--quiet", "--detach");
    box.write("one.txt", "1\n");
    box.git("add", "one.txt");
    box.git("commit", "--quiet", "--message=nowhere");
    const lost = box.git("rev-parse", "HEAD");
    await box.workspaces().enter(workspace);
    expect(head(box)).toBe("orch/t");
    expect(box.git("rev-parse", `${PREFIX}/t/rescue-1`)).toBe(lost);
  });

  test("does not keep the next task from starting", async () => {
    const { box, workspaces, workspace } = await attempt();
    box.git("checkout", "--quiet", "-b", "by-agent");
    box.write("one.txt", "1\n");
    await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    expect(await workspaces.open(task("next"), "branch")).toMatchObject({ from: "main" });
    expect(status(box)).toBe("");
    await workspaces.enter(workspace);
    expect([head(box), status(box)]).toEqual(["orch/t", "?? one.txt"]);
  });
});

describe("the end of a task", () => {
  test("done and committed: back to what was checked out, and the next task builds on it", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const first = await workspaces.open(task("one"), "branch");
    box.write("one.txt", "1\n");
    const commit = await workspaces.commit(first, "One");
    expect(await workspaces.cleanUp(first, task("one"), DONE)).toEqual([]);
    expect([head(box), status(box)]).toEqual(["main", ""]);
    const second = await box.workspaces().open(task("two"), "branch");
    expect(second).toMatchObject({ branch: "orch/two", base: commit, from: "main" });
    expect(box.read("one.txt")).toBe("1\n");
  });

  test("unfinished: its work is rescued, the tree is clean, and nothing builds on it", async () => {
    const box = sandbox();
    const base = box.git("rev-parse", "HEAD");
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write("src/a.ts", "half\n");
    box.write("new.txt", "new\n");
    box.write("staged.txt", "staged\n");
    box.git("add", "staged.txt");
    rmSync(join(box.root, "src/b.ts"));
    box.write("ignored/keep", "keep\n");
    const rescues = await workspaces.cleanUp(workspace, task("t"), STALLED);
    const ref = `${PREFIX}/t/rescue-1`;
    expect(rescues).toEqual([
      {
        ref,
        why: "uncommitted work of t, which is not done",
      },
    ]);
    expect([head(box), status(box), box.read("src/a.ts")]).toEqual(["main", "", "a\n"]);
    expect(box.read("ignored/keep")).toBe("keep\n");
    expect(box.git("branch", "--list", "orch/*")).toBe("");
    expect(await workspaces.cleanUp(workspace, task("t"), STALLED)).toEqual(rescues);
    expect(await workspaces.open(task("next"), "branch")).toMatchObject({ base });
  });

  test("a rescue comes back with git alone", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.write("src/a.ts", "half\n");
    box.write("new.txt", "new\n");
    const [rescue] = await workspaces.cleanUp(workspace, task("t"), STALLED);
    box.git("stash", "apply", "--quiet", rescue?.ref ?? "");
    expect([box.read("src/a.ts"), box.read("new.txt")]).toEqual(["half\n", "new\n"]);
    const git = await findRepository(box.root, ENV);
    if (git === null) throw new Error("expected a repository");
    expect(await listRescues(git, null)).toEqual([
      {
        ref: rescue?.ref,
        commit: box.git("rev-parse", rescue?.ref ?? ""),
        madeAtS: Number(box.git("log", "-1", "--format=%ct", rescue?.ref ?? "")),
        why: "uncommitted work of t, which is not done",
      },
    ]);
  });

  test("a task that goes on later finds its tree as it left it", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.write("src/a.ts", "half\n");
    box.write("new.txt", "new\n");
    await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    await workspaces.cleanUp(workspace, task("t"), STALLED);
    await box.workspaces().enter(workspace);
    expect([head(box), status(box)]).toEqual(["orch/t", " M src/a.ts\n?? new.txt"]);
    box.write("new.txt", "newer\n");
    await box.workspaces().enter(workspace);
    expect(box.read("new.txt")).toBe("newer\n");
  });

  test("done but not committed: the work stays to be looked at, and later tasks still get it", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const first = await workspaces.open(task("one"), "branch");
    box.write("one.txt", "1\n");
    const rescues = await workspaces.cleanUp(first, task("one"), DONE);
    expect(rescues).toMatchObject([{ ref: `${PREFIX}/one/rescue-1` }]);
    expect([head(box), status(box)]).toEqual(["orch/one", "?? one.txt"]);
    const second = await workspaces.open(task("two"), "branch");
    expect(second).toMatchObject({ branch: "orch/two", from: "main" });
    expect([status(box), box.read("one.txt")]).toEqual(["", "1\n"]);
  });

  test("a paused task's work makes room for the next one and is put back", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const paused = await workspaces.open(task("paused"), "branch");
    box.write("src/a.ts", "waiting\n");
    await workspaces.checkpoint(paused, label("paused", { when: "after" }));
    const other = await workspaces.open(task("other"), "branch");
    expect([other, status(box)]).toMatchObject([{ branch: "orch/other", from: "main" }, ""]);
    box.write("src/b.ts", "other\n");
    await workspaces.commit(other, "Other");
    await workspaces.cleanUp(other, task("other"), DONE);
    await workspaces.enter(paused);
    expect([head(box), status(box), box.read("src/a.ts")]).toEqual([
      "orch/paused",
      " M src/a.ts",
      "waiting\n",
    ]);
    await workspaces.commit(paused, "Paused");
    await workspaces.cleanUp(paused, task("paused"), DONE);
    await workspaces.open(task("last"), "branch");
    expect([box.read("src/a.ts"), box.read("src/b.ts")]).toEqual(["waiting\n", "other\n"]);
  });

  test("a tree that git will not empty stays as it is, rescued, until the next try", async () => {
    const { box, workspace } = await openTask();
    box.write("src/a.ts", "half\n");
    const bin = tempFolder();
    const refuse = 'case "$*" in *"read-tree -m -u"*) exit 128;; esac';
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${refuse}\nPATH="$REAL_PATH" exec git "$@"\n`, {
      mode: 0o755,
    });
    const path = ENV["PATH"] ?? "";
    const env = { ...ENV, REAL_PATH: path, PATH: `${bin}:${path}` };
    const rescues = await box.workspaces({ env }).cleanUp(workspace, task("t"), STALLED);
    expect([head(box), status(box)]).toEqual(["orch/t", " M src/a.ts"]);
    expect(await box.workspaces().cleanUp(workspace, task("t"), STALLED)).toEqual(rescues);
    expect([head(box), status(box)]).toEqual(["main", ""]);
    expect(box.git("for-each-ref", "--format=%(refname)", `${PREFIX}/t/rescue-*`)).toBe(
      `${PREFIX}/t/rescue-1`,
    );
    await box.workspaces().enter(workspace);
    expect(box.read("src/a.ts")).toBe("half\n");
  });

  test("what could not be kept is not removed", async () => {
    const { box, workspaces, workspace } = await openTask();
    rmSync(join(box.root, "src/b.ts"));
    makePipe(join(box.root, "src/b.ts"));
    box.write("new.txt", "new\n");
    const rescues = await workspaces.cleanUp(workspace, task("t"), STALLED);
    const ref = `${PREFIX}/t/rescue-1`;
    expect(rescues).toEqual([
      {
        ref,
        why: `uncommitted work of t, which is not done, without "src/b.ts" (not a regular file), which no commit holds and which stays in the tree`,
      },
    ]);
    expect(box.git("show", `${ref}:new.txt`)).toBe("new");
    expect(lstatSync(join(box.root, "src/b.ts")).isFIFO()).toBe(true);
  });

  test("stays where it is when the branch from before is gone", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.git("branch", "--quiet", "-m", "main", "trunk");
    expect(await workspaces.cleanUp(workspace, task("t"), STALLED)).toEqual([]);
    expect(head(box)).toBe("orch/t");
  });

  test("in place: nothing moves", async () => {
    const { box, workspaces, workspace } = await openTask("none");
    box.write("src/a.ts", "half\n");
    const before = box.view();
    expect(await workspaces.cleanUp(workspace, task("t"), STALLED)).toEqual([]);
    expect(box.view()).toEqual(before);
  });
});
