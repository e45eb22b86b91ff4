// Are orch's refs sound, may anybody delete them, and does a task that did not begin leave none?

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Workspace } from "../../src/core/model/event.ts";
import { createWorkspaces } from "../../src/workspace/workspaces.ts";
import { task } from "../support/builders.ts";
import { DONE, ENV, RUN, STALLED, label, sandbox, tempFolder, type Sandbox } from "./sandbox.ts";

const PREFIX = `refs/orch/${RUN}`;

function head(box: Sandbox): string {
  return box.git("symbolic-ref", "--short", "HEAD");
}

function refsOf(box: Sandbox): readonly string[] {
  const refs = box.git("for-each-ref", "--format=%(refname)", "refs/orch");
  return refs.split("\n").filter((ref) => ref !== "");
}

/** Throws where git finds damage. */
function expectSound(box: Sandbox): void {
  expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect(box.git("for-each-ref", "--format=%(symref)", "refs/orch").trim()).toBe("");
}

async function begun(box: Sandbox, id = "t") {
  const workspace = await box.workspaces().open(task(id), "branch");
  if (workspace.kind !== "branch") throw new Error("expected a branch");
  return workspace;
}

/** As docs/files.md tells people to. */
function removeRefs(box: Sandbox): void {
  const commands = refsOf(box).map((ref) => `delete ${ref}\n`);
  execFileSync("git", ["update-ref", "--no-deref", "--stdin"], {
    cwd: box.root,
    env: ENV,
    input: commands.join(""),
  });
}

describe("the refs of a task", () => {
  test("are sound when it was given up and its branch is gone", async () => {
    const box = sandbox();
    const workspace = await begun(box);
    box.write("new.txt", "new\n");
    await box.workspaces().checkpoint(workspace, label("t"));
    await box.workspaces().cleanUp(workspace, task("t"), STALLED);
    expect(box.git("branch", "--list", "orch/*")).toBe("");
    expectSound(box);
    await box.workspaces().enter(workspace);
    expectSound(box);
  });

  test("are sound when its branch was merged and deleted, also after gc and in a mirror", async () => {
    const box = sandbox();
    const workspace = await begun(box);
    box.write("new.txt", "new\n");
    await box.workspaces().commit(workspace, "New");
    await box.workspaces().cleanUp(workspace, task("t"), DONE);
    box.git("merge", "--quiet", "orch/t");
    box.git("branch", "--quiet", "--delete", "orch/t");
    box.git("gc", "--quiet", "--prune=now");
    expectSound(box);
    const mirror = join(tempFolder(), "mirror");
    box.git("clone", "--quiet", "--mirror", box.root, mirror);
    expect(box.git("-C", mirror, "fsck", "--strict", "--no-progress")).toBe("");
    expect(box.git("-C", mirror, "rev-parse", `${PREFIX}/t/record^`)).toBe(workspace.base);
  });

  test("say the same where the branch's name is in no alphabet of ours", async () => {
    const box = sandbox();
    box.git("config", "i18n.commitEncoding", "ISO-8859-2");
    box.git("config", "i18n.logOutputEncoding", "ISO-8859-2");
    box.git("checkout", "--quiet", "-b", "zweig/ä-日本");
    const workspace = await begun(box);
    expect(workspace.from).toBe("zweig/ä-日本");
    expect(await begun(box)).toEqual(workspace);
  });
});

describe("a task whose refs somebody removed", () => {
  test("goes on in its tree, and is recorded anew", async () => {
    const box = sandbox();
    const workspace = await begun(box);
    box.write("new.txt", "new\n");
    await box.workspaces().checkpoint(workspace, label("t"));
    removeRefs(box);
    const workspaces = box.workspaces();
    await workspaces.enter(workspace);
    await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
    expect(await begun(box)).toEqual(workspace);
    await workspaces.commit(workspace, "New");
    await workspaces.cleanUp(workspace, task("t"), DONE);
    expect([head(box), box.git("show", "orch/t:new.txt")]).toEqual(["main", "new"]);
  });

  test("gets its branch back where it began when that is gone, too", async () => {
    const box = sandbox();
    const workspace = await begun(box);
    box.git("checkout", "--quiet", "main");
    box.git("branch", "--quiet", "-D", "orch/t");
    removeRefs(box);
    await box.workspaces().enter(workspace);
    expect([head(box), box.git("rev-parse", "HEAD")]).toEqual(["orch/t", workspace.base]);
  });

  test("takes no branch that does not go on from where it began", async () => {
    const box = sandbox();
    box.git("commit", "--quiet", "--allow-empty", "--message=second");
    const workspace = await begun(box);
    box.git("checkout", "--quiet", "main");
    box.git("branch", "--quiet", "--force", "orch/t", "main^");
    removeRefs(box);
    await expect(box.workspaces().enter(workspace)).rejects.toMatchObject({
      code: "branch-in-use",
      message: `the branch "orch/t" is expected to go on from ${workspace.base}, where its task began, and does not`,
      hint: "rename that branch, then run `orch resume`: it is made again from there",
    });
    expect([head(box), refsOf(box)]).toEqual(["main", []]);
    box.git("branch", "--quiet", "-m", "orch/t", "elsewhere");
    await box.workspaces().enter(workspace);
    expect([head(box), box.git("rev-parse", "HEAD")]).toEqual(["orch/t", workspace.base]);
  });

  test("says so when the commit it began from is gone", async () => {
    const box = sandbox();
    const gone = "1".repeat(40);
    const workspace: Workspace = { ...(await begun(box)), base: gone };
    removeRefs(box);
    await expect(box.workspaces().enter(workspace)).rejects.toMatchObject({
      code: "git-failed",
      message: `the commit ${gone}, from which the branch "orch/t" began, is no longer in the repository`,
    });
  });

  test("is not taken for another whose name its branch has", async () => {
    const box = sandbox();
    box.git("branch", "orch/t");
    const first = await begun(box);
    expect(first.branch).toBe("orch/t-2");
    box.git("checkout", "--quiet", "main");
    removeRefs(box);
    const second = await begun(box, "t-2");
    expect(second.branch).toBe("orch/t-2-2");
    await box.workspaces().enter(first);
    expect(head(box)).toBe("orch/t-2");
    expect(await begun(box, "t-2")).toEqual(second);
  });
});

describe("a task that did not begin", () => {
  function failing(box: Sandbox, how: { prefix?: string; command?: string }) {
    const bin = tempFolder();
    const refuse = `case "$*" in *"${how.command ?? "nothing"}"*) exit 128;; esac`;
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${refuse}\nPATH="$REAL_PATH" exec git "$@"\n`, {
      mode: 0o755,
    });
    const path = ENV["PATH"] ?? "";
    return createWorkspaces({
      cwd: box.root,
      run: RUN,
      runDir: join(box.root, ".orch", "runs", RUN),
      branchPrefix: how.prefix ?? "orch/",
      env: { ...ENV, REAL_PATH: path, PATH: `${bin}:${path}` },
    });
  }

  test.each([
    ["git takes no branch of that name", { prefix: "bad..x/" }, "branch"],
    ["its branch cannot be checked out", { command: "checkout" }, "branch"],
    ["it cannot be recorded", { command: "commit-tree" }, "branch"],
    ["what is there in place cannot be recorded", { command: "write-tree" }, "none"],
  ] as const)("leaves no ref: %s", async (_why, how, isolation) => {
    const box = sandbox();
    await expect(failing(box, how).open(task("t"), isolation)).rejects.toMatchObject({
      code: "git-failed",
    });
    expect([head(box), refsOf(box), box.git("branch", "--list", "orch/*")]).toEqual([
      "main",
      [],
      "",
    ]);
    expect(await box.workspaces().open(task("t"), isolation)).toMatchObject({ root: box.root });
  });

  test("because another git is at work is told of the lock", async () => {
    const box = sandbox();
    writeFileSync(join(box.root, ".git/index.lock"), "");
    await expect(box.workspaces().open(task("t"), "branch")).rejects.toMatchObject({
      code: "git-busy",
      hint: expect.stringContaining("remove the lock file where none is running"),
    });
    expect(refsOf(box)).toEqual([]);
    rmSync(join(box.root, ".git/index.lock"));
    expect(await begun(box)).toMatchObject({ branch: "orch/t" });
  });
});
