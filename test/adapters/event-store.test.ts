import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

import { systemDisk, type Disk } from "../../src/adapters/files/disk.ts";
import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { createRun, openRun } from "../../src/adapters/log/event-store.ts";
import type { OpenRun, StoreOptions } from "../../src/adapters/log/event-store.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import { runFiles } from "../../src/adapters/log/run-files.ts";
import { answer, question, report, sessionEnded } from "../support/builders.ts";
import {
  at,
  disk,
  lineOf,
  LOG_RUN,
  note,
  noteOf,
  runStarted,
  systemError,
  watchedDisk,
} from "../support/log-fixtures.ts";
import { privateFolder } from "../support/private-folder.ts";

const SECRET = "s3cr3t-value-1";
const redact = createRedactor({ API_TOKEN: SECRET });

function create(root: string, over: Partial<StoreOptions> = {}): OpenRun {
  return closing(createRun(root, LOG_RUN, { redact, ...over }));
}

function open(root: string, over: Partial<StoreOptions> = {}): OpenRun {
  return closing(openRun(root, LOG_RUN, { redact, ...over }));
}

function closing(run: OpenRun): OpenRun {
  onTestFinished(() => run.release());
  return run;
}

/** A run with two events that its owner left in order. */
async function leftRun(root: string): Promise<void> {
  const run = create(root);
  await run.append([runStarted, note("one")]);
  run.release();
}

const logged = (root: string) => {
  const { log } = runFiles(root, LOG_RUN);
  return requireLog(log, readLog(log)).events;
};

test("events are numbered, timed and in the log when append resolves", async () => {
  const root = privateFolder();
  const run = create(root, { nowMs: () => Date.UTC(2026, 10, 20) });
  const [first] = await run.append([runStarted]);
  const more = await run.append([note("one"), note("two")]);
  expect(first).toEqual({ seq: 1, epoch: 1, at: "2026-11-20T00:00:00.000Z", event: runStarted });
  expect(more.map(({ seq, event }) => [seq, event])).toEqual([
    [2, note("one")],
    [3, note("two")],
  ]);
  expect(logged(root)).toEqual([first, ...more]);
  expect(statSync(run.files.log).mode & 0o777).toBe(0o600);
});

test("a new run is durable, with its folder and its log, before its id is known", () => {
  const flushed: string[] = [];
  const watched = watchedDisk((operation, path) => {
    if (operation === "flush") flushed.push(basename(path));
  });
  const root = privateFolder();
  create(root, { disk: watched });
  expect(new Set(flushed)).toEqual(
    new Set([
      ".orch",
      "runs",
      LOG_RUN,
      "events.jsonl",
      basename(root),
      ...flushed.filter(isTemporary),
    ]),
  );
});

const isTemporary = (name: string) => name.endsWith(".tmp");

test("a run that was left can be gone on with", async () => {
  const root = privateFolder();
  await leftRun(root);
  const run = open(root);
  expect([run.epoch, run.before, run.events.map(noteOf)]).toEqual([
    2,
    "released",
    ["run-started", "one"],
  ]);
  const [next] = await run.append([note("two")]);
  expect([next?.seq, next?.epoch]).toEqual([3, 2]);
  expect(logged(root).map(noteOf)).toEqual(["run-started", "one", "two"]);
});

test("a damaged log stops everything, and is left exactly as it is", async () => {
  const root = privateFolder();
  await leftRun(root);
  const files = runFiles(root, LOG_RUN);
  writeFileSync(files.log, `junk\n${readFileSync(files.log, "utf8")}torn`);
  const before = { log: readFileSync(files.log, "utf8"), names: readdirSync(files.folder) };
  expect(() => open(root)).toThrow(expect.objectContaining({ code: "log-damaged" }));
  expect({ log: readFileSync(files.log, "utf8"), names: readdirSync(files.folder) }).toEqual(
    before,
  );
});

test("a missing log is never taken for an empty one", async () => {
  const root = privateFolder();
  await leftRun(root);
  rmSync(runFiles(root, LOG_RUN).log);
  expect(() => open(root)).toThrow(expect.objectContaining({ code: "run-unknown" }));
  expect(existsSync(runFiles(root, LOG_RUN).log)).toBe(false);
});

test("a run that somebody works on is not opened a second time", () => {
  const root = privateFolder();
  create(root);
  expect(() => open(root)).toThrow(expect.objectContaining({ code: "run-claimed" }));
});

test("epochs go on from the log when the owner files are lost", async () => {
  const root = privateFolder();
  await leftRun(root);
  open(root).release();
  const run = open(root);
  await run.append([note("in epoch three")]);
  run.release();
  rmSync(join(run.files.folder, "owner.3"));
  expect(open(root).epoch).toBe(4);
});

test("a displaced owner writes nothing more", async () => {
  const root = privateFolder();
  const run = create(root);
  await run.append([runStarted]);
  const before = readFileSync(run.files.log, "utf8");
  const owner = readFileSync(join(run.files.folder, "owner.1"), "utf8");
  writeFileSync(join(run.files.folder, "owner.2"), owner.replace('"epoch": 1', '"epoch": 2'));
  await expect(run.append([note("late")])).rejects.toMatchObject({ code: "run-claimed" });
  await run.publishQuestion(question(), null);
  run.projection(run.files.state, () => "late").flush();
  expect(readFileSync(run.files.log, "utf8")).toBe(before);
  expect([readdirSync(run.files.questions), existsSync(run.files.state)]).toEqual([[], false]);
});

test("an event that could not be read back is a bug, and stays out of the log", async () => {
  const root = privateFolder();
  const run = create(root);
  await run.append([runStarted]);
  const broken = { type: "run-ended", exitCode: Number.NaN } as const;
  await expect(run.append([note("with it"), broken])).rejects.toThrow(/exitCode/);
  await run.append([note("after it")]);
  expect(logged(root).map(noteOf)).toEqual(["run-started", "after it"]);
});

// ---- a disk that says no --------------------------------------------------------------------------

/** A run whose disk fails in this way from its second append on. */
async function failingRun(over: Partial<Disk>): Promise<{ root: string; run: OpenRun }> {
  const root = privateFolder();
  let fails = false;
  const failing = Object.fromEntries(
    Object.entries(over).map(([name, operation]) => [
      name,
      (...args: readonly unknown[]) =>
        Reflect.apply(fails ? operation : Reflect.get(systemDisk, name), null, args),
    ]),
  );
  const run = create(root, { disk: disk(failing) });
  await run.append([runStarted]);
  fails = true;
  return { root, run };
}

test("a disk that is really full ends the run without half an event", async () => {
  const root = privateFolder();
  await leftRun(root);
  const { log } = runFiles(root, LOG_RUN);
  const before = readFileSync(log, "utf8");
  const full = disk({
    open: (path, flags) => systemDisk.open(path === log ? "/dev/full" : path, flags),
  });
  const run = open(root, { disk: full });
  await expect(run.append([note("two")])).rejects.toMatchObject({
    code: "disk-full",
    hint: expect.stringContaining("orch resume"),
  });
  expect(readFileSync(log, "utf8")).toBe(before);
});

test("a line of which only a part was taken is taken back", async () => {
  const { root, run } = await failingRun({
    write: (fd, bytes) => systemDisk.write(fd, bytes.subarray(0, bytes.length - 1)),
  });
  const before = readFileSync(run.files.log, "utf8");
  await expect(run.append([note("two")])).rejects.toMatchObject({ code: "disk-full" });
  expect(readFileSync(run.files.log, "utf8")).toBe(before);
  expect(logged(root)).toHaveLength(1);
});

test("a flush that failed is not tried again, and its event is not believed", async () => {
  let flushes = 0;
  const { root, run } = await failingRun({
    flushContent: () => {
      flushes += 1;
      throw systemError("EIO");
    },
  });
  await expect(run.append([note("two")])).rejects.toMatchObject({ code: "log-write-failed" });
  await expect(run.append([note("two")])).rejects.toMatchObject({ code: "log-write-failed" });
  expect([flushes, logged(root).map(noteOf)]).toEqual([1, ["run-started"]]);
});

test("a line that could not even be taken back is cut off by the next owner", async () => {
  const { root, run } = await failingRun({
    write: (fd, bytes) => systemDisk.write(fd, bytes.subarray(0, 20)),
    truncate: () => {
      throw systemError("EIO");
    },
  });
  await expect(run.append([note("two")])).rejects.toMatchObject({ code: "disk-full" });
  run.release();
  expect(open(root).events.map(noteOf)).toEqual(["run-started"]);
});

// ---- what stands beside the log -------------------------------------------------------------------

test("no secret reaches the disk, and the state is folded from what does", async () => {
  const root = privateFolder();
  const run = create(root);
  const [, recorded] = await run.append([runStarted, note(`the token is ${SECRET}`)]);
  await run.publishQuestion(question({ question: `is it ${SECRET}?` }), null);
  expect(recorded?.event).toEqual(note("the token is [redacted]"));
  expect(logged(root)[1]).toEqual(recorded);
  const files = readdirSync(run.files.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain(SECRET);
});

test("names that the run hangs on are not redacted", async () => {
  const root = privateFolder();
  const started = { ...runStarted, source: { kind: "folder", path: `/srv/${SECRET}` } } as const;
  const [recorded] = await create(root).append([started]);
  expect(recorded?.event).toEqual(started);
});

test("a secret that is a word of orch's own is redacted in other people's text alone", async () => {
  const secrets = createRedactor({ DB_PASSWORD: "completed", API_PASSWORD: "findings" });
  const run = create(privateFolder(), { redact: secrets });
  await run.append([runStarted]);
  const plain = { kind: "read", report: report({ summary: "all completed" }), notes: [] } as const;
  const [recorded] = await run.append([sessionEnded({ report: plain })]);
  const safe = { ...plain, report: report({ summary: "all [redacted]" }) };
  expect(recorded?.event).toEqual(sessionEnded({ report: safe }));
});

test("a question is visible while it waits, and keeps its answer", async () => {
  const run = create(privateFolder());
  const path = join(run.files.questions, `${question().id}.json`);
  for (const given of [null, answer()]) {
    await run.publishQuestion(question(), given);
    const published: unknown = JSON.parse(readFileSync(path, "utf8"));
    expect(published).toEqual({ version: 1, ...question(), answer: given });
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a projection that is flushed is up to date, and after the run is left it is not written", () => {
  const run = create(privateFolder());
  let content = "first";
  const state = run.projection(run.files.state, () => content);
  state.flush();
  content = "second";
  state.changed();
  run.release();
  state.flush();
  expect(readFileSync(run.files.state, "utf8")).toBe("first");
});

test.each<[string, (log: string) => void, string]>([
  ["removed", (log) => rmSync(log), "removed"],
  ["moved away", (log) => renameSync(log, `${log}.old`), "removed"],
  ["written anew", (log) => rewrite(log), "removed"],
  ["cut", (log) => truncateSync(log, 10), "changed by another program"],
  ["emptied", (log) => truncateSync(log), "changed by another program"],
  ["added to", (log) => appendFileSync(log, "what an agent says\n"), "changed by another program"],
  [
    "added to in the name of its owner",
    (log) => appendFileSync(log, lineOf(at(3, 1, note("forged")))),
    "changed by another program",
  ],
])("a log that was %s under its owner's hands gets no further line", async (_name, harm, how) => {
  const root = privateFolder();
  const run = create(root);
  await run.append([runStarted, note("one")]);
  const { log } = runFiles(root, LOG_RUN);
  harm(log);
  const harmed = existsSync(log) ? readFileSync(log, "utf8") : null;
  await expect(async () => run.append([note("two")])).rejects.toMatchObject({
    code: "log-write-failed",
    message: `the log ${JSON.stringify(log)} was ${how} while the run was at work`,
  });
  expect(existsSync(log) ? readFileSync(log, "utf8") : null).toBe(harmed);
});

function rewrite(log: string): void {
  const text = readFileSync(log);
  renameSync(log, `${log}.old`);
  writeFileSync(log, text);
}
