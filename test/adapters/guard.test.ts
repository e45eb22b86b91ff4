import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { guardArguments } from "../../src/adapters/process/guard.ts";
import { testProgram } from "../support/run-orch.ts";
import { DAEMON, guardsOf, marked, newMarker, until } from "../support/processes.ts";

const orchLike = testProgram("orch-like-entry");

function start(...markersAndLines: readonly string[]): ReturnType<typeof spawn> {
  const cwd = mkdtempSync(join(tmpdir(), "orch-guard-"));
  return spawn(process.execPath, [orchLike, ...markersAndLines], { cwd, stdio: "ignore" });
}

const SLEEPER = "setsid sleep 1000 & sleep 1000 & sleep 1000";

test("when orch is killed, its agent ends with everything it started", async () => {
  const marker = newMarker();
  const orch = start(marker, SLEEPER);
  await until(() => marked(marker).length === 4);
  orch.kill("SIGKILL");
  await once(orch, "exit");
  await until(() => marked(marker).length === 0);
  await until(() => guardsOf(marker).length === 0);
  expect(marked(marker)).toEqual([]);
});

test("a guard needs no program but the shell", async () => {
  const marker = newMarker();
  const orch = start(marker, `trap '' TERM; ${DAEMON}; sleep 1000`);
  const over = once(orch, "exit");
  await until(() => marked(marker).length === 3);
  const guard = spawn("/bin/sh", guardArguments(marker, 400), {
    env: { PATH: "/nowhere" },
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(guard, "exit");
  guard.stdin.end();
  expect(await ended).toEqual([0, null]);
  expect(marked(marker)).toEqual([]);
  await over;
});

test("a tree that ignores the request to end is killed after patience and grace", async () => {
  const marker = newMarker();
  const stubborn = spawn("sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], {
    detached: true,
    stdio: "ignore",
    env: { PATH: process.env["PATH"], ORCH_SESSION: marker },
  });
  await until(() => marked(marker).length === 2);
  // What the guard sees of orch's death is the end of the pipe, and no more than that.
  const guard = spawn("/bin/sh", guardArguments(marker, 400, 200), {
    stdio: ["pipe", "ignore", "inherit"],
  });
  const ended = once(guard, "exit");
  guard.stdin.end();
  const [, signal] = await once(stubborn, "exit");
  expect(signal).toBe("SIGKILL");
  expect(await ended).toEqual([0, null]);
  expect(marked(marker)).toEqual([]);
});

test("a tree whose guard somebody killed is ended", async () => {
  const marker = newMarker();
  const orch = start(marker, SLEEPER);
  await until(() => marked(marker).length === 4 && guardsOf(marker).length === 1);
  for (const guard of guardsOf(marker)) process.kill(guard, "SIGKILL");
  await once(orch, "exit");
  expect(marked(marker)).toEqual([]);
});

test("after an ordinary end nothing is left of the guard", async () => {
  const marker = newMarker();
  const orch = start(marker, "true");
  await once(orch, "exit");
  await until(() => guardsOf(marker).length === 0);
  expect(orch.exitCode).toBe(0);
});

test("Ctrl-C and hang-up do not end the guard before its time", async () => {
  const marker = newMarker();
  const orch = start(marker, "sleep 1000");
  await until(() => marked(marker).length > 0 && guardsOf(marker).length === 1);
  const [guard = 0] = guardsOf(marker);
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.kill(guard, signal);
  orch.kill("SIGKILL");
  await until(() => marked(marker).length === 0);
  expect(marked(marker)).toEqual([]);
});
