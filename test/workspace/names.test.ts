// What becomes of a file whose name git can hold and orch cannot read?

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { PREFIX, T, openTask, sandbox, type Tree, commitWork } from "./sandbox.ts";

/** An "ä" of Latin-1, and in a folder. */
const ODD = ["caf\u00E9.txt", "d\u00E4/a.txt"];

function at({ root }: Pick<Tree, "root">, name: string): Buffer {
  return Buffer.from(`${root}/${name}`, "latin1");
}

function writeOdd(tree: Pick<Tree, "root">, text = "odd\n"): void {
  mkdirSync(at(tree, "d\u00E4"), { recursive: true });
  for (const name of ODD) writeFileSync(at(tree, name), text);
}

describe("a file whose name is not UTF-8", () => {
  test("is not committed, and its tree stays until a person took it", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    const since = await checkpoint();
    writeOdd(tree);
    tree.write("plain.txt", "plain\n");
    const change = await workspaces.change(workspace, { since, work: null }, null);
    expect(change).toMatchObject({ changed: ["plain.txt"] });
    await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("show", "--format=", "--name-only", "orch/t")).toBe("plain.txt");
    expect(await workspaces.rescue(workspace, T, "left")).toEqual([]);
    expect(await workspaces.remove(workspace, T, "in commits or a rescue")).toBe(false);
    expect(ODD.map((name) => existsSync(at(tree, name)))).toEqual([true, true]);
  });

  test("of the repository's own is as it was, and is no change", async () => {
    const box = sandbox();
    writeOdd(box);
    box.git("add", "--all");
    box.git("commit", "--quiet", "--message=odd");
    const { tree, workspaces, workspace } = await openTask({ box });
    tree.write("plain.txt", "plain\n");
    await commitWork(workspaces, workspace, T, "Work");
    expect(box.git("show", "--format=", "--name-only", "orch/t")).toBe("plain.txt");
    expect(await workspaces.rescue(workspace, T, "left")).toEqual([]);
    expect(await workspaces.remove(workspace, T, "in commits or a rescue")).toBe(true);
    expect(box.git("for-each-ref", `${PREFIX}/t/rescue-*`)).toBe("");
  });
});
