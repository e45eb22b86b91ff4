import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { takeOwnership } from "../../src/adapters/log/owner.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Question } from "../../src/core/model/question.ts";
import {
  answer,
  attempt,
  attemptBegun,
  FAILED,
  FEEDBACK,
  pauseFor,
  question,
  runStarted,
  taskStarted,
} from "../support/builders.ts";
import { emptyProject, writeRun, type WriteOptions } from "../support/run-files.ts";
import { orch } from "../support/run-orch.ts";
import { killed, paused } from "../support/stories.ts";

interface Stands {
  readonly phase: string;
  readonly process: string;
  readonly counts: unknown;
}

async function stands(root: string): Promise<readonly Stands[]> {
  const outputOf = async (command: string): Promise<string> =>
    (await orch([command, "--json"], { cwd: root })).stdout;
  const [list, ...runs] = [
    JSON.parse(await outputOf("list")).runs,
    JSON.parse(await outputOf("status")),
    JSON.parse(await outputOf("show")),
  ];
  return [...list, ...runs].map(({ phase, process, counts }: Stands) => ({
    phase,
    process,
    counts,
  }));
}

const thrice = (one: Stands): readonly Stands[] => [one, one, one];

type Ownership = "none" | "released" | "dead";

function project(events: readonly RunEvent[], owner: Ownership, options: WriteOptions = {}) {
  const root = emptyProject();
  const { folder } = writeRun(root, events, options);
  if (owner === "none") return { root, folder };
  const ownership = takeOwnership(folder);
  if (owner === "released") ownership.release();
  else {
    const path = join(folder, "owner.1");
    const reused = { process: { pid: process.pid, startTime: "another process had this pid" } };
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), ...reused }));
  }
  return { root, folder };
}

describe("list, status and show agree", () => {
  test.each<[string, Ownership, WriteOptions]>([
    ["that a run whose process was killed is interrupted", "dead", {}],
    ["that it is, also where state.json lags behind the log", "dead", { stateSeq: 3 }],
    ["that it is, also where state.json was lost", "dead", { withoutState: true }],
    ["that a run whose process left without a word is interrupted", "released", {}],
    ["that a run that nobody owns is interrupted", "none", {}],
  ])("%s", async (_name, owner, options) => {
    const { root } = project(killed, owner, options);
    expect(await stands(root)).toEqual(
      thrice({ phase: "interrupted", process: "interrupted", counts: { interrupted: 1 } }),
    );
    const list = await orch(["list"], { cwd: root });
    expect(list.stdout).toMatch(/ {2}interrupted · /);
  });

  test("that a run whose process lives is running", async () => {
    const { root, folder } = project(killed, "none");
    const ownership = takeOwnership(folder);
    expect(await stands(root)).toEqual(
      thrice({ phase: "running", process: "live", counts: { running: 1 } }),
    );
    ownership.release();
  });

  test("that what waits for a person still waits when its process was killed", async () => {
    const { root } = project(paused.slice(0, -1), "dead");
    const counts = { done: 1, waiting_for_input: 1, pending: 1 };
    expect(await stands(root)).toEqual(
      thrice({ phase: "waiting_for_input", process: "interrupted", counts }),
    );
  });
});

test("show names the question that waits", async () => {
  const { root } = project(paused, "none");
  const { stdout } = await orch(["show"], { cwd: root });
  expect(stdout).toContain("  question  q1: Which session store should be used?\n");
});

/** The row of the task in `orch status`. */
async function row(events: readonly RunEvent[]): Promise<string> {
  const { root } = project([...runStarted(), taskStarted(), ...events], "none");
  const { stdout } = await orch(["status"], { cwd: root, columns: 110 });
  return stdout.split("\n").find((line) => line.includes("add-login  ")) ?? "";
}

const asking = (n: number, over: Partial<Question> = {}): readonly RunEvent[] => {
  const asked = question({ attempt: n, ...over });
  return [
    ...attempt({ n, gates: [], decision: pauseFor(asked) }),
    { type: "question-asked", question: asked },
    { type: "answered", answer: answer({ id: asked.id }), inbox: null },
  ];
};
const planning = (n: number): readonly RunEvent[] =>
  attempt({
    n,
    role: "plan",
    gates: [],
    decision: {
      kind: "continue",
      rule: "plan-made",
      how: { kind: "carry-out", plan: 1 },
    },
  });
const red = (n: number): readonly RunEvent[] => attempt({ n, gates: [FAILED], decision: FEEDBACK });

describe("status tells how many attempts there are where each that was begun was used up", () => {
  test.each<[string, readonly RunEvent[], string]>([
    ["the first one runs", attemptBegun(), "attempt 1 of 3"],
    ["one failed", red(1), "attempt 1 of 3"],
    [
      "questions used up none",
      [...asking(1), ...asking(2), ...asking(3), ...attemptBegun({ n: 4 })],
      "attempt 4",
    ],
    [
      "planning used up none",
      [...planning(1), ...planning(2), ...attemptBegun({ n: 3 })],
      "attempt 3",
    ],
  ])("%s", async (_name, events, words) => {
    expect(await row(events)).toMatch(new RegExp(`implement, ${words}(?: · |$)`));
  });

  test("before the first session there is no attempt to speak of", async () => {
    const limit = question({ attempt: 0, kind: "budget", options: [], default: null });
    const { root } = project(
      [...runStarted(), taskStarted(), { type: "question-asked", question: limit }],
      "none",
    );
    expect((await orch(["status"], { cwd: root })).stdout).not.toContain("attempt");
  });
});
