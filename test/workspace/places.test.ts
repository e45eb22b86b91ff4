import { mkdirSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, dirname, join } from "node:path";

import { describe, expect, test } from "vitest";
import { privateFolder } from "../support/private-folder.ts";
import { slotOf, worktreesFolder } from "../../src/workspace/worktrees/places.ts";

const HOME = "/home/ada";

describe("the folder of all trees", () => {
  test.each([
    ["as the config has it", "/big/trees/", "/big/trees"],
    ["below the home folder", "~/trees", "/home/ada/trees"],
  ])("is %s", (_name, setting, folder) => {
    expect(worktreesFolder(setting, { HOME }, "/src/shop")).toBe(folder);
  });

  test("is in the home folder where that is on the disk of the repository", () => {
    const folder = privateFolder();
    const home = join(folder, "ada");
    mkdirSync(home);
    expect(worktreesFolder(null, { HOME: home }, folder)).not.toBe(join(home, "orch-trees"));
    const repository = join(folder, "shop");
    mkdirSync(repository);
    expect(worktreesFolder(null, { HOME: home }, repository)).toBe(join(home, "orch-trees"));
  });

  test.each([
    ["there is no home", {}],
    ["the home is on another disk", { HOME: "/proc/self" }],
    ["the home is not there", { HOME }],
  ])("is beside the repository where %s", (_name, env) => {
    const folder = privateFolder();
    const repository = join(folder, "shop");
    mkdirSync(repository);
    expect(worktreesFolder(null, env, repository)).toBe(join(folder, "orch-trees"));
  });

  test("is a user's own in the folder for large temporary files where there is nothing else", () => {
    const ofUser = `/var/tmp/orch-trees-${userInfo().uid}`;
    expect(worktreesFolder(null, {}, null)).toBe(ofUser);
  });

  test("is below the home that the system knows where no variable names one", () => {
    const treesOf = (env: { HOME?: string }) => worktreesFolder("~/trees", env, null);
    expect(treesOf({ HOME: "" })).toBe(join(homedir(), "trees"));
  });
});

describe("the place of one task", () => {
  const of = { run: "20261120-run", task: "add-login" };
  const repository = (root: string) => ({ root, commonDir: "/src/shop/.git" });

  test("is its own, by repository, run and task", () => {
    const slot = slotOf("/trees", repository("/src/shop"), of);
    expect(slot).toMatch(/^\/trees\/shop-[0-9a-f]{8}\/20261120-run\/add-login$/);
  });

  test("has room for the longest name of a folder", () => {
    const slot = slotOf("/trees", repository(`/src/${"ü".repeat(120)}`), of);
    expect(Buffer.byteLength(basename(dirname(dirname(slot))))).toBeLessThan(255);
  });

  test.each(["..", "a/b", ""])("is refused for an id that is no name: %j", (id) => {
    const slot = () => slotOf("/trees", repository("/src/shop"), { ...of, task: id });
    expect(slot).toThrow("not a usable id");
  });
});
