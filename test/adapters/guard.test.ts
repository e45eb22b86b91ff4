import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

import { guardArguments } from "../../src/adapters/process/guard.ts";
import { procStat } from "../../src/adapters/process/identity.ts";
import { createOrphans } from "../../src/adapters/process/tree.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
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

test("when orch is stopped beyond the limit, its guard ends the tree, and orch says so when it goes on", async () => {
  const marker = newMarker();
  const orch = spawn(process.execPath, [orchLike, marker, SLEEPER], {
    cwd: mkdtempSync(join(tmpdir(), "orch-guard-")),
    // So long that orch, which takes a stop for sleep of the machine, is far from the limit by its own count.
    env: { ...process.env, TIMEOUT_MS: "4000" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const printed = text(orch.stdout);
  await until(() => marked(marker).length === 4);
  orch.kill("SIGSTOP");
  await until(() => marked(marker).length === 0);
  orch.kill("SIGCONT");
  expect(JSON.parse(await printed)).toMatchObject({ kind: "ended", cause: "timed-out" });
  await until(() => guardsOf(marker).length === 0);
});

test("a running orch keeps the limit itself, however late its guard looks", async () => {
  const marker = newMarker();
  const guard = spawn("/bin/sh", guardArguments(marker, 400), {
    stdio: ["pipe", "ignore", "inherit"],
  });
  guard.stdin.write(`group none 1\n`);
  const helper = ["--ppid", String(guard.pid), "-o", "args="];
  await until(() => spawnSync("ps", helper, { encoding: "utf8" }).stdout.includes("ALRM 60 "));
  const ended = once(guard, "exit");
  guard.stdin.end("done\n");
  expect(await ended).toEqual([0, null]);
});

test("when orch and its guard die at once, the first process dies too, and a resume finds the rest", async () => {
  const marker = newMarker();
  const orch = start(marker, SLEEPER);
  await until(() => marked(marker).length === 4 && guardsOf(marker).length === 1);
  const [first = 0] = marked(marker).filter((pid) => procStat(pid)?.parent === orch.pid);
  orch.kill("SIGSTOP");
  for (const guard of guardsOf(marker)) process.kill(guard, "SIGKILL");
  orch.kill("SIGKILL");
  await until(() => !marked(marker).includes(first));
  expect(marked(marker)).toHaveLength(3);
  await createOrphans(300).end(idOf<SessionToken>(marker), null);
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
