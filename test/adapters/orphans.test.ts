import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

import { afterEach, expect, test } from "vitest";

import { identityOf, markOf } from "../../src/adapters/process/identity.ts";
import { wordsFor } from "../../src/adapters/process/program.ts";
import { createOrphans, findTree, sendSignal } from "../../src/adapters/process/tree.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import type { ProcessIdentity } from "../../src/core/model/session.ts";
import { DAEMON, marked, newMarker, until } from "../support/processes.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) sendSignal(-(child.pid ?? 0), "SIGKILL");
});

/** A process as a dead orch leaves it: in a group of its own, with the marker or without. */
function leave(line: string, marker: string | null): ChildProcess {
  const env = { PATH: process.env["PATH"], ...(marker === null ? {} : { ORCH_SESSION: marker }) };
  const child = spawn("sh", ["-c", line], { detached: true, stdio: "ignore", env });
  started.push(child);
  return child;
}

function identity(child: ChildProcess): ProcessIdentity {
  const identified = identityOf(child.pid ?? 0);
  if (identified === null) throw new Error("the process ended too early");
  return identified;
}

test("everything that carries the session's token is ended, stubborn or not, in any group", async () => {
  const token = idOf<SessionToken>(newMarker());
  leave("sleep 1000; true", token);
  leave("trap '' TERM; setsid sleep 1000 & while :; do sleep 1; done", token);
  await until(() => marked(token).length === 5);
  const ended = await createOrphans(300).end(token, null);
  expect(ended.length).toBeGreaterThanOrEqual(5);
  expect(marked(token)).toEqual([]);
});

test("the recorded process is ended with its descendants, even without the token", async () => {
  const child = leave("setsid sleep 1000 & sleep 1000; true", null);
  const exited = once(child, "exit");
  const roots = [identity(child)];
  const tree = (): number =>
    findTree({ roots, group: null, marker: newMarker(), sinceTicks: 0 }).length;
  await until(() => tree() === 3);
  const ended = await createOrphans(300).end(idOf(newMarker()), identity(child));
  await exited;
  expect(ended).toHaveLength(3);
  expect(ended).toContain(child.pid);
});

test("a reused pid is another process, and is left alone", async () => {
  const child = leave("sleep 1000; true", null);
  const recorded = { pid: child.pid ?? 0, startTime: "an earlier start" };
  expect(await createOrphans(300).end(idOf(newMarker()), recorded)).toEqual([]);
  expect(identityOf(recorded.pid)).not.toBeNull();
});

test("a daemon that shed everything is found by the token alone", async () => {
  const token = idOf<SessionToken>(newMarker());
  const [file = "", ...args] = wordsFor(["/bin/sh", "-c", DAEMON], markOf(token), {});
  const child = spawn(file, args, { stdio: "ignore" });
  await once(child, "exit");
  expect(await createOrphans(300).end(token, null)).toEqual([expect.any(Number)]);
  expect(marked(token)).toEqual([]);
});

test("a session that left nothing is nothing to do", async () => {
  expect(await createOrphans(300).end(idOf(newMarker()), null)).toEqual([]);
});
