// Are the screens of docs/fleet.md those of a fleet today? Twelve tasks on three machines, of which two go.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { fleetWithoutTables, waitsFor, type Fleet } from "../support/fleet.ts";
import { until } from "../support/processes.ts";
import { flat, steady } from "../support/steady.ts";

const PAGE = join(import.meta.dirname, "../../docs/fleet.md");
const TASKS = Array.from({ length: 12 }, (_, at) => `t${String(at + 1).padStart(2, "0")}`);
/** Kept for the answer: where it is not there yet, the task asks. */
const ASKED = `{"version":1,"status":"needs_input","summary":"which?","questions":[{"question":"Keep the old format, too?","options":["yes","no"]}]}`;
const ASKS = `if [ "$ORCH_TASK" = t01 ] && mkdir "$BESIDE/asked"; then echo '${ASKED}' > "$ORCH_REPORT"; exit; fi;`;

/** What happens before each screen; the last is of a fourth machine. */
const BEFORE: readonly ((it: Fleet) => Promise<unknown>)[] = [
  async () => undefined,
  async (it) => {
    for (const name of MACHINES) await it.worker(name, ["--slots", "2"]);
    // The task that asks leaves its slot to another.
    await it.logged("question-asked");
    await until(async () => (await takenBy(it, "%")) === 6);
  },
  async (it) => {
    const [dead = "", drained = ""] = MACHINES;
    it.send(dead, "SIGKILL");
    it.send(drained, "SIGTERM");
    it.make("go");
    await it.standing("waiting");
    await until(async () => (await it.rows("select 1 from workers")).length === 1);
    it.clone("laptop");
  },
  (it) => it.standing("over"),
];
const MACHINES = ["one", "two", "three"];
const WORKER = /\b[\w.-]+-\d+-[0-9a-f]{6}\b/g;

async function takenBy(it: Fleet, worker: string): Promise<number> {
  const sql = "select 1 from parts where state = 'taken' and worker like $1";
  return (await it.rows(sql, [worker])).length;
}

test("each screen of the page is what the fleet shows today", async () => {
  const agent = `${ASKS} ${waitsFor("go")}`;
  const it = await fleetWithoutTables({ agent, tasks: TASKS });
  const page = readFileSync(PAGE, "utf8");
  let now = page;
  const blocks = [...page.matchAll(/^```console\n([^]*?)^```$/gm)];
  expect(blocks).toHaveLength(BEFORE.length);
  for (const [index, [all, text = ""]] of blocks.entries()) {
    await BEFORE[index]?.(it);
    const screens: string[] = [];
    for (const [, where = "", args = ""] of text.matchAll(/^(laptop)?\$ orch (.*)$/gm)) {
      const { stdout } = await it.start(args.split(" "), where || "project").ended;
      screens.push(`${where}$ orch ${args}\n${stdout}`);
    }
    now = now.replace(all, () => `\`\`\`console\n${screens.join("\n").trimEnd()}\n\`\`\``);
  }
  if (process.env["ORCH_TEST_UPDATE"] === "fleet") writeFileSync(PAGE, now);
  expect(alike(now)).toBe(alike(page));
});

/** Which machine takes which task is chance. */
function alike(text: string): string {
  const named = steady(text)
    .replace(WORKER, "<worker>")
    .replace(/\bt\d\d\b/g, "t00");
  const here = named.replace(/^✓ [a-z2-9]{4} /gm, "✓ k3f9 ");
  return flat(here.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "<moment>"));
}
