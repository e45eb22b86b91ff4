// What do the texts of an attempt say?

import type { CrashCause, ClosingQuestion, Evidence, Readings } from "../core/model/evidence.ts";
import type { Recorded } from "../core/model/event.ts";
import { isRed, sumGates, type GateResult } from "../core/model/verdict.ts";
import { crashCause } from "./endings/crash-cause.ts";
import { recordIn } from "./endings/faults.ts";
import { failureIdentity, failuresIn, faultsOf } from "./failure/normalise.ts";
import { isQuotedLine, withoutFences } from "./endings/ending-text.ts";
import { oneLine } from "../core/model/excerpt.ts";

/** What is gathered before the readers run. */
export type Unread = Omit<Evidence, "readings">;

/** Total. The texts stay in the evidence, so that a replay can read them again with today's readers. */
export function readEvidence(evidence: Unread): Readings {
  const { gates, baseline } = evidence;
  const failure = sumGates(gates) === "failed" ? failureIdentity(gates) : null;
  return {
    failure,
    failedBefore: failure !== null && failedBefore(gates, baseline),
    crash: causeOfCrash(evidence),
    closing: closingQuestion(evidence),
  };
}

/** The same line as today's readers read its texts. */
export function readAgain(line: Recorded): Recorded {
  const { event } = line;
  if (event.type !== "decided") return line;
  const evidence = { ...event.evidence, readings: readEvidence(event.evidence) };
  return { ...line, event: { ...event, evidence } };
}

/**
 * Words count only of a program that died, and where neither a report nor a typed event says how it
 * stands.
 */
function causeOfCrash({ ending, report, trace, at }: Unread): CrashCause | null {
  if (ending.kind !== "crashed" || report.kind === "read") return null;
  const { exitCode, signal, detail } = ending;
  // Without a word on its error output, what the program printed last is all it said.
  const text = detail.trim() === "" ? trace.closing : detail;
  const { nowMs, zone } = at;
  return crashCause({ text, record: recordIn(text), exitCode, signal, nowMs, zone });
}

/** Only of a session that ended in order and left no report. Prose does not tell what hangs on it. */
function closingQuestion({ ending, report, trace }: Unread): ClosingQuestion | null {
  if (ending.kind !== "finished" || report.kind === "read") return null;
  const question = questionIn(trace.closing);
  if (question === null) return null;
  return { question, impact: "major", options: optionsIn(trace.closing) };
}

const OPTIONS_MAX = 9;
const OPTION_CHARS_MAX = 160;

/** The last list, where a person can choose from it; empty: there is none. */
function optionsIn(text: string): readonly string[] {
  const lines = withoutFences(text.slice(-TEXT_CHARS_MAX).split(/[^\S\n]*\n/));
  const end = lines.findLastIndex((line) => LIST_ITEM.test(line)) + 1;
  const from =
    lines.slice(0, end).findLastIndex((line) => line !== "" && !LIST_ITEM.test(line)) + 1;
  const items = lines.slice(from, end).flatMap((line) => line.replace(LIST_ITEM, "").trim() || []);
  const areShort = items.every((item) => item.length <= OPTION_CHARS_MAX);
  return items.length > 1 && items.length <= OPTIONS_MAX && areShort ? items : [];
}

const TEXT_CHARS_MAX = 4_000;

/** The question as the agent wrote it; null: nothing is asked that is worth a person's time. */
export function questionIn(text: string): string | null {
  const end = text.slice(-TEXT_CHARS_MAX);
  const asked = askedIn(lastParagraph(end));
  // "Please tell me which one." is no question without the one before it.
  const before = asked?.includes("?") === false ? askedIn(oneLine(end), [MARKED]) : null;
  return before ?? asked;
}

function askedIn(paragraph: string, asks = ASKS): string | null {
  const sentences = paragraph.split(/(?<=[.!?])["*_)]{0,3}\s+/).filter((one) => one !== "");
  const isAsked = (one: string): boolean => asks.some((words) => words.test(one));
  return sentences.findLast((one) => isAsked(one) && !OFFER.test(one)) ?? null;
}

/** The options below a question belong to it. */
function lastParagraph(text: string): string {
  const lines = withoutFences(text.split(/\r?\n/)).filter(
    (line) => !isQuotedLine(line) && (line.includes("?") || !LIST_ITEM.test(line)),
  );
  const paragraphs = lines.join("\n").trim();
  return oneLine(paragraphs.split(/\n\s*\n/).at(-1) ?? "");
}

const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s/;

const MARKED = /\?["*_)]{0,3}$/;
const ASKS: readonly RegExp[] = [
  MARKED,
  /^(?:please )?(?:confirm|decide|choose|clarify|specify|(?:let me know|tell me|advise(?: on)?) (?:how|which|what|whether|who|when|where))\b/i,
];

/** Permission to go on, and courtesy. */
const OFFER =
  /\b(?:(?:would you like|do you want|like|want) me to|(?:should|shall|may|can) i (?:also |now |go ahead and )?(?:go|continue|proceed|start|begin|run|commit|push|open|add|try)|anything else|how can i help|what(?:'s| is) next|(?:any|further) (?:questions|feedback)|does that (?:work|help|make sense)|is that ok(?:ay)?)\b/i;

/**
 * Compares what the required gates say now with what they said of the tree the task started from: each
 * failure is one of the same check of the same gate, in the same words. In doubt it is the work's own: a gate
 * that was not run there, or did not speak there, excuses nothing.
 */
export function failedBefore(now: readonly GateResult[], base: readonly GateResult[]): boolean {
  const before = new Map(base.filter(isRed).map((gate) => [gate.name, gate]));
  const failing = now.filter(isRed);
  return failing.length > 0 && failing.every((gate) => isAsBefore(gate, before.get(gate.name)));
}

function isAsBefore(now: GateResult, base: GateResult | undefined): boolean {
  if (base === undefined) return false;
  const before = new Set(faultsOf(base));
  const faults = faultsOf(now);
  // A failure without a word has no identity, and is like no other.
  if (faults.length === 0 || !faults.every((fault) => before.has(fault))) return false;
  // Where some are not named, only their number and the named ones together say they are the same.
  const isCut = failuresIn(now) > faults.length;
  return failuresIn(now) <= failuresIn(base) && (faults.length === before.size || !isCut);
}
