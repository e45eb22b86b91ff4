import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { NO_WORDS } from "../../src/core/model/measurement.ts";
import { checkFile } from "../../src/gates/gates.ts";

let folder = "";
let cwd = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "orch-file-"));
  cwd = join(folder, "tree");
  await mkdir(join(cwd, "docs"), { recursive: true });
  await writeFile(join(cwd, "plan.md"), "plan");
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink("plan.md", join(cwd, "inside.md"));
  await symlink(join(folder, "secret.txt"), join(cwd, "outside.md"));
  await symlink("nowhere.md", join(cwd, "dangling.md"));
  await symlink("round.md", join(cwd, "round.md"));
  await symlink(folder, join(cwd, "up"));
  await symlink(cwd, join(folder, "linked-tree"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const check = (path: string, root = cwd) =>
  checkFile(
    { kind: "file-exists", name: "plan", required: true, path },
    { root, tmp: null, ...NO_WORDS, broken: null, leftOut: new Set(["far/a.md"]) },
  );

test.each([
  "plan.md",
  "docs",
  "./docs/../plan.md",
  "inside.md",
  ".",
  "..plan/../plan.md",
  "./far/a.md",
])("%s is there", async (path) => {
  expect(await check(path)).toEqual({ kind: "passed" });
});

test.each([
  ["missing.md", "does not exist"],
  ["plan.md/below", "does not exist"],
  ["dangling.md", "does not exist"],
  ["outside.md", "leads out of the working tree"],
  ["up/secret.txt", "leads out of the working tree"],
  ["up", "leads out of the working tree"],
  ["../secret.txt", "is outside the working tree"],
  ["..", "is outside the working tree"],
  ["/etc/passwd", "is outside the working tree"],
])("%s %s", async (path, what) => {
  expect(await check(path)).toEqual({
    kind: "failed",
    findings: [{ check: path, message: `${path} ${what}` }],
  });
});

test("what cannot be looked at is not known to be missing", async () => {
  await expect(check("round.md")).rejects.toThrow("ELOOP");
  await expect(check("plan.md", join(folder, "no-tree"))).rejects.toThrow("ENOENT");
});

test("a tree that is itself reached by a link is one tree", async () => {
  expect(await check("plan.md", join(folder, "linked-tree"))).toEqual({ kind: "passed" });
});
