// How does what a gate said read in one line?

import { assertNever } from "../../core/model/assert.ts";
import type { MeasuredOn } from "../../core/model/measurement.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { Finding, GateResult } from "../../core/model/verdict.ts";
import type { GateVerdict, TwoByTwo } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, table, type Tone } from "../layout.ts";
import { duration, FLAKY } from "./text.ts";

/** On what a gate ran, where it is not simply the work. */
export const MEASURED_ON: Readonly<Record<MeasuredOn, string | null>> = {
  base: "before the work",
  trial: "with sources that nothing can read",
  work: null,
  again: "on the untouched commit",
  beside: "with files that no commit holds",
  original: "with the original checks",
  control: "with the product as it was",
  canary: "with a check that must fail",
  merged: "on the merged tree",
  landed: "where it lands",
};

export interface GateSentence {
  readonly text: string;
  readonly tone: Tone | null;
}

export function tellGate(gate: GateResult): GateSentence {
  const { mark, tone } = LOOKS[gate.verdict.kind];
  return { text: `${mark} ${gateWords(gate)}`, tone: gate.flaky ? "attention" : tone };
}

const LOOKS = {
  passed: { mark: "✓", tone: "good" },
  failed: { mark: "✗", tone: "bad" },
  unknown: { mark: "?", tone: "attention" },
} as const;

/** "test failed · 41 passed, 1 failed · 2s: adds two numbers: …". */
export function gateWords(gate: GateResult): string {
  const { verdict, counts } = gate;
  const name = gate.required ? gate.name : `${gate.name} (not required)`;
  const of = counts === null ? null : `${counts.passed} passed, ${counts.failed} failed`;
  // How long it takes is said where that is a minute or more: each session is followed by as much.
  const long = gate.tookMs < 60_000 ? "" : ` · takes about ${duration(gate.tookMs)}`;
  const time = gate.elapsedMs === 0 ? `known from before${long}` : duration(gate.elapsedMs);
  switch (verdict.kind) {
    case "passed":
      return dotted([`${name} passed`, gate.flaky ? FLAKY : null, of, time]);
    case "failed": {
      const first = verdict.findings[0];
      const why = first === undefined ? "" : `: ${excerpt(findingWords(gate.name, first), 160)}`;
      return `${dotted([`${name} failed`, of, time])}${why}`;
    }
    case "unknown":
      return dotted([`${name} unknown (${verdict.why}): ${excerpt(verdict.detail, 160)}`, time]);
    default:
      return assertNever(verdict, "verdict");
  }
}

/** Where no check is named, the gate is the check. */
function findingWords(gate: string, { check, message }: Finding): string {
  return check === gate ? message : `${check}: ${message}`;
}

/** What a gate said of both sources with both sets of checks. Nothing, where only the work was measured. */
export function tablesOf(all: readonly TwoByTwo[], style: Style): readonly string[] {
  const cell = (one: GateVerdict | null): string => {
    if (one === null) return "-";
    const { verdict, counts } = one;
    if (verdict === "unknown" || counts === null) return verdict;
    return `${counts.passed} of ${counts.passed + counts.failed}`;
  };
  return all.flatMap(({ gate, base, original, control, work }) => {
    if (base === null) return [];
    const before = ["old source", cell(base), cell(control)];
    const now = ["new source", cell(original), cell(work)];
    return table(style, [before, now], { names: [gate, "old checks", "new checks"], indent: "  " });
  });
}
