import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { task } from "../support/builders.ts";
import { DONE, label, sandbox, type Sandbox } from "./sandbox.ts";

function head(box: Sandbox): string {
  return box.git("symbolic-ref", "--short", "HEAD");
}

function status(box: Sandbox): string {
  return box.git("status", "--porcelain");
}

describe("tasks that wait while others go on", () => {
  test("a paused task's file that is written anew with the same words makes room, too", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const paused = await workspaces.open(task("paused"), "branch");
    box.write("made.txt", "x\n");
    await workspaces.checkpoint(paused, label("paused", { when: "after" }));
    box.write("made.txt", "x\n");
    utimesSync(join(box.root, "made.txt"), 1_700_000_000, 1_700_000_000);
    await workspaces.open(task("other"), "branch");
    expect([head(box), status(box)]).toEqual(["orch/other", ""]);
    await workspaces.enter(paused);
    expect([head(box), box.read("made.txt")]).toEqual(["orch/paused", "x\n"]);
  });

  test("a task does not begin without the work of one it depends on", async () => {
    const box = sandbox();
    const workspaces = box.workspaces();
    const one = await workspaces.open(task("one"), "branch");
    box.write("src/a.ts", "one\n");
    const two = await workspaces.open(task("two"), "branch");
    box.write("src/a.ts", "two\n");
    for (const [workspace, name] of [
      [two, "two"],
      [one, "one"],
    ] as const) {
      await workspaces.enter(workspace);
      await workspaces.commit(workspace, name);
      await workspaces.cleanUp(workspace, task(name), DONE);
    }
    const both = task("both", { dependsOn: [task("one").id, task("two").id] });
    await expect(workspaces.open(both, "branch")).rejects.toMatchObject({
      code: "dependency-conflict",
      message: expect.stringContaining("the work of two"),
    });
    const last = task("last", { dependsOn: [task("one").id] });
    expect(await workspaces.open(last, "branch")).toMatchObject({ branch: "orch/last" });
    expect(box.read("src/a.ts")).toBe("one\n");
  });
});
