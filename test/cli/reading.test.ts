import { execFile, spawn } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { takeOwnership } from "../../src/adapters/log/owner.ts";
import { sealed, viewText } from "../../src/adapters/log/run-view-file.ts";
import { idOf, type RunId } from "../../src/core/model/ids.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import { eventLine } from "../../src/schema/event-line.ts";
import { recorded, RUN, stateOf } from "../support/builders.ts";
import { environment, orch, PROGRAM } from "../support/run-orch.ts";
import { expectTwoLines } from "../support/run-record.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { finished, OLDER, paused } from "../support/stories.ts";

const run = promisify(execFile);

/** As orch wrote it, but for one title. */
const CHANGED_BY_HAND = ((): string => {
  const view = projectRun(stateOf(paused));
  return view === null ? "" : viewText(view).replace('"title":"', '"title":"not ');
})();

test.each<[string, Parameters<typeof writeRun>[2], string | null]>([
  ["status --json is the projection of the log, with the owner", {}, null],
  ["deleting state.json changes nothing", { withoutState: true }, null],
  ["a state.json behind its log is not believed", { stateSeq: 3 }, null],
  ...["", "{", "[]", '{"version":1}', CHANGED_BY_HAND, "\u0000\u0000\u0000"].map(
    (text): [string, object, string] => [
      `state.json as ${JSON.stringify(text.slice(0, 20))} is ignored`,
      {},
      text,
    ],
  ),
])("%s", async (_name, options, state) => {
  const root = emptyProject();
  const files = writeRun(root, paused, options);
  if (state !== null) writeFileSync(files.state, state);
  const { stdout, exitCode } = await orch(["status", "--json"], { cwd: root });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ ...projectRun(stateOf(paused)), owner: { kind: "none" } });
});

test("the unfinished run is meant before the newest", async () => {
  const root = emptyProject();
  writeRun(root, finished);
  writeRun(root, paused, { run: OLDER });
  const { stdout } = await orch(["status", "--json"], { cwd: root });
  expect(JSON.parse(stdout)).toMatchObject({ run: OLDER, phase: "waiting_for_input" });
});

test("a run is found from a folder inside the project, and by the end of its id", async () => {
  const root = emptyProject();
  writeRun(root, finished);
  const inside = join(root, "src", "deep");
  mkdirSync(inside, { recursive: true });
  const { stdout } = await orch(["status", "k3f9", "--json"], { cwd: inside });
  expect(JSON.parse(stdout)).toMatchObject({ run: RUN });
});

test("runs of an enclosing folder are not those of a repository inside it", async () => {
  const root = emptyProject();
  writeRun(root, finished);
  const inner = join(root, "inner");
  mkdirSync(join(inner, ".git", "objects"), { recursive: true });
  const { exitCode, stderr } = await orch(["status"], { cwd: inner });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("no run was started");
});

test.each([["status"], ["show"], ["explain"], ["log"], ["replay"], ["resume"]])(
  "%s names the line of a damaged log, and makes nothing of it, whatever state.json says",
  async (command) => {
    const root = emptyProject();
    writeRun(root, finished, { run: OLDER });
    const { log } = writeRun(root, paused);
    writeFileSync(log, readFileSync(log, "utf8").replace("01-schema", "02-schema"));
    expectTwoLines(await orch([command, RUN], { cwd: root }));
    const { stderr } = await orch([command, RUN], { cwd: root });
    expect(stderr).toMatch(/^orch: the log at .* is damaged in line 2 .*checksum does not match\n/);
    const { stdout } = await orch(["list"], { cwd: root });
    expect(stdout).toMatch(/q7xm .* done .*\n! k3f9 +cannot be read: orch show k3f9\n$/);
  },
);

test("list shows the newest twenty, and one damaged run does not hide the others", async () => {
  const root = emptyProject();
  for (let day = 1; day <= 25; day += 1) {
    const id = idOf<RunId>(`202610${String(day).padStart(2, "0")}-090000-x-aaaa`);
    const files = writeRun(root, finished, { run: id });
    if (day === 25) {
      rmSync(files.state);
      writeFileSync(files.log, "damage\n\n");
    }
  }
  const { stdout } = await orch(["list", "--json"], { cwd: root });
  const listed = JSON.parse(stdout);
  expect(listed.total).toBe(25);
  expect(listed.unreadable).toEqual(["20261025-090000-x-aaaa"]);
  expect(listed.runs).toHaveLength(19);
  expect(listed.runs[0]).toEqual(
    (({ tasks: _tasks, ...head }) => ({ ...head, run: "20261024-090000-x-aaaa" }))(
      projectRun(stateOf(finished)) ?? { tasks: [] },
    ),
  );
  const all = await orch(["list", "--all", "--json"], { cwd: root });
  expect(JSON.parse(all.stdout).runs).toHaveLength(24);
});

test("log --json prints the lines of the log without their checksums", async () => {
  const root = emptyProject();
  const files = writeRun(root, paused);
  const { stdout } = await orch(["log", "--json"], { cwd: root });
  expect(stdout).toBe(readFileSync(files.log, "utf8").replaceAll(/,"crc":"[0-9a-f]{8}"\}$/gm, "}"));
});

test("a reader that goes away is no error", async () => {
  const root = emptyProject();
  writeRun(root, paused);
  const line = `set -o pipefail; '${process.execPath}' '${PROGRAM}' log --json | head -n 1`;
  const { stdout, stderr } = await run("bash", ["-c", line], { cwd: root, env: environment({}) });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toHaveLength(2);
});

test("log --follow tells the story until the run ends", async () => {
  const root = emptyProject();
  const files = writeRun(root, finished.slice(0, 4));
  const owner = takeOwnership(files.folder);
  const child = spawn(process.execPath, [PROGRAM, "log", "--follow", "--json"], {
    cwd: root,
    env: environment({}),
  });
  let shown = "";
  const lines = recorded(finished).map((one) => `${eventLine(RUN, one)}\n`);
  const ended = new Promise((resolve) => child.on("close", resolve));
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
      if (shown.split("\n").length > 4) resolve();
    });
  });
  appendFileSync(
    files.log,
    recorded(finished)
      .slice(4)
      .map((one) => `${sealed(eventLine(RUN, one))}\n`)
      .join(""),
  );
  expect(await ended).toBe(0);
  owner.release();
  expect(shown).toBe(lines.join(""));
});

test("log --follow ends when the run's process is gone", async () => {
  const root = emptyProject();
  writeRun(root, finished.slice(0, 4));
  const { exitCode } = await orch(["log", "--follow"], { cwd: root });
  expect(exitCode).toBe(0);
});

function inbox(root: string): readonly unknown[] {
  const folder = join(root, ".orch/runs", RUN, "inbox");
  return readdirSync(folder).map((name) => {
    const { by, ...rest } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    expect(by).toMatch(/^orch answer \(.+\)$/);
    return rest;
  });
}

const left = (action: string, text: string) => ({
  version: 1,
  kind: "answer",
  id: "q1",
  action,
  text,
});

test("with questions in two runs the run must be named", async () => {
  const root = emptyProject();
  writeRun(root, paused);
  writeRun(root, paused, { run: OLDER });
  const { exitCode, stderr } = await orch(["answer", "redis"], { cwd: root });
  expect(exitCode).toBe(2);
  expect(stderr).toContain("--run");
  const { exitCode: named } = await orch(["answer", "redis", "--run", RUN], { cwd: root });
  expect(named).toBe(0);
  expect(inbox(root)).toEqual([left("answer", "redis")]);
});

test("colour is for terminals: none in a pipe, even without NO_COLOR", async () => {
  const root = emptyProject();
  writeRun(root, paused);
  const { stdout } = await orch(["status"], { cwd: root, env: { NO_COLOR: "" } });
  expect(stdout).not.toContain("\u001b");
});
