// What does a closing record of unknown shape hold: its text, its declared state, its measurements?

import { levelFrom } from "../../core/model/level.ts";
import type { Level } from "../../core/model/level.ts";
import type { Impact, ReportStatus } from "../../core/model/report.ts";
import type { ClosingEvidence, ClosingInput, DeclaredClosing } from "./closing.ts";
import { readGates } from "./gates-read.ts";
import { amountOf, fieldsOf, leavesOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";
import { factsOf } from "./measured.ts";
import { proseOf } from "./prose.ts";
import { questionOf as gradedQuestion } from "./questions.ts";

const DEFAULT_LEVEL: Level = 3;
const LIST_MAX = 50;
const WORD_CHARS_MAX = 200;

const STATUSES: Readonly<Record<string, ReportStatus>> = {
  completed: "completed",
  complete: "completed",
  done: "completed",
  success: "completed",
  succeeded: "completed",
  implemented: "completed",
  partial: "partial",
  partially_completed: "partial",
  failed: "failed",
  failure: "failed",
  error: "failed",
  blocked: "blocked",
};

const IMPACTS: Readonly<Record<string, Impact>> = {
  blocking: "blocking",
  critical: "blocking",
  blocker: "blocking",
  contradiction: "contradiction",
  major: "major",
  high: "major",
  minor: "minor",
  medium: "minor",
  low: "minor",
  taste: "taste",
  cosmetic: "taste",
  trivial: "taste",
};

/**
 * Reads `text`, `declared`, `evidence` and `level` of a record, and nothing else of it. Whatever
 * cannot be read is as good as not there.
 */
export function closingFrom(record: unknown): ClosingInput {
  const fields = fieldsOf(record) ?? {};
  const level = typeof fields["level"] === "number" ? levelFrom(fields["level"]) : null;
  return {
    text: typeof fields["text"] === "string" ? fields["text"] : "",
    declared: declaredFrom(fields["declared"]),
    evidence: evidenceFrom(fields["evidence"]),
    level: level ?? DEFAULT_LEVEL,
  };
}

function declaredFrom(raw: unknown): DeclaredClosing | null {
  const fields = fieldsOf(raw);
  if (fields === null) return null;
  const wanted = isYes(fields["requires_user_review"] ?? fields["requires_human"]);
  return {
    status: statusOf(fields["status"]),
    blockers: blockersOf(fields),
    review: wanted ? { reason: textOf(fields["review_reason"]) } : null,
    questions: [fields["questions"], fields["open_questions"], fields["question"]]
      .flatMap((list) => listOf(list))
      .flatMap(questionOf),
  };
}

function statusOf(raw: unknown): ReportStatus {
  const word = wordOf(raw);
  return word !== null && Object.hasOwn(STATUSES, word)
    ? (STATUSES[word] ?? "unstated")
    : "unstated";
}

function blockersOf(fields: Readonly<Record<string, unknown>>): DeclaredClosing["blockers"] {
  const whole = yesOrNo(fields["recoverable"]);
  const named = [fields["blockers"], fields["blocker"], fields["blocker_type"]]
    .flatMap((list) => listOf(list))
    .flatMap((item) => {
      const own = fieldsOf(item);
      const type = wordOf(own === null ? item : (own["type"] ?? own["kind"]));
      if (type === null || type === "none") return [];
      return [{ type, recoverable: yesOrNo(own?.["recoverable"]) ?? whole }];
    });
  // "Not recoverable" is a blocker even where its name is missing.
  if (named.length > 0 || whole !== false) return named;
  return [{ type: "unnamed", recoverable: false }];
}

function questionOf(item: unknown): DeclaredClosing["questions"] {
  const fields = fieldsOf(item);
  const question = textOf(fields === null ? item : (fields["question"] ?? fields["text"]));
  if (question === null) return [];
  const word = wordOf(fields?.["impact"] ?? fields?.["severity"]);
  const stated = word !== null && Object.hasOwn(IMPACTS, word) ? IMPACTS[word] : undefined;
  const impact =
    stated ?? gradedQuestion(proseOf(`${question.replace(/[?.\s]+$/, "")}?`))?.impact ?? "taste";
  return [{ question, impact }];
}

function evidenceFrom(raw: unknown): ClosingEvidence | null {
  if (fieldsOf(raw) === null) return null;
  const leaves = leavesOf(raw);
  return {
    ...readGates(raw, leaves),
    facts: factsOf(leaves),
    passedCount: numberAt(leaves, /^(?:(?:counts?|tests?|results?|after) )*passed(?: count)?$/),
    coverage: numberAt(
      leaves,
      /^(?:(?:counts?|measured|actual|after) )*coverage(?: (?:measured|actual|after|percent|pct|lines))?$/,
    ),
    changed: leaves.find(({ path }) => CHANGED.test(path))?.items ?? null,
  };
}

const CHANGED = /^(?:diff|git) (?:files|changed|changed files|files changed|paths)$/;

function numberAt(leaves: readonly Leaf[], path: RegExp): number | null {
  const leaf = leaves.find((one) => path.test(one.path) && typeof one.value === "number");
  return leaf === undefined ? null : amountOf(leaf);
}

function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw.slice(0, LIST_MAX) : [raw];
}

function textOf(raw: unknown): string | null {
  return typeof raw === "string" && raw.trim() !== "" ? raw.trim() : null;
}

function wordOf(raw: unknown): string | null {
  const text = textOf(raw)?.slice(0, WORD_CHARS_MAX).toLowerCase();
  return text === undefined ? null : text.replace(/[\s-]+/g, "_");
}

function yesOrNo(raw: unknown): boolean | null {
  if (typeof raw === "boolean") return raw;
  const word = wordOf(raw);
  if (word === "true" || word === "yes") return true;
  return word === "false" || word === "no" ? false : null;
}

function isYes(raw: unknown): boolean {
  return yesOrNo(raw) === true;
}
