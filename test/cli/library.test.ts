// Does a program that imports orch get what docs/library.md says?

import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import { type Ended, type Sandbox, startProgram } from "../support/whole-program.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/library.md"), "utf8");

const ASK = { ask: { question: "Which way?", options: ["left", "right"], impact: "major" } };
const FOLLOWED = { write: { path: "good.txt", text: "good\n" } };

/** A project that has the built package installed. */
function project(): Sandbox {
  const sessions = [{ task: "ask", do: [ASK, FOLLOWED, COMPLETED] }, { do: GOOD_WORK }];
  const box = smallProject({
    sessions,
    files: { "ask.md": ASKING, ".gitignore": "node_modules\n" },
  });
  mkdirSync(join(box.root, "node_modules"));
  symlinkSync(ROOT, join(box.root, "node_modules/orch"));
  return box;
}

function ran({ root, env }: Sandbox, script: string): Promise<Ended> {
  const PATH = process.env["PATH"] ?? "";
  const command = [process.execPath, "--input-type=module", "--eval", script];
  return startProgram(command, { cwd: root, env: { PATH, ...env } }).ended;
}

const examples = [...PAGE.matchAll(/^```mjs\n(.*?)^```\n\n```\n(.*?)^```$/gms)];

test("every example of the page says what it prints", () => {
  expect(examples.length).toBeGreaterThan(4);
  expect(PAGE.match(/^```mjs$/gm)).toHaveLength(examples.length);
});

test.each(examples.map(([, script = "", output = ""], at) => [at + 1, script, output] as const))(
  "example %i prints that, and nothing else",
  async (_number, script, output) => {
    expect(await ran(project(), script)).toEqual({
      exitCode: 0,
      signal: null,
      stdout: output,
      stderr: "",
    });
  },
);

describe("what the page does not show:", () => {
  test("a run goes on when the program that started it is gone, and is answered by another", async () => {
    const box = project();
    const { stdout } = await ran(
      box,
      `import { startRun } from "orch";
      const { id, events } = await startRun({ cwd: ".", task: "ask.md", flags: { wait: true } });
      for await (const { type } of events) if (type === "question-asked") break;
      console.log(id);
      process.exit();`,
    );
    const { stdout: after } = await ran(
      box,
      `import { answerQuestion, followRun, readRun } from "orch";
      const { runIsAlive } = await answerQuestion(".", { text: "1" });
      for await (const { run } of followRun(".")) if (run !== "${stdout.trim()}") throw run;
      console.log(runIsAlive, (await readRun(".")).phase);`,
    );
    expect(after).toBe("true done\n");
  });

  test("what is wrong is told with a code, and a run that was killed by name", async () => {
    const box = project();
    const { stdout, stderr } = await ran(
      box,
      `import { answerQuestion, listRuns, startRun } from "orch";
      import { readFileSync } from "node:fs";
      const told = (promise) => promise.catch(({ code, message }) => console.log(code + ": " + message));
      await told(listRuns("nowhere"));
      await told(listRuns("."));
      await told(startRun({ cwd: ".", task: "task.md", flags: { noSuchFlag: true } }));
      await told(startRun({ cwd: ".", task: "task.md", signal: AbortSignal.abort() }));
      const run = await startRun({ cwd: ".", task: "ask.md", flags: { wait: true } });
      for await (const { type } of run.events) if (type === "question-asked") break;
      await told(run.answer({ text: "" }));
      await told(run.answer({ action: "retry" }));
      await told(answerQuestion(".", { run: "nope", text: "1" }));
      process.env.ORCH_SESSION_DIR = process.cwd() + "/.orch/runs/x/attempts/t/s-1/token";
      await told(run.answer({ text: "1" }));
      const owner = JSON.parse(readFileSync(".orch/runs/" + run.id + "/owner.1", "utf8"));
      process.kill(owner.process.pid, "SIGKILL");
      await told(run.ended);`,
    );
    expect(stderr).toBe("");
    expect(
      stdout.replaceAll(box.root, "<root>").replace(process.execPath, "<node>").trim().split("\n"),
    ).toEqual([
      'usage: cannot start in "nowhere": spawn <node> ENOENT',
      'run-unknown: no run was started in "<root>" or above it',
      "usage: unknown option '--no-such-flag'",
      "20: This operation was aborted",
      "answer-invalid: the answer is empty",
      'answer-invalid: "retry" does not answer a question',
      'run-unknown: there is no run "nope" in "<root>"',
      "usage: `orch answer` was called from inside a session of the run",
      "machine-fault: SIGKILL ended orch",
    ]);
  });
});
