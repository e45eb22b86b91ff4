import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Checkpoint } from "../../src/core/model/event.ts";
import { NO_FENCE } from "../../src/core/model/fence.ts";
import { label, openTask, sandbox } from "./sandbox.ts";

/** `box` is the tree that the task works in. */
async function opened(more: Parameters<typeof openTask>[0] = {}) {
  const { tree: box, workspaces, workspace, ...task } = await openTask(more);
  const checkpoint = await task.checkpoint();
  const diff = async () =>
    workspaces.diff(
      workspace,
      checkpoint,
      await workspaces.change(workspace, { since: checkpoint, work: null }, null),
    );
  return { box, workspaces, workspace, checkpoint, diff };
}

function fence(start: Checkpoint, allowWrite: readonly string[], strayed: string[] = []) {
  return { ...NO_FENCE, allowWrite, start, strayed };
}

describe("the change of an attempt", () => {
  test("counts what was made, edited, moved and removed, committed or not", async () => {
    const { box, workspaces, workspace, checkpoint } = await opened();
    box.write("src/a.ts", "edited\n");
    box.git("commit", "--quiet", "--all", "--message=by the agent");
    box.write("new.txt", "new\n");
    rmSync(join(box.root, "src/b.ts"));
    const change = await workspaces.change(workspace, { since: checkpoint, work: null }, null);
    const after = await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    expect(change).toEqual({
      kind: "measured",
      tree: after?.tree,
      changed: ["new.txt", "src/a.ts", "src/b.ts"],
      changedCount: 3,
      sinceBaseCount: 3,
      outside: [],
      outOfScope: [],
    });
  });

  test("names what lies outside the task's scope, but for what a merge left to be resolved", async () => {
    const { box, workspaces, workspace, checkpoint } = await opened();
    for (const path of ["src/a.ts", "docs/a.md", "package.json", "LOG"]) box.write(path, "x\n");
    const scoped = {
      ...fence(checkpoint, ["src/**", "docs/**"]),
      scope: ["docs/**"],
      conflicts: ["LOG"],
    };
    expect(
      await workspaces.change(workspace, { since: checkpoint, work: null }, scoped),
    ).toMatchObject({
      outside: ["package.json"],
      outOfScope: ["src/a.ts"],
    });
    const second = await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
    const later = { ...scoped, allowWrite: null, strayed: ["src/a.ts"] };
    expect(await workspaces.change(workspace, { since: second, work: null }, later)).toMatchObject({
      changedCount: 0,
      outside: [],
      outOfScope: ["src/a.ts"],
    });
  });

  test("names what an earlier attempt left outside, until it is undone", async () => {
    const { box, workspaces, workspace, checkpoint } = await opened();
    for (const path of ["junk.txt", "src/b.ts"]) box.write(path, "x\n");
    const second = await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
    const limits = fence(checkpoint, ["test/**"], ["junk.txt", "src/b.ts"]);
    const outside = async () => {
      const change = await workspaces.change(workspace, { since: second, work: null }, limits);
      return change.kind === "measured" ? change.outside : null;
    };
    expect(await outside()).toEqual(["junk.txt", "src/b.ts"]);
    rmSync(join(box.root, "junk.txt"));
    expect(await outside()).toEqual(["src/b.ts"]);
    box.git("checkout", "--quiet", "HEAD", "--", "src/b.ts");
    expect(await outside()).toEqual([]);
  });

  test("does not count what stood outside when the step began, or was put there by nobody's attempt", async () => {
    const { box, workspaces, workspace } = await opened();
    box.write("of-the-step-before.txt", "1\n");
    const start = await workspaces.checkpoint(workspace, label("t", { attempt: 1 }));
    box.write("of-a-gate.txt", "2\n");
    const second = await workspaces.checkpoint(workspace, label("t", { attempt: 2 }));
    if (start === null) throw new Error("expected a checkpoint");
    expect(
      await workspaces.change(workspace, { since: second, work: null }, fence(start, [])),
    ).toMatchObject({
      outside: [],
    });
  });

  test("names at most 500 paths and counts all", async () => {
    const { box, workspaces, workspace, checkpoint } = await opened();
    for (let n = 0; n < 501; n++) box.write(`many/${n}`, "x");
    const change = await workspaces.change(
      workspace,
      { since: checkpoint, work: null },
      fence(checkpoint, ["none"]),
    );
    if (change.kind !== "measured") throw new Error("expected a measured change");
    expect([change.changed.length, change.changedCount, change.outside.length]).toEqual([
      500, 501, 500,
    ]);
  });

  test("in place does not count what the user had changed before", async () => {
    const box = sandbox();
    box.write("README.md", "mine\n");
    const { workspaces, workspace, checkpoint } = await opened({ box, isolation: "none" });
    box.write("src/a.ts", "the agent's\n");
    expect(
      await workspaces.change(workspace, { since: checkpoint, work: null }, null),
    ).toMatchObject({
      changed: ["src/a.ts"],
      sinceBaseCount: 1,
    });
  });

  test("that nobody can measure is not measured, and is neither empty nor an error", async () => {
    const { workspaces, workspace, checkpoint } = await opened();
    expect(await workspaces.change(workspace, { since: null, work: null }, null)).toEqual({
      kind: "not-measured",
      why: "there is no checkpoint",
    });
    const tree = "0123456789012345678901234567890123456789";
    expect(
      await workspaces.change(workspace, { since: { ...checkpoint, tree }, work: null }, null),
    ).toEqual({
      kind: "not-measured",
      why: `${tree} is no longer in the repository`,
    });
  });
});

describe("the diff of an attempt", () => {
  test("is unified, shows new files, and only names binary ones", async () => {
    const { box, diff } = await opened();
    expect(await diff()).toBe("");
    box.write("src/a.ts", "edited\n");
    box.write("picture.bin", Buffer.from([0, 1, 2, 0xff]));
    const text = await diff();
    expect(text.replace(/^index .*$/gm, "index")).toBe(
      [
        "diff --git a/picture.bin b/picture.bin",
        "new file mode 100644",
        "index",
        "Binary files /dev/null and b/picture.bin differ",
        "diff --git a/src/a.ts b/src/a.ts",
        "index",
        "--- a/src/a.ts",
        "+++ b/src/a.ts",
        "@@ -1 +1 @@",
        "-a",
        "+edited",
        "",
      ].join("\n"),
    );
  });

  test("is cut at a line when it is longer than a mebibyte, and says so", async () => {
    const { box, diff } = await opened();
    box.write("long.txt", `${"x".repeat(99)}\n`.repeat(20_000));
    const text = await diff();
    expect(text.length).toBeLessThan(1024 * 1024 + 100);
    expect(text.split("\n").slice(-3)).toEqual([
      `+${"x".repeat(99)}`,
      "# cut: the diff is longer than 1048576 bytes",
      "",
    ]);
  });
});
