// Does work outlive the machine's power before anything is removed because of it?

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { gitIn, type Git } from "../support/repository.ts";
import { openTree, PREFIX, sandbox, T, tempFolder, type Sandbox, commitWork } from "./sandbox.ts";

/** Objects and refs, each with what it holds: all that a commit and a rescue consist of. */
function keptIn(box: Sandbox): readonly string[] {
  const gitDir = join(box.root, ".git");
  return readdirSync(gitDir, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(?:objects|refs)\//.test(name))
    .filter((name) => statSync(join(gitDir, name)).isFile())
    .map((name) => `${name} ${readFileSync(join(gitDir, name), "hex")}`);
}

/**
 * How many files git told the disk to keep: each by itself, or many with one flush more for all of them.
 * By its own trace, which also says so of the programs that it starts.
 */
function flushesIn(trace: string): number {
  const counts = readFileSync(trace, "utf8")
    .split("\n")
    .flatMap((line) => (line.includes('"category":"fsync"') ? [JSON.parse(line)] : []))
    .map(({ key, value }) => [key, Number(value)] as const)
    .filter(([, value]) => value > 0);
  const groups = counts.filter(([key]) => key === "fsync/writeout-only").length;
  return counts.reduce((sum, [, value]) => sum + value, -groups);
}

/** The repository when all else is lost: the tree, every index, orch's and the agent's own git folders. */
function afterPowerCut(box: Sandbox): Git {
  const root = tempFolder();
  mkdirSync(join(root, ".git"));
  for (const name of ["objects", "refs", "packed-refs", "HEAD", "config"]) {
    const from = join(box.root, ".git", name);
    if (existsSync(from)) cpSync(from, join(root, ".git", name), { recursive: true });
  }
  const git = gitIn(root);
  git("fsck", "--strict", "--no-dangling");
  return git;
}

test("what a commit, a rescue and a landing wrote is flushed, and outlives a power cut after each", async () => {
  const box = sandbox();
  const trace = join(tempFolder(), "trace");
  const traced = { env: { GIT_TRACE2_EVENT: trace } };
  const workspaces = box.workspaces(traced);
  const { tree, workspace, checkpoint } = await openTree({ box, workspaces });
  /** What became of it, once every file that it wrote was flushed. */
  const flushed = async <R>(work: () => Promise<R>): Promise<R> => {
    const [before, flushes] = [new Set(keptIn(box)), flushesIn(trace)];
    const result = await work();
    const written = keptIn(box).filter((file) => !before.has(file));
    expect(flushesIn(trace) - flushes).toBeGreaterThanOrEqual(written.length);
    return result;
  };

  tree.write("src/a.ts", "done\n");
  await flushed(() => checkpoint({ when: "after" }));
  // What an agent commits lies in its own repository until then.
  for (let n = 0; n < 9; n += 1) tree.write(`src/by-agent-${n}.ts`, `agent ${n}\n`);
  tree.git("add", "--all");
  tree.git("commit", "--quiet", "--message=agent");
  const commit = await flushed(() => commitWork(workspaces, workspace, T, "Done"));
  const committed = (): string => afterPowerCut(box)("show", `${PREFIX}/t/head:src/by-agent-7.ts`);
  expect(committed()).toBe("agent 7");

  tree.write("half.txt", "half\n");
  await flushed(() => workspaces.rescue(workspace, T, "work of t, which is not done"));
  const rescued = (): string => afterPowerCut(box)("show", `${PREFIX}/t/rescue-1:half.txt`);
  expect([committed(), rescued()]).toEqual(["agent 7", "half"]);

  expect(await workspaces.remove(workspace, T, "in commits or a rescue")).toBe(true);
  expect([committed(), rescued(), existsSync(tree.root)]).toEqual(["agent 7", "half", false]);

  const way = { from: box.git("rev-parse", "main"), to: commit ?? "" };
  expect(await flushed(() => box.landing(traced).move("main", way))).toMatchObject({
    kind: "landed",
  });
  expect(afterPowerCut(box)("rev-parse", "main")).toBe(commit);
  expect([committed(), rescued()]).toEqual(["agent 7", "half"]);
});
