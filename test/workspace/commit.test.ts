import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { idOf } from "../../src/core/model/ids.ts";
import { ENV, PREFIX, T, openTask, sandbox, tempFolder, commitWork } from "./sandbox.ts";

describe("a commit of a task", () => {
  test("holds everything but .orch, under the user's name, with the message as it is", async () => {
    const { box, tree, workspaces, workspace } = await openTask();
    tree.write("src/a.ts", "edited\n");
    tree.write("new.txt", "new\n");
    rmSync(join(tree.root, "src/b.ts"));
    tree.write(".orch/session/x", "x");
    const message = "Add login (implement)\n\n# not a comment\n\nOrch-Task: t";
    const commit = await commitWork(workspaces, workspace, T, message);
    expect(box.git("rev-parse", "refs/heads/orch/t", `${PREFIX}/t/head`)).toBe(
      `${commit}\n${commit}`,
    );
    expect(box.git("log", "-1", "--format=%an <%ae> %cn%n%B", "orch/t")).toBe(
      `Ada <ada@example.org> Ada\n${message}`,
    );
    expect(box.git("show", "--format=", "--name-status", "orch/t")).toBe(
      "A\tnew.txt\nM\tsrc/a.ts\nD\tsrc/b.ts",
    );
    expect(tree.git("status", "--porcelain", "--branch")).toBe("## orch/t\n?? .orch/");
  });

  test("is null when there is nothing, and the same commit when asked for again", async () => {
    const { box, tree, workspaces, workspace } = await openTask();
    expect(await commitWork(workspaces, workspace, T, "Nothing")).toBeNull();
    tree.write("new.txt", "new\n");
    const commit = await commitWork(workspaces, workspace, T, "Something");
    expect(await commitWork(box.workspaces(), workspace, T, "Something")).toBe(commit);
    expect(await commitWork(workspaces, workspace, T, "Another")).toBe(commit);
  });

  test.each([
    ["a line break", "a\nb\n.txt"],
    ["a tab and quotes", "\t\"'`$(x)`.txt"],
    ["a leading dash", "-rf"],
    ["a leading colon, as a pathspec has it", ":(exclude)x"],
  ])("holds an untracked file with %s in its name", async (_what, name) => {
    const { box, tree, workspaces, workspace } = await openTask();
    writeFileSync(join(tree.root, name), "odd\n");
    const commit = await commitWork(workspaces, workspace, T, "Odd");
    const other = await openTask({ box, id: "u", base: commit ?? "" });
    expect(existsSync(join(other.tree.root, name))).toBe(true);
    expect(other.tree.git("status", "--porcelain")).toBe("");
  });

  test("runs no hooks, signs nothing, and works without a name in the configuration", async () => {
    const box = sandbox();
    box.git("config", "--unset", "user.name");
    box.git("config", "--unset", "user.email");
    box.git("config", "user.useConfigOnly", "true");
    box.git("config", "commit.gpgSign", "true");
    box.git("config", "gpg.program", "/bin/false");
    const trap = join(tempFolder(), "ran");
    for (const hook of HOOKS)
      writeFileSync(join(box.root, ".git/hooks", hook), `#!/bin/sh\ntouch ${trap}\nexit 1\n`, {
        mode: 0o755,
      });
    const { tree, workspaces, workspace, checkpoint } = await openTask({ box });
    tree.write("new.txt", "new\n");
    await checkpoint();
    await commitWork(workspaces, workspace, T, "New");
    expect(box.git("log", "-1", "--format=%an <%ae>", "orch/t")).toBe("Ada <ada@example.org>");
    expect(existsSync(trap)).toBe(false);
    const author = { GIT_AUTHOR_NAME: "Eve", GIT_AUTHOR_EMAIL: "eve@example.org" };
    const named = box.workspaces({ env: { ...ENV, ...author } });
    const other = await openTask({ box, workspaces: named, id: "u" });
    other.tree.write("new.txt", "new\n");
    await commitWork(named, other.workspace, idOf("u"), "Other");
    expect(box.git("log", "-1", "--format=%an <%ae>", "orch/u")).toBe("Eve <eve@example.org>");
  });

  test("holds no packages that nobody told git to ignore, and its tree has them", async () => {
    const box = sandbox();
    box.write(".venv/dep.py", "one = 1\n");
    const { tree, workspaces, workspace } = await openTask({ box });
    expect(tree.read(".venv/dep.py")).toBe("one = 1\n");
    tree.write("new.txt", "new\n");
    await commitWork(workspaces, workspace, T, "New");
    expect(box.git("ls-tree", "-r", "--name-only", "orch/t")).not.toContain("venv");
  });

  test("stands for all of the agent's where one of them holds a secret", async () => {
    const box = sandbox();
    const secrets = [["line one\nhunter2hunter2", "SITE_KEY"]] as const;
    const workspaces = box.workspaces({ secrets });
    const { tree, workspace, checkpoint } = await openTask({ box, workspaces });
    for (const text of ["line one\nhunter2hunter2\n", "nothing\n"]) {
      tree.write("one.txt", text);
      tree.git("add", "one.txt");
      tree.git("commit", "--quiet", "--message=by the agent");
      await checkpoint({ when: "after" });
    }
    await commitWork(workspaces, workspace, T, "All");
    expect(box.git("log", "--format=%s", "orch/t")).toBe("All\nstart");
    expect(box.git("log", "-p", "orch/t")).not.toContain("hunter2");
    expect(tree.git("log", "--format=%s")).toBe("All\nstart");
  });

  test("keeps commits of the agent that do not go on from the task's under a ref", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    tree.write("one.txt", "1\n");
    await commitWork(workspaces, workspace, T, "One");
    tree.git("checkout", "--quiet", "--orphan", "elsewhere");
    tree.write("two.txt", "2\n");
    tree.git("add", "--all");
    tree.git("commit", "--quiet", "--message=from nothing");
    const theirs = tree.git("rev-parse", "HEAD");
    await checkpoint({ when: "after" });
    await commitWork(workspaces, workspace, T, "Two");
    expect(box.git("log", "--format=%s", "orch/t")).toBe("Two\nOne\nstart");
    expect(box.git("rev-parse", `${PREFIX}/t/agent`)).toBe(theirs);
  });

  test("holds a file that the agent took out of the index and had git ignore", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    await checkpoint();
    tree.write(".gitignore", "src/b.ts\n");
    tree.git("rm", "--quiet", "--cached", "src/b.ts");
    await commitWork(workspaces, workspace, T, "work");
    expect(box.git("ls-tree", "-r", "--name-only", "orch/t").split("\n")).toContain("src/b.ts");
  });
});

const HOOKS = ["pre-commit", "commit-msg", "post-commit", "reference-transaction"];

test("in place nothing is committed", async () => {
  const { box, workspaces, workspace } = await openTask({ isolation: "none" });
  box.write("new.txt", "new\n");
  expect(await commitWork(workspaces, workspace, T, "New")).toBeNull();
  expect(box.git("log", "-1", "--format=%s")).toBe("start");
});
