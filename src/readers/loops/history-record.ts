// What history does a recorded one tell, whoever wrote it?

import { toolArguments } from "./canonical.ts";
import type { Step } from "./step.ts";
import type { Plan, TaskHistory, Turn } from "./task-history.ts";

type Fields = Readonly<Record<string, unknown>>;

const ROWS_MAX = 10_000;

/** Tolerant of missing and unknown fields. null: this is no history. */
export function historyFrom(record: unknown): TaskHistory | null {
  if (!isFields(record) || !Array.isArray(record["sequence"])) return null;
  const rows = record["sequence"].slice(-ROWS_MAX).filter(isFields);
  switch (record["kind"]) {
    case "steps": {
      const mode = record["mode"] === "interactive" ? "interactive" : "headless";
      return { kind: "steps", mode, steps: rows.flatMap(stepsFrom) };
    }
    case "turns":
      return { kind: "turns", turns: rows.map(turnFrom) };
    case "replans":
      return { kind: "replans", plans: rows.map(planFrom) };
    default:
      return null;
  }
}

function stepsFrom(row: Fields): readonly Step[] {
  const action = isFields(row["action"]) ? row["action"] : null;
  const seen = isFields(row["observation"]) ? row["observation"] : null;
  if (seen?.["kind"] === "condensation") return [{ kind: "condensation" }];
  switch (action?.["kind"]) {
    case "tool":
      return [toolStep(action, seen)];
    case "message":
      return [{ kind: "message", text: textAt(action, "text") }];
    case "user_message":
      return [{ kind: "user-message" }];
    case "instruction":
      return seen === null ? [] : [{ kind: "told", text: textAt(seen, "text") }];
    default:
      return [];
  }
}

function toolStep(action: Fields, seen: Fields | null): Step {
  const tool = textAt(action, "tool");
  const args = toolArguments(action["args"] ?? null);
  if (seen === null) return { kind: "tool", tool, args, result: null };
  const exit = seen["exit_code"];
  const isError = seen["is_error"] === true || (typeof exit === "number" && exit !== 0);
  return { kind: "tool", tool, args, result: { text: textAt(seen, "text"), isError } };
}

function turnFrom(row: Fields): Turn {
  const summary = textAt(row, "summary");
  return {
    gate: row["gate"] === true ? "passed" : row["gate"] === false ? "failed" : "unknown",
    verdict: /^(?:approve|accept|pass|complete)/i.test(textAt(row, "verdict"))
      ? "accepted"
      : "sent-back",
    feedback: textAt(row, "feedback"),
    worker: /^(?:success|ok|done|completed?|ended)?$/i.test(textAt(row, "worker"))
      ? "ended"
      : "failed",
    summary,
    hasChanged: changeIn(summary),
    criteria: criteriaFrom(row["criteria"]),
  };
}

const UNCHANGED =
  /\b0 (?:files )?created, 0 (?:files )?modified|\b0 files? changed|\bno (?:files? )?(?:changes?|changed|diff)\b|\bnothing (?:was )?changed\b|\bempty diff\b/i;
const CHANGED = /\b\d{1,6} (?:files? )?(?:created|modified|changed)\b/i;

function changeIn(summary: string): boolean | null {
  const text = summary.slice(0, 2_000);
  if (UNCHANGED.test(text)) return false;
  return CHANGED.test(text) ? true : null;
}

/** Counted as a pair: verified, total. */
function criteriaFrom(value: unknown): Turn["criteria"] {
  if (!Array.isArray(value)) return null;
  const [verified, total]: readonly unknown[] = value;
  return typeof verified === "number" && typeof total === "number" ? { verified, total } : null;
}

function planFrom(row: Fields): Plan {
  const satisfied = row["request_satisfied"];
  return {
    text: textAt(row, "plan"),
    isSatisfied: typeof satisfied === "boolean" ? satisfied : null,
  };
}

function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
