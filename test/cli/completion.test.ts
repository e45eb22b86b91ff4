import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";

import { COMMANDS } from "../../src/cli/command-line/command-table.ts";
import { orch } from "../support/run-orch.ts";

function flagsOf(name: string): readonly string[] {
  const spec = COMMANDS.find(({ usage }) => usage.split(" ", 1)[0] === name);
  return [...(spec?.options ?? []).map(([flags]) => /--[\w-]+/.exec(flags)?.[0] ?? ""), "--help"];
}

/** What bash offers behind `orch` in this line, the last word of which is being typed. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await orch(["completion", "bash"], { cwd: tmpdir() });
  const ask = 'COMP_WORDS=(orch "$@"); COMP_CWORD=$#; _orch; printf "%s\\n" "${COMPREPLY[@]}"';
  const args = ["--norc", "-c", `${script}\n${ask}`, "bash", ...words];
  return execFileSync("bash", args, { encoding: "utf8" }).split("\n").filter(Boolean);
}

test("bash offers every command, and every flag of each", async () => {
  const commands = COMMANDS.map(({ usage }) => usage.replace(/ .*/, ""));
  expect(await offered("")).toEqual(commands);
  for (const name of ["run", "answer", "list"])
    expect(await offered(name, "-")).toEqual(flagsOf(name));
  expect(await offered("run", "tasks/a.md", "--iso")).toEqual(["--isolation"]);
});

test("where neither may stand, bash is left to its files", async () => {
  expect(await offered("run", "ta")).toEqual([]);
  const { stdout } = await orch(["completion", "bash"], { cwd: tmpdir() });
  expect(stdout).toContain("complete -o default -F _orch orch");
});

test.each(["zsh", "fish"])("%s is given the same names", async (shell) => {
  const { stdout } = await orch(["completion", shell], { cwd: tmpdir() });
  for (const { usage } of COMMANDS) {
    const name = usage.replace(/ .*/, "");
    expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
    for (const flag of flagsOf(name)) expect(stdout).toContain(flag.slice(2));
  }
});

test("a shell that orch knows nothing for is refused", async () => {
  const { exitCode, stderr } = await orch(["completion", "tcsh"], { cwd: tmpdir() });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("name one of bash, zsh, fish")]);
});
