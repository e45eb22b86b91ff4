// What git ignored when a task began stays where it is, whatever an agent makes of the rules.

import { appendFileSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { task } from "../support/builders.ts";
import { DONE, RUN, STALLED, label, sandbox, type Sandbox } from "./sandbox.ts";

const PREFIX = `refs/orch/${RUN}`;
const SECRET = "TOKEN=secret\n";

/** With a file and a folder of the user's that git ignores. */
function project(): Sandbox {
  const box = sandbox();
  box.write(".gitignore", ".env\ndeps/\n*.o\n");
  box.git("commit", "--quiet", "--all", "--message=ignored");
  box.write(".env", SECRET);
  box.write("deps/a/index.js", "installed\n");
  box.write("src/a.o", "built\n");
  return box;
}

function expectUntouched(box: Sandbox): void {
  expect(box.read(".env")).toBe(SECRET);
  expect(box.read("deps/a/index.js")).toBe("installed\n");
  expect(box.read("src/a.o")).toBe("built\n");
}

/** Every path that any commit, index or tree of the repository holds. */
function everRecorded(box: Sandbox): readonly string[] {
  const objects = box.git("rev-list", "--objects", "--all", "--indexed-objects");
  return objects.split("\n").map((line) => line.slice(line.indexOf(" ") + 1));
}

function expectNotRecorded(box: Sandbox): void {
  for (const path of [".env", "deps", "deps/a/index.js", "src/a.o"])
    expect(everRecorded(box)).not.toContain(path);
}

/** How an agent uncovers what was ignored. */
const UNCOVERS: Readonly<Record<string, (box: Sandbox) => void>> = {
  "edits .gitignore": (box) => box.write(".gitignore", "dist\n"),
  "removes .gitignore": (box) => rmSync(join(box.root, ".gitignore")),
  "takes it back in .git/info/exclude": (box) => {
    box.write(".gitignore", "");
    writeFileSync(join(box.root, ".git/info/exclude"), "!.env\n!deps\n");
  },
  "names it in a .gitignore of a folder": (box) => {
    appendFileSync(join(box.root, ".gitignore"), "!.env\n!deps/\n");
    box.write("src/.gitignore", "!*.o\n");
  },
  "edits .gitignore and stages everything": (box) => {
    box.write(".gitignore", "dist\n");
    box.git("add", "--all");
  },
  "stages it by force": (box) => void box.git("add", "--force", ".env", "deps", "src/a.o"),
};

describe.each(Object.keys(UNCOVERS))("an agent that %s", (how) => {
  const uncover = UNCOVERS[how] ?? (() => undefined);

  test("commits nothing that was ignored when the task is done", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    await workspaces.checkpoint(workspace, label("t"));
    box.write("new.txt", "new\n");
    uncover(box);
    await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    expect(await workspaces.commit(workspace, "New")).not.toBeNull();
    expect(await workspaces.cleanUp(workspace, task("t"), DONE)).toEqual([]);
    expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(box.git("show", "orch/t:new.txt")).toBe("new");
    expectUntouched(box);
    expectNotRecorded(box);
  });

  test("leaves it in the tree when the task is given up, and another process ends it", async () => {
    const box = project();
    const workspace = await box.workspaces().open(task("t"), "branch");
    box.write("new.txt", "new\n");
    uncover(box);
    const rescues = await box.workspaces().cleanUp(workspace, task("t"), STALLED);
    expect(rescues).toMatchObject([{ ref: `${PREFIX}/t/rescue-1` }]);
    expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(existsSync(join(box.root, "new.txt"))).toBe(false);
    expectUntouched(box);
    expectNotRecorded(box);
    await box.workspaces().enter(workspace);
    expect(box.read("new.txt")).toBe("new\n");
    expectUntouched(box);
  });

  test("commits nothing of it in place", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "none");
    box.write("new.txt", "new\n");
    uncover(box);
    const commit = await workspaces.commit(workspace, "New");
    await workspaces.cleanUp(workspace, task("t"), DONE);
    expect(box.git("ls-tree", "-r", "--name-only", commit ?? "")).not.toMatch(/\.env|deps|\.o$/m);
    expect(box.git("show", "HEAD:new.txt")).toBe("new");
    expectUntouched(box);
  });
});

describe("what was ignored when the task began", () => {
  test("is named in the checkpoint that had to leave it out, each folder once", async () => {
    const box = project();
    box.write("deps/b.js", "installed too\n");
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write(".gitignore", "");
    const made = await workspaces.checkpoint(workspace, label("t"));
    const trailers = "--format=%(trailers:key=Orch-Skipped,valueonly)";
    expect(
      box
        .git("log", "-1", trailers, made?.ref ?? "")
        .trim()
        .split("\n"),
    ).toEqual([
      '".env" (ignored when the task began)',
      '"deps" (ignored when the task began)',
      '"src/a.o" (ignored when the task began)',
    ]);
  });

  test("does not take along what is new beside it", async () => {
    const box = project();
    box.write("only/a.o", "built\n");
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write("only/new.c", "new\n");
    box.write("src/new.c", "new\n");
    await workspaces.commit(workspace, "New");
    expect(box.git("show", "--format=", "--name-only", "orch/t")).toBe("only/new.c\nsrc/new.c");
  });

  test("does not keep the next task of the run from starting, and stays through it", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const one = await workspaces.open(task("one"), "branch");
    box.write(".gitignore", "dist\n");
    await workspaces.commit(one, "One");
    await workspaces.cleanUp(one, task("one"), DONE);
    const two = await box.workspaces().open(task("two"), "branch");
    box.write("two.txt", "2\n");
    const later = box.workspaces();
    await later.enter(two);
    await later.commit(two, "Two");
    await later.cleanUp(two, task("two"), DONE);
    expect(box.git("ls-tree", "-r", "--name-only", "orch/two")).toBe(
      ".gitignore\nREADME.md\nsrc/a.ts\nsrc/b.ts\ntwo.txt",
    );
    expectUntouched(box);
    expectNotRecorded(box);
  });

  test("stays when a waiting task that uncovered it makes room for another", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const waiting = await workspaces.open(task("waiting"), "branch");
    box.write(".gitignore", "dist\n");
    await workspaces.commit(waiting, "First step");
    const other = await workspaces.open(task("other"), "branch");
    expectUntouched(box);
    await workspaces.cleanUp(other, task("other"), STALLED);
    await workspaces.enter(waiting);
    expectUntouched(box);
    expectNotRecorded(box);
  });

  test.each(["done", "stalled"] as const)(
    "stays in the tree when the agent itself committed it, and the task is %s",
    async (end) => {
      const box = project();
      const workspaces = box.workspaces();
      const workspace = await workspaces.open(task("t"), "branch");
      box.write(".gitignore", "dist\n");
      box.git("add", "--all");
      box.git("commit", "--quiet", "--message=by the agent");
      box.write("src/a.ts", "more\n");
      if (end === "done") await workspaces.commit(workspace, "More");
      await workspaces.cleanUp(workspace, task("t"), end === "done" ? DONE : STALLED);
      expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
      expect(box.git("status", "--porcelain")).toBe("");
      expectUntouched(box);
      // Where nobody changed it, the task can go on.
      await box.workspaces().enter(workspace);
      expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("orch/t");
      expect(box.read("src/a.ts")).toBe("more\n");
      expectUntouched(box);
    },
  );

  test("is not replaced by what a commit of an agent's holds in its place", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.git("add", "--force", ".env");
    box.git("commit", "--quiet", "--message=by the agent");
    await workspaces.cleanUp(workspace, task("t"), STALLED);
    box.write(".env", "TOKEN=newer\n");
    await expect(box.workspaces().enter(workspace)).rejects.toMatchObject({ code: "git-failed" });
    expect(box.read(".env")).toBe("TOKEN=newer\n");
    expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(box.git("status", "--porcelain")).toBe("");
  });

  test("stays out of a private index that is made anew", async () => {
    const box = project();
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    await workspaces.checkpoint(workspace, label("t"));
    box.git("add", "--force", ".env");
    rmSync(join(box.root, ".orch/runs", RUN, "index"), { recursive: true });
    const made = await box.workspaces().checkpoint(workspace, label("t", { attempt: 2 }));
    expect(box.git("ls-tree", "--name-only", made?.tree ?? "")).not.toContain(".env");
  });
});
