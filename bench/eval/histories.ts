// What does a recorded history look like to the policy, and is it stuck at its end?

import { decideExplained } from "../../src/core/decide/decide.ts";
import type { History } from "../../src/core/decide/facts.ts";
import { afterVisit } from "../../src/core/decide/streaks.ts";
import type { TreeChange } from "../../src/core/model/evidence.ts";
import { isObject, nameAt, type JsonObject } from "../../src/core/model/json.ts";
import { planIdentity } from "../../src/core/model/report.ts";
import type { Policy } from "../../src/core/model/policy.ts";
import type { SessionEnding, SessionEvent } from "../../src/core/model/session.ts";
import type { Tally } from "../../src/core/model/tally.ts";
import type { GateResult, Verdict } from "../../src/core/model/verdict.ts";
import { afterEvent, loopIn, NO_WATCH } from "../../src/readers/loops.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import { attemptWith, BEGINNING, gateOf, POLICY, reportFrom } from "./attempt.ts";

export interface Assessment {
  readonly stuck: boolean;
  /** The rule of the policy or of the loop detector; "moving" where none speaks. */
  readonly rule: string;
}

const MOVING: Assessment = { stuck: false, rule: "moving" };
const ROWS_MAX = 10_000;
const TURNS_MAX = 100;

/**
 * Tolerant of missing and unknown fields; null: this is no history. Steps go through the detector
 * that watches sessions, turns through the policy, one attempt each, and plans through their identity.
 */
export function assessHistory(record: unknown): Assessment | null {
  if (!isObject(record) || !Array.isArray(record["sequence"])) return null;
  const rows = record["sequence"].slice(-ROWS_MAX).filter(isObject);
  switch (record["kind"]) {
    case "steps": {
      const from = rows.findLastIndex(isUserMessage) + 1;
      const steps = record["mode"] === "interactive" ? rows.slice(from) : rows;
      const loop = loopIn(steps.flatMap(eventsFrom).reduce(afterEvent, NO_WATCH));
      return loop === null ? MOVING : { stuck: true, rule: loop.rule };
    }
    case "turns":
      return afterTurns(rows.slice(-TURNS_MAX));
    case "replans":
      return afterPlans(rows);
    default:
      return null;
  }
}

function isUserMessage(row: JsonObject): boolean {
  return isObject(row["action"]) && row["action"]["kind"] === "user_message";
}

function eventsFrom(row: JsonObject, at: number): readonly SessionEvent[] {
  const action = isObject(row["action"]) ? row["action"] : null;
  const seen = isObject(row["observation"]) ? row["observation"] : null;
  switch (action?.["kind"]) {
    case "tool":
      return called(`${at}`, nameAt(action, "tool"), action["args"] ?? null, seen);
    case "message":
      return [{ type: "text", text: nameAt(action, "text") }];
    case "instruction":
      return seen === null ? [] : called(`${at}`, "helper", null, { text: accountIn(seen) });
    default:
      return [];
  }
}

/** What a helper did and saw; a colon begins what it quotes, which another reading may word differently. */
function accountIn(seen: JsonObject): string {
  return nameAt(seen, "text").split(":\n", 1).join("").slice(0, 600);
}

function called(
  id: string,
  tool: string,
  args: unknown,
  seen: JsonObject | null,
): readonly SessionEvent[] {
  const exit = seen?.["exit_code"];
  const isError = seen?.["is_error"] === true || (typeof exit === "number" && exit !== 0);
  return [
    { type: "tool-call", id, tool, input: JSON.stringify(args) },
    { type: "tool-result", id, isError, output: nameAt(seen ?? {}, "text") },
  ];
}

/** Its tally is that of a run that kept its plan, as the recorded one did. */
const KEEPING_PLAN: Policy = { ...POLICY, limits: { ...POLICY.limits, replans: 0 } };

/** A new plan after two is worth its price; what one calls stuck begins with the third. */
const SAME_IS_STUCK = 3;

function afterTurns(rows: readonly JsonObject[]): Assessment {
  const last = rows.at(-1);
  if (last === undefined) return MOVING;
  const before = rows.slice(0, -1).reduce((history, row) => {
    const { tally } = decideExplained(evidenceOf(row), history, KEEPING_PLAN);
    return grown(history, tally);
  }, BEGINNING);
  const { decision } = decideExplained(evidenceOf(last), before, POLICY);
  const { sameFailure } = decideExplained(evidenceOf(last), before, KEEPING_PLAN).tally.streaks;
  if (decision.rule === "same-failure-replan" && sameFailure < SAME_IS_STUCK) return MOVING;
  return decision.kind === "stall" || decision.kind === "replan"
    ? { stuck: true, rule: decision.rule }
    : MOVING;
}

function grown(history: History, { fingerprint: fp, counted, streaks, visited }: Tally): History {
  const { ledger } = history;
  return {
    ...history,
    counted: history.counted + (counted ? 1 : 0),
    attemptsSinceReplan: history.attemptsSinceReplan + 1,
    streaks,
    ledger: counted && fp !== null ? { ...ledger, [fp]: (ledger[fp] ?? 0) + 1 } : ledger,
    visited: afterVisit(history.visited, visited),
  };
}

/** What withheld the approval is a gate like any other: its words are what it found. */
function evidenceOf(row: JsonObject) {
  const summary = nameAt(row, "summary").slice(0, 4_000);
  const isDead = !/^(?:success|ok|done|completed?|ended)?$/i.test(nameAt(row, "worker"));
  const isAccepted = /^(?:approve|accept|pass|complete)/i.test(nameAt(row, "verdict"));
  const ending: SessionEnding = isDead
    ? { kind: "crashed", exitCode: null, signal: null, detail: summary }
    : { kind: "finished" };
  return attemptWith({
    ending,
    report: isDead
      ? { kind: "missing" }
      : reportFrom({ status: isAccepted ? "completed" : "partial", summary: "as recorded" }),
    gates: [reviewOf(row, { isDead, isAccepted })],
    tree: treeOf(summary),
  });
}

const FEEDBACK_CHARS_MAX = 4_000;

function reviewOf(row: JsonObject, session: { isDead: boolean; isAccepted: boolean }): GateResult {
  const [verified, total] = criteriaOf(row);
  const counts =
    total === null
      ? null
      : { runner: "review", passed: verified, failed: Math.max(1, total - verified), skipped: 0 };
  const message = nameAt(row, "feedback").slice(0, FEEDBACK_CHARS_MAX);
  const isUnknown = row["gate"] !== true && row["gate"] !== false;
  const verdict: Verdict = session.isAccepted
    ? { kind: "passed" }
    : isUnknown && (total === null || session.isDead)
      ? { kind: "unknown", why: "not-run", detail: message }
      : { kind: "failed", findings: [{ check: "review", message }] };
  return gateOf("review", verdict, counts);
}

/** Counted as a pair: verified, total. */
function criteriaOf(row: JsonObject): readonly [number, number | null] {
  const pair = Array.isArray(row["criteria"]) ? row["criteria"] : [];
  const [verified, total]: readonly unknown[] = pair;
  return typeof verified === "number" && typeof total === "number" ? [verified, total] : [0, null];
}

const UNCHANGED = /\b0 files? created, 0 (?:files? )?modified|\b0 files? changed|\bempty diff\b/i;
const CHANGED = /\b[1-9]\d{0,5} (?:files? )?(?:created|modified|changed)\b/i;

/** Told in figures, or not measured: a tree that nobody looked at is not an unchanged one. */
function treeOf(summary: string): TreeChange {
  const changedCount = UNCHANGED.test(summary) ? 0 : CHANGED.test(summary) ? 1 : null;
  if (changedCount === null) return { kind: "not-measured", why: "nothing is at hand" };
  return {
    kind: "measured",
    tree: summary,
    changed: [],
    changedCount,
    sinceBaseCount: 1,
    outside: [],
    outOfScope: [],
  };
}

/** The first plan is a replan too; the policy allows so many, and none twice. */
function afterPlans(rows: readonly JsonObject[]): Assessment {
  if (rows.at(-1)?.["request_satisfied"] === true) return MOVING;
  const plans = rows.map((row) => planIdentity(planFrom(nameAt(row, "plan"))));
  const [last] = plans.slice(-1);
  if (last !== undefined && plans.indexOf(last) < plans.length - 1)
    return { stuck: true, rule: "plan-repeated" };
  return plans.length > POLICY.limits.replans ? { stuck: true, rule: "replans-spent" } : MOVING;
}
