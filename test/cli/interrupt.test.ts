import { existsSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { UNCOUNTED_RULES } from "../../src/core/model/decision.ts";
import { currentOwner } from "../../src/adapters/log/owner.ts";
import { EVERY_DEATH } from "../support/deaths.ts";
import { eachOf } from "../support/each-of.ts";
import { until } from "../support/processes.ts";
import { endsOf, eventsOf, expectSound, filesOf, recordedOf } from "../support/run-record.ts";
import {
  ASKING,
  COMPLETED,
  GOOD_WORK,
  shellAgent,
  smallProject,
} from "../support/small-project.ts";
import { openTerminal } from "../support/terminal.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { expectDeserted, noLeftovers } from "../support/whole-program.ts";
import type { Program, Sandbox } from "../support/whole-program.ts";

const SIGNALS = [
  { signal: "SIGINT", exitCode: 130 },
  { signal: "SIGTERM", exitCode: 143 },
  { signal: "SIGHUP", exitCode: 143 },
] as const;

const QUESTION = { ask: { question: "Which way?", options: ["left", "right"], default: "left" } };

interface Moment {
  readonly make: () => Sandbox;
  readonly args?: readonly string[];
  /** Resolves when the moment has come. */
  readonly comes: (box: Sandbox, program: Program) => Promise<unknown>;
  /** What a person would do before the run goes on. */
  readonly before?: (box: Sandbox) => Promise<void>;
}

const MOMENTS: Readonly<Record<string, Moment>> = {
  "a session": {
    make: () => smallProject({ sessions: [{ nth: 1, do: [{ hang: true }] }, { do: GOOD_WORK }] }),
    comes: (_, program) => program.event(({ type }) => type === "session-spawned"),
  },
  "a gate": {
    make: () => {
      const gate =
        "if [ -e $BESIDE/slow ]; then echo > $BESIDE/begun; sleep 600; fi; test -e good.txt";
      const box = smallProject({ gate });
      box.write("../slow", "");
      return box;
    },
    comes: ({ beside }) => until(() => existsSync(join(beside, "begun"))),
    before: async ({ beside }) => rmSync(join(beside, "slow")),
  },
  "a wait": {
    make: () => {
      const words = "API Error: 529 overloaded_error. Retry after 2 seconds.";
      const dies = [{ printError: words }, { exit: 1 }];
      return smallProject({ sessions: [{ nth: 1, do: dies }, { do: GOOD_WORK }] });
    },
    comes: (_, program) => program.event(({ type }) => type === "attempt-settled"),
  },
  "a wait for an answer": {
    make: () => smallProject({ task: ASKING, sessions: [{ do: [QUESTION, ...GOOD_WORK] }] }),
    args: ["--wait"],
    comes: (_, program) => program.event(({ type }) => type === "question-asked"),
    before: async (box) => {
      expect((await box.inProcess(["answer", "2"])).exitCode).toBe(0);
    },
  },
};

test.each(Object.entries(MOMENTS))(
  "a signal during %s ends the run in order, and the run goes on where it stopped",
  async (name, { make, args = [], comes, before = async () => {} }) => {
    // What a signal does is the same at every moment; which moments there are, any signal shows.
    const signals = name === "a session" || EVERY_DEATH ? SIGNALS : SIGNALS.slice(0, 1);
    await eachOf(signals, async ({ signal, exitCode }) => {
      const box = make();
      const program = box.start(["run", "task.md", "--json", ...args]);
      await comes(box, program);
      program.kill(signal);
      expect(await program.ended).toMatchObject({ exitCode, signal: null });
      await expectDeserted(box);
      expect(eventsOf(box, "run-interrupted")).toEqual([{ type: "run-interrupted", signal }]);
      expectSound(box);
      await before(box);
      const resumed = await box.inProcess(["resume"]);
      expect(resumed).toMatchObject({ exitCode: 0 });
      expect(endsOf(box)).toEqual({ task: "done" });
      // An interruption is not the work's fault; a session that had ended with its question used up nothing, either.
      const rules = eventsOf(box, "decided").map(({ decision }) => decision.rule);
      expect(rules.slice(0, -1).filter((rule) => !UNCOUNTED_RULES.has(rule))).toEqual([]);
      if (!rules.includes("agent-asked")) expect(eventsOf(box, "attempt-started")).toHaveLength(1);
      expectSound(box);
    });
  },
);

test("a second Ctrl+C changes nothing: the run still ends in order", async () => {
  const box = MOMENTS["a session"]?.make() ?? smallProject();
  const program = box.start(["run", "task.md", "--json"]);
  await program.event(({ type }) => type === "session-spawned");
  program.kill("SIGINT");
  program.kill("SIGINT");
  expect(await program.ended).toMatchObject({ exitCode: 130, signal: null });
  await expectDeserted(box);
  expect(eventsOf(box, "run-interrupted")).toHaveLength(1);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
});

test("a third Ctrl+C leaves at once, the agent is ended all the same, and nothing is lost", async () => {
  const stubborn =
    'trap "" INT; [ -e $BESIDE/first ] || { echo > $BESIDE/first; echo up; while :; do sleep 0.1; done; }; ' +
    `echo good > good.txt; echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
  const box = smallProject({ config: shellAgent(stubborn) });
  const program = box.start(["run", "task.md", "--json"]);
  await until(() => existsSync(join(box.beside, "first")));
  for (const nth of [1, 2, 3]) {
    program.kill("SIGINT");
    // Signals that arrive together are one; the process must have seen each of them.
    if (nth < 3) await box.orch(["--version"]);
  }
  expect(await program.ended).toMatchObject({ exitCode: 130, signal: null });
  await noLeftovers(box);
  expect((await box.inProcess(["resume"])).exitCode).toBe(0);
  expect(eventsOf(box, "run-resumed").map(({ stopped }) => stopped)).toEqual(["killed"]);
  expectSound(box);
});

test("Ctrl+C at the prompt keeps the question; resume asks it first, and the run goes on", async () => {
  const box = smallProject({ task: ASKING, sessions: [{ do: [QUESTION, ...GOOD_WORK] }] });
  const first = openTerminal(commandLine(box, "run task.md"));
  await first.until("Which way?");
  await first.until("> ");
  first.type("\u0003");
  expect(await first.ended).toBe(130);
  expect(stateOf(box)).toMatchObject({
    process: "interrupted",
    tasks: [{ phase: "waiting_for_input", pendingQuestion: { id: "q1" } }],
  });
  const sessions = eventsOf(box, "session-started").length;
  const second = openTerminal(commandLine(box, "resume"));
  await second.until("Which way?");
  await second.until("> ");
  expect(eventsOf(box, "session-started")).toHaveLength(sessions);
  second.type("2\r");
  expect(await second.ended).toBe(0);
  expect(eventsOf(box, "answered").map(({ answer }) => answer.text)).toEqual(["right"]);
  expectSound(box);
});

test("SIGTERM at the prompt, and a closed window, end the run in order", async () => {
  await eachOf(["SIGTERM", "SIGHUP"] as const, async (signal) => {
    const box = smallProject({ task: ASKING, sessions: [{ do: [QUESTION, ...GOOD_WORK] }] });
    const terminal = openTerminal(commandLine(box, "run task.md"));
    await terminal.until("Which way?");
    await terminal.until("> ");
    if (signal === "SIGHUP") terminal.closeWindow();
    else process.kill(ownerPid(box), signal);
    const exitCode = await terminal.ended;
    if (signal === "SIGTERM") expect(exitCode).toBe(143);
    await until(() => recordedOf(box).at(-1)?.event.type === "run-interrupted");
    // A window that closes is an end of input and a hang-up at once: both mean the same.
    expect(eventsOf(box, "run-interrupted").map((event) => event.signal)).toEqual([signal]);
    await until(() => existsSync(filesOf(box).result));
    expectSound(box);
    await until(() => currentOwner(filesOf(box).folder).kind !== "live");
    expect((await box.inProcess(["answer", "right"])).exitCode).toBe(0);
    expect((await box.inProcess(["resume"])).exitCode).toBe(0);
    expectSound(box);
  });
});

function commandLine({ root }: Sandbox, words: string): string {
  const env = `GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 HOME='${root}/..'`;
  return `cd '${root}' && exec env ${env} '${process.execPath}' '${PROGRAM}' ${words}`;
}

function stateOf(box: Sandbox): unknown {
  return JSON.parse(readFileSync(filesOf(box).state, "utf8"));
}

function ownerPid(box: Sandbox): number {
  const { folder } = filesOf(box);
  const name = readdirSync(folder).find((entry) => entry.startsWith("owner.")) ?? "";
  const owner: { process: { pid: number } } = JSON.parse(readFileSync(join(folder, name), "utf8"));
  return owner.process.pid;
}
