import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { untilNew } from "../../src/adapters/files/watch.ts";
import { privateFolder } from "../support/private-folder.ts";

const NEVER = new AbortController().signal;
/** Only a notice can come sooner. */
const NO_POLL_MS = 3_600_000;

const moved = (root: string, to: string): void => {
  writeFileSync(join(root, "part"), "{}");
  renameSync(join(root, "part"), join(root, to));
};

test.each<[string, string, (root: string) => void]>([
  ["a file moved into a folder", "inbox", (root) => moved(root, "inbox/a.json")],
  ["a line added to a file", "log", (root) => appendFileSync(join(root, "log"), "two\n")],
  ["a file replaced by another", "log", (root) => moved(root, "log")],
])("%s is noticed", async (_name, path, change) => {
  const root = privateFolder();
  mkdirSync(join(root, "inbox"));
  writeFileSync(join(root, "log"), "one\n");
  let looks = 0;
  // The first look is before the watcher, the second when it is ready.
  const isNew = (): boolean => {
    looks += 1;
    if (looks === 2) change(root);
    return looks > 2;
  };
  await untilNew(join(root, path), isNew, NEVER, NO_POLL_MS);
  expect(looks).toBe(3);
});

test("what cannot be watched is looked at all the same", async () => {
  const folder = join(privateFolder(), "later");
  const waiting = untilNew(folder, () => existsSync(join(folder, "a")), NEVER, 20);
  mkdirSync(folder);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "a"), "");
  await expect(waiting).resolves.toBeUndefined();
});

test("the signal ends the waiting, and so does an error of the look", async () => {
  const over = new AbortController();
  const waiting = untilNew(privateFolder(), () => false, over.signal);
  over.abort();
  await waiting;
  let looks = 0;
  const failing = (): boolean => {
    looks += 1;
    if (looks > 1) throw new Error("unreadable");
    return false;
  };
  await expect(untilNew(privateFolder(), failing, NEVER)).rejects.toThrow("unreadable");
});
