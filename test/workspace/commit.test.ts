import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { DONE, label, sandbox, tempFolder, openTask } from "./sandbox.ts";
import { task } from "../support/builders.ts";

describe("a commit on the task's branch", () => {
  test("holds everything but .orch, under the user's name, with the message as it is", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.write("src/a.ts", "edited\n");
    box.write("new.txt", "new\n");
    rmSync(join(box.root, "src/b.ts"));
    rmSync(join(box.root, ".orch/.gitignore"));
    box.write(".orch/session/x", "x");
    const message = "Add login (implement)\n\n# not a comment\n\nOrch-Task: t";
    const commit = await workspaces.commit(workspace, message);
    expect(commit).toBe(box.git("rev-parse", "refs/heads/orch/t"));
    expect(box.git("log", "-1", "--format=%an <%ae> %cn%n%B")).toBe(
      `Ada <ada@example.org> Ada\n${message}`,
    );
    expect(box.git("show", "--format=", "--name-status", "HEAD")).toBe(
      "A\tnew.txt\nM\tsrc/a.ts\nD\tsrc/b.ts",
    );
    expect(box.git("status", "--porcelain")).toBe("?? .orch/");
  });

  test("is null when there is nothing, and the same commit when asked for again", async () => {
    const { box, workspaces, workspace } = await openTask();
    expect(await workspaces.commit(workspace, "Nothing")).toBeNull();
    box.write("new.txt", "new\n");
    const commit = await workspaces.commit(workspace, "Something\n\nOrch-Task: t\n");
    expect(await box.workspaces().commit(workspace, "Something\n\nOrch-Task: t\n")).toBe(commit);
    expect(await workspaces.commit(workspace, "Another")).toBeNull();
  });

  test("runs no hooks, signs nothing, and works without a name in the configuration", async () => {
    const box = sandbox();
    box.git("config", "--unset", "user.name");
    box.git("config", "--unset", "user.email");
    box.git("config", "user.useConfigOnly", "true");
    box.git("config", "commit.gpgSign", "true");
    box.git("config", "gpg.program", "/bin/false");
    const trap = join(tempFolder(), "ran");
    for (const hook of ["pre-commit", "prepare-commit-msg", "post-commit", "post-checkout"])
      writeFileSync(join(box.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${trap}\nexit 1\n`, {
        mode: 0o755,
      });
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write("new.txt", "new\n");
    await workspaces.commit(workspace, "New");
    expect(box.git("log", "-1", "--format=%an <%ae>")).toBe("orch <orch@localhost>");
    expect(existsSync(trap)).toBe(false);
  });

  test("lands on the task's branch also when the agent went elsewhere", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.git("checkout", "--quiet", "-b", "by-agent");
    box.write("one.txt", "1\n");
    box.git("add", "one.txt");
    box.git("commit", "--quiet", "--message=by the agent");
    box.write("two.txt", "2\n");
    const commit = await workspaces.commit(workspace, "Both");
    expect(box.git("rev-parse", "orch/t")).toBe(commit);
    expect(box.git("show", "--format=", "--name-only", "orch/t")).toBe("one.txt\ntwo.txt");
    expect(box.git("log", "-1", "--format=%s", "by-agent")).toBe("by the agent");
  });

  test("waits for a lock that is let go, and names one that stays", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.write("new.txt", "new\n");
    writeFileSync(join(box.root, ".git/index.lock"), "");
    await expect(workspaces.commit(workspace, "New")).rejects.toMatchObject({ code: "git-busy" });
    rmSync(join(box.root, ".git/index.lock"));
    expect(await workspaces.commit(workspace, "New")).toBe(box.git("rev-parse", "HEAD"));
  });
});

describe("a commit in place", () => {
  test("holds the task's changes and leaves what the user had, staged or not", async () => {
    const box = sandbox();
    box.write("README.md", "mine, staged\n");
    box.git("add", "README.md");
    box.write("mine.txt", "mine, untracked\n");
    const workspace = await box.workspaces().open(task("t"), "none");
    box.write("src/a.ts", "the agent's\n");
    box.write("new.txt", "the agent's\n");
    rmSync(join(box.root, "src/b.ts"));
    const commit = await box.workspaces().commit(workspace, "Agent's");
    expect(commit).toBe(box.git("rev-parse", "refs/heads/main"));
    expect(box.git("show", "--format=", "--name-status", "HEAD")).toBe(
      "A\tnew.txt\nM\tsrc/a.ts\nD\tsrc/b.ts",
    );
    expect(box.git("status", "--porcelain")).toBe("M  README.md\n?? mine.txt");
    expect(await box.workspaces().commit(workspace, "Agent's")).toBe(commit);
  });

  test("does not take along what an earlier task left", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    await workspaces.open(task("one"), "none");
    box.write("left.txt", "left by one\n");
    const workspace = await workspaces.open(task("two"), "none");
    await workspaces.checkpoint(workspace, label("two"));
    expect(await workspaces.commit(workspace, "Two")).toBeNull();
    box.write("two.txt", "2\n");
    await workspaces.commit(workspace, "Two");
    expect(box.git("show", "--format=", "--name-only", "HEAD")).toBe("two.txt");
  });

  test("never concludes a merge of the user's", async () => {
    const { box, workspace } = await openTask("none");
    writeFileSync(join(box.root, ".git/MERGE_HEAD"), `${box.git("rev-parse", "HEAD")}\n`);
    box.write("new.txt", "new\n");
    expect(await box.workspaces().commit(workspace, "New")).toBeNull();
    expect(box.git("log", "-1", "--format=%s")).toBe("start");
  });
});

test("a file that the agent took out of the index and had git ignore is committed all the same", async () => {
  const { box, workspaces, workspace } = await openTask();
  await workspaces.checkpoint(workspace, label("t"));
  box.write(".gitignore", "src/b.ts\n");
  box.git("rm", "--quiet", "--cached", "src/b.ts");
  await workspaces.commit(workspace, "work");
  expect(box.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toContain("src/b.ts");
  expect(await workspaces.cleanUp(workspace, task("t"), DONE)).toEqual([]);
});
