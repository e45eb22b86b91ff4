// Is this the same failure as before?

import { shortHash } from "../../core/model/ids.ts";
import type { FailureIdentity, GateResult } from "../../core/model/verdict.ts";
import { normalise } from "./normalise.ts";

/**
 * Identity of what the required gates found. The order in which a runner lists its failures plays
 * no part. null: no required gate failed.
 */
export function failureIdentity(gates: readonly GateResult[]): FailureIdentity | null {
  const failed = gates.filter((gate) => gate.required && gate.verdict.kind === "failed");
  if (failed.length === 0) return null;
  const faults = failed.flatMap((gate) => {
    const gateFaults = faultsOf(gate);
    return gateFaults.length === 0 ? [`${gate.name}\n`] : gateFaults;
  });
  return {
    fp: shortHash(unique(faults).join("\n\n")),
    failing: unique(failed.flatMap(checksOf)),
    failingCount: failed.reduce((sum, gate) => sum + Math.max(failuresIn(gate), 1), 0),
  };
}

/**
 * One identity for each thing that failed in a gate; empty: it failed without a word. Where none
 * were read from an output, the findings tell failures apart.
 */
export function faultsOf({ name, verdict, faults }: GateResult): readonly string[] {
  if (verdict.kind !== "failed") return [];
  if (faults !== null) return faults.map((fault) => `${name}\n${fault}`);
  return unique(
    verdict.findings.map(({ check, message }) => `${named(name, check)}\n${normalise(message)}`),
  );
}

/** Identity of something that orch itself says of a check. */
export function faultOf(message: string): string {
  return shortHash(normalise(message));
}

/** As the runner counted, where it did. */
export function failuresIn({ verdict, counts }: GateResult): number {
  return Math.max(counts?.failed ?? 0, verdict.kind === "failed" ? verdict.findings.length : 0);
}

function checksOf({ name, verdict }: GateResult): readonly string[] {
  if (verdict.kind !== "failed" || verdict.findings.length === 0) return [name];
  return verdict.findings.map(({ check }) => named(name, check));
}

function named(gate: string, check: string): string {
  return check === gate ? gate : `${gate}: ${check}`;
}

/** Sorted by code unit, so that no locale of a machine changes a fingerprint. */
function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
