import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import type { Integrity, TreeChange } from "../../src/core/model/evidence.ts";
import type { ProvedWork } from "../../src/engine/ports.ts";
import { findRepository } from "../../src/workspace/git/find-repository.ts";
import { measureIntegrity } from "../../src/workspace/proof/integrity.ts";
import { ENV, sandbox, type Sandbox } from "./sandbox.ts";

const TEST = 'it("adds", () => {\n  expect(add(1, 2)).toBe(3);\n});\n';

const WORK: ProvedWork = {
  commands: ["tsc && eslint ."],
  expectsChange: true,
  sinceMs: Number.MAX_SAFE_INTEGER,
  artifacts: [],
  named: [],
  lost: [],
};

function changeTo(tree: string, sinceBaseCount: number): TreeChange {
  return {
    kind: "measured",
    tree,
    changed: [],
    changedCount: 0,
    sinceBaseCount,
    outside: [],
    outOfScope: [],
  };
}

function commit(box: Sandbox): string {
  box.git("add", "--all");
  box.git("commit", "--quiet", "--allow-empty", "--message=more");
  return box.git("rev-parse", "HEAD");
}

interface Judged {
  /** The final tree; without it the working tree is committed and taken. */
  readonly tree?: string;
  readonly sinceBaseCount?: number;
  readonly work?: Partial<ProvedWork>;
}

async function measured(box: Sandbox, base: string, more: Judged = {}): Promise<Integrity> {
  const git = await findRepository(box.root, ENV);
  if (git === null) throw new Error("expected a repository");
  const tree = more.tree ?? commit(box);
  return measureIntegrity(git, {
    base,
    change: changeTo(tree, more.sinceBaseCount ?? 1),
    work: { ...WORK, ...more.work },
    secrets: [["hunter2hunter2", "SITE_TOKEN"]],
    skipped: [],
    apart: [],
  });
}

async function kinds(...args: Parameters<typeof measured>): Promise<readonly string[]> {
  const integrity = await measured(...args);
  if (integrity.kind !== "checked") throw new Error(integrity.why);
  return integrity.alarms.map(({ kind, path }) => `${kind} ${path ?? "-"}`);
}

/** A repository with a test and settings, and its commit. */
function project(): { readonly box: Sandbox; readonly base: string } {
  const box = sandbox();
  box.write("test/a.test.ts", TEST);
  return { box, base: commit(box) };
}

describe("integrity between two trees", () => {
  test("work that weakens nothing is checked and clean", async () => {
    const { box, base } = project();
    box.write("src/a.ts", "export const a = 2;\n");
    box.write("test/a.test.ts", `${TEST}${TEST.replace("adds", "adds more")}`);
    expect(await measured(box, base)).toMatchObject({ kind: "checked", alarms: [], notes: [] });
  });

  test("what was weakened is named with its place, trees as good as commits", async () => {
    const { box, base } = project();
    box.write("src/ünïcode name.ts", "// @ts-ignore\na();\n");
    const expected = ["suppression-added src/ünïcode name.ts"];
    expect(await kinds(box, base)).toEqual(expected);
    const [from, to] = [base, "HEAD"].map((name) => box.git("rev-parse", `${name}^{tree}`));
    expect(await kinds(box, from ?? "", { tree: to ?? "" })).toEqual(expected);
  });

  test("what a gate runs is told by the scripts of the base, not by those of the agent", async () => {
    const { box } = project();
    const scripts = (lint: string): string => JSON.stringify({ scripts: { check: lint } });
    box.write("web/package.json", scripts("tsc --noEmit"));
    const base = commit(box);
    box.write("web/package.json", scripts("true"));
    box.write("src/a.ts", "// @ts-ignore\na();\n");
    const ran = async (command: string): Promise<Integrity> =>
      measured(box, base, { work: { commands: [command] } });
    const alarms = [{ kind: "suppression-added", path: "src/a.ts" }];
    const web = await ran("cd ./web && npm run check");
    expect(web).toMatchObject({ kind: "checked", alarms, notes: [] });
    expect(await ran("npm run other")).toMatchObject({ alarms: [], notes: alarms });
    expect(await ran("node no-such-file.js")).toMatchObject({ alarms: [], notes: alarms });
  });

  test("a secret is found in a file of any kind", async () => {
    const { box, base } = project();
    box.write("notes/handover.txt", "token: hunter2hunter2\n");
    expect(await kinds(box, base)).toEqual(["secret-written notes/handover.txt"]);
  });

  test("content that looks like git's answers is content", async () => {
    const { box, base } = project();
    const id = box.git("rev-parse", `${base}:test/a.test.ts`);
    box.write("src/0.ts", `${id} blob 3\nxyz\n${id} missing\n`);
    box.write("src/1.ts", Buffer.concat([Buffer.from("// \xff\xfe", "latin1"), Buffer.from("\n")]));
    box.write("src/2.ts", "// @ts-ignore\na();\n");
    expect(await kinds(box, base)).toEqual(["suppression-added src/2.ts"]);
  });

  test("files larger than a mebibyte are not read, and nothing is concluded from them", async () => {
    const { box, base } = project();
    box.write("src/large.ts", "// @ts-ignore\n".repeat(80_000));
    box.write("test/a.test.ts", TEST.repeat(30_000));
    expect(await kinds(box, base)).toEqual([]);
  });

  test("a tree that is gone is not checked, and is no error", async () => {
    const { box, base } = project();
    const missing = "0123456789012345678901234567890123456789";
    const why = `${missing} is no longer in the repository`;
    expect(await measured(box, missing)).toEqual({ kind: "not-checked", why });
    const inGitsWords = expect.stringContaining(missing);
    expect(await measured(box, base, { tree: missing })).toEqual({
      kind: "not-checked",
      why: inGitsWords,
    });
  });
});

describe("what is claimed", () => {
  test("nothing changed is an alarm where change was expected", async () => {
    const { box, base } = project();
    expect(await kinds(box, base, { sinceBaseCount: 0 })).toEqual(["empty-diff -"]);
    expect(await kinds(box, base, { sinceBaseCount: 0, work: { expectsChange: false } })).toEqual(
      [],
    );
  });

  test("what the task names is noted where it is nowhere, by whatever part of its path", async () => {
    const { box, base } = project();
    box.write(".gitignore", "ignored/\n*.csv\n");
    box.write("totals.csv", "1\n");
    rmSync(join(box.root, "src/b.ts"));
    const ignored = ["totals.csv", "ignored/sums.html"];
    const named = ["a.test.ts", "src/a.js", ...ignored, "src/b.ts", "test/b.test.ts"];
    expect(await measured(box, base, { work: { named } })).toMatchObject({
      alarms: [],
      notes: [{ kind: "named-file-absent", path: "test/b.test.ts" }],
    });
  });

  test("work that git ignores is no work, and is told where the report names it, or the task", async () => {
    const { box, base } = project();
    box.write("ignored/report.html", "x\n");
    const named = (...artifacts: readonly string[]) =>
      kinds(box, base, { sinceBaseCount: 0, work: { artifacts } });
    expect(await named("ignored/report.html")).toEqual([
      "empty-diff -",
      "ignored ignored/report.html",
    ]);
    expect(await named("src/a.ts")).toEqual(["empty-diff -"]);
    const asked = { named: ["ignored/report.html", "src/a.ts"], sinceMs: 0 };
    expect(await kinds(box, base, { work: asked })).toEqual(["ignored ignored/report.html"]);
    expect(await kinds(box, base, { work: { ...asked, sinceMs: Date.now() + 60_000 } })).toEqual(
      [],
    );
  });

  test("files are found in the tree and on the disk, and only inside", async () => {
    const { box, base } = project();
    box.write("docs/new page.md", "x\n");
    box.write("ignored/report.html", "x\n");
    rmSync(join(box.root, "src/b.ts"));
    symlinkSync("/etc", join(box.root, "link"));
    const artifacts = [
      "docs/new page.md",
      "./docs/",
      `${box.root}/src/a.ts`,
      "`src/a.ts`",
      "src/a.ts:12:3",
      "src/a.ts#L1-L9",
      "ignored/report.html",
      "src/b.ts",
      "link/hostname",
      "/etc/passwd",
      "../outside.txt",
      "https://example.org/pull/1",
      "src/**/*.ts",
      "several files in src",
      "",
      "a\0b",
      "a\nb",
    ];
    expect(await kinds(box, base, { work: { artifacts } })).toEqual([
      "ignored ignored/report.html",
    ]);
    expect(
      await kinds(box, base, {
        work: { artifacts: [...artifacts, "src/missing.ts", "docs/c.md"] },
      }),
    ).toEqual([
      "claimed-file-absent docs/c.md",
      "ignored ignored/report.html",
      "claimed-file-absent src/missing.ts",
    ]);
  });
});
