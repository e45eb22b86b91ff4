import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { orchProcess } from "../support/run-orch.ts";
import { flat, steady } from "../support/steady.ts";

const README = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

test("the README shows what the demo leaves on the screen", async () => {
  const { stdout, stderr, exitCode } = await orchProcess(["demo"], { cwd: import.meta.dirname });
  const folder = /cd (\S+orch-demo-\w+)/.exec(stdout + stderr)?.[1];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  const [, session = ""] = /^```\n(run .*?)^```$/ms.exec(README) ?? [];
  expect(exitCode).toBe(0);
  expect(flat(steady(stdout))).toContain(flat(steady(session)).trim());
});
