// Who may go on with a run that another process has, or had, in another place?

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { expectSound, expectTwoLines, filesOf, runIds } from "../support/run-record.ts";
import { GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ASKS = [{ ask: { question: "Which one?", options: ["left", "right"] } }, ...GOOD_WORK];

/** In the checkout itself, where one run at a time works. */
const waiting = () =>
  smallProject({
    config: 'interactionThreshold: 3, git: { isolation: "none" },',
    sessions: [{ do: ASKS }],
  });

/** As if the process that has the run and its tree were one of another machine. */
function moveOwners(box: Sandbox): void {
  for (const folder of [filesOf(box).folder, join(box.root, ".orch/tree")])
    for (const name of readdirSync(folder).filter((one) => one.startsWith("owner."))) {
      const record = JSON.parse(readFileSync(join(folder, name), "utf8"));
      const away = { ...record, host: "otherbox", boot: "another", released: false };
      writeFileSync(join(folder, name), JSON.stringify(away));
    }
}

test("a run that another machine had is refused in two lines, and --take-over goes on with it", async () => {
  const box = waiting();
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  expect((await box.inProcess(["answer", "left"])).exitCode).toBe(0);
  moveOwners(box);
  for (const [args, whose] of [
    [["resume"], `run ${runIds(box)[0]} is owned by a process on another machine`],
    [["run", "task.md"], "a process on another machine works in this tree"],
  ] as const) {
    const refused = await box.inProcess(args);
    expectTwoLines(refused);
    expect(refused.stderr).toContain(whose);
    expect(refused.stderr).toContain("orch resume --take-over");
  }
  expect((await box.inProcess(["resume", "--take-over"])).exitCode).toBe(0);
  expectSound(box);
});

test("a run that goes on is named to who would resume it, or start another", async () => {
  const box = waiting();
  const first = box.start(["run", "task.md", "--wait", "--json"]);
  await first.event((event) => event["type"] === "question-asked");
  for (const [args, whose] of [
    [["resume"], `run ${runIds(box)[0]} is running already`],
    [["run", "task.md"], "another run works in this tree"],
  ] as const) {
    const refused = await box.inProcess(args);
    expectTwoLines(refused);
    expect(refused.stderr).toContain(`${whose} (since `);
    expect(refused.stderr).toContain("orch watch");
  }
  expect((await box.inProcess(["answer", "right"])).exitCode).toBe(0);
  expect((await first.ended).exitCode).toBe(0);
  expectSound(box);
});

test("a run that could not begin leaves nothing, and is not said to be resumable", async () => {
  const box = smallProject();
  box.git("branch", "orch");
  const refused = await box.inProcess(["run", "task.md"]);
  expectTwoLines(refused);
  expect(refused.stderr).not.toContain("orch resume");
  expect(box.git("for-each-ref", "refs/orch")).toBe("");
  expect(runIds(box)).toEqual([]);
});

test("a run whose tree cannot be made ready says why, and goes on once it can", async () => {
  const command = "echo error: no network at $(date +%T.%N); echo see /tmp/1000$$";
  const setup = `test -e $BESIDE/ready || { ${command}; exit 3; }`;
  const box = smallProject({ config: `worktree: { setup: ${JSON.stringify(setup)} },` });
  // Where trees of tasks are to lie, there is a file.
  box.write("../orch-trees", "");
  const unmade = await box.inProcess(["run", "task.md", "--quiet"]);
  expectTwoLines(unmade, 75);
  expect(unmade.stderr).toContain("cannot be made");
  expect(unmade.stderr).toContain("orch resume");
  rmSync(join(box.beside, "orch-trees"));
  const failed = await box.inProcess(["resume", "--quiet"]);
  expectTwoLines(failed, 75);
  expect(failed.stderr).toContain(") failed, exit code 3: error: no network at ");
  const [, log = ""] = /see (\S+\.log)/.exec(failed.stderr) ?? [];
  expect(readFileSync(log, "utf8")).toContain("no network");
  box.write("../ready", "");
  expect(await box.inProcess(["resume"])).toMatchObject({ exitCode: 0 });
  expect(box.git("show", "orch/task:good.txt")).toBe("good");
  expectSound(box);
});
