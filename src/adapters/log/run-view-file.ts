// Is this text a state.json that can be shown as it is?

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { RunView } from "../../core/views/run-view.ts";
import type { TaskPhase } from "../../core/model/state.ts";

/**
 * Checked by hand and lightly, because reading commands must answer at once: the version, and the
 * parts of which it is made. Anything doubtful is null, and the log is read instead.
 */
export function viewIn(text: string): RunView | null {
  const value = jsonIn(text);
  return isWhole(value) ? value : null;
}

export function isWhole(value: unknown): value is RunView {
  return isRun(value);
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isPhase: Check = (value) => typeof value === "string" && Object.hasOwn(PHASES, value);

const PHASES = {
  pending: true,
  running: true,
  waiting_for_input: true,
  waiting_for_reset: true,
  done: true,
  stalled: true,
  blocked: true,
  skipped: true,
  interrupted: true,
} as const satisfies Record<TaskPhase, true>;

const isRecord: Check = isObject;
const isSpent = shaped({ workMs: isNumber, tokensByModel: isRecord });

const isTask = shaped({
  ...texts("id", "title", "doing"),
  phase: isPhase,
  spent: isSpent,
  pendingQuestion: (value) => value === null || isRecord(value),
  interactionHistory: listOf(shaped({ question: isRecord, answer: isRecord })),
  assumptions: listOf(isRecord),
  unasked: listOf(isRecord),
  dependsOn: listOf(isText),
  steps: listOf(shaped({ ...texts("id", "phase"), attempts: listOf(isRecord) })),
});

const isRun = shaped({
  ...texts("run", "startedAt", "updatedAt"),
  version: (value) => value === 1,
  phase: isPhase,
  seq: isNumber,
  source: isRecord,
  counts: isRecord,
  spent: isSpent,
  tasks: listOf(isTask),
});

function shaped(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => isObject(value) && checks.every(([key, is]) => is(value[key]));
}

function texts(...names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, isText]));
}

function listOf(is: Check): Check {
  return (value) => Array.isArray(value) && value.every(is);
}
