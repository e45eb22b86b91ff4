import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";

import { createBaseCopies, type BaseCopy } from "../../src/workspace/proof/base-copy.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { ENV, everythingOf, openTask, sandbox, tempFolder, type Sandbox } from "./sandbox.ts";

/** A copy of HEAD, in a temporary folder of the test's own. */
async function copyOf(box: Sandbox, folder = tempFolder(), base = "HEAD"): Promise<BaseCopy> {
  const git = await findRepository(box.root, ENV);
  if (git === null) throw new Error("no repository");
  return createBaseCopies(folder).make(git, base);
}

function commit(box: Sandbox): void {
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=more");
}

/** Links to a file, relative to the folder it is in, as package managers make them. */
function link(box: Sandbox, path: string, target: string): void {
  mkdirSync(dirname(join(box.root, path)), { recursive: true });
  symlinkSync(target, join(box.root, path));
}

function sh(line: string, cwd: string): string {
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { cwd, encoding: "utf8" });
  return stdout + stderr;
}

describe("the tree a task began with", () => {
  test("stands in a folder of its own, and nothing of the user's is touched", async () => {
    const { box, tree, workspaces: spaces, workspace, checkpoint } = await openTask();
    await checkpoint();
    tree.write("src/a.ts", "changed\n");
    tree.write("new.ts", "new\n");
    rmSync(join(tree.root, "src/b.ts"));
    tree.git("add", "src/a.ts");
    const before = [everythingOf(box), box.git("for-each-ref")];

    const copy = await spaces.baseCopy(workspace);

    const root = await copy.root();
    expect(readFileSync(join(root, "src/a.ts"), "utf8")).toBe("a\n");
    expect(readdirSync(root).sort()).toEqual([".gitignore", "README.md", "src"]);
    expect(readdirSync(join(root, "src")).sort()).toEqual(["a.ts", "b.ts"]);
    expect([everythingOf(box), box.git("for-each-ref")]).toEqual(before);
    await copy.remove();
    expect(existsSync(dirname(dirname(root)))).toBe(false);
  });

  test("in place is what the user had, uncommitted work included", async () => {
    const box = sandbox();
    box.write("src/a.ts", "the user's\n");
    const { workspaces, workspace } = await openTask({ box, isolation: "none" });
    box.write("src/a.ts", "the agent's\n");
    const copy = await workspaces.baseCopy(workspace);
    expect(readFileSync(join(await copy.root(), "src/a.ts"), "utf8")).toBe("the user's\n");
    await copy.remove();
  });
});

describe("a copy", () => {
  test("is private, has the name of the tree, and is no repository", async () => {
    const box = sandbox();
    const folder = tempFolder();
    const { root } = await copyOf(box, folder);
    expect(relative(box.root, root).startsWith(`..${sep}`)).toBe(true);
    expect(basename(root)).toBe(basename(box.root));
    const [entry = ""] = readdirSync(folder);
    expect(lstatSync(join(folder, entry)).mode & 0o777).toBe(0o700);
    expect(existsSync(join(root, ".git"))).toBe(false);
  });

  test("is filtered as its own attributes say, not as those of the changed tree", async () => {
    const box = sandbox();
    box.git("config", "filter.shout.smudge", "tr a-z A-Z");
    box.git("config", "filter.shout.clean", "tr A-Z a-z");
    box.write(".gitattributes", "*.txt filter=shout\n*.bat eol=crlf\nsecret export-ignore\n");
    box.write("word.txt", "hello\n");
    box.write("run.bat", "go\n");
    box.write("secret", "kept\n");
    commit(box);
    box.write(".gitattributes", "");
    const { root } = await copyOf(box);
    expect(readFileSync(join(root, "word.txt"), "utf8")).toBe("HELLO\n");
    expect(readFileSync(join(root, "run.bat"), "utf8")).toBe("go\r\n");
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("kept\n");
  });

  test("goes away for good, also with folders nobody may write to", async () => {
    const folder = tempFolder();
    const copy = await copyOf(sandbox(), folder);
    const { root } = copy;
    mkdirSync(join(root, "cache/deep"), { recursive: true });
    writeFileSync(join(root, "cache/deep/file"), "x");
    const outside = tempFolder();
    writeFileSync(join(outside, "kept"), "x");
    chmodSync(outside, 0o555);
    symlinkSync(outside, join(root, "cache/link"));
    chmodSync(join(root, "cache/deep/file"), 0o400);
    chmodSync(join(root, "cache/deep"), 0o555);
    chmodSync(join(root, "cache"), 0o555);
    await copy.remove();
    await copy.remove();
    expect(readdirSync(folder)).toEqual([]);
    expect(readdirSync(outside)).toEqual(["kept"]);
    expect(lstatSync(outside).mode & 0o777).toBe(0o555);
    chmodSync(outside, 0o755);
  });
});

describe("what git ignores", () => {
  const monorepo = (): Sandbox => {
    const box = sandbox();
    box.write(".gitignore", "node_modules\ndist/\n.env*\nvendor/\n.venv/\n*.log\n");
    box.write("packages/own/index.js", 'module.exports = "base";\n');
    box.write("packages/own/package.json", '{ "name": "own" }\n');
    commit(box);
    box.write("packages/own/index.js", 'module.exports = "changed";\n');
    box.write("node_modules/dep/index.js", 'module.exports = require("own") + " by dep";\n');
    box.write("node_modules/@scope/dep/index.js", 'module.exports = "scoped";\n');
    box.write("node_modules/.bin/tool", "#!/bin/sh\necho tool\n");
    chmodSync(join(box.root, "node_modules/.bin/tool"), 0o755);
    link(box, "node_modules/own", "../packages/own");
    return box;
  };
  const node = (root: string, source: string): string =>
    sh(`"${process.execPath}" -p '${source}'`, root).trim();

  test("is there where it was installed, and packages of the repository are the copy's own", async () => {
    const box = monorepo();
    link(box, "packages/own/node_modules/nested", "../../../node_modules/dep");
    const { root } = await copyOf(box);
    expect(node(root, 'require("@scope/dep")')).toBe("scoped");
    expect(node(root, 'require("own")')).toBe("base");
    expect(sh("node_modules/.bin/tool", root)).toBe("tool\n");
    expect(readlinkSync(join(root, "packages/own/node_modules/nested"))).toBe(
      join(root, "node_modules/dep"),
    );
  });

  test("stays behind where it is made from the sources, or by checks", async () => {
    const box = monorepo();
    box.write("dist/index.js", "built from the changed tree");
    box.write("trace.log", "x");
    box.write("node_modules/.vite/results.json", "{}");
    const { root } = await copyOf(box);
    expect(readdirSync(root).sort()).toEqual([
      ".gitignore",
      "README.md",
      "node_modules",
      "packages",
      "src",
    ]);
    expect(readdirSync(join(root, "node_modules")).sort()).toEqual([
      ".bin",
      "@scope",
      "dep",
      "own",
    ]);
  });

  test("survives a package manager that begins by emptying the folder", async () => {
    const box = monorepo();
    const copy = await copyOf(box);
    sh("rm -rf node_modules/* node_modules/.bin", copy.root);
    await copy.remove();
    expect(box.read("node_modules/dep/index.js")).toContain("by dep");
    expect(box.read("node_modules/@scope/dep/index.js")).toContain("scoped");
    expect(box.read("node_modules/.bin/tool")).toContain("tool");
  });

  test("never stands in for what the commit holds, nor for what it does not", async () => {
    const box = sandbox();
    box.write("vendor/lib/x.js", "base\n");
    box.write("linked/own.js", "x");
    commit(box);
    box.git("rm", "-rq", "--cached", "vendor");
    box.write("vendor/lib/x.js", "changed\n");
    box.write(".gitignore", "vendor/\nnode_modules\n");
    box.write("packages/new/node_modules/dep/index.js", "x");
    const { root } = await copyOf(box);
    expect(readFileSync(join(root, "vendor/lib/x.js"), "utf8")).toBe("base\n");
    expect(lstatSync(join(root, "vendor")).isSymbolicLink()).toBe(false);
    expect(existsSync(join(root, "packages"))).toBe(false);
  });

  test("names the copy where it named the tree, and is linked where it did not", async () => {
    const box = monorepo();
    const site = ".venv/lib/python3.12/site-packages";
    box.write(".env", `DB=${box.root}/test.db\nKEY=1\n`);
    box.write(`${site}/__editable__.own.pth`, `${box.root}/src\n`);
    box.write(`${site}/other/__init__.py`, "");
    link(box, ".venv/lib64", "lib");

    const { root } = await copyOf(box);
    const text = (path: string): string => readFileSync(join(root, path), "utf8");

    expect(text(".env")).toBe(`DB=${root}/test.db\nKEY=1\n`);
    expect(text(`${site}/__editable__.own.pth`)).toBe(`${root}/src\n`);
    expect(readlinkSync(join(root, ".venv/lib64"))).toBe(join(root, ".venv/lib"));
    expect(lstatSync(join(root, site, "other")).isSymbolicLink()).toBe(true);
  });
});

describe("what a killed process left", () => {
  test("is removed, and nothing that anybody may still use", async () => {
    const folder = tempFolder();
    await copyOf(sandbox(), folder);
    const [entry = ""] = readdirSync(folder);
    const [orch, base, host, pid, start, dice] = entry.split("-");
    const dead = spawnSync("true").pid;
    const left = [
      [orch, base, host, dead, start, dice],
      [orch, base, host, pid, 1, dice],
    ];
    const stays = [
      [orch, base, host, process.ppid, start, dice],
      [orch, base, "00000000", dead, start, dice],
      [orch, base],
      ["something", "else"],
    ];
    for (const parts of [...left, ...stays]) {
      mkdirSync(join(folder, parts.join("-"), "tree"), { recursive: true });
      chmodSync(join(folder, parts.join("-"), "tree"), 0o555);
    }
    await createBaseCopies(folder).sweep();
    const names = stays.map((parts) => parts.join("-"));
    expect(readdirSync(folder).sort()).toEqual([entry, ...names].sort());
  });
});
