// Is every file recorded, whatever it is called, and is the user told of those that cannot be?

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { bytesOf, nameFrom } from "../../src/workspace/path-names.ts";
import { task } from "../support/builders.ts";
import { DONE, RUN, STALLED, label, sandbox, type Sandbox, openTask } from "./sandbox.ts";

const PREFIX = `refs/orch/${RUN}`;

/** Names as bytes: an "ä" of Latin-1, one of each encoding, and a folder. */
const ODD = [
  Buffer.from("caf\u00E9.txt", "latin1"),
  Buffer.concat([Buffer.from("ä-"), Buffer.from([0xff, 0xfe])]),
  Buffer.concat([Buffer.from("ordner-ä/"), Buffer.from([0xe4]), Buffer.from('/it\'s "odd"')]),
  Buffer.from("\uFFFD.txt"),
];

function writeOdd(box: Sandbox, text: string): void {
  for (const name of ODD) {
    const at = Buffer.concat([Buffer.from(`${box.root}/`), name]);
    mkdirSync(at.subarray(0, at.lastIndexOf("/")), { recursive: true });
    writeFileSync(at, text);
  }
}

function textsOf(box: Sandbox): readonly (string | null)[] {
  return ODD.map((name) => {
    const at = Buffer.concat([Buffer.from(`${box.root}/`), name]);
    return existsSync(at) ? readFileSync(at, "utf8") : null;
  });
}

/** As git quotes them. */
function namesIn(box: Sandbox, tree: string): readonly string[] {
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
  test("is committed like any other", async () => {
    const { box, workspaces, workspace } = await openTask();
    const since = await workspaces.checkpoint(workspace, label("t"));
    writeOdd(box, "odd\n");
    expect(await workspaces.change(workspace, since, null)).toMatchObject({ changedCount: 4 });
    const made = await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    expect(namesIn(box, made?.tree ?? "")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    await workspaces.commit(workspace, "Odd");
    expect(namesIn(box, "orch/t")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    expect(await workspaces.cleanUp(workspace, task("t"), DONE)).toEqual([]);
    expect(textsOf(box)).toEqual([null, null, null, null]);
    expect(box.git("status", "--porcelain")).toBe("");
  });

  test("is rescued, and comes back when the task goes on", async () => {
    const { box, workspaces, workspace } = await openTask();
    writeOdd(box, "odd\n");
    expect(await workspaces.cleanUp(workspace, task("t"), STALLED)).toHaveLength(1);
    expect(namesIn(box, `${PREFIX}/t/rescue-1`)).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    expect(textsOf(box)).toEqual([null, null, null, null]);
    await box.workspaces().enter(workspace);
    expect(textsOf(box)).toEqual(["odd\n", "odd\n", "odd\n", "odd\n"]);
  });

  test("is committed in place beside the user's own", async () => {
    const box = sandbox();
    box.write("mine.txt", "mine\n");
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "none");
    writeOdd(box, "odd\n");
    const commit = await workspaces.commit(workspace, "Odd");
    expect(namesIn(box, commit ?? "")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
    expect(box.git("status", "--porcelain")).toBe("?? mine.txt");
  });

  test("is one of so many that their names go through a file", async () => {
    const { box, workspaces, workspace } = await openTask();
    for (let n = 0; n < 700; n++) box.write(`many/${"x".repeat(100)}-${n}`, "x");
    writeOdd(box, "odd\n");
    await workspaces.commit(workspace, "Odd");
    expect(namesIn(box, "orch/t")).toEqual(expect.arrayContaining(ODD_AS_GIT_QUOTES));
  });

  test("stays where it is when git ignored it", async () => {
    const box = sandbox();
    box.write(".gitignore", "caf*\nordner*\n");
    box.git("commit", "--quiet", "--all", "--message=ignored");
    writeOdd(box, "mine\n");
    for (const name of [ODD[1], ODD[3]])
      writeFileSync(Buffer.concat([Buffer.from(`${box.root}/caf-`), name ?? Buffer.of()]), "mine");
    box.git("add", "--all");
    box.git("commit", "--quiet", "--message=two of them");
    const before = readdirSync(box.root, { encoding: "latin1" });
    const workspace = await box.workspaces().open(task("t"), "branch");
    box.write(".gitignore", "");
    await box.workspaces().cleanUp(workspace, task("t"), STALLED);
    expect(readdirSync(box.root, { encoding: "latin1" })).toEqual(before);
    expect(textsOf(box)).toEqual(["mine\n", "mine\n", "mine\n", "mine\n"]);
    expect(namesIn(box, `${PREFIX}/t/rescue-1`)).not.toContain('"caf\\351.txt"');
  });
});

/** Nothing is unreadable for root, and then it is recorded. */
const IS_ROOT = process.getuid?.() === 0;

describe("a file that cannot be read", () => {
  function lock(box: Sandbox): void {
    box.write("locked.txt", "locked\n");
    chmodSync(join(box.root, "locked.txt"), 0);
  }

  test("stays in the tree, and the end of a done task names it and goes back", async () => {
    const { box, workspaces, workspace } = await openTask();
    box.write("new.txt", "new\n");
    lock(box);
    await workspaces.commit(workspace, "New");
    expect(await workspaces.cleanUp(workspace, task("t"), DONE)).toEqual(
      IS_ROOT
        ? []
        : [
            {
              ref: `${PREFIX}/t/end`,
              why: 'work of t, without "locked.txt" (not readable), which no commit holds and which stays in the tree',
            },
          ],
    );
    expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    expect(existsSync(join(box.root, "locked.txt"))).toBe(!IS_ROOT);
    expect(existsSync(join(box.root, "new.txt"))).toBe(false);
  });

  test("is named by the rescue that does not hold it, and alone makes none", async () => {
    const { box, workspaces, workspace } = await openTask();
    lock(box);
    const last = await workspaces.checkpoint(workspace, label("t", { when: "after" }));
    const [told] = await workspaces.cleanUp(workspace, task("t"), STALLED);
    expect(told?.ref).toBe(IS_ROOT ? `${PREFIX}/t/rescue-1` : last?.ref);
    expect(box.git("symbolic-ref", "--short", "HEAD")).toBe("main");
    await box.workspaces().enter(workspace);
    box.write("new.txt", "new\n");
    const rescues = await box.workspaces().cleanUp(workspace, task("t"), STALLED);
    expect(rescues.at(-1)?.why.includes('without "locked.txt" (not readable)')).toBe(!IS_ROOT);
    expect(existsSync(join(box.root, "locked.txt"))).toBe(!IS_ROOT);
  });
});

describe("a folder that may not be written", () => {
  function close(box: Sandbox): void {
    box.write("closed/below/file.txt", "x\n");
    box.write("closed/file.txt", "x\n");
    chmodSync(join(box.root, "closed/below"), 0o555);
    chmodSync(join(box.root, "closed"), 0o555);
  }

  test.each(["done", "stalled"] as const)("leaves with the rest of a %s task", async (end) => {
    const { box, workspaces, workspace } = await openTask();
    close(box);
    if (end === "done") await workspaces.commit(workspace, "Closed");
    await workspaces.cleanUp(workspace, task("t"), end === "done" ? DONE : STALLED);
    expect(box.git("status", "--porcelain")).toBe("");
    expect(existsSync(join(box.root, "closed"))).toBe(false);
    await box.workspaces().enter(workspace);
    expect(box.read("closed/below/file.txt")).toBe("x\n");
  });

  test("is opened for what has to leave it, and only such a one", async () => {
    const box = sandbox();
    box.write("other/mine.txt", "mine\n");
    box.git("add", "--all");
    box.git("commit", "--quiet", "--message=mine");
    chmodSync(join(box.root, "other"), 0o555);
    const workspaces = box.workspaces();
    const workspace = await workspaces.open(task("t"), "branch");
    box.write("closed/ignored/mine.txt", "stays\n");
    close(box);
    await workspaces.cleanUp(workspace, task("t"), STALLED);
    const modes = ["closed", "other"].map((name) => lstatSync(join(box.root, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o555]);
    chmodSync(join(box.root, "other"), 0o755);
  });
});
