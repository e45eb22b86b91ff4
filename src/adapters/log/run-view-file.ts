// Is this text a state.json that can be shown as it is?

import { jsonIn } from "../../core/model/json.ts";
import type { RunHead, RunView } from "../../core/views/run-view.ts";
import type { TaskPhase } from "../../core/model/state.ts";

/**
 * Checked by hand and lightly, because reading commands must answer at once: the version, and every
 * part that is shown. Anything doubtful is null, and the log is read instead.
 */
export function viewIn(text: string): RunView | null {
  const value = jsonIn(text);
  return isWhole(value) ? value : null;
}

/** What stands before the tasks; null where that is not the whole head. */
export function headIn(text: string): RunHead | null {
  // Inside a JSON string the quotes would be escaped, so this is the field itself.
  const end = text.indexOf(',"tasks":[');
  const value = end < 0 ? null : jsonIn(`${text.slice(0, end)}}`);
  return isHead(value) ? value : null;
}

export function isWhole(value: unknown): value is RunView {
  return isHead(value) && "tasks" in value && listOf(isTask)(value.tasks);
}

function isHead(value: unknown): value is RunHead {
  return isHeadShape(value);
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

const isRecord = shaped({});
const isSpent = shaped({ workMs: isNumber, tokensByModel: isRecord });

const isHeadShape = shaped({
  ...texts("run", "startedAt", "updatedAt"),
  version: (value) => value === 1,
  phase: isPhase,
  seq: isNumber,
  source: isRecord,
  counts: isRecord,
  spent: isSpent,
});

const isQuestion = shaped({
  ...texts("id", "task", "step", "kind", "question", "askedAt"),
  options: listOf(isText),
  context: listOf(isText),
});

const isDecision = shaped({
  ...texts("kind", "rule", "text"),
  evidence: listOf(isText),
  close: listOf(isRecord),
});

const isAttempt = shaped({
  ...texts("startedAt", "directory"),
  sessions: listOf(isRecord),
  gates: listOf(shaped({ findings: listOf(isRecord) })),
  decision: orNull(isDecision),
});

const isTask = shaped({
  ...texts("id", "title", "doing"),
  phase: isPhase,
  spent: isSpent,
  pendingQuestion: orNull(isQuestion),
  interactionHistory: listOf(shaped({ question: isQuestion, answer: isRecord })),
  assumptions: listOf(isRecord),
  unasked: listOf(isRecord),
  dependsOn: listOf(isText),
  steps: listOf(shaped({ ...texts("id", "phase"), attempts: listOf(isAttempt) })),
});

function shaped(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    checks.every(([key, is]) => is(Reflect.get(value, key)));
}

function texts(...names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, isText]));
}

function listOf(is: Check): Check {
  return (value) => Array.isArray(value) && value.every(is);
}

function orNull(is: Check): Check {
  return (value) => value === null || is(value);
}
