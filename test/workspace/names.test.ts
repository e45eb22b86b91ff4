// Is every file recorded, whatever it is called, and is the user told of those that cannot be?

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { bytesOf, nameFrom } from "../../src/workspace/path-names.ts";
import { PREFIX, T, openTask, sandbox, type Tree } from "./sandbox.ts";

/** Names as bytes: an "ä" of Latin-1, one of each encoding, and a folder. */
const ODD = [
  Buffer.from("caf\u00E9.txt", "latin1"),
  Buffer.concat([Buffer.from("ä-"), Buffer.from([0xff, 0xfe])]),
  Buffer.concat([Buffer.from("ordner-ä/"), Buffer.from([0xe4]), Buffer.from('/it\'s "odd"')]),
  Buffer.from("\uFFFD.txt"),
];

function writeOdd(box: Tree, text: string): void {
  for (const name of ODD) {
    const at = Buffer.concat([Buffer.from(`${box.root}/`), name]);
    mkdirSync(at.subarray(0, at.lastIndexOf("/")), { recursive: true });
    writeFileSync(at, text);
  }
}

function textsOf(box: Tree): readonly (string | null)[] {
  return ODD.map((name) => {
    const at = Buffer.concat([Buffer.from(`${box.root}/`), name]);
    return existsSync(at) ? readFileSync(at, "utf8") : null;
  });
}

/** As git quotes them. */
function namesIn(box: Tree, tree: string): readonly string[] {
  return box.git("ls-tree", "-r", "--name-only", tree).split("\n");
}

const ODD_AS_GIT_QUOTES = [
  '"caf\\351.txt"',
  '"ordner-\\303\\244/\\344/it\'s \\"odd\\""',
  '"\\303\\244-\\377\\376"',
  '"\\357\\277\\275.txt"',
];

test("a name of any bytes is text that gives the same bytes again", () => {
  for (const name of [
    ...ODD,
    Buffer.from("plain/ü 日本 \u{1F600}"),
    Buffer.from([0xed, 0xb2, 0x80]),
  ]) {
    expect(bytesOf(nameFrom(name.toString("latin1"))).equals(name)).toBe(true);
  }
  expect(nameFrom(Buffer.from("ä/é.txt").toString("latin1"))).toBe("ä/é.txt");
});

describe("a file whose name is not UTF-8", () => {
  test("is measured, kept and committed like any other", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    const since = await checkpoint();
    writeOdd(tree, "odd\n");
    expect(await workspaces.change(workspace, since, null)).toMatchObject({ changedCount: 4 });
    const made = await checkpoint({ when: "after" });
    expect(namesIn(box, made.tree)).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    await workspaces.commit(workspace, T, "Odd");
    expect(namesIn(box, "orch/t")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    expect(textsOf(tree)).toEqual(["odd\n", "odd\n", "odd\n", "odd\n"]);
    expect(tree.git("status", "--porcelain")).toBe("");
  });

  test("is rescued, and comes back in a tree that is made again", async () => {
    const { box, tree, workspaces, workspace, checkpoint } = await openTask();
    writeOdd(tree, "odd\n");
    const kept = await checkpoint();
    expect(await workspaces.rescue(workspace, T, "work of t")).toHaveLength(1);
    expect(namesIn(box, `${PREFIX}/t/rescue-1`)).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    await workspaces.remove(workspace, T);
    expect(textsOf(tree)).toEqual([null, null, null, null]);
    const { signal } = new AbortController();
    await box.workspaces().make(workspace, T, kept.tree, signal);
    expect(textsOf(tree)).toEqual(["odd\n", "odd\n", "odd\n", "odd\n"]);
  });

  test("is committed in place beside the user's own", async () => {
    const box = sandbox();
    box.write("mine.txt", "mine\n");
    const { workspaces, workspace } = await openTask({ box, isolation: "none" });
    writeOdd(box, "odd\n");
    const commit = await workspaces.commit(workspace, T, "Odd");
    expect(namesIn(box, commit ?? "")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    expect(box.git("status", "--porcelain")).toBe("?? mine.txt");
  });

  test("is one of so many that their names go through a file", async () => {
    const { box, tree, workspaces, workspace } = await openTask();
    for (let n = 0; n < 700; n++) tree.write(`many/${"x".repeat(100)}-${n}`, "x");
    writeOdd(tree, "odd\n");
    await workspaces.commit(workspace, T, "Odd");
    expect(namesIn(box, "orch/t")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
  });
});
