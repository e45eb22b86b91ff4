// What does a second session think of finished work?

import type { Criterion, ReviewFinding } from "./report.ts";

/** Which agent looks at a step's finished work, and with what words. */
export interface CoachSpec {
  /** Name of the prompt template. */
  readonly prompt: string;
  readonly agent: string;
  readonly model: string | null;
  /** Of the task's money, or of its sessions where nobody knows the money: from 0 to 1. */
  readonly share: number;
}

/** It can withhold approval and never grant it: what is not known approves nothing and blocks nothing. */
export type CoachVerdict =
  | { readonly kind: "not-asked" }
  | { readonly kind: "unknown"; readonly why: string }
  | {
      readonly kind: "given";
      readonly findings: readonly ReviewFinding[];
      readonly criteria: readonly Criterion[];
    };

export const NOT_COACHED: CoachVerdict = { kind: "not-asked" };

/** Findings that block: the rest is told, and is no reason to go on. */
export function objectionsOf(coach: CoachVerdict): readonly ReviewFinding[] {
  if (coach.kind !== "given") return [];
  return coach.findings.filter(({ severity }) => severity === "critical" || severity === "major");
}

export function findingWords({ severity, file, reason }: ReviewFinding): string {
  return `${severity}${file === null ? "" : ` in ${file}`}: ${reason}`;
}

/** The same objections, however they are spelt and ordered; null: there are none. */
export function coachFingerprint(coach: CoachVerdict): string | null {
  const all = objectionsOf(coach).map(
    ({ file, reason }) => `${file ?? ""} ${reason.toLowerCase().replaceAll(/[^\p{L}]+/gu, " ")}`,
  );
  return all.length === 0 ? null : [...new Set(all)].sort().join("\n");
}

/** For who looks back at approved work; "": nobody looked. */
export function coachWords(coach: CoachVerdict): string {
  if (coach.kind === "not-asked") return "";
  if (coach.kind === "unknown") return `the coach gave no verdict: ${coach.why}`;
  const { length } = coach.findings;
  if (objectionsOf(coach).length > 0) return "the coach does not approve";
  return length === 0
    ? "the coach has no objection"
    : `the coach does not block, with ${length} minor ${length === 1 ? "finding" : "findings"}`;
}
