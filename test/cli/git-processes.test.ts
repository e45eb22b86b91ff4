// How often does a run start git?

import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { smallProject } from "../support/small-project.ts";

/** Those that make copies of the base for the gates, and read which files prove the work. */
const FOR_COPIES: Readonly<Record<string, number>> = {
  "read-tree": 1,
  "ls-files": 1,
  "ls-tree": 1,
  "cat-file": 2,
};

test("one attempt with one green gate asks git for each thing once", async () => {
  const box = smallProject();
  const log = join(box.beside, "git.log");
  const wrapper = "../bin/git";
  const path = box.env["PATH"] ?? "";
  box.write(
    wrapper,
    `#!/bin/sh\nprintf '%s\\0' "$@" '' >>'${log}'\nPATH='${path}' exec git "$@"\n`,
  );
  chmodSync(join(box.root, wrapper), 0o755);
  const env = { PATH: `${join(box.beside, "bin")}:${path}` };
  const { exitCode } = await box.inProcess(["run", "task.md"], { env });
  expect(exitCode).toBe(0);
  const commands = readFileSync(log, "utf8").split("\0\0").flatMap(commandOf);
  const left = { ...FOR_COPIES };
  const counted = commands.filter((name) => {
    const isOfCopies = (left[name] ?? 0) > 0;
    if (isOfCopies) left[name] = (left[name] ?? 0) - 1;
    return !isOfCopies;
  });
  expect(counted.length).toBeGreaterThan(10);
  expect(counted.slice(20)).toEqual([]);
});

/** The first word that is neither a setting nor its flag. */
function commandOf(call: string): readonly string[] {
  const words = call.split("\0").filter((word) => word !== "");
  const at = words.findIndex((word, n) => word !== "-c" && words[n - 1] !== "-c");
  return words[at] === undefined ? [] : [words[at]];
}
