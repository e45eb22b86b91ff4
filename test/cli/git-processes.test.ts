// How often does a run start git?

import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { smallProject } from "../support/small-project.ts";

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
  await box.inProcess(["run", "task.md"]);
  const env = { PATH: `${join(box.beside, "bin")}:${path}` };
  const { exitCode } = await box.inProcess(["run", "task.md"], { env });
  expect(exitCode).toBe(0);
  const commands = readFileSync(log, "utf8").split("\0\0").flatMap(commandOf);
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.slice(24)).toEqual([]);
});

/** The first word that is neither a setting nor its flag. */
function commandOf(call: string): readonly string[] {
  const words = call.split("\0").filter((word) => word !== "");
  const at = words.findIndex((word, n) => word !== "-c" && words[n - 1] !== "-c");
  return words[at] === undefined ? [] : [words[at]];
}
