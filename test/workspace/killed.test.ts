// Does a task come to the same end, whichever of orch's git calls is killed?

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { OrchError } from "../../src/errors.ts";
import type { Workspaces } from "../../src/engine/ports.ts";
import { task } from "../support/builders.ts";
import {
  ENV,
  PREFIX,
  T,
  asTree,
  everythingOf,
  label,
  sandbox,
  tempFolder,
  treeAt,
  commitWork,
} from "./sandbox.ts";

/** Calls between two deaths: more than any one step makes, so that a step that is done again ends. */
const APART = 31;

/** Every so many calls git is killed: before it does its work, or with the work done and not told. */
function deadly(first: number, when: "before" | "after"): Readonly<Record<string, string>> {
  const bin = tempFolder();
  writeFileSync(join(bin, "count"), "0");
  const work = when === "after" ? 'PATH="$REAL_PATH" git "$@" >/dev/null 2>&1; ' : "";
  const script = [
    "#!/bin/sh",
    `n=$(cat "${bin}/count"); n=$((n + 1)); echo $n >"${bin}/count"`,
    `if [ $(((n - ${first}) % ${APART})) = 0 ]; then ${work}kill -9 $$; fi`,
    'PATH="$REAL_PATH" exec git "$@"',
  ];
  writeFileSync(join(bin, "git"), `${script.join("\n")}\n`, { mode: 0o755 });
  const path = ENV["PATH"] ?? "";
  return { REAL_PATH: path, PATH: `${bin}:${path}` };
}

/** All that happens to one task, each part done again by another process where git died in it. */
async function wholeTask(env: Readonly<Record<string, string>>) {
  const box = sandbox();
  box.write("src/other.ts", "merged before\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=other");
  const onto = box.git("rev-parse", "HEAD");
  box.git("reset", "--quiet", "--hard", "HEAD~1");
  const base = box.git("rev-parse", "HEAD");
  const before = everythingOf(box);
  let deaths = 0;
  let workspaces = box.workspaces({ env });
  const step = async <Result>(act: (fresh: Workspaces) => Promise<Result>): Promise<Result> => {
    for (;;)
      try {
        return await act(workspaces);
      } catch (error) {
        if (!(error instanceof OrchError) || error.code !== "git-failed") throw error;
        deaths += 1;
        workspaces = box.workspaces({ env });
      }
  };
  const { signal } = new AbortController();
  const from = { isolation: "worktree", base, portBase: 10_000 } as const;
  const workspace = asTree(await step((fresh) => fresh.plan(task("t"), from)));
  await step((fresh) => fresh.make(workspace, T, null, signal));
  const since = await step((fresh) => fresh.checkpoint(workspace, label("t")));
  const tree = treeAt(workspace.root);
  tree.write("src/a.ts", "by the agent\n");
  tree.git("commit", "--quiet", "--all", "--message=by the agent");
  tree.write("new.txt", "new\n");
  rmSync(join(tree.root, "src/b.ts"));
  const change = await step((fresh) => fresh.change(workspace, { since, work: null }, null));
  const judged = change.kind === "measured" ? change.tree : null;
  const after = label("t", { when: "after", tree: judged, verdict: "passed" });
  const kept = await step((fresh) => fresh.checkpoint(workspace, after));
  const commit = await step((fresh) => commitWork(fresh, workspace, T, "Work"));
  const work = await step((fresh) => fresh.workOf(workspace, T, "Work"));
  const sides = { commit: work, onto, message: "Merge", marked: [], signal };
  const joined = await step((fresh) => fresh.join(workspace, T, sides));
  const end = joined.kind === "joined" ? joined.commit : "";
  const run = { commit: base, branch: "main", withChanges: false, into: "orch/run" };
  await step((fresh) => fresh.advance(run, { from: base, commit: end }));
  tree.write("left.txt", "left\n");
  const rescues = await step((fresh) => fresh.rescue(workspace, T, "left"));
  await step((fresh) => fresh.remove(workspace, T, "in commits or a rescue"));

  expect(everythingOf(box)).toEqual(before);
  expect(box.git("fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
  expect([commit, existsSync(tree.root)]).toEqual([work, false]);
  const shown = ["orch/t", `${PREFIX}/t/head`, "orch/run", `${PREFIX}/_tip`];
  expect(box.git("rev-parse", ...shown).split("\n")).toEqual(shown.map(() => end));
  const treeOf = (name: string): string => box.git("rev-parse", `${name}^{tree}`);
  const result = {
    change,
    trees: [since?.tree, kept?.tree, treeOf(work), treeOf(end), treeOf(rescues.at(-1)?.ref ?? "")],
    history: box.git("log", "--format=%s", "--first-parent", work),
  };
  return { result, deaths };
}

test.each([3, 13, 23].flatMap((n) => [[n, "before"] as const, [n, "after"] as const]))(
  "the call %i and each so many after it, %s its work",
  async (first, when) => {
    const { result } = await wholeTask({});
    const { result: same, deaths } = await wholeTask(deadly(first, when));
    expect(same).toEqual(result);
    expect(deaths).toBeGreaterThan(0);
  },
);
