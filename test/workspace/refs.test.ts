// Are orch's refs sound, may anybody delete them, and does a task that did not begin leave none?

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { ENV, PREFIX, T, openTask, sandbox, tempFolder, commitWork } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

function refsOf(box: Sandbox): readonly string[] {
  const refs = box.git("for-each-ref", "--format=%(refname)", "refs/orch");
  return refs.split("\n").filter((ref) => ref !== "");
}

/** Throws where git finds damage. */
function expectSound(box: Sandbox): void {
  expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect(box.git("for-each-ref", "--format=%(symref)", "refs/orch").trim()).toBe("");
}

describe("the refs of a task", () => {
  test("are sound when its branch was merged and deleted, also after gc and in a mirror", async () => {
    const { box, tree, workspaces, workspace } = await openTask();
    tree.write("new.txt", "new\n");
    const commit = await commitWork(workspaces, workspace, T, "New");
    await workspaces.remove(workspace, T, "in commits or a rescue");
    box.git("merge", "--quiet", "orch/t");
    box.git("branch", "--quiet", "--delete", "orch/t");
    box.git("gc", "--quiet", "--prune=now");
    expectSound(box);
    const mirror = join(tempFolder(), "mirror");
    box.git("clone", "--quiet", "--mirror", box.root, mirror);
    expect(box.git("-C", mirror, "fsck", "--strict", "--no-progress")).toBe("");
    expect(box.git("-C", mirror, "rev-parse", `${PREFIX}/t/head`)).toBe(commit);
  });

  test("may be packed", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    tree.write("new.txt", "new\n");
    await checkpoint();
    box.git("pack-refs", "--all");
    await commitWork(workspaces, workspace, T, "New");
    expect((await checkpoint({ attempt: 2 })).ref).toBe(`${PREFIX}/t/3`);
    expect(box.git("show", "orch/t:new.txt")).toBe("new");
  });
});

describe("a task that did not begin", () => {
  test("leaves no ref where what is there in place cannot be recorded", async () => {
    const box = sandbox();
    const bin = tempFolder();
    const refuse = 'case "$*" in *write-tree*) exit 128;; esac';
    writeFileSync(join(bin, "git"), `#!/bin/sh\n${refuse}\nPATH="$REAL_PATH" exec git "$@"\n`, {
      mode: 0o755,
    });
    const path = ENV["PATH"] ?? "";
    const workspaces = box.workspaces({ env: { REAL_PATH: path, PATH: `${bin}:${path}` } });
    const opened = openTask({ box, workspaces, isolation: "none" });
    await expect(opened).rejects.toMatchObject({ code: "git-failed" });
    expect(refsOf(box)).toEqual([]);
    expect((await openTask({ box, isolation: "none" })).workspace.root).toBe(box.root);
  });
});
