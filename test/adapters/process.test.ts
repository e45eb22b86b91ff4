import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { runProgram } from "../../src/adapters/process/run-program.ts";
import { awakeMs, createMeter, runProcess } from "../../src/adapters/process/process.ts";
import type { ProcessEnd, ProcessRequest } from "../../src/adapters/process/process.ts";
import { identityOf } from "../../src/adapters/process/identity.ts";
import { rowsFromText } from "../../src/adapters/process/tree.ts";
import { DAEMON, marked, newMarker, until } from "../support/processes.ts";

const never = new AbortController().signal;
const PATH = process.env["PATH"] ?? "";

interface Ran {
  readonly end: ProcessEnd;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(overrides: Partial<ProcessRequest>, signal = never): Promise<Ran> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const end = await runProcess(
    {
      program: { kind: "shell", line: "true" },
      cwd: tmpdir(),
      env: { PATH },
      input: null,
      marker: newMarker(),
      timeoutMs: null,
      idleMs: null,
      stop: [{ signal: "SIGTERM", graceMs: 200 }],
      onStdout: (chunk) => void stdout.push(chunk),
      onStderr: (chunk) => void stderr.push(chunk),
      onSpawn: () => Promise.resolve(),
      ...overrides,
    },
    signal,
  );
  const text = (chunks: Buffer[]): string => Buffer.concat(chunks).toString();
  return { end, stdout: text(stdout), stderr: text(stderr) };
}

function shell(line: string): Pick<ProcessRequest, "program"> {
  return { program: { kind: "shell", line } };
}

function program(file: string, ...args: string[]): Pick<ProcessRequest, "program"> {
  return { program: { kind: "program", file, args } };
}

describe("how a process ended", () => {
  test.each<[string, Partial<ProcessRequest>, object]>([
    ["by itself", shell("exit 3"), { cause: "self", exitCode: 3, signal: null }],
    ["by a signal", shell("kill -9 $$"), { cause: "self", exitCode: null, signal: "SIGKILL" }],
    [
      "by the time limit",
      { ...shell("sleep 1000"), timeoutMs: 50 },
      { cause: "timed-out", exitCode: null, signal: "SIGTERM" },
    ],
    [
      "by silence",
      { ...shell("sleep 1000"), idleMs: 50 },
      { cause: "idle", exitCode: null, signal: "SIGTERM" },
    ],
    [
      "by force, because it ignored the request",
      { ...shell("trap '' TERM; while :; do sleep 1; done"), timeoutMs: 200 },
      { cause: "timed-out", exitCode: null, signal: "SIGKILL" },
    ],
  ])("%s", async (_name, overrides, end) => {
    expect((await run(overrides)).end).toEqual({ kind: "ended", ...end });
  });
});

describe("a process that cannot be started", () => {
  const folder = mkdtempSync(join(tmpdir(), "orch-process-"));
  const plain = join(folder, "plain");
  writeFileSync(plain, "text");

  test.each<[string, Partial<ProcessRequest>, string, RegExp]>([
    [
      "is missing",
      program("no-such-program"),
      "program-missing",
      /^no-such-program was not found$/,
    ],
    ["is not executable", program(plain), "refused", /EACCES/],
    ["has no place to be", { cwd: join(folder, "gone") }, "refused", /directory .*gone does not/],
    ["has too long a command line", program("true", "x".repeat(4_000_000)), "refused", /E2BIG/],
  ])("%s", async (_name, overrides, why, detail) => {
    const { end } = await run(overrides);
    expect(end).toEqual({ kind: "not-started", why, detail: expect.stringMatching(detail) });
  });
});

describe("what the child gets", () => {
  test("its input, and both outputs are kept apart", async () => {
    const { stdout, stderr } = await run({ ...shell("cat; echo oops >&2"), input: "hello" });
    expect({ stdout, stderr }).toEqual({ stdout: "hello", stderr: "oops\n" });
  });

  test("nothing to read where there is no input", async () => {
    expect((await run(shell("cat; readlink /proc/$$/fd/0"))).stdout).toBe("/dev/null\n");
  });

  test("the environment it was given, the marker, and nothing of orch's own", async () => {
    const marker = newMarker();
    const { stdout } = await run({ ...program("env"), env: { PATH, COLOUR: "blue" }, marker });
    // What shells tell of themselves.
    const env = stdout.split("\n").filter((line) => !/^(?:PWD|SHLVL|_)=|^$/.test(line));
    expect(env.sort()).toEqual([`PATH=${PATH}`, "COLOUR=blue", `ORCH_SESSION=${marker}`].sort());
  });

  test("variables with names that shells drop", async () => {
    const env = { PATH, "npm_config_//registry/:_token": "x", "a.b": "c d" };
    const { stdout } = await run({ ...program("env"), env });
    expect(stdout).toContain("npm_config_//registry/:_token=x\n");
    expect(stdout).toContain("a.b=c d\n");
  });

  test("no open file of orch's, and so no end of the guard's pipe", async () => {
    const list = ["-c", "ls /proc/$$/fd"];
    const plain = { cwd: "/", env: { PATH }, timeoutMs: 20_000 };
    const unguarded = await runProgram("sh", list, plain);
    const { stdout } = await run({ ...program("sh", ...list), input: "" });
    expect(stdout.trim()).toBe(unguarded.stdout);
  });

  test("a child that wants no input is no trouble", async () => {
    const { end } = await run({ ...shell("exec <&-; exit 4"), input: "x".repeat(4_000_000) });
    expect(end).toEqual({ kind: "ended", cause: "self", exitCode: 4, signal: null });
  });
});

describe("nothing is left behind", () => {
  test("a process that outlives the child, holds its pipes and changed its group", async () => {
    const marker = newMarker();
    const { end } = await run({ ...shell("setsid sleep 1000 & sleep 1000 & exit 0"), marker });
    expect(end).toMatchObject({ cause: "self", exitCode: 0 });
    expect(marked(marker)).toEqual([]);
  });

  test("a descendant that cleared its environment and left the group", async () => {
    const abort = new AbortController();
    let pid = 0;
    const ran = run(
      {
        ...shell("env -i setsid sh -c 'echo $$; while :; do sleep 1; done' & wait"),
        onStdout: (chunk) => {
          pid = Number(chunk.toString());
          abort.abort();
        },
      },
      abort.signal,
    );
    expect((await ran).end).toMatchObject({ cause: "aborted" });
    expect({ pid: pid > 0, living: identityOf(pid) }).toEqual({ pid: true, living: null });
  });

  test("a daemon that shed its name, session, folder, files and environment", async () => {
    const { end, stdout } = await run(shell(DAEMON));
    expect(end).toMatchObject({ cause: "self", exitCode: 0 });
    expect(identityOf(Number(stdout))).toBeNull();
  });

  test("a process that keeps starting others", async () => {
    const marker = newMarker();
    const abort = new AbortController();
    const line = "trap '' TERM; while :; do setsid sleep 1000 & sleep 0.01; done";
    const ran = run({ ...shell(line), marker }, abort.signal);
    await until(() => marked(marker).length > 5);
    abort.abort();
    await ran;
    expect(marked(marker)).toEqual([]);
  });

  test("another session's process with a marker that begins alike is left alone", async () => {
    const marker = newMarker();
    const abort = new AbortController();
    const other = run({ ...shell("sleep 1000"), marker: `${marker}-other` }, abort.signal);
    await until(() => marked(`${marker}-other`).length > 0);
    await run({ ...shell("true"), marker });
    expect(marked(`${marker}-other`)).not.toEqual([]);
    abort.abort();
    await other;
  });
});

describe("silence and time", () => {
  test.each<[string, number, number]>([
    ["a tick in time counts in full", 1_000, 1_000],
    ["a tick that a busy machine delayed counts in full", 2_500, 2_500],
    ["a night with the lid closed counts as one late tick", 8 * 3_600_000, 3_000],
  ])("%s", (_name, gapMs, counted) => {
    expect(awakeMs(gapMs, 1_000)).toBe(counted);
  });

  test("each limit is reached at its number, not before", () => {
    const idle = createMeter({ timeoutMs: null, idleMs: 100 });
    expect([idle.passed(99), idle.passed(1)]).toEqual([null, "idle"]);
    const hard = createMeter({ timeoutMs: 100, idleMs: 60 });
    const first = hard.passed(59);
    hard.heard();
    expect([first, hard.passed(40), hard.passed(1)]).toEqual([null, null, "timed-out"]);
  });
});

test("the list of ps is read where there is no /proc", () => {
  const text = [
    "  101     1   101 sleep 5 PATH=/bin ORCH_SESSION=abc HOME=/root",
    "  102   101   101 sh -c x ORCH_SESSION=abcd",
    "not a line",
    "",
  ].join("\n");
  expect(rowsFromText(text, "abc")).toEqual([
    { pid: 101, parent: 1, group: 101, session: 101, ticks: 0, marked: true },
    { pid: 102, parent: 101, group: 101, session: 101, ticks: 0, marked: false },
  ]);
});

describe("short commands", () => {
  const options = { cwd: tmpdir(), env: { PATH }, timeoutMs: 20_000 };
  const sh = (line: string, more = {}): ReturnType<typeof runProgram> =>
    runProgram("sh", ["-c", line], { ...options, ...more });

  test("give their output and exit code", async () => {
    const stderr = "err";
    expect(await sh("cat; echo err >&2; exit 2", { input: "in" })).toEqual({
      missing: false,
      exitCode: 2,
      stdout: "in",
      stderr,
    });
  });

  test("are ended at their time, with what they started", async () => {
    const late = await sh("sleep 1000 & echo $!; wait", { timeoutMs: 200 });
    expect(late.exitCode).toBeNull();
    await until(() => identityOf(Number(late.stdout)) === null);
  });

  test("do not wait for a background process that keeps the output open", async () => {
    const left = await sh("sleep 1000 & echo $!");
    expect(left).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+$/) });
    process.kill(Number(left.stdout), "SIGKILL");
  });
});
