import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, test } from "vitest";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { sealed } from "../../src/adapters/log/run-view-file.ts";
import type { Recorded } from "../../src/core/model/event.ts";
import { eventLine, LINE_VERSION } from "../../src/schema/event-line.ts";
import { at, lineOf, LOG_RUN, note, noteOf, runStarted } from "../support/log-fixtures.ts";
import { makePipe } from "../support/pipe.ts";
import { privateFolder } from "../support/private-folder.ts";

const first = at(1, 1, runStarted);

function events(count: number, epoch = 1): readonly Recorded[] {
  return [
    first,
    ...Array.from({ length: count - 1 }, (_, n) => at(n + 2, epoch, note(`ü${n + 2}`))),
  ];
}

function logOf(content: string | Uint8Array): string {
  const path = join(privateFolder(), "events.jsonl");
  writeFileSync(path, content);
  return path;
}

const text = (recorded: readonly Recorded[]) => recorded.map(lineOf).join("");

test("a whole log is read to its end", () => {
  const path = logOf(text(events(3)));
  expect(readLog(path)).toEqual({
    kind: "read",
    events: events(3),
    position: { bytes: readFileSync(path).length, lines: 3, seq: 3, epoch: 1, run: LOG_RUN },
    fromStart: true,
  });
});

test("missing, empty and unreadable are three things", () => {
  const folder = privateFolder();
  expect(readLog(join(folder, "events.jsonl"))).toEqual({ kind: "missing" });
  expect(readLog(logOf(""))).toMatchObject({ kind: "read", events: [], position: { bytes: 0 } });
  mkdirSync(join(folder, "folder.jsonl"));
  expect(readLog(join(folder, "folder.jsonl"))).toMatchObject({ kind: "unreadable" });
  makePipe(join(folder, "pipe.jsonl"));
  expect(readLog(join(folder, "pipe.jsonl"))).toMatchObject({ kind: "unreadable" });
});

test.each<[string, string | Uint8Array]>([
  ["half a line", lineOf(at(3, 1, note("torn"))).slice(0, 40)],
  ["a line that lacks only its newline", lineOf(at(3, 1, note("torn"))).trimEnd()],
  ["zero bytes", new Uint8Array(512)],
  ["zero bytes and a newline", "\0\0\0\n"],
  ["half a line after a line of zero bytes", "\0\0\0\n{"],
  ["half a character", Buffer.from('{"text":"ü').subarray(0, -1)],
])("%s at the end is what a crash leaves: ignored, and left to the owner", (_name, tail) => {
  const path = logOf(text(events(2)));
  appendFileSync(path, tail);
  const before = readFileSync(path);
  expect(readLog(path)).toMatchObject({
    kind: "read",
    events: events(2),
    position: { bytes: before.length - Buffer.byteLength(tail) },
  });
  expect(readFileSync(path)).toEqual(before);
});

test.each<[string, (lines: readonly string[]) => string, number, string]>([
  ["a bad line in the middle", ([a, , c]) => `${a}{"v":1,\n${c}`, 2, "not JSON"],
  ["a line of zero bytes in the middle", ([a, b, c]) => `${a}\0\0\0\0\n${b}${c}`, 2, "not JSON"],
  [
    "JSON that is no event, even at the end",
    ([a]) => `${a}{"v":${LINE_VERSION}}\n`,
    2,
    "seq: not a number from 1",
  ],
  [
    "an event of another run",
    ([a]) => `${a}${sealed(eventLine("20261120-other", at(2, 1, note("x"))))}\n`,
    2,
    'of another run: "20261120-other"',
  ],
  ["a last line that is no JSON", ([a, b]) => `${a}${b?.replace("{", "[")}`, 2, "not JSON"],
  [
    "a line that says an older orch wrote it",
    ([a, b]) => `${a}${b?.replace(/"v":\d+/, '"v":7')}`,
    2,
    "its checksum does not match",
  ],
  [
    "a line that says a newer orch wrote it",
    ([a, b]) => `${a}${b?.replace(/"v":\d+/, '"v":99')}`,
    2,
    "its checksum does not match",
  ],
  [
    "a line without its checksum",
    ([a]) => `${a}${eventLine(LOG_RUN, at(2, 1, note("x")))}\n`,
    2,
    "it has no checksum",
  ],
  ["a log without its first line", ([, b]) => `${b}`, 1, "event 1 expected, event 2 found"],
  [
    "a log that begins with another event",
    () => lineOf(at(1, 1, note("x"))),
    1,
    "the first event is budget-warned, not run-started",
  ],
])("%s is damage", (_name, build, line, why) => {
  const path = logOf(build(events(3).map(lineOf)));
  const before = readFileSync(path);
  const good = events(line - 1 || 1).slice(0, line - 1);
  const read = readLog(path);
  expect(read).toMatchObject({
    kind: "damaged",
    damage: { line, byteOffset: Buffer.byteLength(text(good)), why },
  });
  expect(() => requireLog(path, read)).toThrow(
    expect.objectContaining({
      code: "log-damaged",
      message: expect.stringContaining(`line ${line} (byte ${Buffer.byteLength(text(good))})`),
    }),
  );
  expect(readFileSync(path)).toEqual(before);
});

test("a line of a newer orch is refused without calling it damage", () => {
  const path = logOf(`${lineOf(first)}{"v":${LINE_VERSION + 1},"seq":2}\n`);
  const read = readLog(path);
  expect(read).toEqual({ kind: "unknown-version", line: 2, version: LINE_VERSION + 1 });
  expect(() => requireLog(path, read)).toThrow(expect.objectContaining({ code: "log-newer" }));
});

test("what a displaced owner wrote before its successor's first line gives way to it", () => {
  const lines = [
    first,
    at(2, 1, note("seen")),
    at(3, 1, note("displaced")),
    at(4, 1, note("displaced too")),
    at(3, 2, note("new owner")),
    at(4, 2, note("goes on")),
  ];
  const path = logOf(text(lines));
  expect(requireLog(path, readLog(path)).events.map(noteOf)).toEqual([
    "run-started",
    "seen",
    "new owner",
    "goes on",
  ]);
});

test("a follower gets only what is new", () => {
  const path = logOf(text(events(2)));
  const { position } = requireLog(path, readLog(path));
  appendFileSync(path, `${lineOf(at(3, 1, note("new")))}{"torn`);
  expect(readLog(path, position)).toMatchObject({
    kind: "read",
    events: [at(3, 1, note("new"))],
    fromStart: false,
  });
});

test("a follower that believed a displaced owner is told to begin again", () => {
  const path = logOf(text([first, at(2, 1, note("displaced"))]));
  const { position } = requireLog(path, readLog(path));
  appendFileSync(path, lineOf(at(2, 2, note("new owner"))));
  expect(readLog(path, position)).toMatchObject({
    events: [first, at(2, 2, note("new owner"))],
    fromStart: true,
  });
});

test("a follower of a log that shrank begins again", () => {
  const path = logOf(text(events(3)));
  const { position } = requireLog(path, readLog(path));
  truncateSync(path, Buffer.byteLength(text(events(2))));
  expect(readLog(path, position)).toMatchObject({ events: events(2), fromStart: true });
});

test("lines longer than a reading are put together", () => {
  const long = at(2, 1, note("ü".repeat(2_000_000)));
  const path = logOf(text([first, long, at(3, 1, note("end"))]));
  expect(requireLog(path, readLog(path)).events).toEqual([first, long, at(3, 1, note("end"))]);
});

test("every prefix of a log, in bytes, gives exactly its whole lines", () => {
  const lines = [
    first,
    at(2, 1, note("ü 🚀 \u2028")),
    at(3, 1, note("displaced")),
    at(3, 2, note("after a crash")),
    at(2, 1, note("late")),
    at(4, 2, note("end")),
  ];
  const bytes = Buffer.from(text(lines));
  const path = logOf("");
  for (let length = 0; length <= bytes.length; length += 1) {
    const prefix = bytes.subarray(0, length);
    writeFileSync(path, prefix);
    const end = prefix.lastIndexOf("\n") + 1;
    const whole = prefix.subarray(0, end).toString("utf8").split("\n").length - 1;
    const believed = believedOf(lines.slice(0, whole));
    expect(readLog(path)).toMatchObject({ events: believed, position: { bytes: end } });
  }
});

test("no bytes at all make the reader throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(5), (junk, after) => {
      const path = logOf(Buffer.concat([Buffer.from(text(events(after + 1))), junk]));
      expect(["read", "damaged"]).toContain(readLog(path).kind);
    }),
    { numRuns: 50 },
  );
});

/** By the definition, not by the reader's way: of equal numbers the highest epoch's counts. */
function believedOf(lines: readonly Recorded[]): readonly Recorded[] {
  return lines.filter((line, index) => {
    const overruled = lines
      .slice(index + 1)
      .some((by) => by.epoch > line.epoch && by.seq <= line.seq);
    return !overruled && lines.slice(0, index).every((before) => before.epoch <= line.epoch);
  });
}
