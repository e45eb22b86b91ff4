import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { everythingOf, openTask, sandbox, T, type Tree } from "./sandbox.ts";

type Files = Readonly<Record<string, string>>;

const BASE: Files = {
  "src/a.ts": "old source\n",
  "test/a.test.ts": "old test\n",
  "test/data/a.txt": "old data\n",
  "vitest.config.ts": "old settings\n",
  "scripts/check.sh": "old script\n",
  "scripts/lib/words.txt": "old words\n",
  "package.json": '{\n  "scripts": {\n    "test": "scripts/check.sh && vitest run"\n  }\n}\n',
};

interface Case {
  readonly files?: Files;
  readonly before?: (box: Tree) => void;
  readonly work: (tree: Tree, box: Tree) => void;
  readonly commands?: readonly string[];
  readonly of?: "original" | "control";
  readonly named?: readonly string[];
}

/** What the port gives for a task that began with the files and did the work. */
async function mixedOf({
  files = BASE,
  before,
  work,
  commands = ["npm test"],
  of = "original",
  named = [],
}: Case) {
  const box = sandbox();
  for (const [path, text] of Object.entries(files)) box.write(path, text);
  before?.(box);
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=base");
  const { workspaces: spaces, workspace, tree, checkpoint } = await openTask({ box });
  const since = await checkpoint();
  work(tree, box);
  const taken = await spaces.takeWork(workspace, T, "work", []);
  if (taken === null || since === null) throw new Error("the work is in no commit");
  const view = (): readonly unknown[] => [
    everythingOf(box),
    box.git("for-each-ref"),
    // The run's git folder leads to the repository's objects, of which a commit adds some.
    readdirSync(join(box.root, ".orch"), { recursive: true, encoding: "utf8" })
      .filter((path) => !path.includes("/git/objects/"))
      .toSorted(),
  ];
  const seen = view();
  const original = await spaces.takeMixed(workspace, taken, {
    of,
    commands,
    red: null,
    named,
  });
  expect(view()).toEqual(seen);
  const commit = original.kind === "made" ? original.taken.commit : "";
  const putBack = original.kind === "made" ? original.putBack : [];
  const textIn = (path: string): string => `${box.git("show", `${commit}:${path}`)}\n`;
  const namesIn = (folder: string): readonly string[] =>
    box.git("ls-tree", "--name-only", `${commit}:${folder}`).split("\n");
  return { original, putBack, textIn, namesIn };
}

describe("what proves is as the task found it", () => {
  test("where it was changed or deleted, and all else but new tests is the work's", async () => {
    const { textIn, namesIn, putBack } = await mixedOf({
      work: (box) => {
        for (const path of ["src/a.ts", "test/a.test.ts", "vitest.config.ts"])
          box.write(path, "new\n");
        for (const path of ["src/new.ts", "test/new.test.ts"]) box.write(path, "added\n");
        rmSync(join(box.root, "test/data"), { recursive: true });
        rmSync(join(box.root, "src/b.ts"));
      },
    });
    expect(putBack).toEqual(["test/a.test.ts", "test/data/a.txt", "vitest.config.ts"]);
    for (const path of putBack) expect(textIn(path)).toBe(BASE[path]);
    expect(textIn("src/a.ts")).toBe("new\n");
    expect(namesIn("src")).toEqual(["a.ts", "new.ts"]);
    expect(namesIn("test")).toEqual(["a.test.ts", "data"]);
  });

  test("scripts of package.json are, and its dependencies are the work's", async () => {
    const { textIn, putBack } = await mixedOf({
      work: (box) =>
        box.write(
          "package.json",
          '{ "scripts": { "test": "true" }, "dependencies": { "y": "1" } }',
        ),
    });
    expect(putBack).toEqual(["package.json"]);
    expect(JSON.parse(textIn("package.json"))).toEqual({
      scripts: { test: "scripts/check.sh && vitest run" },
      dependencies: { y: "1" },
    });
  });

  test("tests inside of a source of Rust go where it went", async () => {
    const rust = (body: string): string =>
      `pub fn f() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    // ${body}\n}\n`;
    const movedTo = (path: string, text: string) =>
      mixedOf({
        files: { ...BASE, "src/a.rs": rust("old") },
        work: (box) => {
          rmSync(join(box.root, "src/a.rs"));
          box.write(path, text);
        },
      });
    const { putBack, textIn, namesIn } = await movedTo("src/net/a.rs", rust("new"));
    expect([putBack, textIn("src/net/a.rs")]).toEqual([["src/net/a.rs"], rust("old")]);
    expect(namesIn("src")).toEqual(["a.ts", "b.ts", "net"]);
    expect((await movedTo("src/b.rs", rust("old"))).original).toEqual({ kind: "not-needed" });
  });

  test("snapshots go with the new tests that they belong to", async () => {
    const { namesIn } = await mixedOf({
      work: (box) => {
        box.write("test/a.test.ts", "new\n");
        for (const path of ["test/new.test.ts", "test/__snapshots__/new.test.ts.snap"])
          box.write(path, "added\n");
      },
    });
    expect(namesIn("test")).toEqual(["a.test.ts", "data"]);
  });

  test("what Go vendors is, unless other dependencies are listed there", async () => {
    const vendored = { "vendor/modules.txt": "# x v1\n", "vendor/x/x.go": "old\n" };
    const putBackBy = async (...paths: readonly string[]): Promise<readonly string[]> =>
      (
        await mixedOf({
          files: { ...BASE, ...vendored },
          work: (box) => paths.forEach((path) => box.write(path, "new\n")),
        })
      ).putBack;
    expect(await putBackBy("vendor/x/x.go")).toEqual(["vendor/x/x.go"]);
    expect(await putBackBy("vendor/x/x.go", "vendor/modules.txt")).toEqual([]);
  });

  test("settings and hooks that were not there are gone", async () => {
    const { namesIn, putBack } = await mixedOf({
      work: (box) => {
        box.write("test/conftest.py", "import pytest\n");
        box.write("test/more.txt", "x\n");
      },
    });
    expect(putBack).toEqual(["test/conftest.py"]);
    expect(namesIn("test")).toEqual(["a.test.ts", "data", "more.txt"]);
  });
});

describe("nothing is to be put back", () => {
  test.each<[what: string, work: (box: Tree) => void]>([
    ["nothing changed", () => undefined],
    [
      "only sources, docs and lock files changed",
      (box) => {
        for (const path of ["src/a.ts", "README.md", "package-lock.json"]) box.write(path, "new\n");
      },
    ],
    ["tests were added", (box) => box.write("test/new.test.ts", "new\n")],
    [
      "package.json has other dependencies",
      (box) =>
        box.write(
          "package.json",
          (BASE["package.json"] ?? "").replace("{", '{ "dependencies": {},'),
        ),
    ],
  ])("where %s", async (_what, work) => {
    expect((await mixedOf({ work })).original).toEqual({ kind: "not-needed" });
  });
});

describe("what is product is as the task found it", () => {
  const of = "control";

  test("where it was changed, added or deleted, and all else is the work's", async () => {
    const files = { ...BASE, "src/gone.ts": "old\n", "data.json": "1\n" };
    const { textIn, namesIn, putBack } = await mixedOf({
      of,
      files,
      work: (box) => {
        for (const path of Object.keys(BASE)) box.write(path, "new\n");
        for (const path of ["src/new.ts", "test/new.test.ts", "support/new.ts", "data.json"])
          box.write(path, "added\n");
        rmSync(join(box.root, "src/gone.ts"));
      },
    });
    expect(putBack).toEqual(["package.json", "src/a.ts", "src/gone.ts", "src/new.ts"]);
    expect(textIn("src/a.ts")).toBe(BASE["src/a.ts"]);
    expect(namesIn("src")).toEqual(["a.ts", "b.ts", "gone.ts"]);
    for (const path of ["test/a.test.ts", "scripts/check.sh", "vitest.config.ts"])
      expect(textIn(path)).toBe("new\n");
    expect([...namesIn("test"), textIn("data.json")]).toContain("added\n");
  });

  test("and so is what the task names, whatever it is", async () => {
    const { putBack } = await mixedOf({
      of,
      named: ["data.json"],
      work: (box) => box.write("data.json", "added\n"),
    });
    expect(putBack).toEqual(["data.json"]);
  });

  test("but for the tests in a source of Rust, which are the work's", async () => {
    const rust = (body: string, test: string) =>
      `pub fn f() -> i32 { ${body} }\n\n#[cfg(test)]\nmod tests {\n    // ${test}\n}\n`;
    const { textIn } = await mixedOf({
      of,
      files: { "src/lib.rs": rust("1", "old") },
      work: (box) => box.write("src/lib.rs", rust("2", "new")),
    });
    expect(textIn("src/lib.rs")).toBe(rust("1", "new"));
  });

  test("and dependencies, beside which the scripts are the work's", async () => {
    const manifest = (script: string, version: string) =>
      `{\n  "scripts": { "test": "${script}" },\n  "dependencies": { "x": "${version}" }\n}\n`;
    const { textIn, putBack } = await mixedOf({
      of,
      files: { "package.json": manifest("a", "1"), "package-lock.json": "1\n" },
      work: (box) => {
        box.write("package.json", manifest("b", "2"));
        box.write("package-lock.json", "2\n");
      },
    });
    expect(putBack).toEqual(["package-lock.json", "package.json"]);
    expect(JSON.parse(textIn("package.json"))).toEqual(JSON.parse(manifest("b", "1")));
  });

  test("where none was changed, it is the work itself", async () => {
    const { putBack, original } = await mixedOf({
      of,
      work: (box) => box.write("support/a.ts", "new\n"),
    });
    expect([putBack, original]).toMatchObject([[], { kind: "made", left: ["support/a.ts"] }]);
  });
});

test("in a trial no file can be read that a task may change, and where there is none no file at all", async () => {
  const unreadable = async (files: Files): Promise<readonly string[]> => {
    const box = sandbox();
    for (const name of ["src", ".gitignore", "README.md"])
      rmSync(join(box.root, name), { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) box.write(path, text);
    box.git("add", "--all");
    box.git("commit", "--quiet", "--message=base");
    const { workspaces, workspace } = await openTask({ box });
    const base = await workspaces.baseOf(workspace);
    if (base === null) throw new Error("expected a repository");
    const { taken } = await workspaces.unreadable(workspace, base, ["npm test"]);
    return box
      .git("grep", "-l", "^<<<<<<< ", taken?.commit ?? "")
      .split("\n")
      .map((line) => line.slice(41));
  };
  const work = { "src/a.ts": "a\n", "docs/a.md": "a\n", "bin/run": "a\n", ".env": "a\n" };
  expect(await unreadable({ ...BASE, ...work })).toEqual(["bin/run", "docs/a.md", "src/a.ts"]);
  const { "src/a.ts": _, ...proof } = BASE;
  expect(await unreadable(proof)).toEqual(Object.keys(proof).toSorted());
  expect(await unreadable({ ...proof, "docs/a.md": "a\n" })).toEqual([
    "docs/a.md",
    "test/a.test.ts",
  ]);
});
