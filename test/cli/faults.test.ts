import { chmodSync, cpSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { EVERY_DEATH } from "../support/deaths.ts";
import { eachOf } from "../support/each-of.ts";
import { gitIn } from "../support/repository.ts";
import {
  endsOf,
  eventsOf,
  expectSound,
  expectTwoLines,
  filesOf,
  runIds,
} from "../support/run-record.ts";
import {
  ASKING,
  COMPLETED,
  GOOD_WORK,
  shellAgent,
  smallProject,
} from "../support/small-project.ts";
import { expectDeserted, noLeftovers, type Sandbox } from "../support/whole-program.ts";

const ASK = { ask: { question: "Which way?", impact: "major" } };
/** For agents that are a line of the shell. */
const REPORTS = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
const WORKS = `echo good > good.txt; ${REPORTS}`;

// ---- the log ------------------------------------------------------------------------------------

/** A run that waits for an answer, which is in its inbox already. */
async function paused(): Promise<Sandbox> {
  const box = smallProject({ task: ASKING, sessions: [{ do: [ASK, ...GOOD_WORK] }] });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  expect((await box.inProcess(["answer", "left"])).exitCode).toBe(0);
  return box;
}

test("state.json, result.json and the questions can be deleted, and change nothing", async () => {
  const box = await paused();
  const { state, result, questions } = filesOf(box);
  for (const path of [state, result, questions]) rmSync(path, { recursive: true });
  expect((await box.inProcess(["status"])).stdout).toContain("task");
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expectSound(box);
});

test("a copied project goes on in a tree of its own, and the one it was copied from in its own, moved or not", async () => {
  const box = await paused();
  cpSync(box.root, join(box.beside, "copy"), { recursive: true });
  const trees = (): readonly string[] => {
    const all = readdirSync(join(box.beside, "orch-trees"), { recursive: true, encoding: "utf8" });
    return all.filter((path) => /^[^/]+\/2[^/]+\/task\/[^/.]+$/.test(path));
  };
  const before = trees();
  writeFileSync(join(box.beside, "orch-trees", before[0] ?? "", "half.txt"), "half\n");
  expect((await box.inProcess(["resume"], { cwd: "../copy" })).exitCode).toBe(0);
  expect([before.length, trees()]).toEqual([1, before]);
  const branch = `orch/${runIds(box)[0]}`;
  const holds = (folder: string): string =>
    gitIn(join(box.beside, folder))("ls-tree", "--name-only", branch);
  expect(holds("copy")).not.toContain("half.txt");
  renameSync(box.root, join(box.beside, "moved"));
  // The agent of the tests reads its script where it was.
  cpSync(join(box.beside, "moved/script.json"), join(box.root, "script.json"));
  expect((await box.inProcess(["resume"], { cwd: "../moved" })).exitCode).toBe(0);
  expect([trees(), holds("moved").includes("half.txt")]).toEqual([[], true]);
});

test.each(["ln -s $BESIDE .orch", "echo x > .orch", "mkfifo .orch"])(
  "an agent that leaves something else in the place of its folders, as by %s, tries again",
  async (line) => {
    const sessions = [{ attempt: 1, do: [{ run: `rm -rf .orch; ${line}` }] }, { do: GOOD_WORK }];
    const box = smallProject({ sessions });
    const before = readdirSync(box.beside);
    expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
    expect(readdirSync(box.beside).filter((name) => !before.includes(name))).toEqual([
      "orch-trees",
    ]);
  },
);

test("where the log cannot grow the run stops in two lines, believes nothing halfway, and goes on later", async () => {
  // No file may become larger than so many blocks of 512 bytes: that needs neither root nor a disk of its own.
  const rooms = EVERY_DEATH ? [1, 4, 21, 23, 25, 28, 31, 40, 60] : [1, 25, 60];
  const badFirst = { attempt: 1, do: [{ write: { path: "good.txt", text: "bad\n" } }, COMPLETED] };
  const ends = new Set<string>();
  await eachOf(rooms, async (blocks) => {
    const box = smallProject({ sessions: [badFirst, { do: GOOD_WORK }] });
    const cramped = await box.orch(["run", "task.md"], { fileBlocksMax: blocks });
    const begun = runIds(box).length > 0;
    if (cramped.exitCode !== 0) {
      expect(cramped.exitCode).toBe(begun ? 75 : 2);
      expect(cramped.stderr).toMatch(/(^|\n)orch: .+\nhint: .+\n$/);
    }
    expect(box.leftovers()).toEqual([]);
    const at = begun && eventsOf(box, "session-started").length > 0 ? "at work" : "before work";
    ends.add(cramped.exitCode === 0 ? "done" : at);
    if (cramped.exitCode !== 0) {
      const again = begun ? ["resume"] : ["run", "task.md"];
      expect(await box.inProcess(again)).toMatchObject({ exitCode: 0 });
    }
    expect(endsOf(box)).toEqual({ task: "done" });
    expectSound(box);
  });
  expect([...ends].sort()).toEqual(["at work", "before work", "done"]);
});

test("an agent that removes .orch ends the run in two lines, and is not left running", async () => {
  const box = smallProject({ config: shellAgent(`rm -rf $BESIDE/project/.orch; ${WORKS}`) });
  const { exitCode, stderr } = await box.orch(["run", "task.md"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/\norch: .+\.orch\/runs\/.+\nhint: .+\n$/);
  await expectDeserted(box);
  const left = readdirSync(join(box.beside, "orch-trees"), { recursive: true, encoding: "utf8" });
  expect(left.filter((path) => path.endsWith("good.txt"))).toHaveLength(1);
});

// ---- reports ------------------------------------------------------------------------------------

function tasksNamed(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`tasks/${name}.md`, "# Task\n\nMake it good.\n"]));
}

// ---- agents -------------------------------------------------------------------------------------

/** A task's first session does this; each later one works. */
const CRASHES: Readonly<Record<string, string>> = {
  "exits-with-an-error": "exit 3",
  "is-killed": "kill -9 $$",
  "prints-what-is-no-text": "head -c 3000000 /dev/urandom; exit 1",
};
const NEVER_ENDS: Readonly<Record<string, string>> = {
  "falls-silent": "exec sleep 600",
  "chatters-for-ever": "while :; do echo la; sleep 0.05; done",
};

test.each([
  ["crashed", CRASHES, ""],
  ["timed-out", NEVER_ENDS, 'timeouts: { idle: "3s", session: "6s" },'],
])(
  "an agent that %s is told so and tried again, and nothing of it is left",
  async (ending, agents, limits) => {
    const cases = Object.entries(agents).map(([task, does]) => `${task}) ${does};;`);
    const first = `[ -e $BESIDE/$ORCH_TASK ] || { echo > $BESIDE/$ORCH_TASK; case $ORCH_TASK in ${cases.join(" ")} esac; }`;
    const box = smallProject({
      config: shellAgent(`${first}; echo > made-$ORCH_TASK; ${WORKS}`, limits),
      files: tasksNamed(Object.keys(agents)),
    });
    expect(await box.orch(["run", "tasks"])).toMatchObject({ exitCode: 0 });
    const endings = eventsOf(box, "session-ended").map(({ task, ending }) => [task, ending.kind]);
    for (const task of Object.keys(agents))
      expect(endings.filter(([of]) => of === task)).toEqual([
        [task, ending],
        [task, "finished"],
      ]);
    await expectDeserted(box);
    expectSound(box);
  },
);

test("an agent program that disappears during a run is asked about, and the run goes on when it is back", async () => {
  const config =
    'agent: "own", agents: { own: { driver: "command", command: [`${process.env.BESIDE}/agent.sh`] } }, interactionThreshold: 1,';
  const box = smallProject({ config });
  const put = (line: string): void => {
    box.write("../agent.sh", `#!/bin/sh\n${line}\n`);
    chmodSync(join(box.beside, "agent.sh"), 0o755);
  };
  put('rm "$0"');
  expect((await box.orch(["run", "task.md"])).exitCode).toBe(4);
  expect(eventsOf(box, "question-asked").map(({ question }) => question.kind)).toEqual(["blocker"]);
  expect((await box.inProcess(["answer", "--retry"])).exitCode).toBe(0);
  // Looked for before anything is spent.
  const sessions = eventsOf(box, "session-started").length;
  expectTwoLines(await box.orch(["resume"]));
  expect(eventsOf(box, "session-started")).toHaveLength(sessions);
  put(WORKS);
  expect((await box.orch(["resume"])).exitCode).toBe(0);
  expect(endsOf(box)).toEqual({ task: "done" });
  expectSound(box);
});

test("another agent of the list takes over at a limit, is told so, and gets the next task at once", async () => {
  const limit = "You have hit your usage limit. Resets at 2099-01-01T00:00:00Z";
  const agents = {
    one: { driver: "command", command: `echo 'API Error: 429 ${limit}' >&2; exit 1` },
    two: { driver: "command", command: `cat > $ORCH_TASK.txt; ${WORKS}` },
  };
  const box = smallProject({
    config: `agent: ["one", "two"], agents: ${JSON.stringify(agents)},`,
    files: { "tasks/a.md": "# A\n\nMake it good.\n", "tasks/b.md": "# B\n\nMake it good.\n" },
  });
  const { exitCode } = await box.inProcess(["run", "tasks/a.md", "tasks/b.md"]);
  const sessions = eventsOf(box, "session-started").map(({ task, agent }) => `${task}: ${agent}`);
  expect(sessions.slice(0, 3)).toEqual(["a: one", "a: two", "b: two"]);
  expect(exitCode).toBe(0);
  const { into } = JSON.parse(box.read(`.orch/runs/${filesOf(box).id}/result.json`));
  expect(box.git("show", `${into}:a.txt`)).toContain("Another agent (one) worked on this");
  const { stdout } = await box.inProcess(["explain", "a"]);
  expect(stdout).toMatch(/agent +one · crashed[^]*agent +two · finished/);
});

test("an agent that kills orch is ended all the same, and the run goes on", async () => {
  const kills = "echo > $BESIDE/first; kill -9 $PPID; while :; do sleep 0.1; done";
  const box = smallProject({
    config: shellAgent(`[ -e $BESIDE/first ] || { ${kills}; }; ${WORKS}`),
  });
  expect(await box.orch(["run", "task.md"])).toMatchObject({ signal: "SIGKILL" });
  await noLeftovers(box);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "session-ended").map(({ ending }) => ending.kind)).toEqual([
    "lost",
    "finished",
  ]);
  expectSound(box);
});

test("a new project without room for its files hears of it in two lines", async () => {
  const ended = await smallProject({}).orch(["init", "--force"], { fileBlocksMax: 0 });
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr).toMatch(/^orch: \S+ cannot be made: EFBIG.+\nhint: .+\n$/);
});
