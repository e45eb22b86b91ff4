// How is one attempt shown in a projection: short, and with the reason for its decision?

import { assertNever } from "../model/assert.ts";
import { coachWords, findingWords } from "../model/coach.ts";
import type { Decision } from "../model/decision.ts";
import { clip, excerpt } from "../model/excerpt.ts";
import type { Evidence } from "../model/evidence.ts";
import type {
  AttemptView,
  DecisionView,
  GateVerdict,
  GateView,
  SessionView,
  TwoByTwo,
} from "./run-view.ts";
import { SEVERITIES, type ReportStatus } from "../model/report.ts";
import type { SessionEnding } from "../model/session.ts";
import type { AttemptState, SessionState } from "../model/state.ts";
import { sumGates, type GateResult } from "../model/verdict.ts";

const FINDINGS_MAX = 5;
const PATHS_MAX = 20;
const PARTS_MAX = 40;
const SENTENCES_MAX = 12;
const LINE_CHARS_MAX = 240;
const SUMMARY_CHARS_MAX = 600;
const TEXT_CHARS_MAX = 1_200;

export function attemptView(attempt: AttemptState, directory: string): AttemptView {
  const ended = attempt.sessions.flatMap((session) =>
    session.ended === null ? [] : [session.ended],
  );
  const costs = ended.flatMap(({ usage }) => (usage.costUsd === null ? [] : [usage.costUsd]));
  const evidence = attempt.outcome?.evidence ?? null;
  const tree = evidence?.tree ?? null;
  return {
    n: attempt.n,
    plan: attempt.plan,
    role: attempt.role,
    startedAt: attempt.startedAt,
    sessions: attempt.sessions.map(sessionView),
    gates: attempt.gates.map(gateView),
    verdict: evidence === null ? null : sumGates(evidence.gates),
    report: reportView(attempt),
    changed:
      tree?.kind === "measured"
        ? { count: tree.changedCount, paths: tree.changed.slice(0, PATHS_MAX).map(line) }
        : null,
    coach: coachView(attempt.coach),
    decision: decisionView(attempt),
    counted: attempt.outcome?.counted ?? null,
    commit: attempt.commit,
    elapsedMs:
      ended.reduce((sum, one) => sum + one.elapsedMs, 0) +
      attempt.gates.reduce((sum, gate) => sum + gate.elapsedMs, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
    directory,
  };
}

/** The worst finding first. */
function coachView(coach: AttemptState["coach"]): AttemptView["coach"] {
  if (coach?.kind !== "over") return null;
  const { verdict, agent } = coach;
  const findings = verdict.kind === "given" ? verdict.findings : [];
  const sorted = SEVERITIES.flatMap((one) => findings.filter(({ severity }) => severity === one));
  const words = [coachWords(verdict), ...sorted.map(findingWords)];
  return {
    agent,
    words: words
      .filter((one) => one !== "")
      .slice(0, FINDINGS_MAX + 1)
      .map(line),
  };
}

function sessionView(session: SessionState): SessionView {
  const { token, agent, driver, model, start, ended } = session;
  const played = { token, agent, driver, model };
  return {
    ...played,
    agentVersion: ended?.agentVersion ?? null,
    start: start.kind,
    ending: ended?.ending.kind ?? null,
    detail: ended === null ? "" : endingDetail(ended.ending),
    sessionId: ended?.sessionId ?? null,
    costUsd: ended?.usage.costUsd ?? null,
    elapsedMs: ended?.elapsedMs ?? null,
  };
}

/** What an ending says beyond its kind, on one line. */
export function endingDetail(ending: SessionEnding): string {
  switch (ending.kind) {
    case "finished":
    case "interrupted":
    case "lost":
      return "";
    case "asked":
      return line(ending.asked.question);
    case "limit":
    case "timed-out":
      return ending.limit;
    case "looped":
      return line(ending.detail);
    case "fault":
      return line(`${ending.fault.kind}: ${ending.fault.message}`);
    case "crashed": {
      const how = ending.signal ?? (ending.exitCode === null ? "" : `exit code ${ending.exitCode}`);
      return line([how, ending.detail].filter((part) => part !== "").join(": "));
    }
    case "not-started":
      return line(`${ending.reason}: ${ending.detail}`);
    default:
      return assertNever(ending, "ending");
  }
}

function gateView(gate: GateResult): GateView {
  const { verdict } = gate;
  const findings = verdict.kind === "failed" ? verdict.findings : gate.flakyFindings;
  return {
    name: gate.name,
    required: gate.required,
    verdict: verdict.kind,
    why: verdict.kind === "unknown" ? line(`${verdict.why}: ${verdict.detail}`) : null,
    flaky: gate.flaky,
    findings: findings
      .slice(0, FINDINGS_MAX)
      .map(({ check, message }) => ({ check: line(check), message: line(message) })),
    findingsOmitted: Math.max(0, findings.length - FINDINGS_MAX),
    counts: gate.counts,
    elapsedMs: gate.elapsedMs,
  };
}

function reportView(attempt: AttemptState): AttemptView["report"] {
  const finding = attempt.sessions.at(-1)?.ended?.report;
  if (finding === undefined) return null;
  if (finding.kind !== "read") return { found: finding.kind, status: null, summary: "" };
  const { status, summary } = finding.report;
  return { found: finding.kind, status, summary: excerpt(summary, SUMMARY_CHARS_MAX) };
}

/** Each required gate of an attempt, as it was measured. */
export function twoByTwo(evidence: Evidence): readonly TwoByTwo[] {
  const { gates, baseline, originals, control } = evidence;
  const [original, without] = [originals, control].map((one) =>
    one.kind === "made" ? one.gates : [],
  );
  return gates.flatMap(({ name: gate, required }) => {
    const of = (all: readonly GateResult[] = []): GateVerdict | null => {
      const one = all.find(({ name }) => name === gate);
      return one === undefined ? null : { verdict: one.verdict.kind, counts: one.counts };
    };
    const [base, work] = [of(baseline), of(gates)];
    return required ? [{ gate, base, original: of(original), control: of(without), work }] : [];
  });
}

function decisionView(attempt: AttemptState): DecisionView | null {
  if (attempt.outcome === null) return null;
  const { decision, explanation, evidence } = attempt.outcome;
  return {
    proof: twoByTwo(evidence),
    kind: decision.kind,
    how: variantOf(decision),
    rule: decision.rule,
    evidence: explanation.evidence.slice(0, SENTENCES_MAX).map(line),
    close: explanation.close
      .slice(0, SENTENCES_MAX)
      .map(({ rule, missing }) => ({ rule, missing: line(missing) })),
    fingerprint: explanation.fingerprint,
    score: {
      ...explanation.score,
      parts: explanation.score.parts
        .slice(0, PARTS_MAX)
        .map((part) => ({ ...part, subject: line(part.subject), detail: line(part.detail) })),
    },
    text: clip(textOf(decision), TEXT_CHARS_MAX),
  };
}

export function variantOf(decision: Decision): DecisionView["how"] {
  if (decision.kind === "continue") return decision.how.kind;
  if (decision.kind === "pause") return decision.ask.kind;
  if (decision.kind === "stall") return decision.end;
  return decision.rollback === null ? null : "rollback";
}

/** The agent said that it was done, and orch found otherwise. */
export function isRefusedClaim(
  { kind, how, rule }: Pick<DecisionView, "kind" | "how"> & { readonly rule: string },
  status: ReportStatus | null,
): boolean {
  if (status !== "completed" || rule === "review-flag") return false;
  if (kind === "continue") return how === "feedback";
  return kind !== "pause" || how === "blocker" || how === "guidance" || how === "dispute";
}

function textOf(decision: Decision): string {
  if (decision.kind === "replan") return decision.feedback;
  if (decision.kind === "pause") return decision.ask.question;
  if (decision.kind === "stall") return decision.reason;
  const { how } = decision;
  if (how.kind === "feedback") return how.feedback;
  if (how.kind === "handoff") return how.resumePoint;
  if (how.kind === "carry-out") return `plan ${how.plan}`;
  return "cause" in how ? how.cause : "";
}

function line(text: string): string {
  return excerpt(text, LINE_CHARS_MAX);
}
