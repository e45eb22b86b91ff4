// Does only one process at a time work in a conversation?

import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn, spawnSync } from "node:child_process";

import { afterEach, beforeEach, expect, test } from "vitest";

import { identityOf } from "../../src/adapters/process/identity.ts";
import { lockSession, type SessionLock } from "../../src/drivers/claude-code/session-lock.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orch-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function taken(id = "s1"): SessionLock {
  const locked = lockSession(folder, id);
  if (!locked.ok) throw new Error(`held by ${locked.pid}`);
  return locked.lock;
}

/** A lock as a dead process leaves it. */
function leftBy(pid: number, number = 1): void {
  writeFileSync(join(folder, `s1.${number}`), `{"pid":${pid},"startTime":"long ago"}\n`);
}

test("a conversation is held until it is released", () => {
  const lock = taken();
  expect(lockSession(folder, "s1")).toEqual({ ok: false, pid: process.pid });
  lock.release();
  taken();
});

test("other conversations are not held", () => {
  taken("s1");
  expect(lockSession(folder, "s2").ok).toBe(true);
});

test("a release leaves nothing behind", () => {
  leftBy(spawnSync("true").pid);
  taken().release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a dead owner does not hold a conversation, nor does its reused number", () => {
  leftBy(spawnSync("true").pid);
  leftBy(process.pid, 2);
  const lock = taken();
  expect(lockSession(folder, "s1")).toEqual({ ok: false, pid: process.pid });
  lock.release();
});

test("an agent that outlived its orch holds its conversation", () => {
  const agent = spawn("sleep", ["60"]);
  const identity = identityOf(agent.pid ?? 0);
  leftBy(spawnSync("true").pid);
  writeFileSync(join(folder, "s1.1"), `${JSON.stringify(identity)}\n`, { flag: "a" });
  expect(lockSession(folder, "s1")).toEqual({ ok: false, pid: agent.pid });
  agent.kill("SIGKILL");
});

test("the agent's own process is added to the lock", () => {
  const agent = spawn("sleep", ["60"]);
  const lock = taken();
  lock.add(identityOf(agent.pid ?? 0) ?? { pid: 0, startTime: "" });
  const mine = identityOf(process.pid);
  writeFileSync(
    join(folder, "s1.1"),
    readFileSync(join(folder, "s1.1"), "utf8").replace(JSON.stringify(mine), "{}"),
  );
  expect(lockSession(folder, "s1")).toEqual({ ok: false, pid: agent.pid });
  agent.kill("SIGKILL");
});

test("a file that is no lock holds nothing", () => {
  writeFileSync(join(folder, "s1.1"), "what?\n[]\n{}");
  expect(lockSession(folder, "s1").ok).toBe(true);
});
