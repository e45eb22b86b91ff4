// What git ignored when a task began stays where it is, whatever an agent makes of the rules.

import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { RUN, T, label, openTask, sandbox, type Sandbox } from "./sandbox.ts";

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
  "names it in a .gitignore of a folder": (box) => {
    appendFileSync(join(box.root, ".gitignore"), "!.env\n!deps/\n");
    box.write("src/.gitignore", "!*.o\n");
  },
  "stages it by force": (box) => void box.git("add", "--force", ".env", "deps", "src/a.o"),
};

describe.each(Object.keys(UNCOVERS))("an agent in place that %s", (how) => {
  const uncover = UNCOVERS[how] ?? (() => undefined);

  test("has nothing taken that was ignored", async () => {
    const { box, workspaces, workspace } = await openTask({ box: project(), isolation: "none" });
    box.write("new.txt", "new\n");
    uncover(box);
    const commit = (await workspaces.takeWork(workspace, T, "New", []))?.commit ?? "";
    expect(box.git("ls-tree", "-r", "--name-only", commit)).not.toMatch(/\.env|deps|\.o$/m);
    expect(box.git("show", `${commit}:new.txt`)).toBe("new");
    expectUntouched(box);
  });
});

describe("what was ignored when the task began", () => {
  test("is named in the checkpoint that had to leave it out, each folder once", async () => {
    const box = project();
    box.write("deps/b.js", "installed too\n");
    const { checkpoint } = await openTask({ box, isolation: "none" });
    box.write(".gitignore", "");
    const made = await checkpoint();
    const trailers = "--format=%(trailers:key=Orch-Skipped,valueonly)";
    expect(box.git("log", "-1", trailers, made.ref).trim().split("\n")).toEqual([
      '".env" (ignored when the task began)',
      '"deps" (ignored when the task began)',
      '"src/a.o" (ignored when the task began)',
    ]);
    expectNotRecorded(box);
  });

  test("does not take along what is new beside it", async () => {
    const box = project();
    box.write("only/a.o", "built\n");
    const { workspaces, workspace } = await openTask({ box, isolation: "none" });
    box.write("only/new.c", "new\n");
    box.write("src/new.c", "new\n");
    const commit = (await workspaces.takeWork(workspace, T, "New", []))?.commit ?? "";
    expect(box.git("show", "--format=", "--name-only", commit)).toBe("only/new.c\nsrc/new.c");
  });

  test("stays out of a private index that is made anew", async () => {
    const { box, checkpoint, ...opened } = await openTask({ box: project(), isolation: "none" });
    await checkpoint();
    box.git("add", "--force", ".env");
    rmSync(join(box.root, ".orch/runs", RUN, "index"), { recursive: true });
    const again = box.workspaces({ ignored: opened.ignored });
    const made = await again.checkpoint(opened.workspace, label("t", { attempt: 2 }));
    expect(box.git("ls-tree", "--name-only", made?.tree ?? "")).not.toContain(".env");
  });
});
