// Is what an agent made of its own repository kept before it goes, and nothing recorded that is not new?

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

import { gitIn } from "../support/repository.ts";
import { commitWork, PREFIX, T, everythingOf, openTree, sandbox, type Sandbox } from "./sandbox.ts";

const OF_AGENT = "of the agent's repository";
const WHY = "left";

async function working(box = sandbox()) {
  const opened = await openTree({ box });
  const { workspaces, workspace, tree } = opened;
  const commitOn = (branch: string, file: string): string => {
    tree.git("checkout", "--quiet", "-b", branch);
    tree.write(file, `${file}\n`);
    tree.git("add", file);
    tree.git("commit", "--quiet", "--message", file);
    const commit = tree.git("rev-parse", "HEAD");
    tree.git("checkout", "--quiet", "orch/t");
    return commit;
  };
  const rescue = async (by = workspaces) =>
    (await by.rescue(workspace, T, WHY)).map(({ ref, why }) => [
      ref.slice(`${PREFIX}/t/`.length),
      why.replace(` ${OF_AGENT}`, ""),
    ]);
  const commit = () => commitWork(workspaces, workspace, T, "Work");
  const remove = (where: "in commits" | "in commits or a rescue" = "in commits or a rescue") =>
    workspaces.remove(workspace, T, where);
  return { ...opened, commitOn, rescue, commit, remove };
}

function filesOf(box: Sandbox, n: number): readonly string[] {
  const ref = `${PREFIX}/t/rescue-${n}`;
  return box.git("diff", "--name-only", `${ref}^1`, ref).split("\n");
}

describe("branches, tags and stashes of the agent's repository", () => {
  test("are kept, each with what it has besides the task's own work", async () => {
    const { box, tree, commitOn, rescue, commit, remove } = await working();
    const before = everythingOf(box);
    const wip = commitOn("wip", "wip.txt");
    const tagged = commitOn("gone", "tagged.txt");
    tree.git("tag", "--annotate", "--message=kept", "v1", "gone");
    tree.git("branch", "--quiet", "-D", "gone");
    tree.write("src/a.ts", "older\n");
    tree.git("stash");
    tree.write("src/b.ts", "newer\n");
    tree.write("untracked.txt", "u\n");
    tree.git("stash", "--include-untracked");
    const stashes = [0, 1].map((n) => tree.git("rev-parse", `stash@{${n}}`));
    tree.write("src/a.ts", "done\n");

    const done = await commit();
    expect(await remove("in commits")).toBe(false);
    expect(await rescue()).toEqual([
      ["rescue-1", "stash@{0}"],
      ["rescue-2", "stash@{1}"],
      ["rescue-3", "branch wip"],
      ["rescue-4", "tag v1"],
    ]);
    const holds = [1, 2, 3, 4].map((n) => box.git("rev-parse", `${PREFIX}/t/rescue-${n}^2`));
    expect(holds).toEqual([...stashes, wip, tagged]);
    expect([1, 2, 3, 4].map((n) => filesOf(box, n))).toEqual([
      ["src/b.ts", "untracked.txt"],
      ["src/a.ts"],
      ["wip.txt"],
      ["tagged.txt"],
    ]);
    expect(await remove()).toBe(true);
    expect(existsSync(tree.root)).toBe(false);
    expect(box.git("rev-parse", "orch/t")).toBe(done);
    expect(everythingOf(box)).toEqual(before);
    box.git("gc", "--quiet", "--prune=now");
    expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  });

  test("of a task that ends without a commit are kept before its own work", async () => {
    const { tree, commitOn, rescue, remove } = await working();
    commitOn("wip", "wip.txt");
    tree.write("src/a.ts", "half\n");
    const all = [
      ["rescue-1", "branch wip"],
      ["rescue-2", WHY],
    ];
    expect(await remove("in commits")).toBe(false);
    expect(await rescue()).toEqual(all);
    expect(await rescue()).toEqual(all);
    expect(await remove()).toBe(true);
  });

  test("are found again by a process that goes on, and kept once", async () => {
    const { box, commitOn, rescue, commit } = await working();
    commitOn("wip", "wip.txt");
    await commit();
    expect(await rescue(box.workspaces())).toEqual([["rescue-1", "branch wip"]]);
    expect(await rescue(box.workspaces())).toEqual([["rescue-1", "branch wip"]]);
  });

  test("bear all names of the same commit, packed or not, and a HEAD without one", async () => {
    const { tree, commitOn, rescue } = await working();
    const commit = commitOn("wip", "wip.txt");
    tree.git("tag", "v1", commit);
    tree.git("pack-refs", "--all");
    tree.git("branch", "wip-2", commit);
    tree.git("checkout", "--quiet", "--detach", commit);
    tree.git("commit", "--quiet", "--allow-empty", "--message=more");
    expect(await rescue()).toEqual([
      ["rescue-1", "branch wip and branch wip-2 and tag v1"],
      ["rescue-2", "HEAD"],
    ]);
  });

  test("do not keep the rest from being kept where git cannot read one of them", async () => {
    const { tree, commitOn, rescue, remove } = await working();
    writeFileSync(join(tree.root, ".git/refs/heads/broken"), `${"1".repeat(40)}\n`);
    commitOn("wip", "wip.txt");
    expect(await rescue()).toEqual([["rescue-1", "branch wip"]]);
    expect(await remove()).toBe(true);
  });
});

describe("nothing is recorded", () => {
  test.each<[string, readonly (readonly string[])[]]>([
    ["a branch at what the user has", [["branch", "mine", "other"]]],
    ["a tag of the task's own commit", [["tag", "v2"]]],
    ["a tag of a file", [["tag", "file", "HEAD:README.md"]]],
    [
      "a stash that was dropped",
      [
        ["stash", "--include-untracked"],
        ["stash", "drop"],
      ],
    ],
    ["refs that were packed", [["pack-refs", "--all"]]],
    ["a commit of the task's own", [["commit", "--quiet", "--all", "--message=own"]]],
  ])("for %s", async (_what, acts) => {
    const box = sandbox();
    box.git("checkout", "--quiet", "-b", "other");
    box.git("commit", "--quiet", "--allow-empty", "--message=other");
    box.git("checkout", "--quiet", "main");
    const { tree, rescue, commit, remove } = await working(box);
    tree.write("src/a.ts", "a change\n");
    for (const act of acts) tree.git(...act);
    await commit();
    expect(await rescue()).toEqual([]);
    expect(await remove("in commits")).toBe(true);
  });
});

describe("large files", () => {
  const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");
  const pathOf = (digest: string): string =>
    join(".git/lfs/objects", digest.slice(0, 2), digest.slice(2, 4), digest);
  const put = (root: string, digest: string, text: string): void => {
    mkdirSync(dirname(join(root, pathOf(digest))), { recursive: true });
    writeFileSync(join(root, pathOf(digest)), text);
  };

  test("of git-lfs are copied, those whose name tells the truth", async () => {
    const { box, tree, commit } = await working();
    const [new_, written, wrong, linked] = ["new", "known", "wrong", "linked"].map(digestOf);
    put(tree.root, new_ ?? "", "new");
    put(tree.root, wrong ?? "", "something else");
    put(box.root, written ?? "", "known");
    put(tree.root, written ?? "", "known");
    put(tree.root, linked ?? "", "linked");
    rmSync(join(tree.root, pathOf(linked ?? "")));
    symlinkSync("/etc/hostname", join(tree.root, pathOf(linked ?? "")));
    tree.write("src/a.ts", "more\n");
    await commit();
    expect(readFileSync(join(box.root, pathOf(new_ ?? "")), "utf8")).toBe("new");
    expect(
      [written, wrong, linked].map((one) => existsSync(join(box.root, pathOf(one ?? "")))),
    ).toEqual([true, false, false]);
  });

  test("are not looked for where the folder is a link", async () => {
    const { box, tree, commit } = await working();
    const other = sandbox();
    put(other.root, digestOf("x"), "x");
    gitIn(tree.root)("status");
    symlinkSync(join(other.root, ".git/lfs"), join(tree.root, ".git/lfs"));
    await commit();
    expect(existsSync(join(box.root, ".git/lfs"))).toBe(false);
  });
});
