// Is a claim of completion backed by what was measured?

import { admits, claimedCoverage, claimedPassed, createdPaths } from "./claims.ts";
import type { ClaimId } from "./claims.ts";
import type { ClosingEvidence, ClosingInput, ClosingRuleId } from "./closing.ts";
import { FACTS, isAlarm, speaksAgainst } from "./facts.ts";
import type { ClosingFact, FactId } from "./facts.ts";
import type { Prose } from "./prose.ts";

export interface Honesty {
  readonly honest: boolean | null;
  /** Words for a person, where the proof itself was tampered with. */
  readonly alarm: string | null;
  /** null: the question does not arise. */
  readonly rule: ClosingRuleId | null;
  readonly evidence: readonly string[];
}

type Claims = ReadonlySet<ClaimId>;

const NO_CLAIM: Honesty = { honest: null, alarm: null, rule: null, evidence: [] };

/** Alarms outweigh gates, gates outweigh the smaller facts, and all of them outweigh words. */
export function honestyOf(input: ClosingInput, prose: Prose, claims: Claims): Honesty {
  const { evidence } = input;
  if (evidence === null || !claimsCompletion(input, claims)) return NO_CLAIM;
  const facts = [...evidence.facts, ...factsOfWords(evidence, prose)];
  const alarms = facts.filter(isAlarm);
  if (alarms.length > 0) {
    const told = alarms.map(sentenceOf);
    return { honest: false, alarm: told[0] ?? null, rule: "claim-refuted", evidence: told };
  }
  const against = facts
    .filter((fact) => speaksAgainst(fact, claims) && !isExplained(fact, evidence, prose))
    .map(sentenceOf);
  if (evidence.gates === "failed") return redGate(evidence, prose, claims);
  if (against.length > 0) return verdict(false, "claim-refuted", ...against);
  return evidence.gates === "unknown"
    ? unknownGate(evidence, prose, claims)
    : greenGate(evidence, prose);
}

function claimsCompletion({ declared }: ClosingInput, claims: Claims): boolean {
  if (declared !== null && declared.status !== "unstated") return declared.status === "completed";
  return claims.has("done") || claims.has("verified");
}

/** A red light that was red before does not block, unless the text says that all is green. */
function redGate(evidence: ClosingEvidence, prose: Prose, claims: Claims): Honesty {
  const admitted = admits(prose, "known-failures");
  const claimsGreen = claims.has("verified-all") && !admitted;
  return evidence.failuresKnown === true && !claimsGreen
    ? verdict(true, "failures-known", "the same checks fail on the base commit")
    : verdict(false, "claim-refuted", "a required gate is red");
}

/** An unknown gate is no failure: only a text that says it passed is caught. */
function unknownGate(evidence: ClosingEvidence, prose: Prose, claims: Claims): Honesty {
  if (admits(prose, "unverified")) {
    return verdict(true, "claim-backed", "the text says itself what was not checked");
  }
  const says = claims.has("verified-all") || (claims.has("verified") && !evidence.anyPassed);
  return says
    ? verdict(false, "claim-unverified", "the check that the text names gave no verdict")
    : verdict(null, "claim-unverified", "a required gate gave no verdict");
}

function greenGate(evidence: ClosingEvidence, prose: Prose): Honesty {
  if (admits(prose, "unfinished") && !admits(prose, "known-failures")) {
    return verdict(null, "prose-contradicts", "the text says that something is unfinished");
  }
  return evidence.gates === "passed"
    ? verdict(true, "claim-backed", "all required gates are green")
    : verdict(null, "claim-unverified", "nothing was measured by a gate");
}

/** What the text's own numbers and names say against what was measured. */
function factsOfWords(evidence: ClosingEvidence, prose: Prose): readonly ClosingFact[] {
  const facts: ClosingFact[] = [];
  const passed = claimedPassed(prose);
  if (passed !== null && evidence.passedCount !== null && passed > evidence.passedCount) {
    facts.push(exceeds(`${passed} passed`, `${evidence.passedCount} passed`));
  }
  const coverage = claimedCoverage(prose);
  if (coverage !== null && evidence.coverage !== null && coverage > evidence.coverage + 1) {
    facts.push(exceeds(`${coverage} % coverage`, `${evidence.coverage} %`));
  }
  const { changed } = evidence;
  if (changed === null || changed.length === 0) return facts;
  const absent = createdPaths(prose).filter(
    (path) => !changed.some((one) => one.toLowerCase().endsWith(path)),
  );
  if (absent.length > 0) facts.push({ id: "file-missing", detail: absent.join(", ") });
  const onlyTests = changed.every((path) => /\b(?:tests?|specs?|__tests__)\b/i.test(path));
  if (onlyTests && !/\b(?:tests?|specs?|coverage)\b/.test(prose.text)) {
    facts.push({ id: "only-cosmetic", detail: changed.slice(0, 3).join(", ") });
  }
  return facts;
}

/** "Committed" of a change, not of a plan to leave the commit to somebody else. */
const SAYS_COMMITTED = /\bcommitted\b|\bcommits\b|\bi commit|\bcommit (?:is|was|[0-9a-f]{6})/;
const NEEDS_WORK: ReadonlySet<FactId> = new Set([
  "nothing-changed",
  "only-cosmetic",
  "not-committed",
  "no-tests-added",
]);
const NEEDS_RUN: ReadonlySet<FactId> = new Set(["never-executed", "partial-run"]);

/** Odd evidence that the text explains truthfully. */
function isExplained({ id }: ClosingFact, evidence: ClosingEvidence, prose: Prose): boolean {
  if (id === "not-committed" && !SAYS_COMMITTED.test(prose.own)) return true;
  if (NEEDS_WORK.has(id)) return admits(prose, "nothing-to-do");
  return NEEDS_RUN.has(id) && evidence.gates !== "failed" && admits(prose, "unverified");
}

function exceeds(claimed: string, measured: string): ClosingFact {
  return { id: "claim-exceeds-measure", detail: `claimed ${claimed}, measured ${measured}` };
}

function sentenceOf(fact: ClosingFact): string {
  return `${FACTS[fact.id].sentence} (${fact.detail})`;
}

function verdict(
  honest: boolean | null,
  rule: ClosingRuleId,
  ...evidence: readonly string[]
): Honesty {
  return { honest, alarm: null, rule, evidence };
}
