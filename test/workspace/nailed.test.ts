// Does git work where orch found the repository, whatever is written in it meanwhile?

import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";

import { findRepository } from "../../src/workspace/find-repository.ts";
import { gitText } from "../../src/workspace/git.ts";
import type { Git } from "../../src/workspace/git.ts";
import { gitIn } from "../support/repository.ts";
import { ENV, sandbox, tempFolder, type Sandbox } from "./sandbox.ts";

async function foundIn(box: Sandbox, env: Record<string, string | undefined> = ENV): Promise<Git> {
  const git = await findRepository(box.root, env);
  if (git === null) throw new Error("no repository");
  return git;
}

const set = (box: Sandbox, key: string, value: string) => box.git("config", key, value);

test("core.worktree is without effect where orch found the repository, and told", async () => {
  const box = sandbox();
  const git = await foundIn(box);
  box.git("branch", "--quiet", "--track", "side", "main");
  set(box, "user.name", "Somebody");
  expect((await gitText(git, ["rev-parse", "--show-toplevel"])).trim()).toBe(box.root);
  for (const [key, value] of CHANGES) {
    set(box, key, value);
    await expect(gitText(git, ["status"])).rejects.toMatchObject({
      code: "git-config-changed",
      message: expect.stringContaining(JSON.stringify(`${key.toLowerCase()} = ${value}`)),
    });
    await expect(gitText(git, ["status"])).rejects.toMatchObject({ code: "git-config-changed" });
    box.git("config", "--unset", key);
    expect(await gitText(git, ["status", "--porcelain"])).toBe("");
  }
});

const CHANGES = [
  ["core.worktree", "/elsewhere"],
  ["core.hooksPath", "hooks"],
  ["filter.one.clean", "sleep 1000"],
  ["alias.status", "!true"],
  ["include.path", "/elsewhere/config"],
] as const;

describe("is refused and not followed, and is no folder without git", () => {
  const found = (root: string) => findRepository(root, ENV);

  test("a core.worktree that leads elsewhere", async () => {
    const box = sandbox();
    const elsewhere = tempFolder();
    set(box, "core.worktree", elsewhere);
    await expect(found(box.root)).rejects.toThrow("for its working tree");
    set(box, "core.worktree", join(box.root, ".."));
    await expect(found(box.root)).rejects.toThrow("for its working tree");
    box.git("config", "--unset", "core.worktree");
    set(box, "core.bare", "true");
    await expect(found(box.root)).rejects.toThrow("for its working tree");
  });

  test("a damaged HEAD, inside of another repository too", async () => {
    const box = sandbox();
    writeFileSync(join(box.root, ".git/HEAD"), "nonsense\n");
    await expect(found(box.root)).rejects.toThrow("not a git repository");
    const outer = tempFolder();
    gitIn(outer)("init", "--quiet");
    const inner = join(outer, "inner");
    mkdirSync(inner);
    gitIn(inner)("init", "--quiet");
    writeFileSync(join(inner, ".git/HEAD"), "nonsense\n");
    await expect(found(inner)).rejects.toThrow(`"${outer}" for its working tree`);
  });

  test("a damaged config", async () => {
    const box = sandbox();
    writeFileSync(join(box.root, ".git/config"), "[core\n");
    await expect(findRepository(box.root, ENV)).rejects.toMatchObject({ code: "git-failed" });
  });
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
  const git = await foundIn(box, { ...ENV, PATH: `${bin}${delimiter}${process.env["PATH"]}` });
  await gitText(git, ["add", "a.txt", "b.md"]);
  expect(await gitText(git, ["show", ":b.md"])).toBe("b\n");
  expect(() => realpathSync(ran)).toThrow("ENOENT");
});
