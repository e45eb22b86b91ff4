// Does git work where orch found the repository, whatever is written in it meanwhile?

import { chmodSync, existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { gitText, type Git } from "../../src/workspace/git/git.ts";
import { createPinnedSettings, REACHING } from "../../src/workspace/git/pinned-settings.ts";
import type { SettingsByFile } from "../../src/workspace/git/pinned-settings.ts";
import { joinTrees } from "../../src/workspace/join/merge.ts";
import { commitAll, gitIn } from "../support/repository.ts";
import { ENV, sandbox, tempFolder, type Sandbox } from "./sandbox.ts";

async function gitOf(box: Sandbox, env: Record<string, string | undefined> = ENV): Promise<Git> {
  const git = await findRepository(box.root, env);
  if (git === null) throw new Error("no repository");
  return git;
}

const set = (box: Sandbox, key: string, value: string) => box.git("config", key, value);

/** The repository as a run of this process uses it, from now on. */
async function pinnedIn(box: Sandbox, begun: SettingsByFile | null = null) {
  const settings = createPinnedSettings(begun);
  const repository = await findRepository(box.root, ENV, settings.repositories);
  if (repository === null) throw new Error("no repository");
  const byFile = await settings.begin(repository);
  return {
    git: await settings.pin(repository, join(tempFolder(), "run"), UNCONFINED),
    settings,
    byFile,
  };
}

describe("git works by the settings of the run's beginning", () => {
  const ran = (box: Sandbox) => existsSync(join(box.root, ".git/ran"));
  const RUN = "touch .git/ran; cat";

  test("where orch found the repository, and tells what was changed", async () => {
    const box = sandbox();
    const { git, settings } = await pinnedIn(box);
    for (const [key, value] of CHANGES) {
      set(box, key, value);
      expect((await gitText(git, ["rev-parse", "--show-toplevel"])).trim()).toBe(box.root);
      expect((await settings.changed()).at(-1)).toBe(key.toLowerCase());
    }
  });

  const CHANGES = [
    ["core.worktree", "/elsewhere"],
    ["core.bare", "true"],
    ["core.hooksPath", "hooks"],
    ["extensions.worktreeConfig", "true"],
  ] as const;

  /** What is stored of a text file, in this process and in a later one, after the change. */
  async function stored(box: Sandbox, change: () => void) {
    box.write(".gitattributes", "*.txt filter=one\n*.md merge=one\n");
    const first = await pinnedIn(box);
    change();
    const later = await pinnedIn(box, first.byFile);
    const texts: string[] = [];
    for (const [git, name] of [
      [first.git, "a.txt"],
      [later.git, "b.txt"],
    ] as const) {
      box.write(name, "a\n");
      await gitText(git, ["add", name]);
      texts.push(await gitText(git, ["show", `:${name}`]));
    }
    const changes = [await first.settings.changed(), await later.settings.changed()];
    return { texts, changes };
  }

  test.each<[string, string, (box: Sandbox) => void]>([
    ["in the repository", "filter.one.clean", (box) => set(box, "filter.one.clean", RUN)],
    [
      "beside another of its name",
      "filter.one.process",
      (box) => set(box, "filter.one.process", RUN),
    ],
    [
      "in an included file",
      "filter.one.clean",
      (box) => {
        box.write("more.config", `[filter "one"]\n\tclean = "${RUN}"\n\trequired = true\n`);
        set(box, "include.path", "../more.config");
      },
    ],
  ])("a filter that was added %s is told and does not run", async (_where, key, add) => {
    const box = sandbox();
    const { texts, changes } = await stored(box, () => add(box));
    expect([texts, changes.map(([first]) => first)]).toEqual([
      ["a\n", "a\n"],
      [key, key],
    ]);
    expect(ran(box)).toBe(false);
  });

  test("one that was there runs as it was, changed or gone", async () => {
    const box = sandbox();
    set(box, "filter.one.clean", "tr a b");
    const other = await stored(box, () => set(box, "filter.one.clean", RUN));
    expect(other.texts).toEqual(["b\n", "b\n"]);
    set(box, "filter.one.clean", "tr a b");
    const gone = await stored(box, () => box.git("config", "--unset", "filter.one.clean"));
    expect(gone.texts).toEqual(["b\n", "b\n"]);
    expect([...other.changes, ...gone.changes].flat()).toEqual(Array(4).fill("filter.one.clean"));
  });

  test("a merge driver that was added does not run", async () => {
    const box = sandbox();
    box.write(".gitattributes", "*.md merge=one\n");
    commitAll(box.git);
    for (const side of ["left", "right"]) {
      box.git("checkout", "--quiet", "-B", side, "main");
      box.write("README.md", `${side}\n`);
      commitAll(box.git);
    }
    const { git } = await pinnedIn(box);
    set(box, "merge.one.driver", "touch .git/ran");
    const joined = await joinTrees(git, "left", "right");
    expect([joined.kind, ran(box)]).toEqual(["conflict", false]);
  });

  test("where a transport was changed, a later process reaches no other repository", async () => {
    const box = sandbox();
    const { byFile } = await pinnedIn(box);
    set(box, "core.sshCommand", "touch .git/ran; false");
    const { git, settings } = await pinnedIn(box, byFile);
    await expect(gitText(git, ["ls-remote", "ssh://host/x"])).rejects.toThrow("not allowed");
    expect([await settings.changed(), ran(box)]).toEqual([[REACHING], false]);
  });
});

describe("is refused and not followed, and is no folder without git", () => {
  const find = (root: string) => findRepository(root, ENV);

  test("a core.worktree that leads elsewhere", async () => {
    const box = sandbox();
    const elsewhere = tempFolder();
    set(box, "core.worktree", elsewhere);
    await expect(find(box.root)).rejects.toThrow("for its working tree");
    set(box, "core.worktree", join(box.root, ".."));
    await expect(find(box.root)).rejects.toThrow("for its working tree");
    box.git("config", "--unset", "core.worktree");
    set(box, "core.bare", "true");
    await expect(find(box.root)).rejects.toThrow("for its working tree");
  });

  test("a damaged HEAD, inside of another repository too", async () => {
    const box = sandbox();
    writeFileSync(join(box.root, ".git/HEAD"), "nonsense\n");
    await expect(find(box.root)).rejects.toThrow("not a git repository");
    const outer = tempFolder();
    gitIn(outer)("init", "--quiet");
    const inner = join(outer, "inner");
    mkdirSync(inner);
    gitIn(inner)("init", "--quiet");
    writeFileSync(join(inner, ".git/HEAD"), "nonsense\n");
    await expect(find(inner)).rejects.toThrow(`"${outer}" for its working tree`);
  });
});

test("what an agent lays over an object, or calls its parents, is not seen", async () => {
  const box = sandbox();
  const git = await gitOf(box, ENV);
  const head = box.git("rev-parse", "HEAD");
  box.git("commit", "--quiet", "--allow-empty", "-m", "next");
  box.git("replace", "HEAD", head);
  box.write(".git/info/grafts", `${box.git("rev-parse", "HEAD")}\n`);
  expect((await gitText(git, ["log", "-1", "--format=%s %P"])).trim()).toBe(`next ${head}`);
});

test("what git starts is looked for inside the repository last, and git itself never there", async () => {
  const box = sandbox();
  const bin = join(box.root, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  const ran = join(tempFolder(), "ran");
  for (const name of ["git", "cat", "only-here"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\n[ ${name} = only-here ] || : >${ran}\n/bin/cat\n`);
    chmodSync(join(bin, name), 0o755);
  }
  box.write(".gitattributes", "*.txt filter=one\n*.md filter=two\n");
  box.write("a.txt", "a\n");
  box.write("b.md", "b\n");
  set(box, "filter.one.clean", "cat");
  set(box, "filter.two.clean", "only-here");
  set(box, "filter.two.required", "true");
  const git = await gitOf(box, { ...ENV, PATH: `${bin}${delimiter}${process.env["PATH"]}` });
  await gitText(git, ["add", "a.txt", "b.md"]);
  expect(await gitText(git, ["show", ":b.md"])).toBe("b\n");
  expect(() => realpathSync(ran)).toThrow("ENOENT");
});
