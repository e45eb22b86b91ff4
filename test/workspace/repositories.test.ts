// Does a task work in every kind of repository that people have?

import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { commitAll, gitIn } from "../support/repository.ts";
import {
  ENV,
  PREFIX,
  T,
  everythingOf,
  label,
  openTree,
  sandbox,
  sandboxAt,
  tempFolder,
  type Sandbox,
  commitWork,
} from "./sandbox.ts";

/** A whole task: made, worked in by an agent with git, kept, committed, made again, joined, removed. */
async function expectWhole(box: Sandbox, gitDir?: string) {
  const before = everythingOf(box, gitDir);
  const { tree, workspaces, workspace, checkpoint } = await openTree({ box });
  expect(tree.git("status", "--porcelain", "--branch")).toBe("## orch/t");
  const since = await checkpoint();
  expect(since.tree).toBe(box.git("rev-parse", "HEAD^{tree}"));
  tree.write("agent.txt", "by the agent\n");
  tree.git("add", "agent.txt");
  tree.git("commit", "--quiet", "--message=by the agent");
  tree.write("src/new.ts", "new\n");
  const change = await workspaces.change(workspace, { since, work: null }, null);
  expect(change).toMatchObject({ changed: ["agent.txt", "src/new.ts"] });
  const after = await checkpoint({ when: "after" });
  const commit = await commitWork(workspaces, workspace, T, "Work");
  expect(box.git("log", "--format=%s", `${workspace.base}..orch/t`)).toBe("Work\nby the agent");
  expect(tree.git("status", "--porcelain", "--branch")).toBe("## orch/t");
  rmSync(tree.root, { recursive: true });
  const { signal } = new AbortController();
  await workspaces.make(workspace, T, after.tree, signal);
  expect(tree.read("src/new.ts").trimEnd()).toBe("new");
  const next = await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
  expect(next?.tree).toBe(after.tree);
  const base = await workspaces.baseOf(workspace);
  expect(box.git("ls-tree", "--name-only", base?.commit ?? "")).not.toContain("agent.txt");
  expect(everythingOf(box, gitDir)).toEqual(before);
  return { tree, workspaces, workspace, commit };
}

function clone(from: string, ...how: readonly string[]): Sandbox {
  const root = join(tempFolder(), "clone");
  gitIn(from)("clone", "--quiet", ...how, `file://${from}`, root);
  const git = gitIn(root);
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  return sandboxAt(root);
}

describe("a task works", () => {
  test("where the checkout is a linked working tree", async () => {
    const main = sandbox();
    const root = join(tempFolder(), "linked here");
    main.git("worktree", "add", "--quiet", "-b", "side", root);
    await expectWhole(sandboxAt(root), join(main.root, ".git"));
    expect(main.git("symbolic-ref", "--short", "HEAD")).toBe("main");
  });

  test("where the checkout is the working tree of a bare repository", async () => {
    const bare = join(tempFolder(), "bare.git");
    gitIn(sandbox().root)("clone", "--quiet", "--bare", ".", bare);
    const git = gitIn(bare);
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.org");
    const root = join(tempFolder(), "main");
    git("worktree", "add", "--quiet", root, "main");
    await expectWhole(sandboxAt(root), bare);
  });

  test("where settings are kept for each working tree", async () => {
    const box = sandbox();
    box.git("config", "extensions.worktreeConfig", "true");
    box.git("config", "--worktree", "core.sparseCheckout", "true");
    box.git("sparse-checkout", "set", "--cone", "src");
    const { tree } = await expectWhole(box);
    expect(tree.read("README.md")).toBe("hello\n");
  });

  test("in a shallow clone", async () => {
    const box = sandbox();
    for (const n of ["2", "3", "4"]) box.git("commit", "--quiet", "--allow-empty", `-m${n}`);
    const { tree } = await expectWhole(clone(box.root, "--depth=2"));
    expect(tree.git("log", "--format=%s", "main")).toBe("4\n3");
  });

  test("in a clone that fetches files when they are asked for", async () => {
    const box = sandbox();
    box.git("config", "uploadpack.allowFilter", "true");
    const { tree } = await expectWhole(clone(box.root, "--filter=blob:none"));
    expect(tree.git("log", "-1", "-p", "--format=", "main", "--", "src/a.ts")).toContain("+a");
  });

  test("with ids of SHA-256", async () => {
    const root = tempFolder();
    gitIn(root)("init", "--quiet", "--initial-branch=main", "--object-format=sha256");
    const box = sandboxAt(root);
    box.git("config", "user.name", "Ada");
    box.git("config", "user.email", "ada@example.org");
    box.write("src/a.ts", "a\n");
    commitAll(box.git);
    expect((await expectWhole(box)).commit).toHaveLength(64);
  });

  test("where refs are kept in a table, by a git that knows it", async () => {
    const root = tempFolder();
    // Others pass over the variable.
    const env = { ...ENV, GIT_DEFAULT_REF_FORMAT: "reftable" };
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: root, env });
    const box = sandboxAt(root);
    box.git("config", "user.name", "Ada");
    box.git("config", "user.email", "ada@example.org");
    box.write("src/a.ts", "a\n");
    commitAll(box.git);
    await expectWhole(box);
  });

  test("where the checkout is on no branch", async () => {
    const box = sandbox();
    box.git("checkout", "--quiet", "--detach");
    await expectWhole(box);
  });

  test("where lines end in two characters", async () => {
    const box = sandbox();
    box.git("config", "core.autocrlf", "true");
    box.git("rm", "-r", "--quiet", "--cached", ".");
    box.git("reset", "--quiet", "--hard");
    expect(readFileSync(join(box.root, "src/a.ts"), "utf8")).toBe("a\r\n");
    const { tree, commit } = await expectWhole(box);
    expect(tree.read("src/a.ts")).toBe("a\r\n");
    expect(box.git("cat-file", "-s", `${commit}:src/a.ts`)).toBe("2");
  });

  test("where large files are pointers that a program of the user's fills", async () => {
    const box = sandbox();
    const store = tempFolder();
    writeFileSync(join(store, "oid"), "a large file\n");
    box.git("config", "filter.lfs.clean", `cat >"${store}/oid"; echo "pointer oid"`);
    box.git("config", "filter.lfs.smudge", `cat >/dev/null; cat "${store}/oid"`);
    box.git("config", "filter.lfs.required", "true");
    box.write(".gitattributes", "*.bin filter=lfs -text\n");
    box.write("large.bin", "a large file\n");
    commitAll(box.git);
    expect(box.git("show", "HEAD:large.bin")).toBe("pointer oid");
    const { tree, workspaces, workspace } = await expectWhole(box);
    expect(tree.read("large.bin")).toBe("a large file\n");
    tree.write("large.bin", "a larger file\n");
    const commit = await commitWork(workspaces, workspace, T, "Larger");
    expect(readFileSync(join(store, "oid"), "utf8")).toBe("a larger file\n");
    expect(box.git("show", `${commit}:large.bin`)).toBe("pointer oid");
  });

  test("where its name, its branches and its paths are in no alphabet of ours", async () => {
    const root = join(tempFolder(), "ö 日本 '\"$x");
    renameSync(sandbox().root, root);
    const box = sandboxAt(root);
    box.git("config", "user.name", "Ädä");
    box.git("branch", "--quiet", "-m", "zweig/ä-日本");
    const { tree } = await expectWhole(box);
    expect(tree.root.endsWith("/ö 日本 '\"$x")).toBe(true);
    expect(tree.git("log", "-1", "--format=%an")).toBe("Ädä");
  });
});

describe("submodules", () => {
  const FILE = ["-c", "protocol.file.allow=always"];

  function withSubmodule(): Sandbox {
    const box = sandbox();
    const inner = sandbox();
    box.git(...FILE, "submodule", "--quiet", "add", `file://${inner.root}`, "lib");
    commitAll(box.git);
    return box;
  }

  test("that are checked out are there as files, and stay as the commit has them", async () => {
    const box = withSubmodule();
    const before = everythingOf(box);
    const { tree, workspaces, workspace } = await openTree({ box });
    expect(readdirSync(join(tree.root, "lib")).sort()).toEqual([".gitignore", "README.md", "src"]);
    tree.write("lib/src/a.ts", "edited\n");
    tree.write("src/new.ts", "new\n");
    await commitWork(workspaces, workspace, T, "New");
    expect(box.git("show", "--format=", "--name-only", "orch/t")).toBe("src/new.ts");
    expect(everythingOf(box)).toEqual(before);
  });

  test("that the agent checks out are its own, and their commits are recorded", async () => {
    const box = withSubmodule();
    box.git("submodule", "--quiet", "deinit", "--force", "lib");
    const before = everythingOf(box);
    const { tree, workspaces, workspace, checkpoint } = await openTree({ box });
    expect(readdirSync(join(tree.root, "lib"))).toEqual([]);
    tree.git(...FILE, "submodule", "--quiet", "update", "--init");
    expect(tree.read("lib/src/a.ts")).toBe("a\n");
    tree.write("src/new.ts", "new\n");
    await commitWork(workspaces, workspace, T, "New");
    expect(box.git("rev-parse", "orch/t:lib")).toBe(box.git("rev-parse", "HEAD:lib"));

    const lib = gitIn(join(tree.root, "lib"));
    tree.write("lib/src/a.ts", "edited\n");
    lib("-c", "user.name=x", "-c", "user.email=x@y", "commit", "--quiet", "--all", "-mlib");
    const moved = await checkpoint();
    expect(box.git("rev-parse", `${moved.commit}:lib`)).toBe(lib("rev-parse", "HEAD"));
    expect(everythingOf(box)).toEqual(before);
  });

  test("that the agent adds are recorded, and no other repository in the tree is", async () => {
    const { box, tree, workspaces, workspace } = await openTree({ box: sandbox() });
    const from = `file://${sandbox().root}`;
    tree.git(...FILE, "submodule", "--quiet", "add", from, "lib");
    tree.git(...FILE, "clone", "--quiet", from, "other");
    tree.git("commit", "--quiet", "--message=add lib");
    tree.write("src/new.ts", "new\n");
    await commitWork(workspaces, workspace, T, "New");
    const links = box.git("ls-tree", "-r", "orch/t").split("\n");
    expect(links.filter((line) => line.startsWith("160000"))).toEqual([
      `160000 commit ${tree.git("-C", "lib", "rev-parse", "HEAD")}\tlib`,
    ]);
  });

  test("are a place for a task themselves", async () => {
    const box = withSubmodule();
    const lib = sandboxAt(join(box.root, "lib"));
    lib.git("config", "user.name", "Ada");
    lib.git("config", "user.email", "ada@example.org");
    writeFileSync(join(box.root, ".git/modules/lib/info/exclude"), ".orch\n");
    const head = box.git("rev-parse", "HEAD");
    const refs = box.git("for-each-ref");
    await expectWhole(lib, join(box.root, ".git/modules/lib"));
    expect([box.git("rev-parse", "HEAD"), box.git("for-each-ref")]).toEqual([head, refs]);
    expect(lib.git("for-each-ref", "--format=%(refname)", `${PREFIX}/t/head`)).not.toBe("");
  });
});
