import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";

import {
  childStart,
  provablyEmpty,
  type ChildStart,
} from "../../src/adapters/process/empty-tree.ts";
import { MARKER_VARIABLE, sendSignal } from "../../src/adapters/process/tree.ts";
import { marked, newMarker, until } from "../support/processes.ts";

const markers: string[] = [];

afterEach(() => {
  for (const marker of markers.splice(0))
    for (const pid of marked(marker)) sendSignal(pid, "SIGKILL");
});

/** A child that has ended, and what was known of it when it started. */
async function ended(line: string): Promise<{ start: ChildStart; marker: string }> {
  const marker = newMarker();
  markers.push(marker);
  const child = spawn("/bin/sh", ["-c", line], {
    env: { ...process.env, [MARKER_VARIABLE]: marker },
    detached: true,
    stdio: "ignore",
  });
  const start = childStart(child.pid ?? 0);
  await once(child, "exit");
  return { start, marker };
}

test("a child that left nobody behind is surely gone", async () => {
  const { start, marker } = await ended("true; /bin/true & wait");
  expect(provablyEmpty(start, marker)).toBe(true);
});

test.each([
  ["in its group", "env -u ORCH_SESSION sleep 600 &"],
  ["in a session of its own", "setsid -f sleep 600"],
  ["started by one who is gone", "sh -c 'setsid -f sleep 600'"],
])("a process %s is not overlooked", async (_where, line) => {
  const { start, marker } = await ended(line);
  expect(provablyEmpty(start, marker)).toBe(false);
  sendSignal(-start.pid, "SIGKILL");
  for (const pid of marked(marker)) sendSignal(pid, "SIGKILL");
  await until(() => provablyEmpty(start, marker));
});

test("nothing is sure where the numbers may have gone round, or are told of another machine", async () => {
  const { start, marker } = await ended("true");
  const { pid, counter } = start;
  expect(counter).not.toBeNull();
  if (counter === null) return;
  const before = counter.given - counter.largest;
  expect(provablyEmpty({ pid, counter: { ...counter, given: before } }, marker)).toBe(false);
  expect(provablyEmpty({ pid: counter.last + 1_000, counter }, marker)).toBe(false);
  expect(provablyEmpty({ pid, counter: null }, marker)).toBe(false);
  expect(childStart(counter.last + 1_000).counter).toBeNull();
});
