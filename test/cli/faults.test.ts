import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { identityOf } from "../../src/adapters/process/identity.ts";
import { EVERY_DEATH } from "../support/deaths.ts";
import { eachOf } from "../support/each-of.ts";
import {
  endsOf,
  eventsOf,
  expectSound,
  expectTwoLines,
  filesOf,
  recordedOf,
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

test("a torn last line is cut off and told of, and the run goes on", async () => {
  const box = await paused();
  const { log } = filesOf(box);
  const before = readFileSync(log);
  const tail = '{"v":1,"seq":9,"text":"ä';
  writeFileSync(log, tail, { flag: "a" });
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "log-repaired")).toEqual([
    { type: "log-repaired", bytes: Buffer.byteLength(tail) },
  ]);
  expect(readFileSync(log).subarray(0, before.length).equals(before)).toBe(true);
  expectSound(box);
});

/** `event-log.test.ts` has every kind of damage; here are one that is no line and one that is no event. */
const DAMAGES: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
  "garbage in the middle": (lines) => lines.with(3, "garbage"),
  "an event nobody knows": (lines) =>
    lines.with(3, (lines[3] ?? "").replace(/"type":"[a-z-]+"/, '"type":"dreamt"')),
};

test("a damaged log is refused in two lines that name the place, and not touched", async () => {
  await eachOf(Object.entries(DAMAGES), async ([, damage]) => {
    const box = await paused();
    const { log, state, inbox } = filesOf(box);
    writeFileSync(log, damage(readFileSync(log, "utf8").split("\n")).join("\n"));
    const before = { log: readFileSync(log), inbox: readdirSync(inbox) };
    rmSync(state);
    for (const command of ["resume", "status"]) {
      const ended = await box.inProcess([command]);
      expectTwoLines(ended);
      expect(ended.stderr).toContain(log);
      expect(ended.stderr).toMatch(/line [45]/);
    }
    expect({ log: readFileSync(log), inbox: readdirSync(inbox) }).toEqual(before);
    expect(box.git("status", "--porcelain")).toBe("");
    // The tree is free for another run.
    box.git("checkout", "--quiet", "main");
    expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(4);
  });
});

test("state.json, result.json and the questions can be deleted, and change nothing", async () => {
  const box = await paused();
  const { state, result, questions } = filesOf(box);
  for (const path of [state, result, questions]) rmSync(path, { recursive: true });
  expect((await box.inProcess(["status"])).stdout).toContain("task");
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expectSound(box);
});

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
  const left = readdirSync(join(box.beside, "state"), { recursive: true, encoding: "utf8" });
  expect(left.filter((path) => path.endsWith("good.txt"))).toHaveLength(1);
});

// ---- reports ------------------------------------------------------------------------------------

/** By the task whose agent leaves it. */
const BAD_REPORTS: Readonly<Record<string, object>> = {
  "not-json": { report: "done!" },
  empty: { report: "" },
  list: { report: "[1]" },
  "ten-megabytes": { run: 'head -c 10000000 /dev/zero | tr "\\0" x > "$ORCH_REPORT"' },
  "nested-deep": {
    run: 'head -c 100000 /dev/zero | tr "\\0" "[" > "$ORCH_REPORT"',
  },
  link: { run: 'ln -s "$PWD/secret.json" "$ORCH_REPORT"' },
  folder: { run: 'mkdir "$ORCH_REPORT"' },
  pipe: { run: 'mkfifo "$ORCH_REPORT"' },
  "folder-that-is-a-link": {
    run: 'd=$(dirname "$ORCH_REPORT"); rmdir "$d"; ln -s "$PWD" "$d"; cp secret.json report.json',
  },
};

test("a report that cannot be read is told to the agent, and not believed", async () => {
  const secret = JSON.stringify({ ...COMPLETED.report, summary: "from elsewhere" });
  const good = { write: { path: "good.txt", text: "good\n" } };
  const sessions = Object.entries(BAD_REPORTS).map(([task, step]) => ({
    task,
    do: [good, { write: { path: `${task}.txt`, text: "new" } }, step],
  }));
  const box = smallProject({
    sessions: [{ attempt: 2, do: [COMPLETED] }, ...sessions],
    files: { "secret.json": secret, ...tasksNamed(Object.keys(BAD_REPORTS)) },
  });
  expect(await box.inProcess(["run", "tasks"])).toMatchObject({ exitCode: 0 });
  const reports = eventsOf(box, "session-ended").map(({ task, report }) => [task, report.kind]);
  for (const task of Object.keys(BAD_REPORTS))
    expect(reports.filter(([of]) => of === task)).toEqual([
      [task, "unreadable"],
      [task, "read"],
    ]);
  expect(JSON.stringify(recordedOf(box))).not.toContain("from elsewhere");
  expectSound(box);
});

function tasksNamed(names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [`tasks/${name}.md`, "# Task\n\nMake it good.\n"]));
}

test("an agent that leaves no report is told of it in its next attempt", async () => {
  const box = smallProject({
    config: shellAgent(
      `[ -e good.txt ] && { cat > prompt.txt; ${REPORTS}; }; echo good > good.txt`,
    ),
  });
  expect((await box.inProcess(["run", "task.md"])).exitCode).toBe(0);
  expect(eventsOf(box, "session-ended").map(({ report }) => report.kind)).toEqual([
    "missing",
    "read",
  ]);
  expect(eventsOf(box, "decided").map(({ decision }) => decision.rule)).toEqual([
    "report-missing",
    "gate-green",
  ]);
  expect(box.git("show", "orch/task:prompt.txt")).toMatch(/report/);
});

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

test("a daemon that ignores every polite signal is gone when its session is over", async () => {
  const daemon = `setsid sh -c 'trap "" TERM INT HUP; echo $$ > $BESIDE/daemon; while :; do sleep 0.1; done' > $BESIDE/out 2>&1 & while ! [ -s $BESIDE/daemon ]; do sleep 0.01; done`;
  const box = smallProject({ config: shellAgent(`${daemon}; ${WORKS}`) });
  const program = box.start(["run", "task.md", "--json"]);
  await program.event(({ type }) => type === "session-ended");
  // The gate may be running by now, so that the daemon itself is looked for.
  const daemonPid = Number(readFileSync(join(box.beside, "daemon"), "utf8"));
  expect(daemonPid).toBeGreaterThan(0);
  expect(identityOf(daemonPid)).toBeNull();
  expect((await program.ended).exitCode).toBe(0);
  await expectDeserted(box);
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
