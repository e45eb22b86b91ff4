import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { sandbox, type Sandbox } from "./sandbox.ts";

function installed(): Sandbox {
  const box = sandbox();
  box.write("node_modules/vitest/vitest.mjs", "#!/usr/bin/env node\n");
  box.write("node_modules/jest/jest.js", "#!/usr/bin/env node\n");
  mkdirSync(join(box.root, "node_modules/.bin"));
  symlinkSync("../vitest/vitest.mjs", join(box.root, "node_modules/.bin/vitest"));
  box.write(".venv/bin/pytest", "#!python\n");
  box.write("vendor/bin/phpunit", "<?php\n");
  return box;
}

const programsOf = (box: Sandbox): Promise<Readonly<Record<string, string>>> =>
  box.workspaces().programs({ kind: "plain", root: box.root });

const replaced = (
  box: Sandbox,
  before: Readonly<Record<string, string>>,
  path = "/usr/bin:/bin",
): Promise<readonly string[]> =>
  box.workspaces({ env: { PATH: path } }).replaced({ kind: "plain", root: box.root }, before);

describe("installed programs", () => {
  test("are told by their path, and are the same while nobody touches them", async () => {
    const box = installed();
    const before = await programsOf(box);
    expect(Object.keys(before)).toEqual([
      "node_modules/.bin/vitest",
      ".venv/bin/pytest",
      "vendor/bin/phpunit",
    ]);
    utimesSync(join(box.root, ".venv/bin/pytest"), 1, 1);
    expect(await programsOf(box)).toEqual(before);
  });

  const VITEST = "node_modules/.bin/vitest";
  test.each<[what: string, name: string, change: (box: Sandbox) => void]>([
    [
      "its link leads elsewhere",
      VITEST,
      ({ root }) => {
        rmSync(join(root, VITEST));
        symlinkSync("../jest/jest.js", join(root, VITEST));
      },
    ],
    [
      "a file took the place of its link",
      VITEST,
      (box) => {
        rmSync(join(box.root, VITEST));
        box.write(VITEST, "#!/usr/bin/env node\n");
      },
    ],
    [
      "the file behind its link is another one",
      VITEST,
      (box) => box.write("node_modules/vitest/vitest.mjs", "process.exit(0)\n// ....\n"),
    ],
    [
      "it is of the same length and time",
      ".venv/bin/pytest",
      (box) => {
        box.write(".venv/bin/pytest", "#!pytho_\n");
        utimesSync(join(box.root, ".venv/bin/pytest"), 1, 1);
      },
    ],
  ])("are others where %s", async (_what, name, change) => {
    const box = installed();
    utimesSync(join(box.root, ".venv/bin/pytest"), 1, 1);
    const before = await programsOf(box);
    change(box);
    expect(await replaced(box, before)).toEqual([name]);
  });

  test("that are new count where they take the place of others", async () => {
    const box = installed();
    const before = await programsOf(box);
    for (const path of ["node_modules/.bin/grep", "node_modules/.bin/mine", ".venv/bin/sh"])
      box.write(path, "#!/bin/sh\nexit 0\n");
    expect(await replaced(box, before)).toEqual(["node_modules/.bin/grep"]);
  });

  test("that PATH leads to in the tree take nobody's place", async () => {
    const box = installed();
    box.write("node_modules/.bin/mine", "#!/bin/sh\nexit 0\n");
    chmodSync(join(box.root, "node_modules/.bin/mine"), 0o755);
    expect(await replaced(box, {}, join(box.root, "node_modules/.bin"))).toEqual([]);
  });
});
