import { describe, expect, test } from "vitest";

import { idOf, idsMeant, type RunId, shortener } from "../../src/core/model/ids.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import { RUN, runStarted, task } from "../support/builders.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { orch } from "../support/run-orch.ts";
import { expectTwoLines } from "../support/run-record.ts";
import { finished, killed, OLDER, paused, stalled } from "../support/stories.ts";

describe("an id is as short as tells it from the others", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["its last part", ["20261120-1-add-k3f9", "20261119-1-fix-q7xm"], ["k3f9", "q7xm"]],
    ["all of it, where another ends so", ["a-b", "c-a-b"], ["a-b", "c-a-b"]],
    ["alone", ["whole"], ["whole"]],
  ])("%s", (_name, ids, short) => {
    expect(ids.map(shortener(ids))).toEqual(short);
    for (const [at, one] of short.entries()) expect(idsMeant(ids, one)).toEqual([ids[at]]);
  });
});

function project(...runs: readonly (readonly [string, readonly RunEvent[]])[]): string {
  const root = emptyProject();
  for (const [id, events] of runs) writeRun(root, events, { run: idOf<RunId>(id) });
  return root;
}

const runsIn = async (root: string, ...flags: readonly string[]): Promise<readonly string[]> => {
  const { stdout } = await orch(["list", "--json", ...flags], { cwd: root });
  return JSON.parse(stdout).runs.map(({ run }: { readonly run: string }) => run);
};

describe("list", () => {
  const KILLED = "20261121-090000-go-on-m4rk";
  const LEFT = "20261118-090000-stop-it-zz22";
  const root = project([RUN, paused], [OLDER, finished], [KILLED, killed], [LEFT, stalled]);

  test("shows the newest run first", async () => {
    expect(await runsIn(root)).toEqual([KILLED, RUN, OLDER, LEFT]);
  });

  test("shows the title of a run's one task, else where its tasks are from", async () => {
    const { stdout } = await orch(["list"], { cwd: root });
    expect(stdout).toMatch(/^\? k3f9 {2}tasks\/add-login\.md {2}/m);
    expect(stdout).toMatch(/^✓ q7xm {2}Add login {2}/m);
  });
});

describe("a part of a name is enough where it is the only one", () => {
  const tasks = [task("01-schema"), task("add-login"), task("add-logout")];
  const shown = async (...args: readonly string[]) => {
    const root = project([RUN, [...runStarted(tasks)]], [OLDER, finished]);
    return orch(["show", ...args, "--json"], { cwd: root });
  };

  test.each<[readonly string[], string, readonly string[]]>([
    [["01"], RUN, ["01-schema"]],
    [["schema"], RUN, ["01-schema"]],
    [["logi"], RUN, ["add-login"]],
    [["q7xm"], OLDER, ["add-login"]],
    [["k3f9"], RUN, ["01-schema", "add-login", "add-logout"]],
    [["k3f9", "schema"], RUN, ["01-schema"]],
    [["flaky", "login"], OLDER, ["add-login"]],
    [["20261119"], OLDER, ["add-login"]],
  ])("%j", async (args, run, ids) => {
    const view = JSON.parse((await shown(...args)).stdout);
    expect([view.run, view.tasks.map(({ id }: { readonly id: string }) => id)]).toEqual([run, ids]);
  });

  test("of several it names them, in two lines", async () => {
    for (const [args, ids] of [
      [["add"], ["add-login", "add-logout"]],
      [
        ["2026", "add"],
        [RUN, OLDER],
      ],
    ] as const) {
      const root = project([RUN, [...runStarted(tasks)]], [OLDER, finished]);
      const ran = await orch(["show", ...args], { cwd: root });
      expectTwoLines(ran);
      expect(ran.stderr).toContain("could be any of 2 ");
      for (const id of ids) expect(ran.stderr).toContain(id);
    }
  });
});
