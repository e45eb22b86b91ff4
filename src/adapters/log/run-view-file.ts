// Is this text a state.json that can be shown as it is?

import type { RunHead, RunView } from "../../core/views/run-view.ts";
import type { TaskPhase } from "../../core/model/state.ts";

/**
 * Checked by hand and lightly, because reading commands must answer at once: the version, and every
 * part that is shown. Anything doubtful is null, and the log is read instead.
 */
export function viewIn(text: string): RunView | null {
  const value = parse(text);
  return isWhole(value) ? value : null;
}

/** What stands before the tasks; null where that is not the whole head. */
export function headIn(text: string): RunHead | null {
  // Inside a JSON string the quotes would be escaped, so this is the field itself.
  const end = text.indexOf(',"tasks":[');
  const value = end < 0 ? null : parse(`${text.slice(0, end)}}`);
  return isHead(value) ? value : null;
}

export function isWhole(value: unknown): value is RunView {
  return isHead(value) && "tasks" in value && isListOf(value.tasks, isTask);
}

function isHead(value: unknown): value is RunHead {
  return (
    isRecord(value) &&
    value["version"] === 1 &&
    hasTexts(value, ["run", "startedAt", "updatedAt"]) &&
    isPhase(value["phase"]) &&
    typeof value["seq"] === "number" &&
    isRecord(value["source"]) &&
    isRecord(value["counts"]) &&
    isSpent(value["spent"])
  );
}

function isTask(value: unknown): boolean {
  return (
    isRecord(value) &&
    hasTexts(value, ["id", "title", "doing"]) &&
    isPhase(value["phase"]) &&
    isSpent(value["spent"]) &&
    (value["pendingQuestion"] === null || isQuestion(value["pendingQuestion"])) &&
    isListOf(value["interactionHistory"], isInteraction) &&
    isListOf(value["assumptions"], isRecord) &&
    isListOf(value["unasked"], isRecord) &&
    isListOf(value["dependsOn"], isText) &&
    isListOf(value["steps"], isStep)
  );
}

function isStep(value: unknown): boolean {
  return (
    isRecord(value) && hasTexts(value, ["id", "phase"]) && isListOf(value["attempts"], isAttempt)
  );
}

function isAttempt(value: unknown): boolean {
  return (
    isRecord(value) &&
    hasTexts(value, ["startedAt", "directory"]) &&
    isListOf(value["sessions"], isRecord) &&
    isListOf(value["gates"], (gate) => isRecord(gate) && isListOf(gate["findings"], isRecord)) &&
    (value["decision"] === null || isDecision(value["decision"]))
  );
}

function isDecision(value: unknown): boolean {
  return (
    isRecord(value) &&
    hasTexts(value, ["kind", "rule", "text"]) &&
    isListOf(value["evidence"], isText) &&
    isListOf(value["close"], isRecord)
  );
}

function isInteraction(value: unknown): boolean {
  return isRecord(value) && isQuestion(value["question"]) && isRecord(value["answer"]);
}

function isQuestion(value: unknown): boolean {
  return (
    isRecord(value) &&
    hasTexts(value, ["id", "task", "step", "kind", "question", "askedAt"]) &&
    isListOf(value["options"], isText) &&
    isListOf(value["context"], isText)
  );
}

function isSpent(value: unknown): boolean {
  return isRecord(value) && typeof value["workMs"] === "number" && isRecord(value["tokensByModel"]);
}

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

function isPhase(value: unknown): boolean {
  return isText(value) && Object.hasOwn(PHASES, value);
}

function hasTexts(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => isText(value[name]));
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half a file, or none of ours.
    return null;
  }
}
