// Did the work break what fails, or was it broken before?

import { failureIdentity, normalise } from "./fingerprint.ts";
import type { GateResult } from "../../core/model/verdict.ts";

/** Whose failures they are: the work's, those of what it started from, or some of each. */
export type Blame = "own" | "pre-existing" | "mixed";

/**
 * Compares what the required gates say now with what they said of the tree the task started from. A
 * failure is pre-existing where the same check of the same gate failed there in the same words. In
 * doubt it is the work's own: a gate that was not run there, or did not speak there, excuses nothing.
 */
export function blame(now: readonly GateResult[], base: readonly GateResult[]): Blame {
  const failing = now.filter(isFailing);
  const before = new Map(base.filter(isFailing).map((gate) => [gate.name, gate]));
  const parts = failing.map((gate) => blameOne(gate, before.get(gate.name) ?? null));
  if (parts.length > 0 && parts.every((part) => part === "pre-existing")) return "pre-existing";
  return parts.every((part) => part === "own") ? "own" : "mixed";
}

function isFailing(gate: GateResult): boolean {
  return gate.required && gate.verdict.kind === "failed";
}

function blameOne(now: GateResult, base: GateResult | null): Blame {
  if (base === null) return "own";
  const same = failureIdentity([now])?.fp === failureIdentity([base])?.fp;
  const before = new Set(checksOf(base));
  const checks = checksOf(now);
  const known = checks.filter((check) => before.has(check)).length;
  if (known === 0) return "own";
  const isMore = countOf(now) > countOf(base);
  // Findings are bounded: where some are not named, only their number and the named ones together
  // say that they are the same.
  const isCut = countOf(now) > checks.length;
  return known === checks.length && !isMore && (same || !isCut) ? "pre-existing" : "mixed";
}

/** A failure without a finding has no identity, and is like no other. */
function checksOf({ verdict }: GateResult): readonly string[] {
  if (verdict.kind !== "failed") return [];
  const checks = verdict.findings.map(({ check, message }) => `${check}\n${normalise(message)}`);
  return [...new Set(checks)];
}

function countOf(gate: GateResult): number {
  return Math.max(gate.counts?.failed ?? 0, checksOf(gate).length);
}
