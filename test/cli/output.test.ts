import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

import { unsealed } from "../../src/adapters/log/run-view-file.ts";
import { errorLine } from "../../src/cli/render/error.ts";
import { OrchError } from "../../src/errors.ts";
import { eachOf } from "../support/each-of.ts";
import { endsOf, filesOf } from "../support/run-record.ts";
import { smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const PROGRAM = join(import.meta.dirname, "../../dist/cli.cjs");
/** What a pipe holds before its writer has to wait. */
const PIPE_BYTES = 65_536;
const LOST = /^orch: standard output cannot be written: no space left \(ENOSPC\)\nhint: .+\n$/m;

/** The program with one of its outputs on a disk that is full. */
async function onFullDisk(box: Sandbox, args: readonly string[], which: "stdout" | "stderr") {
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: box.root,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: which === "stdout" ? ["ignore", full, "pipe"] : ["ignore", "pipe", full],
  });
  closeSync(full);
  let text = "";
  child[which === "stdout" ? "stderr" : "stdout"]
    ?.setEncoding("utf8")
    .on("data", (chunk: string) => (text += chunk));
  const [exitCode] = await once(child, "close");
  return { exitCode: Number(exitCode), text };
}

test("standard output on a full disk is told in two lines, with exit code 2", async () => {
  const box = smallProject();
  await box.inProcess(["run", "task.md"]);
  await eachOf([["status"], ["status", "--json"], ["log"], ["--help"]], async (args) => {
    const { exitCode, text } = await onFullDisk(box, args, "stdout");
    expect(exitCode).toBe(2);
    expect(text).toMatch(LOST);
    expect(text).not.toContain("bug in orch");
  });
});

test("a run goes on where standard error cannot be written", async () => {
  const box = smallProject();
  const { exitCode, text } = await onFullDisk(box, ["run", "task.md"], "stderr");
  expect(exitCode).toBe(0);
  expect(text).toContain("done");
  expect(endsOf(box)).toEqual({ task: "done" });
});

test("a run goes on where standard output cannot be written, and says at its end that it was not told", async () => {
  const box = smallProject();
  const { exitCode, text } = await onFullDisk(box, ["run", "task.md", "--json"], "stdout");
  expect(exitCode).toBe(2);
  expect(text).toMatch(LOST);
  expect(endsOf(box)).toEqual({ task: "done" });
});

test("a long output arrives whole in a pipe that is read late", async () => {
  const box = smallProject();
  await box.inProcess(["run", "Make it good. ".repeat(7_000)]);
  const line = `"${process.execPath}" "${PROGRAM}" log --json | (sleep 1; cat)`;
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", line], { cwd: box.root });
  const log = readFileSync(filesOf(box).log, "utf8");
  expect(log.length).toBeGreaterThan(2 * PIPE_BYTES);
  const lines = log.trimEnd().split("\n");
  expect(stdout).toBe(`${lines.map((line) => unsealed(line) ?? line).join("\n")}\n`);
});

describe("with --json a command that fails", () => {
  test("says so in one last line of JSON on standard output", async () => {
    const box = smallProject();
    const ended = await box.inProcess(["run", "nothing.md", "--json"]);
    expect(ended.stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(ended.stdout)).toEqual({
      type: "error",
      version: 1,
      code: "task-missing",
      message: 'there is no task file or folder "nothing.md"',
      hint: "check the path; a task in words is one argument in quotes",
      exitCode: 2,
    });
    expect(ended.stderr).toMatch(/^orch: .+\nhint: .+\n$/);
  });

  test("calls a bug a bug", () => {
    const { code, message, exitCode } = errorLine(new TypeError("x is not a function"), 70);
    expect([code, message, exitCode]).toEqual(["bug", "x is not a function", 70]);
    expect(errorLine("plain words", 70).message).toBe("plain words");
  });

  test("holds nothing that a terminal would obey, and has an end", () => {
    const { message } = errorLine(new OrchError("usage", `\u001B[2J${"x".repeat(9_000)}`, ""), 2);
    expect(message).not.toContain("\u001B");
    expect(message.length).toBe(4_000);
  });
});
