// A process that works on a run's log until somebody kills it. Bundled and started by test/crash.

import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { basename, join } from "node:path";

import { systemDisk, type Disk } from "../../src/adapters/files/disk.ts";
import { createRun, openRun, type OpenRun } from "../../src/adapters/log/event-store.ts";
import { takeOwnership } from "../../src/adapters/log/owner.ts";
import { runFiles } from "../../src/adapters/log/run-files.ts";
import { OrchError } from "../../src/errors.ts";
import { question } from "./builders.ts";
import { disk, LOG_RUN, note, runStarted, watchedDisk } from "./log-fixtures.ts";

const [, , part = "", root = "", ...words] = process.argv;
const redact = (text: string) => text;

/** At once and whole: what was said before a kill has been said. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

const PARTS: Readonly<Record<string, () => Promise<void> | void>> = {
  protocol,
  contend,
  "pause-inside-append": pauseInsideAppend,
};

await PARTS[part]?.();

/** Everything the store does, once; killed before its n-th operation, or in the middle of it. */
async function protocol(): Promise<void> {
  const dying = dyingDisk(Number(words[0]), words[1] === "torn");
  const run =
    words[2] === "again" ? open(dying) : createRun(root, LOG_RUN, { redact, disk: dying });
  say("opened");
  const groups = [[runStarted], [note("a1"), note("a2")]];
  const state = run.projection(run.files.state, () => JSON.stringify({ seq: run.events.length }));
  for (const group of groups) {
    const done = await run.append(group.filter((one) => one !== runStarted || isEmpty(run)));
    for (const { seq, event } of done)
      say(`acked ${seq} ${event.type === "budget-warned" ? event.limit : event.type}`);
  }
  state.flush();
  await run.publishQuestion(question(), null);
  run.release();
  say("released");
}

function isEmpty(run: OpenRun): boolean {
  return run.events.length === 0;
}

function open(dying: Disk): OpenRun {
  return openRun(root, LOG_RUN, { redact, disk: dying });
}

function dyingDisk(at: number, isTorn: boolean): Disk {
  let operations = 0;
  let isNow = false;
  const watched = watchedDisk((operation, path) => {
    isNow = operations === at;
    if (isNow && !(isTorn && operation === "write")) process.kill(process.pid, "SIGKILL");
    say(`did ${operations} ${operation} ${basename(path)}`);
    operations += 1;
  });
  return {
    ...watched,
    write: (fd, bytes) => {
      const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
      if (isTorn && operations === at) {
        systemDisk.write(fd, half);
        process.kill(process.pid, "SIGKILL");
      }
      return watched.write(fd, bytes);
    },
  };
}

/** Takes and gives back the run again and again; says so when somebody else is inside as well. */
async function contend(): Promise<void> {
  const { folder } = runFiles(root, LOG_RUN);
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      const ownership = takeOwnership(folder);
      say(`owns ${ownership.epoch}`);
      inside(join(root, "inside"));
      ownership.release();
    } catch (error) {
      if (!(error instanceof OrchError && error.code === "run-claimed"))
        say(`failed ${String(error)}`);
    }
  }
}

/** A mark that only an owner makes. One that a living process left proves two owners. */
function inside(mark: string): void {
  const before = readPid(mark);
  if (before !== 0 && isRunning(before)) say(`overlap ${before}`);
  rmSync(mark, { force: true });
  const fd = openSync(mark, "wx");
  writeSync(fd, String(process.pid));
  closeSync(fd);
  if (readPid(mark) !== process.pid) say("overlap");
  rmSync(mark);
}

function readPid(mark: string): number {
  try {
    return Number(readFileSync(mark, "utf8"));
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return pid !== process.pid && !stat.includes(") Z ");
  } catch {
    return false;
  }
}

/** Stops itself at the worst moment: it knows that it is the owner, and has not written yet. */
async function pauseInsideAppend(): Promise<void> {
  let isArmed = false;
  const pausing = disk({
    write: (fd, bytes) => {
      if (isArmed) {
        isArmed = false;
        say("pausing");
        process.kill(process.pid, "SIGSTOP");
      }
      return systemDisk.write(fd, bytes);
    },
  });
  const run = createRun(root, LOG_RUN, { redact, disk: pausing });
  await run.append([runStarted, note("before the pause")]);
  isArmed = true;
  for (const text of ["written late", "written later"]) {
    await run.append([note(text)]).then(
      () => say(`wrote ${text}`),
      (error: unknown) => say(`refused ${error instanceof OrchError ? error.code : String(error)}`),
    );
  }
}
