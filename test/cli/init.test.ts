// What happens where a person sits at the terminal: the editor of `orch new`.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { makeProject } from "../support/project.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";

function terminal(cwd: string, command: string, env = "", columns = 80): Terminal {
  const line = `cd '${cwd}' && NO_COLOR=1 ${env} '${process.execPath}' '${PROGRAM}' ${command}`;
  return openTerminal(line, columns);
}

test("a task goes to the editor; one that fails leaves the file, and says so", async () => {
  const root = makeProject({ ".orchestrator.config.js": "export default {};" });
  const good = terminal(root, "new 'Add login'", "EDITOR=false VISUAL='printf edited >>'");
  expect(await good.ended).toBe(0);
  expect(readFileSync(join(root, "tasks/add-login.md"), "utf8")).toMatch(
    /nothing is said yet\nedited$/,
  );
  expect(good.shown()).toContain("next: orch run add-login");
  const bad = terminal(root, "new 'Add login'", "VISUAL= EDITOR='no-such-editor -w'");
  expect(await bad.ended).toBe(2);
  expect(bad.shown()).toContain('orch: the editor "no-such-editor -w" ended with exit code 127');
  expect(bad.shown()).toContain("hint: tasks/add-login-2.md was written");
});
