// Did the work break what fails, or was it broken before?

import type { GateResult } from "../../core/model/verdict.ts";
import { failuresIn, faultsOf } from "./identity.ts";

/** Whose failures they are: the work's, those of what it started from, or some of each. */
export type Blame = "own" | "pre-existing" | "mixed";

/**
 * Compares what the required gates say now with what they said of the tree the task started from. A
 * failure is pre-existing where the same check of the same gate failed there in the same words. In
 * doubt it is the work's own: a gate that was not run there, or did not speak there, excuses nothing.
 */
export function blame(now: readonly GateResult[], base: readonly GateResult[]): Blame {
  const before = new Map(base.filter(isFailing).map((gate) => [gate.name, gate]));
  const parts = now.filter(isFailing).map((gate) => blameOne(gate, before.get(gate.name) ?? null));
  if (parts.length > 0 && parts.every((part) => part === "pre-existing")) return "pre-existing";
  return parts.every((part) => part === "own") ? "own" : "mixed";
}

function isFailing(gate: GateResult): boolean {
  return gate.required && gate.verdict.kind === "failed";
}

function blameOne(now: GateResult, base: GateResult | null): Blame {
  if (base === null) return "own";
  const before = new Set(faultsOf(base));
  const faults = faultsOf(now);
  const shared = faults.filter((fault) => before.has(fault)).length;
  // A failure without a word has no identity, and is like no other.
  if (shared === 0) return "own";
  const isMore = failuresIn(now) > failuresIn(base);
  // Where some are not named, only their number and the named ones together say they are the same.
  const isCut = failuresIn(now) > faults.length;
  const isSame = shared === faults.length && shared === before.size;
  return shared === faults.length && !isMore && (isSame || !isCut) ? "pre-existing" : "mixed";
}
