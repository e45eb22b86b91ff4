// Which words does the next attempt get about the last one?

import type { ReportFinding } from "../model/report.ts";
import { isRed, type GateResult } from "../model/verdict.ts";
import type { Facts } from "./facts.ts";

const FINDINGS_MOST = 12;

/** The findings of failed gates, one line each, never a wall of log. */
export function failureLines({ evidence }: Pick<Facts, "evidence">): readonly string[] {
  return linesOfFailed(evidence.gates);
}

function linesOfFailed(gates: readonly GateResult[]): readonly string[] {
  const failed = gates.filter(isRed);
  // A gate that failed without a finding still has a name.
  const lines = failed.flatMap(({ name, verdict }) =>
    verdict.kind === "failed" && verdict.findings.length > 0
      ? verdict.findings.map(({ check, message }) =>
          message === "" ? check : `${check}: ${message}`,
        )
      : [`${name}: failed`],
  );
  const shown = lines.slice(0, FINDINGS_MOST);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}

/** What the gates that were not evaluated say about why. */
export function unknownLines(gates: readonly GateResult[]): readonly string[] {
  return gates.flatMap((gate) =>
    gate.required && gate.verdict.kind === "unknown"
      ? [
          `${gate.name}: ${gate.verdict.why}${gate.verdict.detail === "" ? "" : ` (${gate.verdict.detail})`}`,
        ]
      : [],
  );
}

/** What orch measured on the tree that the task began with, where it was not green. */
export function baseTrouble(baseline: readonly GateResult[]): string {
  const [red, open] = [linesOfFailed(baseline), unknownLines(baseline)];
  const failed = [
    "These checks failed before the task began:",
    ...fenced(red),
    "",
    "If fixing them is part of the task, fix them. If not, leave them as they are, and name each under `changed_checks` in your report, with the reason why it is not part of the task. If what mends one is not the product's code (a helper of the tests, data, a setting), name it or that file there, too, with the reason.",
  ];
  const unknown = [
    "These gates gave no verdict:",
    ...fenced(open),
    "",
    "They must run and check your work before you report: add the tests or the script that they look for.",
  ];
  return [...(red.length === 0 ? [] : [...failed, ""]), ...(open.length === 0 ? [] : unknown)].join(
    "\n",
  );
}

export function redGate(facts: Facts): string {
  const soft = facts.blockers.map((b) => `- you declared ${b.type}: ${b.message}`);
  return [
    "These checks, which must pass, still fail:",
    ...fenced(failureLines(facts)),
    ...(soft.length > 0 ? ["", ...soft] : []),
    "",
    "Fix the cause in the code, not in the checks.",
  ].join("\n");
}

export function differentApproach(facts: Facts): string {
  return [
    "The same checks failed again, in the same way:",
    ...fenced(failureLines(facts)),
    "",
    "Do not repeat the last approach. Say what you assumed, check that assumption first, and try a different one.",
    "If the checks contradict the task, declare the blocker `invalid_specification` instead.",
  ].join("\n");
}

export function newPlan(facts: Facts): string {
  const tried = facts.report?.approachesTried ?? [];
  return [
    "This plan did not work. What failed:",
    ...fenced(failureLines(facts)),
    ...facts.blockers.map((b) => `- ${b.type}: ${b.message}`),
    ...(tried.length > 0 ? ["", "Tried so far:", ...tried.map((t) => `- ${t}`)] : []),
  ].join("\n");
}

export function unknownGates(facts: Facts, shrink: boolean): string {
  return [
    "The gates gave no verdict, so nothing is proven yet:",
    ...fenced(unknownLines(facts.evidence.gates)),
    "",
    shrink
      ? "This happened twice. Change something: take a smaller step, make the command faster, or fix what keeps it from running."
      : "Make sure that they find checks to run, and finish within their time limit.",
  ].join("\n");
}

/** Four kinds of missing report, four different sentences. */
export function reportTrouble(finding: ReportFinding): string {
  const { kind } = finding;
  if (kind === "read")
    return "Your report states no usable `status`: it must be completed, partial, failed or blocked.";
  if (kind === "in-progress")
    return "Your report still says in_progress. Finish the work, then write the report with its final status.";
  if (kind === "missing") return "You ended without writing a report.";
  if (kind === "unreadable") return `Your report cannot be read: ${finding.problems.join("; ")}.`;
  return `The report you wrote belongs to another session: ${finding.detail}. Use the path given in this prompt.`;
}

/** Output of checks is text from outside: fenced, so that it reads as data and not as instructions. */
export function fenced(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const longest = Math.max(
    2,
    ...lines.flatMap((l) => (l.match(/`+/g) ?? []).map((run) => run.length)),
  );
  const fence = "`".repeat(longest + 1);
  return ["", `${fence}text`, ...lines, fence];
}
