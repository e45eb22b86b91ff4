// Is this the same failure as before?

import { shortHash } from "../../core/model/short-hash.ts";
import { normalise } from "./normalise.ts";
import type { FailureIdentity, Finding, GateResult } from "../../core/model/verdict.ts";

export { normalise } from "./normalise.ts";

/**
 * Identity of what the required gates found: the set of failing checks with the normalised first
 * line of each. The order in which a runner lists them plays no part. null: no required gate failed.
 */
export function failureIdentity(gates: readonly GateResult[]): FailureIdentity | null {
  const failed = gates.flatMap((gate) =>
    gate.required && gate.verdict.kind === "failed"
      ? [{ gate, findings: gate.verdict.findings }]
      : [],
  );
  if (failed.length === 0) return null;
  const checks = failed.flatMap(({ gate, findings }) =>
    findings.length === 0
      ? [{ name: gate.name, message: "" }]
      : findings.map((finding) => named(gate.name, finding)),
  );
  return {
    fp: fingerprint(checks),
    failing: unique(checks.map((check) => check.name)),
    failingCount: sum(
      failed.map(({ gate, findings }) => Math.max(gate.counts?.failed ?? 0, findings.length, 1)),
    ),
  };
}

interface Check {
  readonly name: string;
  readonly message: string;
}

function named(gate: string, finding: Finding): Check {
  const name = finding.check === gate ? gate : `${gate}: ${finding.check}`;
  return { name, message: normalise(finding.message) };
}

function fingerprint(checks: readonly Check[]): string {
  const lines = unique(checks.map((check) => `${check.name}\n${check.message}`));
  return shortHash(lines.join("\n\n"));
}

/** Sorted by code unit, so that no locale of a machine changes a fingerprint. */
function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
