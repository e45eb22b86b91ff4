import { spawnSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  watch,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";

import { describe, expect, test } from "vitest";

import { fillWorktree, type FillRequest } from "../../src/workspace/worktrees/make-worktree.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { gitList, type Git } from "../../src/workspace/git/git.ts";
import { privateFolder } from "../support/private-folder.ts";
import { commitAll, GIT_ENV, initRepository } from "../support/repository.ts";

const IGNORED = ["node_modules", ".env*", ".venv", "dist", "/secret", "*.log", "/link", ".orch"];

interface Place {
  readonly root: string;
  /** The fresh tree: what is committed. */
  readonly tree: string;
  readonly write: (path: string, text?: string) => void;
  /** Makes the tree on the first call. */
  readonly fillIt: (more?: Partial<FillRequest>) => ReturnType<typeof fillWorktree>;
}

/** A checkout with ignored files of many kinds, and where a tree of its commit will stand. */
function place(files: readonly string[] = []): Place {
  const folder = privateFolder();
  const [root, tree] = [join(folder, "shop"), join(folder, "slot", "shop")];
  const write = (path: string, text = `${path}\n`): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write(".gitignore", `${IGNORED.join("\n")}\n`);
  write("packages/a/index.js");
  commitAll(initRepository(root));
  for (const path of files) write(path);
  return {
    root,
    tree,
    write,
    fillIt: async (more) => {
      const git = await repository(more?.git?.env ?? GIT_ENV, root);
      if (!readdirSync(folder).includes("slot"))
        sh(`git worktree add --quiet --detach ${JSON.stringify(tree)}`, root);
      return fillWorktree({
        git,
        to: tree,
        ignored: await gitList(git, LIST_IGNORED),
        include: null,
        signal: new AbortController().signal,
        ...more,
      });
    },
  };
}

const LIST_IGNORED = "ls-files -z --others --ignored --directory --exclude-standard".split(" ");

async function repository(env: Git["env"], root: string): Promise<Git> {
  const git = await findRepository(root, env);
  if (git === null) throw new Error("no repository");
  return git;
}

function sh(line: string, cwd: string): string {
  const { stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { cwd, encoding: "utf8" });
  return stdout + stderr;
}

/** Files in the tree that no commit has. */
function filesIn(tree: string): readonly string[] {
  return readdirSync(tree, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(tree, join(entry.parentPath, entry.name)))
    .filter((path) => ![".git", ".gitignore", "packages/a/index.js"].includes(path))
    .sort();
}

function read(...path: readonly string[]): string {
  return readFileSync(join(...path), "utf8");
}

describe("what comes along", () => {
  const FILES = [
    "node_modules/x/index.js",
    "packages/a/node_modules/y/index.js",
    ".env.local",
    "secret/key.pem",
    "secret/deep/other.pem",
    "dist/built.js",
    "npm.log",
    ".orch/runs/r/events.jsonl",
    "notes.txt",
  ];

  test("is installed dependencies at every level and settings, where nobody says otherwise", async () => {
    const { fillIt, tree } = place(FILES);
    const filled = await fillIt();
    const paths = [".env.local", "node_modules", "packages/a/node_modules"];
    expect(filled).toMatchObject({ paths, files: 3, notes: [] });
    expect(filesIn(tree)).toEqual([
      ".env.local",
      "node_modules/x/index.js",
      "packages/a/node_modules/y/index.js",
    ]);
    expect(read(tree, "node_modules/x/index.js")).toBe("node_modules/x/index.js\n");
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ["a name", [".env*"], [".env.local"]],
    ["a file in a folder that is ignored as such", ["**/key.pem"], ["secret/key.pem"]],
    ["all but some", ["*.pem", "!other.pem"], ["secret/key.pem"]],
    ["a file that git does not ignore, or has", ["notes.txt", "/packages/a/index.js"], []],
    ["what orch keeps", [".orch/", "events.jsonl"], []],
    ["nothing", [], []],
  ])("is what matches a pattern and is ignored: %s", async (_name, include, files) => {
    const { fillIt, tree } = place(FILES);
    await fillIt({ include });
    expect(filesIn(tree)).toEqual(files);
  });

  test("is what .worktreeinclude says, unless the config says it", async () => {
    const { fillIt, tree, write } = place(FILES);
    write(".worktreeinclude", "# for builds\n/dist/\n");
    await fillIt();
    expect(filesIn(tree)).toEqual(["dist/built.js"]);
    await fillIt({ include: ["*.log"] });
    expect(filesIn(tree)).toEqual(["dist/built.js", "npm.log"]);
  });
});

describe("a copy", () => {
  test("is a file of its own, with mode and times", async () => {
    const { fillIt, root, tree, write } = place();
    write("node_modules/x/tool", "#!/bin/sh\n");
    write("node_modules/x/locked");
    const [tool, locked] = ["node_modules/x/tool", "node_modules/x/locked"];
    sh(`chmod 755 ${tool}; ln ${tool} kept; chmod 400 ${locked}; chmod 555 node_modules/x`, root);
    for (const path of [tool, locked, "node_modules/x"]) utimesSync(join(root, path), 1e9, 1e9);
    await fillIt();
    for (const path of [tool, locked, "node_modules/x"]) {
      const [was, is] = [lstatSync(join(root, path)), lstatSync(join(tree, path))];
      expect([is.mode, is.mtimeMs]).toEqual([was.mode, was.mtimeMs]);
      expect(is.ino).not.toBe(was.ino);
    }
    expect(lstatSync(join(tree, tool)).nlink).toBe(1);
    writeFileSync(join(tree, tool), "changed\n");
    expect(read(root, tool)).toBe("#!/bin/sh\n");
  });

  test("has links that lead into the tree, or where they led", async () => {
    const { fillIt, root, tree } = place(["node_modules/x/index.js"]);
    const links = {
      "node_modules/a": "../packages/a",
      "node_modules/absolute": join(root, "packages/a"),
      "node_modules/out": "../../elsewhere",
      "node_modules/away": "/usr/share",
    };
    for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
    const { notes } = await fillIt();
    const targets = Object.keys(links).map((path) => readlinkSync(join(tree, path)));
    const elsewhere = join(dirname(root), "elsewhere");
    expect(targets).toEqual(["../packages/a", join(tree, "packages/a"), elsewhere, "/usr/share"]);
    const leadsOut = "is a link that leads out of the checkout";
    expect(notes.sort()).toEqual([`node_modules/away ${leadsOut}`, `node_modules/out ${leadsOut}`]);
  });

  test("stands only in folders that the tree has, over nothing that it has", async () => {
    const { fillIt, root, tree, write } = place([
      "node_modules/x/index.js",
      "packages/new/index.js",
      "packages/new/node_modules/y.js",
      "packages/b/node_modules/z.js",
      ".env",
    ]);
    symlinkSync("a", join(root, "packages/linked"));
    sh("git add packages/linked; git -c user.name=a -c user.email=a@b commit -qm link", root);
    sh("rm packages/linked", root);
    write("packages/linked/node_modules/w.js");
    sh(`git worktree add --quiet --detach '${tree}'`, root);
    mkdirSync(join(tree, "packages/b"));
    writeFileSync(join(tree, ".env"), "the tree's\n");
    const filled = await fillIt({ git: await repository(GIT_ENV, root) });
    expect(filled.paths).toEqual(["node_modules", "packages/b/node_modules"]);
    expect(filled.notes).toEqual([
      "not copied: .env (the commit has it)",
      "not copied: packages/linked/node_modules (its folder is a link in the commit)",
      "not copied: packages/new/node_modules (its folder is not in the commit)",
    ]);
    expect(read(tree, ".env")).toBe("the tree's\n");
    expect(readdirSync(join(tree, "packages/a"))).toEqual(["index.js"]);
  });
});

describe("an installed program", () => {
  /** As `python -m venv` and an editable install leave it, with a shell for the interpreter. */
  function virtualEnvironment({ root, write }: Place, name = root): void {
    const venv = join(name, ".venv");
    write(
      ".venv/bin/tool",
      `#!${venv}/bin/python\necho $0; cat ${venv}/lib/python3.11/site-packages/a.pth\n`,
    );
    write(".venv/bin/activate", `VIRTUAL_ENV="${venv}"\nexport VIRTUAL_ENV\n`);
    write(".venv/pyvenv.cfg", `home = /usr/bin\ncommand = python -m venv ${venv}\n`);
    write(".venv/lib/python3.11/site-packages/a.pth", `${name}/src\n`);
    write(
      ".venv/lib/python3.11/site-packages/__editable___a_finder.py",
      `MAPPING = {'a': '${name}/a'}\n`,
    );
    write(".venv/lib/python3.11/site-packages/a/lib/data.txt", `${name}2 ${name}\n`);
    write(".venv/bin/binary", `\0${name}\n`);
    symlinkSync("/bin/sh", join(root, ".venv/bin/python"));
    chmodSync(join(root, ".venv/bin/tool"), 0o555);
  }

  const SITE = ".venv/lib/python3.11/site-packages";

  test("runs from the tree, and what it finds is the tree's", async () => {
    const project = place();
    virtualEnvironment(project);
    const { root, tree } = project;
    await project.fillIt();
    const tool = join(tree, ".venv/bin/tool");
    expect(sh(JSON.stringify(tool), root)).toBe(`${tool}\n${tree}/src\n`);
    expect(sh(`. '${tree}/.venv/bin/activate'; echo $VIRTUAL_ENV`, root)).toBe(`${tree}/.venv\n`);
    expect(read(tree, ".venv/pyvenv.cfg")).toContain(`venv ${tree}/.venv`);
    expect(read(tree, SITE, "__editable___a_finder.py")).toContain(`'${tree}/a'`);
    expect(lstatSync(tool).mode & 0o777).toBe(0o555);
    expect(read(tree, ".venv/bin/binary")).toBe(`\0${root}\n`);
    expect(read(tree, SITE, "a/lib/data.txt")).toBe(`${root}2 ${root}\n`);
    expect(read(root, SITE, "a.pth")).toBe(`${root}/src\n`);
  });

  test("that was installed by another name of the checkout does so, too", async () => {
    const project = place();
    const name = join(dirname(project.root), "by-another-name");
    symlinkSync("shop", name);
    virtualEnvironment(project, name);
    const env = { ...GIT_ENV, PWD: join(name, "packages") };
    await project.fillIt({ git: await repository(env, project.root) });
    expect(read(project.tree, SITE, "a.pth")).toBe(`${project.tree}/src\n`);
  });
});

describe("a large copy", () => {
  const MANY = Array.from({ length: 900 }, (_, index) => `x${index % 30}/lib/${index}.js`);

  function large(): Place {
    return place([
      ...MANY.map((path) => `node_modules/${path}`),
      ".env",
      "node_modules/x1/.git/config",
    ]);
  }

  test("is whole in the end", async () => {
    const { fillIt, root, tree } = large();
    utimesSync(join(root, "node_modules"), 1e9, 1e9);
    const { files } = await fillIt();
    expect(files).toBe(MANY.length + 1);
    expect(sh("diff -r --exclude=.git shop slot/shop", dirname(root))).toBe("");
    expect(lstatSync(join(tree, "node_modules")).mtimeMs).toBe(1e12);
    expect(readdirSync(join(tree, "node_modules/x1"))).toEqual(["lib"]);
    expect(readdirSync(dirname(tree))).toEqual([basename(tree)]);
  });

  test("ends when the run does", async () => {
    const { fillIt, tree } = large();
    await fillIt({ include: [] });
    const abort = new AbortController();
    const watcher = watch(tree, () => abort.abort());
    await expect(fillIt({ signal: abort.signal })).rejects.toThrow(abort.signal.reason);
    watcher.close();
  });

  test("is refused where so little of the disk would stay free", async () => {
    const { fillIt } = large();
    const refused = { code: "disk-full", hint: expect.stringContaining("worktree.include") };
    await expect(fillIt({ freeBytesMin: 1e18 })).rejects.toMatchObject(refused);
  });
});
