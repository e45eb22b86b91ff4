import {
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import {
  attemptFolder,
  createRunFolder,
  ensureOrchFolder,
  listRuns,
  newRunId,
  questionFile,
  runFiles,
} from "../../src/adapters/log/run-files.ts";
import { idOf, isSafeId, type RunId } from "../../src/core/model/ids.ts";
import { LOG_RUN } from "../support/log-fixtures.ts";
import { privateFolder } from "../support/private-folder.ts";

test("a run's id sorts by time and tells what it is about", () => {
  const moment = Date.UTC(2026, 10, 20, 12, 14, 36);
  expect(newRunId(moment, "Add login!", () => 0)).toBe("20261120-121436-add-login-aaaa");
  expect(newRunId(moment, "Add login!", () => 0.999)).toBe("20261120-121436-add-login-9999");
});

test("a run's id is usable whatever the task is called", () => {
  const id = newRunId(0, `../../${"ü".repeat(200)} 🚀`, Math.random);
  expect(id).toMatch(/^19700101-000000-ü{40}-[a-z0-9]{4}$/);
  expect(isSafeId(newRunId(0, "語".repeat(200), Math.random))).toBe(true);
});

test("orch's folder ignores itself and keeps what stands in it private", () => {
  const root = privateFolder();
  const files = createRunFolder(root, LOG_RUN);
  expect(readFileSync(join(root, ".orch", ".gitignore"), "utf8")).toBe("*\n");
  expect(readdirSync(files.folder).sort()).toEqual(["attempts", "inbox", "questions"]);
  for (const folder of [
    join(root, ".orch"),
    join(root, ".orch", "runs"),
    files.folder,
    files.inbox,
  ])
    expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test("a user's own .gitignore in orch's folder is left alone", () => {
  const root = privateFolder();
  mkdirSync(join(root, ".orch"));
  writeFileSync(join(root, ".orch", ".gitignore"), "runs/\n");
  ensureOrchFolder(root);
  expect(readFileSync(join(root, ".orch", ".gitignore"), "utf8")).toBe("runs/\n");
});

test("a folder that is a link leads nothing out of the repository", () => {
  const root = privateFolder();
  const elsewhere = privateFolder();
  symlinkSync(elsewhere, join(root, ".orch"));
  expect(() => createRunFolder(root, LOG_RUN)).toThrow(
    expect.objectContaining({ code: "unsafe-folder" }),
  );
  expect(readdirSync(elsewhere)).toEqual([]);
});

test("an id is never used twice", () => {
  const root = privateFolder();
  createRunFolder(root, LOG_RUN);
  expect(() => createRunFolder(root, LOG_RUN)).toThrow(
    expect.objectContaining({ code: "run-claimed" }),
  );
});

test("runs are listed newest first, and what is no run is passed over", () => {
  const root = privateFolder();
  const ids = ["20261119-080000-older-aaaa", "20261120-080000-newer-aaaa"].map((id) =>
    idOf<RunId>(id),
  );
  for (const id of ids) createRunFolder(root, id);
  const runs = join(root, ".orch", "runs");
  writeFileSync(join(runs, "20261121-080000-file-aaaa"), "");
  symlinkSync("/tmp", join(runs, "20261122-080000-link-aaaa"));
  mkdirSync(join(runs, ".hidden"));
  expect(listRuns(root)).toEqual([ids[1], ids[0]]);
});

test("names from outside never become paths unchecked", () => {
  const files = runFiles("/repo", LOG_RUN);
  expect(attemptFolder(files, "add-login", "test", 2)).toBe(
    `/repo/.orch/runs/${LOG_RUN}/attempts/add-login/test-2`,
  );
  expect(() => attemptFolder(files, "..", "test", 1)).toThrow(/not a path segment/);
  expect(() => questionFile(files, "../../x")).toThrow(/not a path segment/);
});
