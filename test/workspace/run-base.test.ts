// From what does a run start, and does what lies uncommitted stay as it is?

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { createPinnedSettings } from "../../src/workspace/git/pinned-settings.ts";
import { runBase, type RunStart } from "../../src/workspace/run-base.ts";
import { gitIn } from "../support/repository.ts";
import { ENV, PREFIX, RUN, everythingOf, openTree, sandbox, tempFolder } from "./sandbox.ts";

function baseOf(
  cwd: string,
  more: Partial<Pick<RunStart, "withChanges" | "isolation" | "read">> = {},
) {
  const runDir = join(cwd, ".orch/runs", RUN);
  const how = {
    isolation: "worktree",
    isConfined: false,
    withChanges: false,
    branchPrefix: "orch/",
    read: [],
    ...more,
  } as const;
  return runBase({
    cwd,
    env: ENV,
    pinnedGit: createPinnedSettings(null),
    run: RUN,
    runDir,
    ...how,
  });
}

/** With one file of each kind that is not committed, and some that do not count. */
function dirty() {
  const box = sandbox();
  box.write("src/a.ts", "staged\n");
  box.git("add", "src/a.ts");
  box.write("src/a.ts", "staged and changed\n");
  rmSync(join(box.root, "src/b.ts"));
  box.write("new/untracked.txt", "new\n");
  box.write("ignored/x", "x\n");
  mkdirSync(join(box.root, "nested"));
  gitIn(join(box.root, "nested"))("init", "--quiet");
  return box;
}

const FILES = ".gitignore\nREADME.md\nsrc/a.ts\nsrc/b.ts";

describe("a run", () => {
  test("starts from HEAD, and tells how many files of the checkout are not part of it", async () => {
    const box = dirty();
    const before = everythingOf(box);
    const commit = box.git("rev-parse", "HEAD");
    expect(await baseOf(box.root)).toEqual({
      base: { commit, branch: "main", withChanges: false, into: `orch/${RUN}` },
      uncommitted: 3,
      author: null,
      loose: [],
    });
    expect(everythingOf(box)).toEqual(before);
    expect(box.git("for-each-ref", "refs/orch")).toBe("");
    const read = ["src/a.ts", "new/untracked.txt", "gone.md"];
    expect(await baseOf(box.root, { read })).toMatchObject({ uncommitted: 1 });
    expect(await baseOf(box.root, { read, withChanges: true })).toMatchObject({ uncommitted: 3 });
  });

  test("tells whose commits will be made where git does not know who works here", async () => {
    const box = sandbox();
    for (const key of ["name", "email"]) box.git("config", "--unset", `user.${key}`);
    box.git("config", "user.useConfigOnly", "true");
    expect((await baseOf(box.root)).author).toContain(
      "as Ada <ada@example.org>, the author of HEAD",
    );
  });

  test("takes a snapshot of them along where that is asked for, and touches none", async () => {
    const box = dirty();
    const before = everythingOf(box);
    const { base, uncommitted } = await baseOf(box.root, { withChanges: true });
    if (base === null) throw new Error("expected a base");
    expect([base.withChanges, uncommitted]).toEqual([true, 3]);
    expect(box.git("rev-parse", `${PREFIX}/_start`, `${base.commit}^`)).toBe(
      `${base.commit}\n${box.git("rev-parse", "HEAD")}`,
    );
    const { tree } = await openTree({ box, base: base.commit });
    expect(tree.git("ls-files")).toBe(".gitignore\nREADME.md\nnew/untracked.txt\nsrc/a.ts");
    expect(tree.read("src/a.ts")).toBe("staged and changed\n");
    expect(everythingOf(box)).toEqual(before);
  });

  test("takes along an unfinished merge as it stands", async () => {
    const box = sandbox();
    box.git("checkout", "--quiet", "-b", "other");
    box.write("README.md", "theirs\n");
    box.git("commit", "--quiet", "--all", "--message=theirs");
    box.git("checkout", "--quiet", "main");
    box.write("README.md", "ours\n");
    box.git("commit", "--quiet", "--all", "--message=ours");
    expect(() => box.git("merge", "other")).toThrow("Command failed");
    const before = everythingOf(box);
    const { base } = await baseOf(box.root, { withChanges: true });
    expect(box.git("show", `${base?.commit}:README.md`)).toContain("<<<<<<< HEAD");
    expect((await baseOf(box.root)).base?.commit).toBe(box.git("rev-parse", "HEAD"));
    expect(everythingOf(box)).toEqual(before);
  });

  test("works beside the user's own lock", async () => {
    const box = dirty();
    writeFileSync(join(box.root, ".git/index.lock"), "");
    expect((await baseOf(box.root, { withChanges: true })).uncommitted).toBe(3);
  });

  test("knows no branch where none is checked out, and finds a free one for its work", async () => {
    const box = sandbox();
    box.git("branch", `orch/${RUN}`);
    box.git("checkout", "--quiet", "--detach");
    const { base } = await baseOf(box.root);
    expect(base).toMatchObject({ branch: null, into: `orch/${RUN}-2` });
  });

  test("in place has nothing to tell of, for it is all there", async () => {
    const box = dirty();
    expect((await baseOf(box.root, { isolation: "none" })).uncommitted).toBe(0);
    expect(box.git("ls-tree", "-r", "--name-only", "HEAD")).toBe(FILES);
  });

  test("has no base outside git, and none to start from in a repository without a commit", async () => {
    expect(await baseOf(tempFolder())).toEqual({
      base: null,
      uncommitted: 0,
      author: null,
      loose: [],
    });
    const { root } = sandbox({ commit: false });
    await expect(baseOf(root)).rejects.toMatchObject({ code: "no-commits" });
  });
});
