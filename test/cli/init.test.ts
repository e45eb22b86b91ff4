// What happens where a person sits at the terminal: questions of `orch init`, the editor of `orch new`.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { makeProject } from "../support/project.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { expectWidth } from "../support/seen.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";

function terminal(cwd: string, command: string, env = "", columns = 80): Terminal {
  const line = `cd '${cwd}' && NO_COLOR=1 ${env} '${process.execPath}' '${PROGRAM}' ${command}`;
  return openTerminal(line, columns);
}

test("a person sees what is found, lets it run, and keeps what they choose", async () => {
  const root = makeProject({
    "packages/a/package.json": '{"type":"module","scripts":{"lint":"exit 1"}}',
    "packages/a/Makefile": "test:\n\tcat Makefile\n",
  });
  const shown = terminal(join(root, "packages/a"), "init", "", 40);
  await shown.until("[1] packages/a");
  await shown.until("> ");
  shown.type("3\r");
  await shown.until("> ");
  shown.type("\r");
  await shown.until("cd packages/a && npm run lint");
  await shown.until("[Y/n]");
  await shown.until("> ");
  shown.type("\r");
  await shown.until("test: passes");
  await shown.until("lint: fails");
  await shown.until("Enter takes 1.");
  await shown.until("> ");
  shown.type("3\r");
  await shown.until("Enter takes 1.");
  await shown.until("> ");
  shown.type("2\r");
  expect(await shown.ended).toBe(0);
  const config = readFileSync(join(root, "packages/a/.orchestrator.config.js"), "utf8");
  expect(config).toContain('    //test: { run: "cd packages/a && make test" }, // left out');
  expect(config).toContain('    lint: { run: "cd packages/a && npm run lint" },');
  const lines = shown.shown().slice(shown.shown().indexOf("Next:")).replaceAll("\r", "");
  expectWidth(lines.replace(/\S{30,}/g, ""), 40);
});

test("whoever presses Enter keeps tests of which some fail", async () => {
  const tap = "1..3\\nok 1 - a\\nok 2 - b\\nnot ok 3 - c\\n# tests 3\\n# pass 2\\n# fail 1\\n";
  const root = makeProject({ Makefile: `test:\n\t@printf '${tap}'; exit 1\n` });
  const shown = terminal(root, "init");
  await shown.until("[Y/n]");
  await shown.until("> ");
  shown.type("\r");
  await shown.until("test: 2 passed, 1 failed");
  await shown.until("Enter takes 1. You may keep");
  await shown.until("> ");
  shown.type("\r");
  expect(await shown.ended).toBe(0);
  const config = readFileSync(join(root, ".orchestrator.config.js"), "utf8");
  expect(config).toContain('    test: { run: "make test" },');
});

test("a task goes to the editor; one that fails leaves the file, and says so", async () => {
  const root = makeProject({ ".orchestrator.config.js": "export default {};" });
  const good = terminal(root, "new 'Add login'", "EDITOR=false VISUAL='printf edited >>'");
  expect(await good.ended).toBe(0);
  expect(readFileSync(join(root, "tasks/add-login.md"), "utf8")).toMatch(
    /nothing is said yet\nedited$/,
  );
  expect(good.shown()).toContain("next: orch run add-login");
  const spaced = join(root, "my editor");
  writeFileSync(spaced, '#!/bin/sh\nprintf again >> "$1"\n', { mode: 0o755 });
  const named = terminal(root, "new Logout", `VISUAL= EDITOR='${spaced}'`);
  expect(await named.ended).toBe(0);
  expect(readFileSync(join(root, "tasks/logout.md"), "utf8")).toMatch(/again$/);
  const bad = terminal(root, "new 'Add login'", "VISUAL= EDITOR='no-such-editor -w'");
  expect(await bad.ended).toBe(2);
  expect(bad.shown()).toContain('orch: the editor "no-such-editor -w" ended with exit code 127');
  expect(bad.shown()).toContain("hint: tasks/add-login-2.md was written");
});
