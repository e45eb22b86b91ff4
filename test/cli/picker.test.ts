import { describe, expect, test } from "vitest";

import { runStarted } from "../support/builders.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { orch, PROGRAM } from "../support/run-orch.ts";
import { expectWidth } from "../support/seen.ts";
import { OLDER } from "../support/stories.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import {
  BUDGET_ASKED,
  givenTo,
  PLAN_ASKED,
  waitingEvents,
  waitingProject,
  type WaitingProject,
} from "../support/waiting-run.ts";

/** Oldest first: an agent's question, a plan, a limit. */
const three = (): WaitingProject => waitingProject({}, PLAN_ASKED, BUDGET_ASKED);

function terminal({ root }: WaitingProject, args = ""): Terminal {
  const line = `cd '${root}' && NO_COLOR=1 '${process.execPath}' '${PROGRAM}' answer ${args}`;
  return openTerminal(line);
}

describe("with several questions waiting, at a terminal,", () => {
  test("the oldest is shown whole, and answered", async () => {
    const box = waitingProject(PLAN_ASKED, {}, BUDGET_ASKED);
    const shown = terminal(box);
    await shown.until("the oldest of 3 questions");
    await shown.until("A plan waits for you to accept it");
    await shown.until("   - and its test");
    await shown.until("[1] accept the plan");
    await shown.until("> ");
    shown.type("\r");
    await shown.until("say in a sentence what to change");
    await shown.until("> ");
    shown.type("1\r");
    expect(await shown.ended).toBe(0);
    expect(givenTo(box)).toEqual([{ id: "q1", action: "accept", text: "" }]);
  });

  test("an answer that was given needs the question's id", async () => {
    const box = three();
    const shown = terminal(box, "--skip");
    await shown.until("3 questions are waiting: q1 (task-1)");
    expect(await shown.ended).toBe(2);
    expect(givenTo(box)).toEqual([]);
  });

  test("Ctrl+C leaves everything as it was", async () => {
    const box = three();
    const atQuestion = terminal(box);
    await atQuestion.until("> ");
    atQuestion.type("\u0003");
    await atQuestion.until("kept for later");
    expect(await atQuestion.ended).toBe(130);
    expect(givenTo(box)).toEqual([]);
  });
});

test("who answers at the prompt after somebody else is told who was first", async () => {
  const box = waitingProject({});
  const shown = terminal(box);
  await shown.until("> ");
  expect((await orch(["answer", "memory"], { cwd: box.root })).exitCode).toBe(0);
  shown.type("a file\r");
  expect(await shown.ended).toBe(2);
  expect(shown.shown()).toContain("question q1 was answered already, by orch answer");
  expect(givenTo(box)).toHaveLength(1);
});

test("without a terminal the questions are named in two lines", async () => {
  const { root } = three();
  const ran = await orch(["answer"], { cwd: root });
  expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
  expect(ran.stderr).toMatch(/^orch: 3 questions are waiting: q1 \(task-1\) .+\nhint: .+\n$/);
});

describe("orch answer --list", () => {
  test("shows what waits, oldest first, in any width", async () => {
    const { root } = waitingProject(
      { askedAt: "2026-11-20T13:00:00.000Z" },
      PLAN_ASKED,
      BUDGET_ASKED,
    );
    for (const columns of [80, 40]) {
      const { stdout, exitCode } = await orch(["answer", "--list"], { cwd: root, columns });
      expect(exitCode).toBe(0);
      expect(stdout.match(/^q\d/gm)).toEqual(["q2", "q3", "q1"]);
      expectWidth(stdout, columns);
    }
  });

  test("tells programs everything, also of several runs", async () => {
    const { root } = waitingProject({});
    writeRun(root, waitingEvents([{ askedAt: "2026-11-19T09:00:00.000Z" }]), { run: OLDER });
    const { stdout } = await orch(["answer", "--list", "--json"], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject([
      { run: OLDER, id: "q1", kind: "question", answered: false },
      { id: "q1", options: ["redis", "memory"], answered: false },
    ]);
    const people = await orch(["answer", "--list"], { cwd: root, columns: 80 });
    expect(people.stdout).toMatch(
      /^q1 {2}task-1 {2}q7xm {2}.*\nq1 {2}task-1 {2}k3f9 {2}.*question/,
    );
    const one = await orch(["answer", "--list", "--run", "q7xm", "--json"], { cwd: root });
    expect(JSON.parse(one.stdout)).toHaveLength(1);
  });

  test("says what is answered and only waits for the run", async () => {
    const { root } = three();
    await orch(["answer", "q2", "--accept"], { cwd: root });
    const { stdout } = await orch(["answer", "--list"], { cwd: root, columns: 80 });
    expect(stdout).toMatch(/^q2 .*plan, answered/m);
    expect(stdout).toMatch(/^q3 .*budget {2,}\S/m);
  });

  test("is content with nothing", async () => {
    const nothing = { stdout: "no question is waiting\n", stderr: "", exitCode: 0 };
    const cwd = emptyProject();
    expect(await orch(["answer", "--list"], { cwd })).toEqual(nothing);
    expect(await orch(["answer", "--list", "--json"], { cwd })).toEqual({
      ...nothing,
      stdout: "[]\n",
    });
    writeRun(cwd, runStarted());
    expect(await orch(["answer", "--list"], { cwd })).toEqual(nothing);
  });

  test("is not mixed with an answer", async () => {
    const { root } = three();
    for (const more of [["--skip"], ["q1"]]) {
      const ran = await orch(["answer", "--list", ...more], { cwd: root });
      expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
    }
  });
});

test("what an agent wrote is shown inert in the list", async () => {
  const hostile = { question: "Pick \u001b[2Jone\u0007 \u202eevil\nsecond line" };
  const { root } = waitingProject(hostile);
  const { stdout } = await orch(["answer", "--list"], { cwd: root, columns: 80 });
  expect(stdout).toMatch(/^q1 .*Pick one evil$/m);
  expect(stdout).not.toContain("\u001b");
});
