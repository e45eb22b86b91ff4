// How well do predictions fit the labels of a set?

import { isObject, nameAt, type JsonObject } from "../../src/core/model/json.ts";
import { binary, macroF1, perLabel, shareOf, type PerLabel, type Share } from "./measures.ts";
import type { EvalSet, Prediction } from "./sets.ts";

export interface Figure extends Share {
  readonly name: string;
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
  readonly got: string;
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
    .map(({ record, prediction }) => ({ gold: isObject(record) ? record : {}, prediction }))
    .filter(({ gold }) => LABEL[set].some((name) => Object.hasOwn(gold, name)));
  if (labelled.length === 0) return null;
  return SCORES[set](labelled);
}

interface Labelled {
  readonly gold: JsonObject;
  readonly prediction: Prediction;
}

const LABEL: Readonly<Record<EvalSet, readonly string[]>> = {
  blockers: ["type"],
  histories: ["label"],
  error_pairs: ["same"],
  closings: ["needs_human"],
};

const SCORES: Readonly<Record<EvalSet, (rows: readonly Labelled[]) => Score>> = {
  blockers: scoreBlockers,
  histories: (rows) => scoreYesNo(rows, HISTORIES),
  error_pairs: (rows) => scoreYesNo(rows, PAIRS),
  closings: (rows) => scoreYesNo(rows, CLOSINGS),
};

function scoreBlockers(rows: readonly Labelled[]): Score {
  const labels = perLabel(
    rows,
    (r) => gold(r, "type"),
    (r) => predicted(r, "type"),
  );
  return {
    figures: [
      ...SHARES.map(([name, better, of, holds]) => {
        return figure(name, shareOf(rows.filter(of), holds), better);
      }),
      figure("type, macro-F1", { percent: macroF1(labels), of: rows.length }),
    ],
    labels,
    misses: missesOf(rows, (r) => [
      `${gold(r, "cls")} ${gold(r, "type")} ${gold(r, "decision")}`,
      `${predicted(r, "class")} ${predicted(r, "type")} ${predicted(r, "decision")}`,
      isClassed(r) && isTyped(r) && isAccepted(r),
    ]),
  };
}

/** Of the records that the first condition holds for: how many the second one holds for. */
type ShareFigure = readonly [name: string, better: Figure["better"], of: Holds, holds: Holds];
type Holds = (row: Labelled) => boolean;

const isClassed: Holds = (r) => predicted(r, "class") === gold(r, "cls");
const isTyped: Holds = (r) => predicted(r, "type") === gold(r, "type");
const isAccepted: Holds = (r) => accepts(r, predicted(r, "decision"));
const isAny: Holds = () => true;
const isHard: Holds = (r) => isSharp(r) && gold(r, "cls") === "hard";
const isSoft: Holds = (r) => isSharp(r) && gold(r, "cls") !== "hard" && !accepts(r, "pause_human");
const isPaused: Holds = (r) => predicted(r, "decision") === "pause_human";
const isUntimed: Holds = (r) => gold(r, "cls") !== "none" && !isObject(r.gold["reset"]);

const isRetried: Holds = (r) => RETRIES.has(predicted(r, "decision"));

const SHARES: readonly ShareFigure[] = [
  ["class", "higher", isAny, isClassed],
  ["class, uncontested", "higher", isSharp, isClassed],
  ["type", "higher", isAny, isTyped],
  ["decision", "higher", isAny, isAccepted],
  ["false pauses", "lower", isSoft, isPaused],
  ["missed hard blockers", "lower", isHard, (r) => !isPaused(r) && !isAccepted(r)],
  ["wasted retries", "lower", isHard, (r) => isRetried(r) && !isAccepted(r)],
  ["reset times exact", "higher", (r) => momentOf(r) !== null, isExact],
  ["reset times invented", "lower", isUntimed, (r) => predicted(r, "resetAt") !== ""],
];

const RETRIES: ReadonlySet<string> = new Set(["retry_backoff", "wait_until", "continue"]);

/** A set whose labels are yes or no. */
interface YesNo {
  readonly isSo: (row: Labelled) => boolean;
  /** Of the prediction. */
  readonly flag: "stuck" | "same" | "needsHuman";
  readonly words: readonly [yes: string, no: string];
  readonly name: string;
  /** A yes to one of these is a false alarm. */
  readonly alarm: { readonly name: string; readonly of: (row: Labelled) => boolean };
}

const HISTORIES: YesNo = {
  isSo: (r) => gold(r, "label") === "stuck",
  flag: "stuck",
  words: ["stuck", "not_stuck"],
  name: "stuck, F1",
  alarm: {
    name: "moving runs called stuck",
    of: (r) => gold(r, "label") !== "stuck" && isSharp(r),
  },
};

const PAIRS: YesNo = {
  isSo: (r) => r.gold["same"] === true,
  flag: "same",
  words: ["same", "different"],
  name: "same error, F1",
  alarm: { name: "different errors merged", of: (r) => r.gold["same"] !== true && isSharp(r) },
};

const CLOSINGS: YesNo = {
  isSo: (r) => r.gold["needs_human"] === true,
  flag: "needsHuman",
  words: ["needs a person", "goes on"],
  name: "a person is needed, F1",
  alarm: {
    name: "pauses on harmless doubt",
    of: (r) => gold(r, "category") === "bait_doubt_words",
  },
};

function scoreYesNo(rows: readonly Labelled[], { isSo, flag, words, name, alarm }: YesNo): Score {
  const isCalled = ({ prediction }: Labelled): boolean => prediction[flag] === true;
  const f1 = (what: string, of: readonly Labelled[]): Figure =>
    figure(what, { percent: binary(of, isSo, isCalled).f1, of: of.length });
  const wanted = (row: Labelled): string => words[isSo(row) ? 0 : 1];
  const got = (row: Labelled): string => words[isCalled(row) ? 0 : 1];
  return {
    figures: [
      f1(name, rows),
      f1(`${name}, uncontested`, rows.filter(isSharp)),
      figure(alarm.name, shareOf(rows.filter(alarm.of), isCalled), "lower"),
    ],
    labels: perLabel(rows, wanted, got),
    misses: missesOf(rows, (r) => [wanted(r), got(r), isSo(r) === isCalled(r)]),
  };
}

function figure(name: string, share: Share, better: Figure["better"] = "higher"): Figure {
  return { name, ...share, better };
}

function isSharp({ gold: fields }: Labelled): boolean {
  return fields["contested"] !== true;
}

function gold(row: Labelled, name: string): string {
  return nameAt(row.gold, name);
}

/** Of any kind of prediction; "" where it has no such text. */
function predicted({ prediction }: Labelled, name: string): string {
  return nameAt(prediction, name);
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
  const offMs = Date.parse(predicted(row, "resetAt")) - Date.parse(momentOf(row) ?? "");
  return Math.abs(offMs) <= 60_000;
}

function missesOf(
  rows: readonly Labelled[],
  look: (row: Labelled) => readonly [wanted: string, found: string, isRight: boolean],
): readonly Miss[] {
  return rows.flatMap((row) => {
    const [wanted, got, isRight] = look(row);
    if (isRight) return [];
    const rule = predicted(row, "rule") || null;
    return [{ id: gold(row, "id"), wanted, got, rule, contested: !isSharp(row) }];
  });
}
