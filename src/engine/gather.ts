// How do an ended session and its gates become evidence and a decision?

import { invariant } from "../core/model/assert.ts";
import { decideExplained } from "../core/decide/decide.ts";
import type { Evidence, Integrity, TreeChange } from "../core/model/evidence.ts";
import type { TaskId } from "../core/model/ids.ts";
import { currentStep, historyOf, lastSession, policyOf } from "../core/run/select.ts";
import { sumGates } from "../core/model/verdict.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { readEvidence } from "../readers/read-evidence.ts";
import { secondOpinion } from "./opinion.ts";
import type { Ports } from "./ports.ts";
import { placeOf } from "./place.ts";
import type { Place } from "./place.ts";
import type { WriteFence } from "./ports-tree.ts";
import type { Log } from "./log.ts";

/** Gathers first, then decides, then records both in one line; nothing happens because of it yet. */
export async function decideAttempt(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { task, attempt, workspace, at } = place;
  const measured = await evidenceOf(place, ports);
  const history = historyOf(log.state, task);
  const policy = policyOf(log.state, task);
  const evidence = await secondOpinion(place, { evidence: measured, history, policy }, ports);
  const diff = await ports.workspaces.diff(workspace, attempt.checkpoint, evidence.tree);
  await ports.files.keepEvidence(ports.files.attemptDir(at), evidence, diff);
  await log.append({
    type: "decided",
    ...at,
    evidence,
    ...decideExplained(evidence, history, policy),
  });
}

async function evidenceOf(place: Place, ports: Ports): Promise<Evidence> {
  const { task, step, attempt, workspace } = place;
  const ended = lastSession(attempt)?.ended ?? null;
  invariant(ended !== null, "an attempt is judged after its session ended");
  const { ending, report, trace, plan, usage, unasked } = ended;
  const tree = await ports.workspaces.change(workspace, attempt.checkpoint, fenceOf(place));
  const gathered = {
    ending,
    report,
    gates: attempt.gates,
    gatesDeclaredNone: step.gates.kind === "none",
    tree,
    trace,
    plan,
    integrity: await integrityOf(place, tree, ports),
    baseline: ofFailed(attempt.gates, task.baseline),
    judge: { kind: "not-asked" as const },
    judgeTokens: {},
    usage,
    unasked,
    at: { nowMs: ports.clock.nowMs(), zone: ports.clock.zone, dice: ports.clock.dice() },
  };
  return { ...gathered, readings: readEvidence(gathered) };
}

function fenceOf({ task, step: { allowWrite } }: Place): WriteFence | null {
  if (allowWrite === null) return null;
  const { attempts } = currentStep(task).at;
  const strayed = attempts.flatMap(({ outcome }) =>
    outcome?.evidence.tree.kind === "measured" ? outcome.evidence.tree.outside : [],
  );
  return { allowWrite, start: attempts[0]?.checkpoint ?? null, strayed };
}

/**
 * Looked at where it decides something: the work is claimed complete, and no gate speaks against it,
 * or only with what may have failed before.
 */
async function integrityOf(
  { task, step, attempt, workspace }: Place,
  tree: TreeChange,
  { workspaces }: Ports,
): Promise<Integrity> {
  const report = lastSession(attempt)?.ended?.report;
  if (report?.kind !== "read" || report.report.status !== "completed")
    return { kind: "not-checked", why: "completion is not claimed" };
  const before = ofFailed(attempt.gates, task.baseline);
  const isOwn = before.every(({ verdict }) => verdict.kind !== "failed");
  if (sumGates(attempt.gates) === "failed" && isOwn)
    return { kind: "not-checked", why: "a required gate failed" };
  const gates = step.gates.kind === "none" ? [] : step.gates.gates;
  return workspaces.integrity(workspace, tree, {
    commands: gates.flatMap((gate) => (gate.kind === "command" ? [gate.run] : [])),
    counts: attempt.gates.map(({ name, counts }) => ({
      gate: name,
      before: task.baseline.find((base) => base.name === name)?.counts ?? null,
      after: counts,
    })),
    expectsChange: gates.length > 0 && step.allowWrite?.length !== 0,
    artifacts: report.report.artifacts.map(({ path }) => path),
  });
}

function ofFailed(
  gates: readonly GateResult[],
  baseline: readonly GateResult[],
): readonly GateResult[] {
  const failed = new Set(gates.flatMap((g) => (g.verdict.kind === "failed" ? [g.name] : [])));
  return baseline.filter(({ name }) => failed.has(name));
}
