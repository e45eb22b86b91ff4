import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { BoundedLog } from "../../src/adapters/files/bounded-log.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "orch-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const asIs = (text: string): string => text;
const LIMITS = { headBytesMax: 40, tailBytesMax: 20, lineCharsMax: 100 };

test("short output is in the file and in the answer, whole and private", async () => {
  const path = join(folder, "gates", "test.log");
  const log = new BoundedLog(path, asIs);
  log.write("stdout", Buffer.from("one\ntw"));
  log.write("stderr", Buffer.from("warning\n"));
  log.write("stdout", Buffer.from("o\nthree"));
  expect(log.close()).toBe("one\nwarning\ntwo\nthree\n");
  expect(await readFile(path, "utf8")).toBe("one\nwarning\ntwo\nthree\n");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "gates"))).mode & 0o777).toBe(0o700);
});

test("of long output the file keeps the beginning and the end, and says how much is gone", async () => {
  const path = join(folder, "test.log");
  const log = new BoundedLog(path, asIs, LIMITS);
  const lines = Array.from({ length: 100 }, (_, n) => `line ${String(n).padStart(3, "0")}\n`);
  for (const line of lines) log.write("stdout", Buffer.from(line));
  const all = lines.join("");
  const read = log.close();
  expect(read).toBe(
    `${all.slice(0, 40)}\n[… ${all.length - 60} bytes of output are left out here …]\n${all.slice(-20)}`,
  );
  expect(await readFile(path, "utf8")).toBe(read);
});

test.each([9, 10, 11, 30, 31, 40, 41, 59, 60])(
  "output of %i bytes loses nothing in the file",
  async (bytes) => {
    const path = join(folder, "test.log");
    const log = new BoundedLog(path, asIs, LIMITS);
    const text = `${"abcdefghi\n".repeat(10).slice(0, bytes - 1)}\n`;
    for (const char of text) log.write("stderr", Buffer.from(char));
    log.close();
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

test("a line without an end is kept within bounds", async () => {
  const path = join(folder, "test.log");
  const log = new BoundedLog(path, asIs, LIMITS);
  for (let n = 0; n < 1_000; n++) log.write("stdout", Buffer.from("x".repeat(100)));
  expect(log.close().length).toBeLessThan(200);
  expect((await readFile(path)).length).toBeLessThan(200);
});

test("characters that arrive in two halves stay whole", async () => {
  const log = new BoundedLog(join(folder, "test.log"), asIs);
  for (const byte of Buffer.from("price: 5 € ✔\n")) log.write("stdout", Buffer.from([byte]));
  expect(log.close()).toBe("price: 5 € ✔\n");
});

test("a link at the log's place is replaced, not followed", async () => {
  const path = join(folder, "test.log");
  const victim = join(folder, "victim");
  await writeFile(victim, "mine");
  await symlink(victim, path);
  const log = new BoundedLog(path, asIs);
  log.write("stdout", Buffer.from("hello\n"));
  log.close();
  expect(await readFile(victim, "utf8")).toBe("mine");
  expect((await lstat(path)).isFile()).toBe(true);
  expect(await readFile(path, "utf8")).toBe("hello\n");
});

test("a log that cannot be written still answers what was printed", async () => {
  const path = join(folder, "test.log");
  await mkdir(path);
  const log = new BoundedLog(path, asIs);
  log.write("stdout", Buffer.from("hello\n"));
  expect(log.close()).toBe("hello\n");
});
