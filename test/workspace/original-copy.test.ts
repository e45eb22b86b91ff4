import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";

import type { OriginalCopy } from "../../src/engine/ports-tree.ts";
import { ENV, everythingOf, openTask, sandbox, tempFolder, type Tree } from "./sandbox.ts";

const made: OriginalCopy[] = [];

afterEach(async () => {
  for (const one of made.splice(0)) if (one.kind === "made") await one.copy.remove();
});

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
}

/** What the port gives for a task that began with the files and did the work. */
async function originalOf({ files = BASE, before, work, commands = ["npm test"] }: Case) {
  const box = sandbox();
  for (const [path, text] of Object.entries(files)) box.write(path, text);
  before?.(box);
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=base");
  const { workspaces: spaces, workspace, tree, checkpoint } = await openTask({ box });
  const since = await checkpoint();
  work(tree, box);
  const change = await spaces.change(workspace, since, null);
  const view = (): readonly unknown[] => [
    everythingOf(box),
    box.git("for-each-ref"),
    // The run's git folder leads to the repository's objects, of which a copy may add some.
    readdirSync(join(box.root, ".orch"), { recursive: true, encoding: "utf8" })
      .filter((path) => !path.includes("/git/objects/"))
      .toSorted(),
  ];
  const seen = view();
  const original = await spaces.originalCopy(workspace, change, commands);
  expect(view()).toEqual(seen);
  made.push(original);
  const root = original.kind === "made" ? await original.copy.root() : "";
  const putBack = original.kind === "made" ? original.putBack : [];
  return { box, spaces, original, root, putBack };
}

const textIn = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

describe("what proves is as the task found it", () => {
  test("where it was changed or deleted, and all else but new tests is the work's", async () => {
    const { root, putBack } = await originalOf({
      work: (box) => {
        for (const path of ["src/a.ts", "test/a.test.ts", "vitest.config.ts"])
          box.write(path, "new\n");
        for (const path of ["src/new.ts", "test/new.test.ts"]) box.write(path, "added\n");
        rmSync(join(box.root, "test/data"), { recursive: true });
        rmSync(join(box.root, "src/b.ts"));
      },
    });
    expect(putBack).toEqual(["test/a.test.ts", "test/data/a.txt", "vitest.config.ts"]);
    for (const path of putBack) expect(textIn(root, path)).toBe(BASE[path]);
    expect(textIn(root, "src/a.ts")).toBe("new\n");
    expect(readdirSync(join(root, "src")).toSorted()).toEqual(["a.ts", "new.ts"]);
    expect(readdirSync(join(root, "test")).toSorted()).toEqual(["a.test.ts", "data"]);
    expect(existsSync(join(root, ".git"))).toBe(false);
  });

  test("scripts of package.json are, and its dependencies are the work's", async () => {
    const { root, putBack } = await originalOf({
      work: (box) =>
        box.write(
          "package.json",
          '{ "scripts": { "test": "true" }, "dependencies": { "y": "1" } }',
        ),
    });
    expect(putBack).toEqual(["package.json"]);
    expect(JSON.parse(textIn(root, "package.json"))).toEqual({
      scripts: { test: "scripts/check.sh && vitest run" },
      dependencies: { y: "1" },
    });
  });

  test("the whole folder of a script that a gate runs is", async () => {
    const { putBack } = await originalOf({
      work: (box) => box.write("scripts/lib/words.txt", "new\n"),
    });
    expect(putBack).toEqual(["scripts/lib/words.txt"]);
  });

  test("settings and hooks that were not there are gone", async () => {
    const { root, putBack } = await originalOf({
      work: (box) => {
        box.write("test/conftest.py", "import pytest\n");
        box.write("test/more.txt", "x\n");
      },
    });
    expect(putBack).toEqual(["test/conftest.py"]);
    expect(readdirSync(join(root, "test")).toSorted()).toEqual(["a.test.ts", "data", "more.txt"]);
  });

  test("in place it is as the user had it, not as it was committed", async () => {
    const box = sandbox();
    box.write("test/a.test.ts", "committed\n");
    box.git("add", "--all");
    box.git("commit", "--quiet", "--message=base");
    box.write("test/a.test.ts", "the user's\n");
    const opened = await openTask({ box, isolation: "none" });
    const { workspaces: spaces, workspace } = opened;
    const since = await opened.checkpoint();
    box.write("test/a.test.ts", "the agent's\n");
    const change = await spaces.change(workspace, since, null);
    const original = await spaces.originalCopy(workspace, change, []);
    made.push(original);
    const root = original.kind === "made" ? await original.copy.root() : "";
    expect(textIn(root, "test/a.test.ts")).toBe("the user's\n");
  });

  test("of many paths the first are named", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_none, at) => [`test/${at}.txt`, "old\n"]),
    );
    const { root, putBack } = await originalOf({
      files,
      work: (box) => Object.keys(files).forEach((path) => box.write(path, "new\n")),
    });
    expect(putBack).toEqual(Object.keys(files).toSorted().slice(0, 50));
    expect(Object.keys(files).map((path) => textIn(root, path))).not.toContain("new\n");
  });
});

describe("no copy is needed", () => {
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
    expect((await originalOf({ work })).original).toEqual({ kind: "not-needed" });
  });
});

describe("no copy is made, and it is said why", () => {
  const change = {
    kind: "measured",
    tree: "1".repeat(40),
    changed: ["a"],
    changedCount: 1,
    sinceBaseCount: 1,
    outside: [],
    outOfScope: [],
  } as const;

  test("outside git, and where nothing was measured", async () => {
    const spaces = sandbox().workspaces();
    const plain = { kind: "plain", root: tempFolder() } as const;
    expect(await spaces.originalCopy(plain, change, [])).toEqual({
      kind: "not-made",
      why: "the folder is not in a git repository",
    });
    const unmeasured = { kind: "not-measured", why: "there is no checkpoint" } as const;
    expect(await spaces.originalCopy(plain, unmeasured, [])).toEqual({
      kind: "not-made",
      why: "there is no checkpoint",
    });
  });

  test("where the base, the work or the repository is gone", async () => {
    const { box, spaces } = await originalOf({ work: () => undefined });
    const whyOf = async (base: string, own = spaces): Promise<string> => {
      const given = { kind: "in-place", root: box.root, base } as const;
      const original = await own.originalCopy(given, change, []);
      return original.kind === "not-made" ? original.why : original.kind;
    };
    expect(await whyOf("0".repeat(40))).toContain("is no longer in the repository");
    expect(await whyOf("HEAD")).toContain(change.tree);
    expect(await whyOf("HEAD", box.workspaces({ cwd: tempFolder() }))).toContain("is not one now");
  });

  test("and nothing is left behind where the copy fails", async () => {
    const own = (): readonly string[] =>
      readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
    const before = own();
    const failed = originalOf({
      before: (box) => {
        box.git("config", "filter.broken.required", "true");
        box.git("config", "filter.broken.clean", "cat");
        box.write(".gitattributes", "*.bin filter=broken\n");
        box.write("test/a.bin", "x");
      },
      work: (tree, box) => {
        box.git("config", "filter.broken.smudge", "false");
        tree.write("test/a.test.ts", "new\n");
      },
    });
    await expect(failed).rejects.toThrow("smudge filter broken failed");
    expect(own()).toEqual(before);
  });
});

describe("what is no plain file is safe", () => {
  test("links, modes and folders that took a file's place", async () => {
    const { root, putBack } = await originalOf({
      before: (box) => {
        symlinkSync("data", join(box.root, "test/link"));
        chmodSync(join(box.root, "scripts/check.sh"), 0o755);
        box.write("test/file", "old\n");
      },
      work: (box) => {
        rmSync(join(box.root, "test/link"));
        box.write("test/link", "a file now\n");
        chmodSync(join(box.root, "scripts/check.sh"), 0o644);
        rmSync(join(box.root, "test/file"));
        box.write("test/file/inside", "new\n");
        rmSync(join(box.root, "package.json"));
        symlinkSync("/dev/null", join(box.root, "package.json"));
      },
    });
    expect(putBack).toEqual(["package.json", "scripts/check.sh", "test/file", "test/link"]);
    expect(readlinkSync(join(root, "test/link"))).toBe("data");
    expect(lstatSync(join(root, "scripts/check.sh")).mode & 0o111).toBe(0o111);
    expect(textIn(root, "test/file")).toBe("old\n");
    expect(textIn(root, "package.json")).toBe(BASE["package.json"]);
  });

  test("a submodule in the tests is an empty folder, as on the base", async () => {
    const other = sandbox();
    const { root } = await originalOf({
      before: (box) => {
        const add = ["submodule", "--quiet", "add", `file://${other.root}`, "test/lib"];
        box.git("-c", "protocol.file.allow=always", ...add);
      },
      work: (box) => {
        box.write("test/a.test.ts", "new\n");
        rmSync(join(box.root, "test/lib"), { recursive: true });
        box.write("test/lib/fake.js", "new\n");
      },
    });
    expect(readdirSync(join(root, "test/lib"))).toEqual([]);
    expect(textIn(root, "test/a.test.ts")).toBe("old test\n");
  });

  test("a renamed folder stands there twice, but its tests once", async () => {
    const { root, putBack } = await originalOf({
      work: (box) => {
        renameSync(join(box.root, "test"), join(box.root, "tests"));
        box.write("tests/b.test.ts", "new\n");
      },
    });
    expect(putBack).toEqual(["test/a.test.ts", "test/data/a.txt"]);
    expect(readdirSync(join(root, "test")).toSorted()).toEqual(["a.test.ts", "data"]);
    expect(readdirSync(join(root, "tests")).toSorted()).toEqual(["data"]);
  });

  test("a file too large to be recorded is as on the base", async () => {
    const { root, putBack } = await originalOf({
      work: (box) => {
        truncateSync(join(box.root, "test/data/a.txt"), 101 * 1024 * 1024);
        box.write("test/a.test.ts", "new\n");
      },
    });
    expect(putBack).toContain("test/a.test.ts");
    expect(existsSync(join(root, "test/data/a.txt")) && textIn(root, "test/data/a.txt")).not.toBe(
      "",
    );
  });
});

test("dependencies are those of the work", async () => {
  const { root } = await originalOf({
    before: (box) => box.write(".gitignore", "node_modules/\n"),
    work: (box) => {
      mkdirSync(dirname(join(box.root, "node_modules/dep/index.js")), { recursive: true });
      box.write("node_modules/dep/index.js", "installed\n");
      box.write("test/a.test.ts", "new\n");
    },
  });
  expect(textIn(root, "node_modules/dep/index.js")).toBe("installed\n");
});

describe("tests that run in the copy, with a real runner", () => {
  const files: Files = {
    "sum.js": "exports.sum = (a, b) => a - b;\n",
    "test/sum.test.js": [
      'const { sum } = require("../sum.js");',
      'require("node:test")("sums", () => require("node:assert").equal(sum(1, 2), 3));',
    ].join("\n"),
    "package.json": '{ "scripts": { "test": "node --test" } }',
  };
  const exitIn = (root: string): number | null =>
    spawnSync(process.execPath, ["--test"], { cwd: root, env: ENV }).status;

  test.each<[what: string, work: (box: Tree) => void, passes: boolean]>([
    ["fail where the test was emptied", (box) => box.write("test/sum.test.js", ""), false],
    ["fail where it was removed", (box) => rmSync(join(box.root, "test/sum.test.js")), false],
    [
      "pass where the source was mended, and the test was written anew",
      (box) => {
        box.write("sum.js", "exports.sum = (a, b) => a + b;\n");
        box.write("test/sum.test.js", 'require("node:test")("adds", () => undefined);\n');
      },
      true,
    ],
  ])("%s", async (_what, work, passes) => {
    const { root } = await originalOf({ files, work });
    expect(exitIn(root)).toBe(passes ? 0 : 1);
  });
});
