// Is a run of the real Claude Code seen on the page from its beginning to its end?

import { expect, test } from "vitest";

import { openBrowser } from "../support/browser.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { startProgram } from "../support/whole-program.ts";
import { RUNS_TESTS, SUCCEEDS, useProjects } from "./runs.ts";

const project = useProjects();

test("what Claude Code does is on the page while it works, and how it ended afterwards", async () => {
  const { start, tree, env } = await project(SUCCEEDS, { gate: RUNS_TESTS });
  const run = start("run", "tasks/add.md", "--json");
  await run.until("task-started");
  const web = startProgram([process.execPath, PROGRAM, "web", "--port", "0"], { cwd: tree, env });
  const browser = await openBrowser();
  try {
    await web.prints("\n");
    const page = await browser.newPage();
    await page.goto(web.printed().trim());
    await page.getByRole("link", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "add", exact: true }).click();
    await page.getByText("claude-code").first().waitFor();
    await page.getByText("done, proven by its gates").first().waitFor();
    await page.getByText("accepted: every required gate passed").first().waitFor();
    expect((await run.ended).exitCode).toBe(0);
  } finally {
    await browser.close();
    web.kill("SIGTERM");
    await web.ended;
  }
});
