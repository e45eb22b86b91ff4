import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { eventsOf, expectSound, expectTwoLines, runIds } from "../support/run-record.ts";
import { GOOD_WORK, shellAgent, smallProject } from "../support/small-project.ts";
import type { Ended, Sandbox } from "../support/whole-program.ts";

const CONFIG = ".orchestrator.config.js";

/** A config with lines of code of its own, above what it exports. */
function withCode(code: string, config = ""): Sandbox {
  const box = smallProject({ config, sessions: [{ do: GOOD_WORK }] });
  box.write(CONFIG, `${code}\n${box.read(CONFIG)}`);
  box.git("commit", "--quiet", "--all", "--message=code");
  return box;
}

/** The code waits for this file, which the agent makes: what follows happens in the middle of a run. */
function duringSession(code: string): Sandbox {
  const waits = `import { existsSync } from "node:fs";
const timer = setInterval(() => {
  if (!existsSync(\`\${process.env.BESIDE}/at-work\`)) return;
  clearInterval(timer);
  ${code};
}, 20);`;
  return withCode(waits, shellAgent("touch $BESIDE/at-work; exec sleep 600"));
}

function expectNoBug({ stdout, stderr }: Ended): void {
  expect(stdout + stderr).not.toContain("bug in orch");
  expect(stderr).not.toMatch(/^ +at /m);
}

const LATE: Readonly<Record<string, { readonly code: string; readonly words: string }>> = {
  "process.exit": { code: "process.exit(0)", words: "process.exit would have ended orch" },
  "process.exit, called by Node": {
    code: "setTimeout(process.exit, 1, 0)",
    words: "process.exit would have ended orch",
  },
  "process.reallyExit": { code: "process.reallyExit(0)", words: "would have ended orch" },
  "an error": { code: 'throw new Error("no luck")', words: "threw Error after it was loaded: no" },
  "a promise that fails": { code: 'Promise.reject(new Error("no luck"))', words: "no luck" },
  "a promise that fails with no error": { code: 'Promise.reject("bad luck")', words: "bad luck" },
  "what cannot be shown": {
    code: "throw { toString() { throw 1; }, get message() { throw 2; } }",
    words: "a value that is no Error",
  },
  "an error whose message throws": {
    code: "throw new (class extends Error { get message() { throw 2; } })()",
    words: "it cannot be shown",
  },
};

test("what a config does in the middle of a run is told as its doing, and leaves the run in order", async () => {
  await eachOf(Object.entries(LATE), async ([, { code, words }]) => {
    const box = duringSession(code);
    const ended = await box.orch(["run", "task.md"]);
    expect(ended.exitCode).toBe(2);
    const told = ended.stderr.split("\n").filter((line) => /^(orch|hint):/.test(line));
    expect(told).toHaveLength(2);
    expect(told[0]).toContain(`orch: ${CONFIG}`);
    expect(told[0]).toContain(words);
    expectNoBug(ended);
    expect(eventsOf(box, "run-interrupted")).toHaveLength(1);
    expectSound(box);
  });
});

test("a config that throws again and again is told of once", async () => {
  const again = 'setInterval(() => { throw new Error("no luck"); }, 5)';
  const ended = await duringSession(again).orch(["run", "task.md"]);
  expect(ended.exitCode).toBe(2);
  expect(ended.stderr.match(/no luck/g)).toHaveLength(1);
  expectNoBug(ended);
});

test("a promise that fails unseen while the config loads is the config's error, and nothing starts", async () => {
  await eachOf(
    ['Promise.reject(new Error("no luck"));', 'queueMicrotask(() => { throw Error("no luck"); });'],
    async (code) => {
      const box = withCode(code);
      const ended = await box.orch(["run", "task.md"]);
      expectTwoLines(ended);
      expect(ended.stderr).toContain(`${CONFIG}:1 threw Error: no luck`);
      expect(runIds(box)).toEqual([]);
    },
  );
});

test("a config chooses no exit code, not even when the process ends", async () => {
  const box = withCode(
    'process.on("exit", () => { process.exitCode = 0; process.exit(0); });\nsetInterval(() => {}, 1_000);',
  );
  expectTwoLines(await box.orch(["run", "nothing.md"]));
  expectTwoLines(await box.orch(["show", "nothing"]));
});

const OPEN: Readonly<Record<string, string>> = {
  "a timer": "setInterval(() => {}, 1_000);",
  "a socket": 'import { createServer } from "node:net"; createServer().listen(0);',
  "a child process": 'import { spawn } from "node:child_process"; spawn("sleep", ["600"]);',
};

test("what a config leaves open keeps no command from ending", async () => {
  await eachOf(Object.entries(OPEN), async ([, code]) => {
    const box = withCode(code);
    expect(await box.orch(["validate"])).toMatchObject({ exitCode: 0 });
    expect(await box.orch(["run", "task.md"])).toMatchObject({ exitCode: 0 });
  });
});

test("a config that never finishes loading ends the command after its time", async () => {
  const box = withCode("await new Promise(() => setInterval(() => {}, 1_000));");
  const ended = await box.orch(["run", "task.md"]);
  expectTwoLines(ended);
  expect(ended.stderr).toContain("did not finish loading within 10 seconds");
});

test("what a config prints while it is loaded goes to stderr: standard output is the command's", async () => {
  const box = withCode(
    [
      'console.log("said with console");',
      'process.stdout.write("said at once\\n");',
      "await new Promise((resolve) => setTimeout(resolve, 20));",
      'console.log("said later");',
    ].join("\n"),
  );
  const { stdout, stderr } = await box.orch(["run", "task.md", "--json"]);
  for (const line of stdout.trimEnd().split("\n"))
    expect(() => void JSON.parse(line)).not.toThrow();
  for (const words of ["with console", "at once", "later"])
    expect(stderr).toContain(`said ${words}`);
});
