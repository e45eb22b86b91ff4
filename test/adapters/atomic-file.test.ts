import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";

import {
  makeFolderDurable,
  removeStrays,
  temporaryBeside,
  writeCopyAtomic,
  writeFileAtomic,
} from "../../src/adapters/files/atomic-file.ts";
import { systemDisk } from "../../src/adapters/files/disk.ts";
import { disk, systemError, watchedDisk } from "../support/log-fixtures.ts";
import { privateFolder } from "../support/private-folder.ts";

test("a file is replaced as a whole and is private to the user", () => {
  const path = join(privateFolder(), "state.json");
  writeFileAtomic(path, "the first, longer content");
  writeFileAtomic(path, "the second");
  expect(readFileSync(path, "utf8")).toBe("the second");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("the content is flushed before the new name is visible, and the name before anything else", () => {
  const folder = privateFolder();
  const path = join(folder, "state.json");
  const steps: string[] = [];
  const watched = watchedDisk((operation, at) =>
    steps.push(`${operation} ${at.endsWith(".tmp") ? "temporary" : basename(at)}`),
  );
  writeFileAtomic(path, "content", watched);
  expect(steps).toEqual([
    "open temporary",
    "write temporary",
    "flush temporary",
    "close temporary",
    "rename state.json",
    `open ${basename(folder)}`,
    `flush ${basename(folder)}`,
    `close ${basename(folder)}`,
  ]);
});

test("a copy is replaced as a whole too, and nobody waits for the disk", () => {
  const path = join(privateFolder(), "evidence.json");
  writeCopyAtomic(path, "the first, longer content");
  const steps: string[] = [];
  const watched = watchedDisk((operation) => steps.push(operation));
  writeCopyAtomic(path, "the second", watched);
  expect(steps).toEqual(["open", "write", "close", "rename"]);
  expect(readFileSync(path, "utf8")).toBe("the second");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ["write", "ENOSPC", "disk-full"],
  ["write", "EDQUOT", "disk-full"],
  ["flush", "EIO", "log-write-failed"],
  ["rename", "EACCES", "log-write-failed"],
] as const)(
  "a failed %s (%s) keeps the old file and leaves no other",
  (operation, code, expected) => {
    const folder = privateFolder();
    const path = join(folder, "state.json");
    writeFileAtomic(path, "old");
    const failing = disk({
      [operation]: () => {
        throw systemError(code);
      },
    });
    expect(() => writeFileAtomic(path, "new", failing)).toThrow(
      expect.objectContaining({ name: "OrchError", code: expected }),
    );
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["state.json"]);
  },
);

test("a disk that takes a few bytes at a time gets all of them", () => {
  const path = join(privateFolder(), "state.json");
  const slow = disk({ write: (fd, bytes) => systemDisk.write(fd, bytes.subarray(0, 3)) });
  writeFileAtomic(path, "more than three bytes, and a ü", slow);
  expect(readFileSync(path, "utf8")).toBe("more than three bytes, and a ü");
});

test("a disk that takes nothing is full, and is not asked for ever", () => {
  const path = join(privateFolder(), "state.json");
  expect(() => writeFileAtomic(path, "content", disk({ write: () => 0 }))).toThrow(
    expect.objectContaining({ code: "disk-full" }),
  );
});

test("what a dead writer left is removed, and nothing else is", () => {
  const folder = privateFolder();
  writeFileSync(temporaryBeside(join(folder, "state.json")), "half");
  writeFileSync(join(folder, ".env.tmp"), "somebody else's");
  mkdirSync(join(folder, "questions"));
  removeStrays(folder);
  expect(readdirSync(folder).sort()).toEqual([".env.tmp", "questions"]);
});

test("a folder is private, and made once", () => {
  const path = join(privateFolder(), "runs");
  expect([makeFolderDurable(path), makeFolderDurable(path)]).toEqual([true, false]);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});
