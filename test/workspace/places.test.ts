import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { idOf, type RunId, type TaskId } from "../../src/core/model/ids.ts";
import { slotOf, worktreeIn, treesFolder } from "../../src/workspace/worktrees/places.ts";

const HOME = "/home/ada";

describe("the folder of all trees", () => {
  test.each([
    ["as the config has it", "/big/trees/", { HOME }, "/big/trees"],
    ["below the home folder", "~/trees", { HOME }, "/home/ada/trees"],
    ["where state belongs", null, { HOME, XDG_STATE_HOME: "/state" }, "/state/orch/worktrees"],
    ["where state usually is", null, { HOME }, "/home/ada/.local/state/orch/worktrees"],
  ])("%s", (_name, setting, env, folder) => {
    expect(treesFolder(setting, env)).toBe(folder);
  });

  test("is a user's own in the temporary folder where there is no home", () => {
    expect(basename(treesFolder(null, {}))).toBe(`orch-worktrees-${userInfo().uid}`);
  });

  test("below a home that is not there is an error that says so", () => {
    expect(() => treesFolder("~/trees", { HOME: "" })).toThrow(
      expect.objectContaining({
        code: "config-invalid",
        hint: "set HOME, or write the whole path",
      }),
    );
  });
});

describe("the place of one task", () => {
  const place = {
    treesFolder: "/trees",
    commonDir: "/src/shop/.git",
    name: "shop",
    run: idOf<RunId>("20261120-run"),
    task: idOf<TaskId>("add-login"),
  };

  test("is its own, by repository, run and task", () => {
    const slot = slotOf(place);
    expect(slot).toMatch(/^\/trees\/shop-[0-9a-f]{8}\/20261120-run\/add-login$/);
    expect(worktreeIn(slot, "shop")).toBe(join(slot, "shop"));
  });

  test("has room for the longest name of a folder", () => {
    const slot = slotOf({ ...place, name: "ü".repeat(120) });
    expect(Buffer.byteLength(basename(dirname(dirname(slot))))).toBeLessThan(255);
  });

  test.each(["..", "a/b", ""])("is refused for an id that is no name: %j", (id) => {
    // An id that went around its check.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    expect(() => slotOf({ ...place, task: id as TaskId })).toThrow("not a usable id");
  });
});
