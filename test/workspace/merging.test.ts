// How does finished work become part of the run, and does it leave the user's alone?

import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { RunBase } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { conflictsOf } from "../../src/workspace/join/merge.ts";
import { ENV, PREFIX, everythingOf, openTree, sandbox, tempFolder } from "./sandbox.ts";

const TIP = `${PREFIX}/_tip`;
const INTO = "orch/run";

type Opened = Awaited<ReturnType<typeof openTree>>;

/** Two tasks of one run, the first of them merged. */
async function two(first: (one: Opened) => void, second: (two: Opened) => void) {
  const box = sandbox();
  box.write(".gitignore", "setup.log\n");
  box.write("src/long.ts", "line\n".repeat(40));
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=long");
  const workspaces = box.workspaces();
  const [one, other] = [
    await openTree({ box, workspaces, id: "one" }),
    await openTree({ box, workspaces, id: "two" }),
  ];
  first(one);
  second(other);
  const [onto, commit] = [
    await workspaces.workOf(one.workspace, idOf<TaskId>("one"), "One"),
    await workspaces.workOf(other.workspace, idOf<TaskId>("two"), "Two"),
  ];
  const before = everythingOf(box);
  const sides = { commit, onto, message: "Merge Two (two)", marked: [] };
  const join = (by = workspaces) => by.join(other.workspace, idOf<TaskId>("two"), sides);
  return { box, workspaces, one, other, onto, commit, before, join };
}

describe("joining a task's work with what was merged before", () => {
  test("is nothing where nothing else was merged", async () => {
    const { workspaces, other, commit, box } = await two(
      () => undefined,
      ({ tree }) => tree.write("src/a.ts", "two\n"),
    );
    const onto = box.git("rev-parse", "main");
    const sides = { commit, onto, message: "x", marked: [] };
    const joined = await workspaces.join(other.workspace, idOf<TaskId>("two"), sides);
    expect(joined).toMatchObject({ kind: "contained" });
    expect(box.git("rev-parse", "orch/two")).toBe(commit);
  });

  test("gives its tree, its branch and the agent both, as a merge", async () => {
    const {
      box,
      other,
      before,
      join: again,
      onto,
      commit,
    } = await two(
      ({ tree }) => {
        tree.write("one.txt", "1\n");
        rmSync(join(tree.root, "src/b.ts"));
      },
      ({ tree }) => tree.write("src/a.ts", "two\n"),
    );
    const joined = await again();
    if (joined.kind !== "joined") throw new Error(joined.kind);
    expect(box.git("log", "-1", "--format=%P%n%s", joined.commit)).toBe(
      `${onto} ${commit}\nMerge Two (two)`,
    );
    expect([other.tree.read("one.txt"), other.tree.read("src/a.ts")]).toEqual(["1\n", "two\n"]);
    expect(box.git("rev-parse", "orch/two", `${PREFIX}/two/head`)).toBe(
      `${joined.commit}\n${joined.commit}`,
    );
    expect(other.tree.git("rev-parse", "HEAD")).toBe(joined.commit);
    expect(other.tree.git("status", "--porcelain", "--branch")).toBe("## orch/two");
    expect(everythingOf(box)).toEqual(before);
  });

  test.each<[what: string, one: (one: Opened) => void, two: (two: Opened) => void, path: string]>([
    [
      "both changed a line",
      ({ tree }) => tree.write("src/a.ts", "one\n"),
      ({ tree }) => tree.write("src/a.ts", "two\n"),
      "src/a.ts",
    ],
    [
      "both added a file",
      ({ tree }) => tree.write("new file\n.txt", "one\n"),
      ({ tree }) => tree.write("new file\n.txt", "two\n"),
      "new file\n.txt",
    ],
    [
      "one removed what the other changed",
      ({ tree }) => rmSync(join(tree.root, "src/a.ts")),
      ({ tree }) => tree.write("src/a.ts", "two\n"),
      "src/a.ts",
    ],
  ])("is a conflict where %s", async (_what, one, second, path) => {
    const { box, other, before, join: again, commit, onto, workspaces } = await two(one, second);
    const conflict = await again();
    if (conflict.kind !== "conflict") throw new Error(conflict.kind);
    expect(conflict.paths).toContain(path);
    // Nothing is committed before an agent has joined both.
    expect(box.git("rev-parse", "orch/two", `${PREFIX}/two/head`)).toBe(`${commit}\n${commit}`);
    expect(await again()).toEqual(conflict);
    expect(everythingOf(box)).toEqual(before);

    const merged = { ...other.workspace, base: onto };
    other.tree.write("src/a.ts", "both\n");
    const work = await workspaces.workOf(merged, idOf<TaskId>("two"), "Both");
    expect(box.git("log", "-1", "--format=%P", work)).toBe(`${commit} ${onto}`);
    const sides = { commit: work, onto, message: "x", marked: ["shared.txt"] };
    expect(await workspaces.join(merged, idOf<TaskId>("two"), sides)).toMatchObject({
      kind: "contained",
    });
  });

  test.each(["the half of its files", "its commit, not yet its record"])(
    "is completed by another process where it was cut off after %s",
    async (at) => {
      const {
        box,
        other,
        before,
        join: again,
      } = await two(
        ({ tree }) => {
          tree.write("one.txt", "1\n");
          tree.write("src/b.ts", "one\n");
        },
        ({ tree }) => {
          tree.write("src/a.ts", "two\n");
          tree.write("two.txt", "2\n");
        },
      );
      if (at === "the half of its files") {
        other.tree.write("one.txt", "1\n");
        rmSync(join(other.tree.root, ".git"), { recursive: true });
      } else await again();
      const joined = await again(box.workspaces());
      if (joined.kind !== "joined") throw new Error(joined.kind);
      expect(box.git("ls-tree", "-r", "--name-only", joined.commit).split("\n")).toEqual([
        ".gitignore",
        "README.md",
        "one.txt",
        "src/a.ts",
        "src/b.ts",
        "src/long.ts",
        "two.txt",
      ]);
      expect(other.tree.git("status", "--porcelain", "--branch")).toBe("## orch/two");
      expect(other.tree.read("src/b.ts")).toBe("one\n");
      expect(box.git("rev-parse", "orch/two")).toBe(joined.commit);
      expect(everythingOf(box)).toEqual(before);
    },
  );

  test("takes no side that is gone for an empty one", async () => {
    const { workspaces, other, commit } = await two(
      () => undefined,
      () => undefined,
    );
    const sides = { commit, onto: "1".repeat(40), message: "x", marked: [] };
    const joined = workspaces.join(other.workspace, idOf<TaskId>("two"), sides);
    await expect(joined).rejects.toMatchObject({ code: "git-failed" });
  });

  test("finds marks that the agent left in the file, whatever its gates said", async () => {
    const { workspaces, other, onto, join } = await two(
      ({ tree }) => tree.write("src/a.ts", "one\n"),
      ({ tree }) => tree.write("src/a.ts", "two\n"),
    );
    expect((await join()).kind).toBe("conflict");
    const [merged, id] = [{ ...other.workspace, base: onto }, idOf<TaskId>("two")];
    const commit = await workspaces.workOf(merged, id, "Both");
    const sides = { commit, onto, message: "x", marked: ["src/a.ts"] };
    expect(await workspaces.join(merged, id, sides)).toMatchObject({
      kind: "conflict",
      paths: ["src/a.ts"],
    });
  });

  test("is predicted without touching any tree", async () => {
    const { box, onto, commit, before } = await two(
      ({ tree }) => tree.write("src/a.ts", "one\n"),
      ({ tree }) => tree.write("src/a.ts", "two\n"),
    );
    const git = await findRepository(box.root, ENV);
    if (git === null) throw new Error("no repository");
    expect(await conflictsOf(git, onto, commit)).toEqual(["src/a.ts"]);
    expect(await conflictsOf(git, box.git("rev-parse", "main"), commit)).toEqual([]);
    expect(everythingOf(box)).toEqual(before);
  });
});

describe("the run's branch", () => {
  async function merged() {
    const { box, workspaces, onto, commit } = await two(
      ({ tree }) => tree.write("one.txt", "1\n"),
      ({ tree }) => tree.write("two.txt", "2\n"),
    );
    const from = box.git("rev-parse", "main");
    const base: RunBase = { commit: from, branch: "main", withChanges: false, into: INTO };
    const advance = (start: string, end: string) =>
      workspaces.advance(base, { from: start, commit: end });
    await advance(from, onto);
    return { box, advance, from, onto, commit };
  }

  test("is made with the first merged work, and follows", async () => {
    const { box, advance, onto, commit } = await merged();
    expect(box.git("rev-parse", INTO, TIP)).toBe(`${onto}\n${onto}`);
    await advance(onto, commit);
    await advance(onto, commit);
    expect(box.git("rev-parse", INTO, TIP)).toBe(`${commit}\n${commit}`);
  });

  test("is left alone where the user has it checked out, in any working tree", async () => {
    const { box, advance, onto, commit } = await merged();
    const linked = join(tempFolder(), "a b");
    box.git("worktree", "add", "--quiet", linked, INTO);
    await advance(onto, commit);
    expect(box.git("rev-parse", INTO, TIP)).toBe(`${onto}\n${commit}`);
    expect(box.git("-C", linked, "status", "--porcelain")).toBe("");
  });

  test("is left alone where the user moved it", async () => {
    const { box, advance, from, onto, commit } = await merged();
    box.git("branch", "--quiet", "--force", INTO, from);
    await advance(onto, commit);
    expect(box.git("rev-parse", INTO, TIP)).toBe(`${from}\n${commit}`);
  });

  test("follows where orch died between the ref and the branch", async () => {
    const { box, advance, onto, commit } = await merged();
    box.git("update-ref", TIP, commit);
    await advance(onto, commit);
    expect(box.git("rev-parse", INTO)).toBe(commit);
  });
});
