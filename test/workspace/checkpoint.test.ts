import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { ENV, PREFIX, RUN, label, openTask, sandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";
import { makePipe } from "../support/pipe.ts";

function filesOf(box: Sandbox, commit: string): readonly string[] {
  return box.git("ls-tree", "-r", "--name-only", commit).split("\n");
}

const opened = (box = sandbox()) => openTask({ box, isolation: "none" });

describe("a checkpoint", () => {
  test("sees a change of the same length, made in the moment the index was written", async () => {
    const box = sandbox();
    // So that size and time are all that git compares, and the moment can be made.
    box.git("config", "core.trustctime", "false");
    box.git("config", "core.checkStat", "minimal");
    const moment = 1_700_000_000;
    const at = (path: string): void => utimesSync(join(box.root, path), moment, moment);
    box.write("src/a.ts", "one\n");
    at("src/a.ts");
    box.git("commit", "--quiet", "--all", "--message=one");
    box.write("src/a.ts", "two\n");
    at("src/a.ts");
    at(".git/index");
    const { checkpoint } = await opened(box);
    const made = await checkpoint();
    expect(box.git("show", `${made.commit}:src/a.ts`)).toBe("two");
  });

  test("holds the whole tree, untracked files included, without ignored ones and .orch", async () => {
    const { box, checkpoint } = await opened();
    box.write("src/a.ts", "changed\n");
    rmSync(join(box.root, "src/b.ts"));
    box.write("new/ünïcode name.txt", "new\n");
    box.write("ignored/x", "x\n");
    box.write(".orch/session/x", "x\n");
    rmSync(join(box.root, ".orch/.gitignore"));
    const made = await checkpoint();
    expect(box.git("-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", made.commit)).toBe(
      ".gitignore\nREADME.md\nnew/ünïcode name.txt\nsrc/a.ts",
    );
    expect(box.git("show", `${made.commit}:src/a.ts`)).toBe("changed");
    expect(box.git("rev-parse", `${made.commit}^{tree}`)).toBe(made.tree);
    expect(box.git("rev-parse", made.ref)).toBe(made.commit);
  });

  test("leaves branch, index, stash and working tree exactly as they were", async () => {
    const box = sandbox();
    box.write("src/a.ts", "stashed\n");
    box.git("stash");
    box.write("src/a.ts", "staged\n");
    box.git("add", "src/a.ts");
    box.write("src/a.ts", "staged and changed\n");
    box.write("untracked.txt", "u\n");
    const before = box.view();
    const { checkpoint } = await opened(box);
    const made = await checkpoint();
    await checkpoint({ when: "after" });
    expect(box.view()).toEqual(before);
    expect(box.git("show", `${made.commit}:src/a.ts`)).toBe("staged and changed");
  });

  test("says what it is of, and follows the one before it", async () => {
    const { box, checkpoint } = await opened();
    const first = await checkpoint();
    const second = await checkpoint({ attempt: 2, when: "after", verdict: "failed" });
    expect([first.ref, second.ref]).toEqual([`${PREFIX}/t/1`, `${PREFIX}/t/2`]);
    expect(box.git("log", "-1", "--format=%B%an <%ae>", second.commit)).toBe(
      [
        "orch: checkpoint after attempt 2 of implement",
        "",
        "Orch-Verdict: failed",
        "orch <orch@localhost>",
      ].join("\n"),
    );
    expect(box.git("rev-parse", `${second.commit}^1`, `${second.commit}^2`)).toBe(
      `${box.git("rev-parse", "HEAD")}\n${first.commit}`,
    );
  });

  test("of an attempt's end is also the one before the next, while nothing happens between", async () => {
    const { box, checkpoint } = await opened();
    const ended = await checkpoint({ when: "after" });
    expect(await checkpoint({ attempt: 2 })).toEqual(ended);
    box.git("commit", "--allow-empty", "--message", "in between");
    const third = await checkpoint({ attempt: 3 });
    expect(third.ref).toBe(`${PREFIX}/t/2`);
    expect(box.git("rev-parse", `${third.commit}^1`)).toBe(box.git("rev-parse", "HEAD"));
    box.write("src/a.ts", "by a person\n");
    const fourth = await checkpoint({ attempt: 4 });
    expect(box.git("show", `${fourth.commit}:src/a.ts`)).toBe("by a person");
  });

  test("keeps the tree that was judged, whatever came after it", async () => {
    const { box, workspaces, workspace, checkpoint } = await opened();
    const before = await checkpoint();
    box.write("src/a.ts", "judged\n");
    const change = await workspaces.change(workspace, { since: before, work: null }, null);
    if (change.kind !== "measured") throw new Error("expected a measured change");
    box.write("src/a.ts", "afterwards\n");
    const after = await checkpoint({ when: "after", tree: change.tree });
    expect(box.git("show", `${after.commit}:src/a.ts`)).toBe("judged");
    const next = await checkpoint({ attempt: 2 });
    expect(box.git("show", `${next.commit}:src/a.ts`)).toBe("afterwards");
  });

  test("never takes the place of an earlier one, whichever process made that", async () => {
    const box = sandbox();
    const first = await (await opened(box)).checkpoint();
    box.write("src/a.ts", "later\n");
    const second = await (await opened(box)).checkpoint();
    expect(second.ref).toBe(`${PREFIX}/t/2`);
    expect(box.git("rev-parse", `${PREFIX}/t/1`)).toBe(first.commit);
  });

  test("keeps commits reachable that an agent made and left behind", async () => {
    const { box, checkpoint } = await opened();
    box.write("src/a.ts", "committed by the agent\n");
    box.git("commit", "--quiet", "--all", "--message=agent");
    const lost = box.git("rev-parse", "HEAD");
    const made = await checkpoint();
    box.git("reset", "--quiet", "--hard", "HEAD~1");
    expect(box.git("merge-base", "--is-ancestor", lost, made.commit)).toBe("");
  });

  test("knows files that became folders, folders that became files, and links", async () => {
    const { box, checkpoint } = await opened();
    await checkpoint();
    rmSync(join(box.root, "README.md"));
    box.write("README.md/inside", "x\n");
    rmSync(join(box.root, "src"), { recursive: true });
    symlinkSync("/etc", join(box.root, "src"));
    symlinkSync("nowhere", join(box.root, "dangling"));
    const made = await checkpoint();
    expect(filesOf(box, made.commit)).toEqual([
      ".gitignore",
      "README.md/inside",
      "dangling",
      "src",
    ]);
    rmSync(join(box.root, "README.md"), { recursive: true });
    rmSync(join(box.root, "src"));
    box.write("README.md", "again\n");
    mkdirSync(join(box.root, "src"));
    const back = await checkpoint();
    expect(filesOf(box, back.commit)).toEqual([".gitignore", "README.md", "dangling"]);
  });

  test("passes over what cannot be kept, says so, and fails for none of it", async () => {
    const { box, checkpoint } = await opened();
    rmSync(join(box.root, "src/b.ts"));
    makePipe(join(box.root, "src/b.ts"));
    mkdirSync(join(box.root, "nested"));
    execFileSync("git", ["init", "--quiet"], { cwd: join(box.root, "nested"), env: ENV });
    box.write("nested/file", "x\n");
    const made = await checkpoint();
    expect(filesOf(box, made.commit)).toEqual([".gitignore", "README.md", "src/a.ts", "src/b.ts"]);
    const trailers = box.git(
      "log",
      "-1",
      "--format=%(trailers:key=Orch-Skipped,valueonly)",
      made.ref,
    );
    expect(trailers.split("\n").filter((line) => line !== "")).toEqual([
      '"src/b.ts" (not a regular file)',
      '"nested/" (a repository of its own)',
    ]);
  });

  test("survives a damaged private index and a lock left by a killed process", async () => {
    for (const sparse of [[], ["sparse-checkout", "set", "--cone", "src"]]) {
      const box = sandbox();
      box.write("far/a.ts", "a\n");
      box.git("add", "far");
      box.git("commit", "--quiet", "--message=far");
      if (sparse.length > 0) box.git(...sparse);
      rmSync(join(box.root, "src/b.ts"));
      const first = await (await opened(box)).checkpoint();
      const folder = join(box.root, ".orch/runs", RUN, "index");
      const [name = ""] = execFileSync("ls", [folder], { encoding: "utf8" }).trim().split("\n");
      writeFileSync(join(folder, name), "garbage");
      writeFileSync(join(folder, `${name}.lock`), "");
      const second = await (await opened(box)).checkpoint();
      expect(second.tree).toBe(first.tree);
      expect(box.git("diff", "--name-status", "HEAD", second.commit)).toBe("D\tsrc/b.ts");
    }
  });

  test("works where orch is started by a git hook, with git's variables pointing elsewhere", async () => {
    const box = sandbox();
    const elsewhere = sandbox();
    const env = { ...ENV, GIT_DIR: join(elsewhere.root, ".git"), GIT_INDEX_FILE: "/nonexistent" };
    const workspaces = box.workspaces({ env });
    const { workspace } = await openTask({ box, workspaces, isolation: "none" });
    expect(workspace).toEqual({
      kind: "in-place",
      root: box.root,
      base: box.git("rev-parse", "HEAD"),
    });
    await workspaces.checkpoint(workspace, label("t"));
    expect(elsewhere.git("for-each-ref", "refs/orch")).toBe("");
  });

  test("of a task whose id ends in .lock has a name that git accepts", async () => {
    const { checkpoint } = await openTask({ id: "yarn.lock", isolation: "none" });
    expect((await checkpoint()).ref).toBe(`${PREFIX}/yarn.lock_/1`);
  });
});
