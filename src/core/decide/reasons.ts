// Which reasons does the agent give for checks that it changed, or that fail?

import type { ChangedCheck } from "../model/decision.ts";
import type { Evidence } from "../model/evidence.ts";
import type { AgentReport } from "../model/report.ts";

const REASON_NAME_MIN = 4;

/** Of a gate without a count it is enough to name it, or one thing it says: it lists no checks. */
export function explainsFailing(evidence: Evidence, report: AgentReport | null): boolean {
  const red = evidence.gates.flatMap(({ name, required, verdict, counts }) =>
    required && verdict.kind === "failed" ? [{ name, findings: verdict.findings, counts }] : [],
  );
  return red.every(({ name, findings, counts }) => {
    const isExplained = (check: string): boolean =>
      reasonFor({ gate: name, check }, evidence, report) !== null;
    const checks = findings.map(({ check }) => check);
    return counts === null
      ? [name, ...checks].some(isExplained)
      : checks.length >= counts.failed && checks.every(isExplained);
  });
}

/**
 * The agent may name a check, a file of checks that it changed, or the gate; in any attempt so far. Of a gate that
 * names no checks it may name one that stands in the output.
 */
export function reasonFor(
  { gate, check }: Pick<ChangedCheck, "gate" | "check">,
  { reasons, originals }: Evidence,
  report: AgentReport | null,
): string | null {
  const { putBack, gates } = originals.kind === "made" ? originals : { putBack: [], gates: [] };
  const output = check === gate ? gates.find(({ name }) => name === gate)?.excerpt : undefined;
  const plainCheck = plain(check);
  const printed = plain(output ?? "");
  const isFile = (name: string): boolean =>
    putBack.some((path) => path === name || path.endsWith(`/${name}`));
  const about = [...(report?.changedChecks ?? []), ...reasons].find(({ check: name }) => {
    const plainName = plain(name);
    const isIn = plainCheck.includes(plainName) || printed.includes(plainName);
    const fits = plainName.length >= REASON_NAME_MIN && (isIn || plainName.includes(plainCheck));
    return name === gate || plainCheck === plainName || fits || isFile(name.trim());
  });
  return about?.reason ?? null;
}

/** Runners and their reports write the same name with other marks, and with or without the file's ending. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.[cm]?(?:[jt]sx?|py|rb|go|rs|php)\b/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
