import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";

import { currentOwner, takeOwnership } from "../../src/adapters/log/owner.ts";
import { identityOf, isAlive, psEntry } from "../../src/adapters/process/identity.ts";
import { makePipe } from "../support/pipe.ts";
import { privateFolder } from "../support/private-folder.ts";

/** Changes what the owner file says, as time, reboots and other machines do. */
function alter(folder: string, epoch: number, change: object): void {
  const path = join(folder, `owner.${epoch}`);
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...change }));
}

const reused = { process: { pid: process.pid, startTime: "another process had this pid" } };

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? 0;
}

test("a run without owner files belongs to nobody", () => {
  expect(currentOwner(privateFolder())).toEqual({ kind: "none" });
});

test("the owner is known by its process, its machine and the time it came", () => {
  const folder = privateFolder();
  const ownership = takeOwnership(folder);
  expect([ownership.epoch, ownership.before, ownership.isCurrent()]).toEqual([1, "none", true]);
  expect(currentOwner(folder)).toEqual({
    kind: "live",
    suspended: false,
    epoch: 1,
    host: hostname(),
    since: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(readdirSync(folder)).toEqual(["owner.1"]);
});

test("a second owner is refused while the first lives, and told since when it does", () => {
  const folder = privateFolder();
  takeOwnership(folder);
  expect(() => takeOwnership(folder, { takeOver: true })).toThrow(
    expect.objectContaining({
      code: "run-claimed",
      message: expect.stringMatching(/is running already \(since \d{4}-/),
    }),
  );
});

test("a run given back can be taken, under a higher epoch", () => {
  const folder = privateFolder();
  const first = takeOwnership(folder);
  first.release();
  expect(currentOwner(folder)).toEqual({ kind: "released", epoch: 1 });
  const second = takeOwnership(folder);
  expect([second.epoch, second.before, first.isCurrent()]).toEqual([2, "released", false]);
  expect(readdirSync(folder)).toEqual(["owner.2"]);
});

test("a displaced owner that gives back takes nothing from its successor", () => {
  const folder = privateFolder();
  const first = takeOwnership(folder);
  alter(folder, 1, reused);
  const second = takeOwnership(folder);
  first.release();
  expect([second.before, second.isCurrent(), currentOwner(folder).kind]).toEqual([
    "dead",
    true,
    "live",
  ]);
});

test.each<[string, object | (() => Promise<object>), string]>([
  ["a pid that another process has now is dead", reused, "dead"],
  [
    "a process that is gone is dead",
    async () => ({ process: { pid: await deadPid(), startTime: "then" } }),
    "dead",
  ],
  ["another boot of this machine is dead", { boot: "an earlier one" }, "dead"],
  ["another machine cannot be judged", { boot: "its own", host: "elsewhere" }, "other-place"],
  ["another container cannot be judged", { pidNamespace: "pid:[1]" }, "other-place"],
  ["this machine is the same under another name", { host: "renamed" }, "live"],
])("an owner on %s", async (_name, change, kind) => {
  const folder = privateFolder();
  takeOwnership(folder);
  alter(folder, 1, typeof change === "function" ? await change() : change);
  expect(currentOwner(folder).kind).toBe(kind);
});

test("an owner elsewhere is only displaced when the user says so", () => {
  const folder = privateFolder();
  takeOwnership(folder);
  alter(folder, 1, { boot: "its own", host: "elsewhere" });
  expect(() => takeOwnership(folder)).toThrow(
    expect.objectContaining({
      code: "other-host",
      message: expect.stringContaining('"elsewhere"'),
    }),
  );
  expect(takeOwnership(folder, { takeOver: true }).epoch).toBe(2);
});

test.each<[string, string]>([
  ["empty", ""],
  ["no JSON", "{"],
  ["something else", '{"pid":1}'],
  ["a link that leads nowhere", ""],
  ["a pipe", ""],
])("an owner file that is %s takes nothing, and goes", (name, content) => {
  const folder = privateFolder();
  const first = takeOwnership(folder);
  if (name.startsWith("a link")) symlinkSync("nowhere", join(folder, "owner.7"));
  else if (name === "a pipe") makePipe(join(folder, "owner.7"));
  else writeFileSync(join(folder, "owner.7"), content);
  expect([first.isCurrent(), currentOwner(folder).kind]).toEqual([true, "live"]);
  expect(() => takeOwnership(folder)).toThrow("is running already");
  first.release();
  const next = takeOwnership(folder);
  expect([next.epoch, next.before]).toEqual([8, "released"]);
  expect(readdirSync(folder)).toEqual(["owner.8"]);
});

test("a number that nobody ever counted to is no epoch", () => {
  const folder = privateFolder();
  writeFileSync(join(folder, "owner.999999999999999"), "");
  expect(takeOwnership(folder, { above: 41 }).epoch).toBe(42);
});

test("the highest epoch counts, by number and not by name", () => {
  const folder = privateFolder();
  for (const epoch of [9, 10]) writeFileSync(join(folder, `owner.${epoch}`), "");
  for (const name of ["owner.11x", "owner.012", "owner.99.tmp"])
    writeFileSync(join(folder, name), "");
  expect(takeOwnership(folder).epoch).toBe(11);
});

test("a living process is known again, and nobody else is taken for it", () => {
  const self = identityOf(process.pid);
  expect(self).toEqual({ pid: process.pid, startTime: expect.stringMatching(/:\d+$|\d{4}$/) });
  expect(identityOf(process.pid)).toEqual(self);
  expect(isAlive(self ?? { pid: 0, startTime: "" })).toBe(true);
  expect(isAlive({ pid: process.pid, startTime: "another" })).toBe(false);
});

test("a dead process and a pid that is none have no identity", async () => {
  const pid = await deadPid();
  expect([pid, 0, -1, 1.5].flatMap((one) => identityOf(one) ?? [])).toEqual([]);
  expect(isAlive({ pid: 0, startTime: "" })).toBe(false);
});

test("a zombie is dead", async () => {
  // The shell starts a child and becomes a program that never asks for its end; only then it ends.
  const parent = spawn("/bin/sh", ["-c", "{ read -r end <&3; } & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [, output, , toChild] = parent.stdio;
  if (!(output instanceof Readable) || !(toChild instanceof Writable)) throw new Error("no pipes");
  const [line] = await once(output, "data");
  const pid = Number(String(line));
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  toChild.end("now\n");
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
  expect(identityOf(pid)).toBeNull();
});

test("where there is no /proc, ps tells the same of a process every time", () => {
  const seen = psEntry(process.pid);
  expect(seen).toEqual({
    startTime: expect.stringMatching(/\d\d:\d\d:\d\d \d{4}$/),
    zombie: false,
  });
  expect(psEntry(process.pid)).toEqual(seen);
  expect(psEntry(2 ** 30)).toBeNull();
});
