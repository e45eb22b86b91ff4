// How do an ended session and its gates become evidence and a decision?

import { invariant } from "../core/model/assert.ts";
import { decideExplained } from "../core/decide/decide.ts";
import type { Comparison, Originals } from "../core/model/checks.ts";
import type { Evidence, Integrity, TreeChange } from "../core/model/evidence.ts";
import type { TaskId } from "../core/model/ids.ts";
import { historyOf } from "../core/run/history-of.ts";
import { currentStep, lastSession, policyOf } from "../core/run/select.ts";
import { sumGates } from "../core/model/verdict.ts";
import type { TaskState } from "../core/model/state.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { namedChecks } from "../readers/task-text/named-checks.ts";
import { readEvidence } from "../readers/read-evidence.ts";
import { secondOpinion } from "./opinion.ts";
import type { Ports } from "./ports.ts";
import { basePath, gatePath, placeOf } from "./place.ts";
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
  // What orch itself stopped has said nothing; it is gathered again when the run goes on.
  if (ports.stop.signal.aborted) return;
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
  const sum = sumGates(attempt.gates);
  const isOver = isClaimed(place) && (sum !== "failed" || wasRed(place));
  const logPathOf = (gate: string): string => gatePath(ports.files, place.at, gate);
  const comparisons = comparisonsOf(place, attempt.gates, logPathOf, ports);
  const gathered = {
    ending,
    report,
    gates: attempt.gates,
    gatesDeclaredNone: step.gates.kind === "none",
    tree,
    trace,
    plan,
    integrity: isOver
      ? await integrityOf(place, tree, ports)
      : { kind: "not-checked" as const, why: "the work is not claimed complete, or a gate is red" },
    baseline: ofRun(attempt.gates, task.baseline),
    comparisons,
    replaced: isOver ? await replacedPrograms(place, ports) : [],
    relisted: isRelisted(place, tree),
    reasons: reasonsBefore(task),
    wanted: namedChecks(task.task.body, comparisons.flatMap(stillRed)),
    originals: isOver && sum === "passed" ? await originalsOf(place, tree, ports) : NOT_NEEDED,
    judge: { kind: "not-asked" as const },
    judgeTokens: {},
    usage,
    unasked,
    at: { nowMs: ports.clock.nowMs(), zone: ports.clock.zone, dice: ports.clock.dice() },
  };
  return { ...gathered, readings: readEvidence(gathered) };
}

function stillRed(comparison: Comparison): readonly string[] {
  return comparison.kind === "compared" ? comparison.stillFailing.names : [];
}

const DEPENDENCY_LIST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|Gemfile|composer\.json|[\w.-]*requirements[\w.-]*\.txt|[\w.-]*lock[\w.-]*)$/;

function isRelisted({ task }: Place, tree: TreeChange): boolean {
  const earlier = task.steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ outcome }) => outcome?.evidence.tree ?? []),
  );
  const changed = [tree, ...earlier].flatMap((one) => (one.kind === "measured" ? one.changed : []));
  return changed.some((path) => DEPENDENCY_LIST.test(path));
}

async function replacedPrograms(
  { task, workspace }: Place,
  { workspaces }: Ports,
): Promise<readonly string[]> {
  const now = await workspaces.programs(workspace);
  return Object.entries(task.programs).flatMap(([path, before]) =>
    now[path] !== undefined && now[path] !== before ? [path] : [],
  );
}

const REASONS_MAX = 50;

function reasonsBefore({ steps }: TaskState): Evidence["reasons"] {
  const reports = steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ sessions }) => sessions.flatMap(({ ended }) => ended?.report ?? [])),
  );
  const reasons = reports.flatMap((one) => (one.kind === "read" ? one.report.changedChecks : []));
  return reasons.slice(-REASONS_MAX);
}

const NOT_NEEDED: Originals = { kind: "not-needed" };

function fenceOf({ task, step: { allowWrite } }: Place): WriteFence | null {
  if (allowWrite === null) return null;
  const { attempts } = currentStep(task).at;
  const strayed = attempts.flatMap(({ outcome }) =>
    outcome?.evidence.tree.kind === "measured" ? outcome.evidence.tree.outside : [],
  );
  return { allowWrite, start: attempts[0]?.checkpoint ?? null, strayed };
}

/** Looked at where it decides something: the work is claimed complete, and no gate speaks against it, or only as before. */
function isClaimed({ attempt }: Place): boolean {
  const report = lastSession(attempt)?.ended?.report;
  return report?.kind === "read" && report.report.status === "completed";
}

/** What fails may have failed before the work. */
function wasRed({ attempt, task }: Place): boolean {
  return attempt.gates.some(
    ({ name, verdict }) =>
      verdict.kind === "failed" &&
      task.baseline.some((base) => base.name === name && base.verdict.kind === "failed"),
  );
}

async function integrityOf(
  { step, attempt, workspace }: Place,
  tree: TreeChange,
  { workspaces }: Ports,
): Promise<Integrity> {
  const report = lastSession(attempt)?.ended?.report;
  const gates = step.gates.kind === "none" ? [] : step.gates.gates;
  return workspaces.integrity(workspace, tree, {
    commands: commandsOf(gates),
    expectsChange: gates.length > 0 && step.allowWrite?.length !== 0,
    artifacts: report?.kind === "read" ? report.report.artifacts.map(({ path }) => path) : [],
  });
}

function commandsOf(gates: readonly GateSpec[]): readonly string[] {
  return gates.flatMap((gate) => (gate.kind === "command" ? [gate.run] : []));
}

/** Of each gate that was run on the base. */
function comparisonsOf(
  { task }: Place,
  ran: readonly GateResult[],
  logPathOf: (gate: string) => string,
  { gates, files }: Ports,
): readonly Comparison[] {
  return ran.flatMap((result) => {
    const base = task.baseline.find(({ name }) => name === result.name);
    if (base === undefined) return [];
    const before = { result: base, logPath: basePath(files, task, base.name) };
    return [gates.compare(before, { result, logPath: logPathOf(result.name) })];
  });
}

/** Run where the work is claimed complete, its gates are green, and something that proves was changed. */
async function originalsOf(place: Place, tree: TreeChange, ports: Ports): Promise<Originals> {
  const { step, workspace, at, task } = place;
  const { gates, workspaces, files, stop } = ports;
  const wanted = step.gates.kind === "none" ? [] : step.gates.gates;
  const proving = wanted.filter(({ name }) => task.baseline.some((base) => base.name === name));
  if (proving.length === 0) return NOT_NEEDED;
  const made = await workspaces.originalCopy(workspace, tree, commandsOf(proving));
  if (made.kind !== "made") return made;
  const { copy, putBack } = made;
  const alone = proving.find(({ name }) => task.uncopied.includes(name));
  if (alone !== undefined) {
    await copy.remove();
    return { kind: "not-made", why: `${alone.name} does not run in a copy as it does in the tree` };
  }
  const logPathOf = (gate: string): string => gatePath(files, at, `${gate}.original`);
  try {
    const results: GateResult[] = [];
    for (const gate of proving) {
      const request = { cwd: workspace.root, copy, logPath: logPathOf(gate.name) };
      const first = await gates.checkCopy(gate, request, stop.signal);
      // What comes and goes of itself accuses nobody.
      const isOver = first.verdict.kind !== "failed" || stop.signal.aborted;
      results.push(isOver ? first : await gates.checkCopy(gate, request, stop.signal));
    }
    const comparisons = comparisonsOf(place, results, logPathOf, ports);
    return { kind: "made", putBack, gates: results, comparisons };
  } finally {
    await copy.remove();
  }
}

function ofRun(
  gates: readonly GateResult[],
  baseline: readonly GateResult[],
): readonly GateResult[] {
  return baseline.filter(({ name }) => gates.some((gate) => gate.name === name));
}
