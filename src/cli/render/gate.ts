// How does what a gate said read in one line?

import { assertNever } from "../../core/model/assert.ts";
import type { MeasuredOn } from "../../core/model/measurement.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { Finding, GateResult, TestCounts } from "../../core/model/verdict.ts";
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
  const { verdict, counts } = gate;
  const name = gate.required ? gate.name : `${gate.name} (not required)`;
  const of = counts === null ? null : countWords(counts);
  const time = took(gate);
  switch (verdict.kind) {
    case "passed":
      return {
        text: dotted([`✓ ${name} passed`, gate.flaky ? FLAKY : null, of, time]),
        tone: gate.flaky ? "attention" : "good",
      };
    case "failed": {
      const first = verdict.findings[0];
      const why = first === undefined ? "" : `: ${excerpt(findingWords(gate.name, first), 160)}`;
      return { text: `${dotted([`✗ ${name} failed`, of, time])}${why}`, tone: "bad" };
    }
    case "unknown":
      return {
        text: dotted([`? ${name} unknown (${verdict.why}): ${excerpt(verdict.detail, 160)}`, time]),
        tone: "attention",
      };
    default:
      return assertNever(verdict, "verdict");
  }
}

/** Where no check is named, the gate is the check. */
function findingWords(gate: string, { check, message }: Finding): string {
  return check === gate ? message : `${check}: ${message}`;
}

/** "before the work: test: 41 passed, 1 failed (test/add.test.js > adds)". */
export function tellBase(result: GateResult): GateSentence {
  const flaky = result.flaky ? FLAKY : null;
  const sentence = gateSays(result);
  const lead = /^\d|^nothing/.test(sentence) ? ":" : "";
  const words = `before the work: ${result.name}${lead} ${sentence}`;
  const tone = result.verdict.kind === "passed" ? "quiet" : "attention";
  return { text: dotted([words, flaky, took(result)]), tone };
}

/** What it said of a tree that nobody worked on: counts where there are any, else the decisive line. */
export function gateSays({ verdict, counts }: GateResult): string {
  switch (verdict.kind) {
    case "passed":
      return counts === null ? "passes" : countWords(counts);
    case "failed": {
      const [first] = verdict.findings;
      const more = (counts?.failed ?? verdict.findings.length) > 1 ? ", …" : "";
      if (counts !== null && counts.failed > 0)
        return `${countWords(counts)}${first === undefined ? "" : ` (${excerpt(first.check, 160)}${more})`}`;
      return `fails${first === undefined ? "" : `: ${excerpt(first.message || first.check, 160)}`}`;
    }
    case "unknown":
      return verdict.why === "nothing-checked"
        ? `nothing to check (${excerpt(verdict.detail, 160)})`
        : `cannot run: ${excerpt(verdict.detail, 160)}`;
    default:
      return assertNever(verdict, "verdict");
  }
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

function countWords({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}

/** Only what is known from an earlier run takes no time. */
function took({ elapsedMs }: GateResult): string {
  return elapsedMs === 0 ? "known from before" : duration(elapsedMs);
}
