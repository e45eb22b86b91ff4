// Is the page of a run what a person needs, in a real browser?

import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openBrowser } from "../support/browser.ts";
import { eventsOf, filesOf } from "../support/run-record.ts";
import { COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import { openWeb } from "../support/web.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** Screenshots of the last run of the tests. */
const SHOTS = join(import.meta.dirname, "../../node_modules/.cache/orch-page");

let browser: Browser;
beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  browser = await openBrowser();
});
afterAll(() => browser.close());

const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
const ASKS = `cat > /dev/null; orch ask "Which one?" --option good --option bad --default bad --impact major --hold 10m > answer.txt; cat answer.txt > good.txt; rm answer.txt; ${REPORTS}`;

/** A run that waits for an answer, and the page of its project. */
async function waiting() {
  const box = smallProject({ config: shellAgent(ASKS) });
  const run = box.start(["run", "task.md", "--threshold", "3", "--wait", "--json"]);
  await run.event(({ type }) => type === "question-asked");
  return { box, run, id: filesOf(box).id, web: await openWeb(box) };
}

async function opened(link: string, how: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, ...how });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(link);
  return { page, complaints };
}

/** What axe finds wrong, and whether the page must be scrolled sideways. */
async function wrongWith(page: Page): Promise<readonly string[]> {
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(AXE);
  const report: { violations: { id: string }[] } = await page.evaluate("axe.run()");
  return [...report.violations.map(({ id }) => id), ...(isWide === true ? ["too wide"] : [])];
}

test.each<[string, BrowserContextOptions]>([
  ["in the light", { colorScheme: "light" }],
  ["in the dark", { colorScheme: "dark" }],
  ["on a phone", { viewport: { width: 360, height: 740 } }],
])("every view reads well %s, and nothing in it is wrong", async (name, how) => {
  const { id, web, run } = await waiting();
  const { page, complaints } = await opened(web.link, how);
  const views = {
    live: ["#/", "Which one?"],
    runs: ["#/runs", "waiting for an answer"],
    run: [`#/runs/${id}`, "Which one?"],
    task: [`#/runs/${id}/task`, "shell starts"],
    stats: ["#/stats", "1 open"],
  } as const;
  for (const [view, [hash, words]] of Object.entries(views)) {
    await page.goto(`${web.origin}/${hash}`);
    await page.getByText(words).first().waitFor();
    await page.screenshot({ path: join(SHOTS, `${view} ${name}.png`) });
    expect([view, await wrongWith(page)]).toEqual([view, []]);
  }
  expect(complaints).toEqual([]);
  run.kill("SIGTERM");
  await run.ended;
});

test("a question is answered with the keyboard alone, and the run is followed to its end", async () => {
  const { box, run, id, web } = await waiting();
  const { page } = await opened(web.link);
  await page.getByText("Which one?").first().waitFor();
  const isFocused = (label: string): Promise<boolean> =>
    page.evaluate(`document.activeElement.textContent === ${JSON.stringify(label)}`);
  for (let tabs = 0; tabs < 20 && !(await isFocused("good")); tabs += 1)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("q1 of task is answered: the run continues with it").waitFor();
  await page.goto(`${web.origin}/#/runs/${id}/task`);
  await page.getByRole("heading", { name: "Attempts" }).waitFor();
  await page.getByText("done, proven by its gates").first().waitFor();
  expect((await run.ended).exitCode).toBe(0);
  expect(eventsOf(box, "answered")[0]?.answer.text).toBe("good");
  await page.getByText("what it changed").click();
  await page.getByText("+good").waitFor();
  await page.getByText("explain").click();
  await page.getByText("gate-green: every required gate passed").waitFor();
});

test("of two browsers that answer at once one is told that it came second", async () => {
  const { box, run, web } = await waiting();
  const pages = [(await opened(web.link)).page, (await opened(web.link)).page];
  const buttons = await Promise.all(
    pages.map((page, at) =>
      page.getByRole("button", { name: at === 0 ? "good" : "bad" }).elementHandle(),
    ),
  );
  // Also where the question has just gone from under it.
  await Promise.all(buttons.map((button) => button?.dispatchEvent("click")));
  const replies = await Promise.all(
    pages.map((page) =>
      page.getByText(/^q1 of task is answered|already|does not wait/).textContent(),
    ),
  );
  // Where "bad" was first, the run is not over.
  run.kill("SIGTERM");
  await run.ended;
  expect(eventsOf(box, "answered")).toHaveLength(1);
  expect(replies.filter((words) => words?.startsWith("q1 of task is answered: "))).toHaveLength(1);
});
