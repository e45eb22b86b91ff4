// Does only one process at a time work in a conversation?

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";

import { beforeEach, expect, test } from "vitest";

import { thisMachine } from "../../src/adapters/process/identity.ts";
import { lockSession } from "../../src/drivers/claude-code/session-lock.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";

beforeEach(() => {
  folder = privateFolder();
});

function taken(id = "s1"): { release(): void } {
  const release = lockSession(folder, id);
  if (release === null) throw new Error("held by another process");
  return { release };
}

/** A lock as a dead process leaves it. */
function leftBy(pid: number, number = 1): void {
  const record = { epoch: number, process: { pid, startTime: "long ago" }, released: false };
  const rest = { ...thisMachine(), token: "t", since: "2026-01-01T00:00:00.000Z" };
  mkdirSync(join(folder, "s1"), { recursive: true });
  writeFileSync(join(folder, "s1", `owner.${number}`), JSON.stringify({ ...record, ...rest }));
}

test("a conversation is held until it is released", () => {
  const lock = taken();
  expect(lockSession(folder, "s1")).toBeNull();
  lock.release();
  taken();
});

test("other conversations are not held", () => {
  taken("s1");
  expect(lockSession(folder, "s2")).not.toBeNull();
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
  expect(lockSession(folder, "s1")).toBeNull();
  lock.release();
});

test("a file that is no lock holds nothing", () => {
  mkdirSync(join(folder, "s1"));
  writeFileSync(join(folder, "s1", "owner.1"), "what?\n[]\n{}");
  expect(lockSession(folder, "s1")).not.toBeNull();
});
