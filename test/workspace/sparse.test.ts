// Are trees and places as sparse as the checkout, and is no file lost by that?

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { createPinnedSettings } from "../../src/workspace/git/pinned-settings.ts";
import { gitIn } from "../support/repository.ts";
import { check, placesOf, repository } from "./place-sandbox.ts";
import {
  commitWork,
  everythingOf,
  openTree,
  RUN,
  sandbox,
  sandboxAt,
  T,
  tempFolder,
  type Sandbox,
} from "./sandbox.ts";

const CONE = ["set", "--cone", "near", "deep/in"];
const PATTERNS = ["set", "--no-cone", "/*", "!/far", "!/deep/out"];

/** All that a sparse checkout has of it, by either way. */
const THERE = [".gitignore", "README.md", "deep/in/a.ts", "near/a.ts"];

function project(sparse: readonly string[], root?: string): Sandbox {
  const main = sandbox({ commit: false });
  for (const path of ["README.md", "near/a.ts", "deep/in/a.ts", "deep/out/a.ts", "far/a.ts"])
    main.write(path, "a\n");
  main.write(".gitignore", "ignored/\n");
  main.git("add", "--all");
  main.git("commit", "--quiet", "--message=start");
  main.git("branch", "upstream");
  if (root !== undefined) main.git("worktree", "add", "--quiet", "-b", "side", root);
  const box = root === undefined ? main : sandboxAt(root, gitIn(root));
  box.git("sparse-checkout", ...sparse);
  return box;
}

function filesIn(root: string): readonly string[] {
  const all = readdirSync(root, { recursive: true, withFileTypes: true, encoding: "utf8" });
  const files = all.filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  return paths.filter((path) => !/^\.(?:git|orch)\//.test(path)).toSorted();
}

/** A commit on another, with these files, in which no file is lost. */
function commitWith(box: Sandbox, files: Readonly<Record<string, string>>, onto = "HEAD"): string {
  const root = join(tempFolder(), "other");
  box.git("worktree", "add", "--quiet", "--no-checkout", "--detach", root, onto);
  const other = sandboxAt(root, gitIn(root));
  other.git("sparse-checkout", "disable");
  other.git("reset", "--quiet", "--hard");
  for (const [path, text] of Object.entries(files)) other.write(path, text);
  other.git("add", "--all", "--", ...Object.keys(files));
  other.git("commit", "--quiet", "--message=other");
  return other.git("rev-parse", "HEAD");
}

const KINDS: readonly (readonly [string, () => Sandbox])[] = [
  ["by folders", () => project(CONE)],
  ["by patterns", () => project(PATTERNS)],
  ["by an index that is sparse, too", () => project([...CONE, "--sparse-index"])],
  ["in a linked working tree", () => project(CONE, join(tempFolder(), "linked"))],
];

describe("a task's tree", () => {
  test.each(KINDS)("is as sparse as a checkout that is so %s", async (_name, made) => {
    const box = made();
    const before = everythingOf(box, box.git("rev-parse", "--absolute-git-dir"));
    const { tree, checkpoint, workspaces, workspace } = await openTree({ box });
    expect(filesIn(tree.root)).toEqual(THERE);
    expect(tree.git("status", "--porcelain")).toBe("");
    expect((await checkpoint()).tree).toBe(box.git("rev-parse", "HEAD^{tree}"));
    tree.write("far/new.ts", "new\n");
    rmSync(join(tree.root, "near/a.ts"));
    await checkpoint({ when: "after" });
    await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("diff", "--name-status", "HEAD", "orch/t")).toBe("A\tfar/new.ts\nD\tnear/a.ts");
    expect(tree.git("status", "--porcelain")).toBe("");
    rmSync(join(box.root, ".orch/runs", RUN, "index"), { recursive: true });
    const again = await box.workspaces().takeWork(workspace, T, "Again", []);
    expect(again?.commit).toBe(box.git("rev-parse", "orch/t"));
    expect(everythingOf(box, box.git("rev-parse", "--absolute-git-dir"))).toEqual(before);
  });

  test("takes over what the agent merged where no file stands", async () => {
    const box = project(CONE);
    const theirs = commitWith(box, { "far/a.ts": "theirs\n", "far/more.ts": "more\n" });
    box.git("branch", "--force", "upstream", theirs);
    const { tree, workspaces, workspace } = await openTree({ box });
    tree.write("near/a.ts", "mine\n");
    tree.git("commit", "--quiet", "--all", "--message=mine");
    tree.git("merge", "--quiet", "--no-edit", "upstream");
    tree.write("near/b.ts", "b\n");
    await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("diff", "--name-status", "upstream", "orch/t")).toBe(
      "M\tnear/a.ts\nA\tnear/b.ts",
    );
    expect(filesIn(tree.root)).toEqual([...THERE, "near/b.ts"]);
    expect(tree.git("status", "--porcelain")).toBe("");
  });

  test("has files of the agent's that lie elsewhere again after it was put back, or made anew", async () => {
    const box = project(CONE);
    const { tree, checkpoint, workspaces, workspace } = await openTree({ box });
    tree.write("far/new.ts", "new\n");
    const passed = await checkpoint({ when: "after", verdict: "passed" });
    tree.write("far/new.ts", "worse\n");
    await workspaces.rollback(workspace, passed);
    expect(filesIn(tree.root)).toEqual([
      ".gitignore",
      "README.md",
      "deep/in/a.ts",
      "far/new.ts",
      "near/a.ts",
    ]);
    rmSync(tree.root, { recursive: true });
    await workspaces.make(workspace, T, passed.tree, new AbortController().signal);
    expect(tree.read("far/new.ts")).toBe("new\n");
    expect((await checkpoint({ attempt: 2 })).tree).toBe(passed.tree);
  });

  test("loses nothing where the checkout is no longer sparse", async () => {
    const box = project(CONE);
    const { tree, workspaces, workspace } = await openTree({ box });
    box.git("sparse-checkout", "disable");
    tree.write("near/a.ts", "mine\n");
    rmSync(join(box.root, ".orch/runs", RUN, "index"), { recursive: true });
    await commitWork(box.workspaces(), workspace, T, "Work");
    expect(box.git("diff", "--name-status", "HEAD", "orch/t")).toBe("M\tnear/a.ts");
    expect(workspaces.isThere(workspace)).toBe(true);
  });

  test.each([
    ["is joined with", "theirs\n", "joined", THERE],
    ["shows a conflict in", null, "conflict", [...THERE.slice(0, 3), "far/a.ts", "near/a.ts"]],
  ])("%s what others changed where no file stands", async (_name, mine, kind, there) => {
    const box = project(CONE);
    const onto = commitWith(box, { "far/a.ts": "theirs\n" });
    const { tree, workspaces, workspace } = await openTree({ box });
    if (mine === null) tree.write("far/a.ts", "mine\n");
    else tree.write("near/a.ts", mine);
    const commit = await workspaces.workOf(workspace, T, "Work");
    const sides = { commit, onto, message: "Merge", marked: [] };
    const joined = await workspaces.join(workspace, T, sides);
    expect(joined).toMatchObject({ kind });
    expect(filesIn(tree.root)).toEqual(there);
    if (kind === "joined") expect(box.git("show", "orch/t:far/a.ts")).toBe("theirs");
    else expect(tree.read("far/a.ts")).toContain("<<<<<<<");
    expect(tree.git("diff", "--name-only")).toBe("");
  });
});

/** As a run has it. */
async function pinnedPlaces(box: Sandbox) {
  const git = await repository(box.root);
  const pinned = await createPinnedSettings(null).pin(git, join(box.root, ".orch/run"), UNCONFINED);
  return placesOf(box, { repository: () => Promise.resolve(pinned) });
}

describe("a place", () => {
  test.each(KINDS)("is as sparse as a checkout that is so %s", async (_name, made) => {
    const box = made();
    const work = commitWith(box, { "far/new.ts": "n\n", "far/a.ts": "b\n", "near/a.ts": "b\n" });
    const mixed = commitWith(box, { "near/a.ts": "a\n" }, work);
    const before = everythingOf(box, box.git("rev-parse", "--absolute-git-dir"));
    const places = await pinnedPlaces(box);
    const list = "git status --porcelain; git ls-files -m -d; cat near/a.ts";
    const withNew = [".gitignore", "README.md", "deep/in/a.ts", "far/new.ts", "near/a.ts"];
    for (const [commit, text, there] of [
      ["HEAD", "a", THERE],
      [work, "b", withNew],
      [mixed, "a", withNew],
      [`${work}~1`, "a", THERE],
    ] as const) {
      const { out, place } = await check(
        box,
        places,
        `${list}; mkdir -p far deep/out; echo x >far/a.ts; echo a >deep/out/a.ts`,
        commit,
      );
      expect([commit, out]).toEqual([commit, text]);
      for (const path of ["far/a.ts", "deep/out"])
        rmSync(join(place.root, path), { recursive: true });
      expect(filesIn(place.root)).toEqual(there);
      expect(place.leftOut).toEqual(new Set(["deep/out/a.ts", "far/a.ts"]));
    }
    await check(box, places, "mkdir -p far/more; echo x >far/a.ts; echo x >far/more/b.ts");
    const { out, place } = await check(box, places, list);
    expect([out, filesIn(place.root)]).toEqual(["a", THERE]);
    await places.close();
    expect(everythingOf(box, box.git("rev-parse", "--absolute-git-dir"))).toEqual(before);
  });

  test("follows the checkout from run to run", async () => {
    const box = project(CONE);
    const look = async () => {
      const places = await pinnedPlaces(box);
      const { out, place } = await check(box, places, "git status --porcelain");
      await places.close();
      return [out, ...filesIn(place.root)];
    };
    expect(await look()).toEqual(["", ...THERE]);
    box.git("sparse-checkout", "set", "far");
    expect(await look()).toEqual(["", ".gitignore", "README.md", "far/a.ts"]);
    box.git("sparse-checkout", "disable");
    const all = [
      ".gitignore",
      "README.md",
      "deep/in/a.ts",
      "deep/out/a.ts",
      "far/a.ts",
      "near/a.ts",
    ];
    expect(await look()).toEqual(["", ...all]);
    box.git("sparse-checkout", "set", "far");
    expect(await look()).toEqual(["", ".gitignore", "README.md", "far/a.ts"]);
    expect(existsSync(join(box.root, "near"))).toBe(false);
  });
});

test("work lands in another working tree, which was sparse once, without a loss", async () => {
  const root = join(tempFolder(), "linked");
  const box = project(CONE, root);
  const main = sandboxAt(
    join(box.git("rev-parse", "--path-format=absolute", "--git-common-dir"), ".."),
  );
  main.git("sparse-checkout", "set", "near");
  main.git("sparse-checkout", "disable");
  const before = filesIn(main.root);
  const commit = commitWith(box, { "far/a.ts": "b\n" });
  const way = { from: main.git("rev-parse", "main"), to: commit };
  expect(await box.landing().move("main", way)).toMatchObject({ kind: "landed" });
  expect([main.read("far/a.ts"), filesIn(main.root)]).toEqual(["b\n", before]);
  expect(main.git("status", "--porcelain")).toBe("");
});
