// How well do predictions fit the labels of a set?

import { isObject, nameAt, type JsonObject } from "../core/model/json.ts";
import { binary, macroF1, perLabel, shareOf } from "./measures.ts";
import type { PerLabel } from "./measures.ts";
import type { EvalSet, Prediction } from "./sets.ts";

export interface Figure {
  readonly name: string;
  /** Percent; null: no record to count. */
  readonly percent: number | null;
  readonly of: number;
  /** Higher is better, or lower. */
  readonly better: "higher" | "lower";
}

export interface Score {
  readonly figures: readonly Figure[];
  readonly labels: readonly PerLabel[];
  /** Records whose label the core did not find. */
  readonly misses: readonly Miss[];
}

export interface Miss {
  readonly id: string;
  readonly wanted: string;
  readonly found: string;
  readonly rule: string | null;
  /** The record says itself that reasonable people could disagree. */
  readonly contested: boolean;
}

export interface Row {
  readonly record: unknown;
  readonly prediction: Prediction;
}

/** null: the records carry no labels. */
export function scoreOf(set: EvalSet, rows: readonly Row[]): Score | null {
  const labelled = rows
    .map(({ record, prediction }) => ({ gold: isObject(record) ? record : {}, said: prediction }))
    .filter(({ gold }) => LABEL[set].some((name) => Object.hasOwn(gold, name)));
  if (labelled.length === 0) return null;
  return SCORES[set](labelled);
}

interface Labelled {
  readonly gold: JsonObject;
  readonly said: Prediction;
}

const LABEL: Readonly<Record<EvalSet, readonly string[]>> = {
  blockers: ["type"],
  histories: ["label"],
  error_pairs: ["same"],
  closings: ["needs_human"],
};

const SCORES: Readonly<Record<EvalSet, (rows: readonly Labelled[]) => Score>> = {
  blockers: scoreBlockers,
  histories: scoreHistories,
  error_pairs: scorePairs,
  closings: scoreClosings,
};

function scoreBlockers(rows: readonly Labelled[]): Score {
  const labels = perLabel(
    rows,
    (r) => gold(r, "type"),
    (r) => said(r, "type"),
  );
  return {
    figures: [...classFigures(rows, labels), ...actFigures(rows), ...resetFigures(rows)],
    labels,
    misses: missesOf(rows, (r) => [
      `${gold(r, "cls")} ${gold(r, "type")} ${gold(r, "decision")}`,
      `${said(r, "class")} ${said(r, "type")} ${said(r, "decision")}`,
      isClassed(r) && isTyped(r) && isAccepted(r),
    ]),
  };
}

function classFigures(rows: readonly Labelled[], labels: readonly PerLabel[]): readonly Figure[] {
  return [
    figure("class", shareOf(rows, isClassed)),
    figure("class, uncontested", shareOf(rows.filter(isSharp), isClassed)),
    figure("type", shareOf(rows, isTyped)),
    figure("type, macro-F1", { percent: macroF1(labels), of: rows.length }),
  ];
}

function actFigures(rows: readonly Labelled[]): readonly Figure[] {
  const sharp = rows.filter(isSharp);
  const hard = sharp.filter((r) => gold(r, "cls") === "hard");
  const soft = sharp.filter((r) => gold(r, "cls") !== "hard" && !accepts(r, "pause_human"));
  const isPaused = (r: Labelled) => said(r, "decision") === "pause_human";
  const isRetried = (r: Labelled) => RETRIES.has(said(r, "decision"));
  return [
    figure("decision", shareOf(rows, isAccepted)),
    worse("false pauses", shareOf(soft, isPaused)),
    worse(
      "missed hard blockers",
      shareOf(hard, (r) => !isPaused(r) && !isAccepted(r)),
    ),
    worse(
      "wasted retries",
      shareOf(hard, (r) => isRetried(r) && !isAccepted(r)),
    ),
  ];
}

function resetFigures(rows: readonly Labelled[]): readonly Figure[] {
  const timed = rows.filter((r) => momentOf(r) !== null);
  const untimed = rows.filter((r) => gold(r, "cls") !== "none" && !isObject(r.gold["reset"]));
  return [
    figure("reset times exact", shareOf(timed, isExact)),
    worse(
      "reset times invented",
      shareOf(untimed, (r) => said(r, "resetAt") !== ""),
    ),
  ];
}

function isClassed(row: Labelled): boolean {
  return said(row, "class") === gold(row, "cls");
}

function isTyped(row: Labelled): boolean {
  return said(row, "type") === gold(row, "type");
}

function isAccepted(row: Labelled): boolean {
  return accepts(row, said(row, "decision"));
}

const RETRIES: ReadonlySet<string> = new Set(["retry_backoff", "wait_until", "continue"]);

function scoreHistories(rows: readonly Labelled[]): Score {
  const isStuck = (r: Labelled) => gold(r, "label") === "stuck";
  const isCalled = (r: Labelled) => saidFlag(r, "stuck");
  const sharp = binary(rows.filter(isSharp), isStuck, isCalled);
  const all = binary(rows, isStuck, isCalled);
  return {
    figures: [
      figure("stuck, F1", { percent: all.f1, of: all.of }),
      figure("stuck, F1, uncontested", { percent: sharp.f1, of: sharp.of }),
      worse("moving runs called stuck", { percent: sharp.falsePositives, of: sharp.negatives }),
    ],
    labels: perLabel(
      rows,
      (r) => gold(r, "label"),
      (r) => (isCalled(r) ? "stuck" : "not_stuck"),
    ),
    misses: missesOf(rows, (r) => [
      gold(r, "label"),
      isCalled(r) ? "stuck" : "not_stuck",
      isStuck(r) === isCalled(r),
    ]),
  };
}

function scorePairs(rows: readonly Labelled[]): Score {
  const isSame = (r: Labelled) => r.gold["same"] === true;
  const isCalled = (r: Labelled) => saidFlag(r, "same");
  const sharp = binary(rows.filter(isSharp), isSame, isCalled);
  const all = binary(rows, isSame, isCalled);
  const word = (same: boolean) => (same ? "same" : "different");
  return {
    figures: [
      figure("same error, F1", { percent: all.f1, of: all.of }),
      figure("same error, F1, uncontested", { percent: sharp.f1, of: sharp.of }),
      worse("different errors merged", { percent: sharp.falsePositives, of: sharp.negatives }),
    ],
    labels: perLabel(
      rows,
      (r) => word(isSame(r)),
      (r) => word(isCalled(r)),
    ),
    misses: missesOf(rows, (r) => [word(isSame(r)), word(isCalled(r)), isSame(r) === isCalled(r)]),
  };
}

function scoreClosings(rows: readonly Labelled[]): Score {
  const isNeeded = (r: Labelled) => r.gold["needs_human"] === true;
  const isCalled = (r: Labelled) => saidFlag(r, "needsHuman");
  const bait = rows.filter((r) => gold(r, "category") === "bait_doubt_words");
  const word = (needed: boolean) => (needed ? "needs a person" : "goes on");
  return {
    figures: [
      figure("a person is needed, F1", {
        percent: binary(rows, isNeeded, isCalled).f1,
        of: rows.length,
      }),
      worse("pauses on harmless doubt", shareOf(bait, isCalled)),
    ],
    labels: perLabel(
      rows,
      (r) => word(isNeeded(r)),
      (r) => word(isCalled(r)),
    ),
    misses: missesOf(rows, (r) => [
      word(isNeeded(r)),
      word(isCalled(r)),
      isNeeded(r) === isCalled(r),
    ]),
  };
}

function figure(name: string, { percent, of }: { percent: number | null; of: number }): Figure {
  return { name, percent, of, better: "higher" };
}

function worse(name: string, { percent, of }: { percent: number | null; of: number }): Figure {
  return { name, percent, of, better: "lower" };
}

function isSharp({ gold: fields }: Labelled): boolean {
  return fields["contested"] !== true;
}

function gold(row: Labelled, name: string): string {
  return nameAt(row.gold, name);
}

/** Of any kind of prediction; "" where it has no such text. */
function said({ said: prediction }: Labelled, name: string): string {
  return nameAt({ ...prediction }, name);
}

function saidFlag({ said: prediction }: Labelled, name: "stuck" | "same" | "needsHuman"): boolean {
  const fields: JsonObject = { ...prediction };
  return fields[name] === true;
}

function accepts(row: Labelled, decision: string): boolean {
  const also = row.gold["also_ok"];
  return gold(row, "decision") === decision || (Array.isArray(also) && also.includes(decision));
}

function momentOf({ gold: fields }: Labelled): string | null {
  const stated = isObject(fields["reset_at"]) ? nameAt(fields["reset_at"], "at") : "";
  return stated === "" ? null : stated;
}

/** To the minute: that is as exact as such messages are. */
function isExact(row: Labelled): boolean {
  const offMs = Date.parse(said(row, "resetAt")) - Date.parse(momentOf(row) ?? "");
  return Math.abs(offMs) <= 60_000;
}

function missesOf(
  rows: readonly Labelled[],
  look: (row: Labelled) => readonly [wanted: string, found: string, isRight: boolean],
): readonly Miss[] {
  return rows.flatMap((row) => {
    const [wanted, found, isRight] = look(row);
    if (isRight) return [];
    const rule = said(row, "rule") || null;
    return [{ id: gold(row, "id"), wanted, found, rule, contested: !isSharp(row) }];
  });
}
