// What does a run in a sandbox say about itself, and is it true?

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

import { readLog, requireLog } from "../../src/adapters/log/event-log.ts";
import { viewIn } from "../../src/adapters/log/run-view-file.ts";
import { runFiles, type RunFiles } from "../../src/adapters/log/run-files.ts";
import type { EventType, Recorded, RunEvent } from "../../src/core/model/event.ts";
import { idOf, type RunId } from "../../src/core/model/ids.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import { fold } from "../../src/core/run/reduce.ts";
import type { Ran } from "./run-orch.ts";
import type { Sandbox } from "./whole-program.ts";

/** The sandbox's runs that began, oldest first: with a first event in the log. */
export function runIds({ root }: Sandbox): readonly RunId[] {
  const folder = join(root, ".orch/runs");
  if (!existsSync(folder)) return [];
  const ids = readdirSync(folder).map((name) => idOf<RunId>(name));
  return ids.sort().filter((id) => {
    const { log } = runFiles(root, id);
    return existsSync(log) && readFileSync(log, "utf8").includes("\n");
  });
}

/** The files of the sandbox's only run. */
export function filesOf(box: Sandbox): RunFiles {
  const [id, ...others] = runIds(box);
  if (id === undefined || others.length > 0)
    throw new Error(`expected one run, found ${runIds(box).join(", ") || "none"}`);
  return runFiles(box.root, id);
}

export function recordedOf(box: Sandbox): readonly Recorded[] {
  const { log } = filesOf(box);
  return requireLog(log, readLog(log)).events;
}

/** The events of one kind in the sandbox's only run. */
export function eventsOf<T extends EventType>(
  box: Sandbox,
  type: T,
): readonly Extract<RunEvent, { type: T }>[] {
  return recordedOf(box)
    .map(({ event }) => event)
    .filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);
}

/** Each task's end, by its id. */
export function endsOf(box: Sandbox): Readonly<Record<string, string>> {
  return Object.fromEntries(eventsOf(box, "task-ended").map(({ task, end }) => [task, end.kind]));
}

/** What holds of every run that ended in order, however often it died before. */
export function expectSound(box: Sandbox): void {
  const recorded = recordedOf(box);
  const { state } = filesOf(box);
  expect(viewIn(box.read(relative(box, state)))).toEqual(
    JSON.parse(JSON.stringify(projectRun(fold(recorded)))),
  );
  expect(repeatedIn(recorded.map(({ event }) => event))).toEqual(NOTHING_REPEATED);
  expect(box.leftovers()).toEqual([]);
}

function relative({ root }: Sandbox, path: string): string {
  return path.slice(root.length + 1);
}

const NOTHING_REPEATED = { sessions: [], accepted: [], answers: [], questions: [], tasks: [] };

/** What is in the log more than once and must not be. */
function repeatedIn(events: readonly RunEvent[]): Record<keyof typeof NOTHING_REPEATED, unknown> {
  const repeated = (key: (event: RunEvent) => string | null): readonly string[] => {
    const keys = events.flatMap((event) => key(event) ?? []);
    return keys.filter((one, index) => keys.indexOf(one) !== index);
  };
  return {
    sessions: repeated((e) => (e.type === "session-ended" ? e.token : null)),
    accepted: repeated((e) => (isAdvance(e) ? `${e.task} ${e.step} ${e.attempt}` : null)),
    answers: repeated((e) => (e.type === "answered" ? e.answer.id : null)),
    questions: repeated((e) => (e.type === "question-asked" ? e.question.id : null)),
    tasks: repeated((e) => (e.type === "task-ended" ? e.task : null)),
  };
}

function isAdvance(event: RunEvent): event is Extract<RunEvent, { type: "decided" }> {
  const { decision } = event.type === "decided" ? event : { decision: null };
  return decision?.kind === "continue" && decision.how.kind === "advance";
}

/** A refusal as users see it: what is wrong, and what to do; 2: nothing was begun. */
export function expectTwoLines({ exitCode, stdout, stderr }: Ran, code: 2 | 75 = 2): void {
  expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: "" });
  expect(stderr).toMatch(/^orch: .+\nhint: .+\n$/);
}
