import { spawnSync } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { CommandGate, FileGate } from "../../src/core/model/task.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { createGates } from "../../src/gates/gates.ts";
import { command, inFolder, NO_PLACES } from "./command.ts";

let cwd = "";
let logPath = "";
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "orch-gate-")));
  logPath = join(cwd, ".orch", "test.log");
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";
const gates = createGates({
  root: tmpdir(),
  environment: { PATH, FORCE_COLOR: "1", FLAVOUR: "plain" },
  confine: UNCONFINED,
  redact: (text) => text.replaceAll("hunter2", "[redacted]"),
  places: NO_PLACES,
});
const never = new AbortController().signal;
const check = async (gate: CommandGate | FileGate, signal = never): Promise<GateResult> =>
  (await gates.measure(gate, inFolder(cwd, logPath), signal)).result;

/** A dead process that nobody has fetched yet does not run. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.trim().startsWith("Z");
}

/** Resolves when the command has made this file: it runs now. */
async function appeared(name: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const watcher = watch(cwd, () => {
      if (!existsSync(join(cwd, name))) return;
      watcher.close();
      resolve();
    });
    if (existsSync(join(cwd, name))) {
      watcher.close();
      resolve();
    }
  });
}

describe("a command", () => {
  test("that exits 0 passes, and its output is kept", async () => {
    expect(await check(command("echo hello; echo there >&2"))).toMatchObject({
      verdict: { kind: "passed" },
      excerpt: expect.stringMatching(/^(hello\nthere|there\nhello)$/),
    });
    expect((await readFile(logPath, "utf8")).split("\n").sort()).toEqual(["", "hello", "there"]);
  });

  test("runs in the working tree, in the given environment, without colour and as in CI", async () => {
    const { excerpt } = await check(
      command('pwd; echo "$FLAVOUR/${FORCE_COLOR-none}/$NO_COLOR/$CI/${HOME-none}"'),
    );
    expect(excerpt).toBe(`${cwd}\nplain/none/1/true/none`);
  });

  test("that waits for input is not waited for", async () => {
    expect((await check(command("cat"))).verdict).toEqual({ kind: "passed" });
  });

  test("that fails names what it said, redacted, with paths of the tree made short", async () => {
    const run = 'echo "$PWD/cart.js: error: bad key hunter2"; exit 1';
    const { verdict, excerpt } = await check(command(run));
    expect(verdict).toEqual({
      kind: "failed",
      findings: [{ check: "test", message: "cart.js: error: bad key [redacted]" }],
    });
    expect(excerpt).toBe(`${cwd}/cart.js: error: bad key [redacted]`);
    expect(await readFile(logPath, "utf8")).toBe(`${excerpt}\n`);
  });

  test("that is no program anyone has is unknown", async () => {
    expect((await check(command("no-such-program-here --x"))).verdict).toEqual({
      kind: "unknown",
      why: "tool-missing",
      detail: expect.stringContaining("no-such-program-here: not found"),
    });
  });

  test.each([
    ["package.json", "sh: 1: ava: not found", "no ava; run `npm install`"],
    ["yarn.lock", "Cannot find package 'ava/x' imported from", "no ava; run `yarn install`"],
    ["uv.lock", "ModuleNotFoundError: No module named 'ava'", "no ava; run `uv sync`"],
    ["package.json", "sh: 1: other: not found", null],
    ["node_modules", "sh: 1: ava: not found", null],
  ])("that misses what %s lists: %s", async (list, words, detail) => {
    await writeFile(join(cwd, list), '{"ava": 1}');
    const { verdict } = await check(command(`echo "${words}"; exit 1`));
    const expected = { kind: "unknown", why: "not-installed", detail };
    if (detail === null) expect(verdict).not.toMatchObject({ why: "not-installed" });
    else expect(verdict).toEqual(expected);
  });

  test("that has no end is ended, with everything it started", async () => {
    const { verdict } = await check(
      command("sleep 300 & echo $! > pid; wait", { timeoutMs: 1_000 }),
    );
    expect(verdict).toEqual({ kind: "unknown", why: "timed-out", detail: "no end within 1 s" });
    const pid = Number(await readFile(join(cwd, "pid"), "utf8"));
    expect(isRunning(pid)).toBe(false);
  });

  test("is ended when orch is told to stop", async () => {
    const stop = new AbortController();
    const running = check(command("touch started; sleep 300"), stop.signal);
    await appeared("started");
    stop.abort();
    expect((await running).verdict).toMatchObject({ kind: "unknown", why: "killed" });
  });

  test("does not even start when orch is stopping", async () => {
    const result = await check(command("touch started"), AbortSignal.abort());
    expect(result.verdict).toMatchObject({ kind: "unknown", why: "killed" });
    expect(existsSync(join(cwd, "started"))).toBe(false);
  });
});

describe("an unknown verdict", () => {
  const FLAKY = "echo run >> runs; test $(wc -l < runs) -ge 3 || kill -9 $$";

  test("is tried again as often as the gate allows", async () => {
    expect(await check(command(FLAKY, { retries: 2 }))).toMatchObject({
      verdict: { kind: "passed" },
      flaky: false,
    });
    expect(existsSync(`${logPath}.run-1`)).toBe(true);
    expect(existsSync(`${logPath}.run-2`)).toBe(true);
  });

  test("stays unknown when the tries are used up", async () => {
    expect((await check(command(FLAKY, { retries: 1 }))).verdict).toMatchObject({ why: "killed" });
    expect(await readFile(join(cwd, "runs"), "utf8")).toBe("run\nrun\n");
  });

  test("is the only one that is tried again where the gate does not ask for more", async () => {
    await check(command("echo run >> runs; exit 1", { retries: 3 }));
    expect(await readFile(join(cwd, "runs"), "utf8")).toBe("run\n");
  });
});

describe("a failed verdict", () => {
  /** What the runs do, one after another; the last for ever. */
  const inTurn = (...runs: readonly string[]): string =>
    `echo run >> runs; case $(($(wc -l < runs))) in ${runs
      .map((run, n) => `${n + 1 === runs.length ? "*" : n + 1}) ${run};;`)
      .join(" ")} esac`;
  const red = (word: string): string => `echo "error: ${word}"; exit 1`;
  const findings = (word: string) => [{ check: "test", message: `error: ${word}` }];
  const runs = async (): Promise<number> =>
    (await readFile(join(cwd, "runs"), "utf8")).split("\n").length - 1;

  test("that turns green on the same tree is a flaky gate, with what failed first", async () => {
    const gate = command(inTurn(red("first"), red("second"), "echo fine"), { failedRetries: 2 });
    expect(await check(gate)).toMatchObject({
      verdict: { kind: "passed" },
      excerpt: "fine",
      flaky: true,
      flakyFindings: findings("first"),
    });
    expect(await readFile(`${logPath}.run-1`, "utf8")).toBe("error: first\n");
    expect(await readFile(`${logPath}.run-2`, "utf8")).toBe("error: second\n");
    expect(await readFile(logPath, "utf8")).toBe("fine\n");
  });

  test("stays failed when the tries are used up, and is not flaky", async () => {
    const gate = command(inTurn(red("first"), red("second"), "true"), { failedRetries: 1 });
    expect(await check(gate)).toMatchObject({
      verdict: { kind: "failed", findings: findings("second") },
      flaky: false,
      flakyFindings: [],
    });
    expect(await runs()).toBe(2);
  });

  test("is not taken back by a run that was cut short", async () => {
    const gate = command(inTurn(red("first"), "kill -9 $$"), { failedRetries: 1 });
    expect(await check(gate)).toMatchObject({
      verdict: { kind: "failed", findings: findings("first") },
      excerpt: "error: first",
      flaky: false,
    });
  });

  test("of checks that must go red is not tried until they do", async () => {
    const gate = command(inTurn("true", red("late")), { expect: "fail", failedRetries: 3 });
    expect((await check(gate)).verdict).toMatchObject({ kind: "failed" });
    expect(await runs()).toBe(1);
  });
});

test("a file gate answers in the same form", async () => {
  const gate: FileGate = { kind: "file-exists", name: "plan", required: false, path: "plan.md" };
  await writeFile(join(cwd, "plan.md"), "");
  expect(await check(gate)).toMatchObject({ required: false, verdict: { kind: "passed" } });
});

test("trouble in orch itself is an unknown verdict, never a rejection", async () => {
  const broken = createGates({
    root: tmpdir(),
    get environment(): never {
      throw new Error("no environment");
    },
    confine: UNCONFINED,
    redact: (text) => text,
    places: NO_PLACES,
  });
  const { result } = await broken.measure(command("true"), inFolder(cwd, logPath), never);
  expect(result.verdict).toEqual({ kind: "unknown", why: "not-run", detail: "no environment" });
});
