// Is a person told what an agent set in the repository's config, and is none of it run?

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { GOOD_WORK, smallProject } from "../support/small-project.ts";

const IN_PLACE = ["run", "task.md", "--isolation", "none"];
const FILTER = `git config filter.x.clean 'touch "'"$PWD"'/ran"; cat' && echo '*.txt filter=x' > .gitattributes`;

test("a filter that an agent sets stops the run and does not run", async () => {
  const box = smallProject({ sessions: [{ do: [{ run: FILTER }, ...GOOD_WORK] }] });
  const { exitCode, stderr } = await box.orch(IN_PLACE);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("git's settings were changed while orch worked");
  expect(stderr).toContain("filter.x.clean = touch");
  expect(stderr).toContain("put it back, unless you changed it yourself");
  expect(existsSync(join(box.root, "ran"))).toBe(false);
});

test("a damaged HEAD is refused before there is a run", async () => {
  const box = smallProject({ sessions: [{ do: GOOD_WORK }] });
  writeFileSync(join(box.root, ".git/HEAD"), "nonsense\n");
  const { exitCode, stderr } = await box.orch(["run", "task.md"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("cannot be used");
  expect(existsSync(join(box.root, "good.txt"))).toBe(false);
});
