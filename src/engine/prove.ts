// What speaks for an attempt's work, and against it, besides its gates?

import { NOT_COACHED } from "../core/model/coach.ts";
import { resultOf, type Measurement } from "../core/model/measurement.ts";
import { type Comparison, sumGates } from "../core/model/verdict.ts";
import type {
  Control,
  Evidence,
  Integrity,
  Originals,
  TreeChange,
} from "../core/model/evidence.ts";
import {
  againstControl,
  comparisonsOf,
  failAnyway,
  isEnough,
  isGreen,
  looksElsewhere,
} from "../core/run/wanted.ts";
import { claimOf, currentStep, lastSession, policyOf } from "../core/run/select.ts";
import type { AgentReport } from "../core/model/report.ts";
import type { AttemptState, TaskState } from "../core/model/state.ts";
import type { LostCheck } from "../readers/tamper/changed-tests.ts";
import { absentFiles, namedChecks, namedFiles } from "../readers/task-text/task-names.ts";
import type { Ports } from "./ports.ts";
import { type Place, placeOf, type Log } from "./log.ts";
import { commandsOf, gatesOf } from "../core/model/task.ts";
import { invariant } from "../core/model/assert.ts";
import { decideExplained } from "../core/decide/decide.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { crossingsOf, fenceOf, refusedChanges, refusedSettings } from "../core/run/scopes.ts";
import { historyOf } from "../core/run/history-of.ts";
import { readEvidence } from "../readers/read-evidence.ts";
import type { WriteFence } from "./ports-tree.ts";

const NOT_LOOKED: Integrity = {
  kind: "not-checked",
  why: "the work is not claimed complete, or a gate is red",
};

/** The costly parts only where they decide something: the work is claimed complete, and no gate speaks against it. */
async function provingEvidence(place: Place, tree: TreeChange, ports: Ports) {
  const { task, attempt } = place;
  const claim = claimOf(attempt);
  const isOver = claim !== null && (sumGates(attempt.gates) !== "failed" || wasRed(place));
  const comparisons = comparisonsOf(task, attempt.gates);
  const originals = mixedOf(attempt.original, (gates) => comparisonsOf(task, gates));
  const asTheyWere = originals.kind === "made" ? originals.comparisons : [];
  const lost = [...comparisons, ...asTheyWere].flatMap(lostChecks);
  const stillRed = comparisons.flatMap((one) =>
    one.kind === "compared" ? one.stillFailing.names : [],
  );
  const ran = new Set(attempt.gates.map(({ name }) => name));
  return {
    gates: attempt.gates.map(resultOf),
    integrity: isOver ? await integrityOf(place, tree, { claim, lost }, ports) : NOT_LOOKED,
    baseline: task.baseline.filter(({ name }) => ran.has(name)).map(resultOf),
    comparisons,
    reasons: reasonsBefore(task),
    coach: attempt.coach?.kind === "over" ? attempt.coach.verdict : NOT_COACHED,
    onlyNamed: isOver && wasRed(place) && (await isOnlyNamed(place, ports)),
    wanted: namedChecks(task.task.body, stillRed),
    originals,
    control: controlOf(place),
    unheld: isEnough(attempt) ? (attempt.unheld ?? []) : [],
    failAnyway: failAnyway(attempt),
    elsewhere: looksElsewhere(task, attempt.gates),
    unheeding: attempt.canary.filter(isGreen).map(({ name }) => name),
    inTree: attempt.gates.some(({ taken }) => taken === null),
    stale: attempt.gates.find(({ stale }) => stale !== null)?.stale ?? null,
  };
}

/** What fails may have failed before the work. */
function wasRed({ attempt, task }: Place): boolean {
  return attempt.gates.some(
    ({ name, verdict }) =>
      verdict.kind === "failed" &&
      task.baseline.some((base) => base.name === name && base.verdict.kind === "failed"),
  );
}

async function isOnlyNamed({ task, workspace }: Place, { workspaces }: Ports): Promise<boolean> {
  const named = namedFiles(task.task.body);
  const changed = (await workspaces.changedPaths(workspace)) ?? [];
  return changed.length > 0 && changed.every((path) => absentFiles([path], named).length === 0);
}

/** In the work, or with the checks as they were. */
function lostChecks(comparison: Comparison): readonly LostCheck[] {
  if (comparison.kind !== "compared") return [];
  const { gone, skipped, broken, mended } = comparison;
  return [gone, skipped, broken, mended].flatMap((some) =>
    some.names.map((name) => ({ name, isGone: some === gone })),
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

async function integrityOf(
  { step, workspace, task: { task, startedAt } }: Place,
  tree: TreeChange,
  { claim, lost }: { readonly claim: AgentReport; readonly lost: readonly LostCheck[] },
  { workspaces }: Ports,
): Promise<Integrity> {
  const gates = gatesOf(step);
  return workspaces.integrity(workspace, tree, {
    sinceMs: Date.parse(startedAt ?? ""),
    commands: commandsOf(gates),
    expectsChange: gates.length > 0 && step.allowWrite?.length !== 0,
    artifacts: claim.artifacts.map(({ path }) => path),
    lost,
    named: task.steps.at(-1)?.id === step.id ? namedFiles(task.body) : [],
  });
}

function controlOf({ task, attempt: { control, gates } }: Place): Control {
  const mixed = mixedOf(control, (measured) => againstControl(task, gates, measured));
  const tree = control?.kind === "made" ? control.taken.tree : null;
  const isBase = task.baseline.some(({ taken }) => taken?.tree === tree);
  return mixed.kind === "made" ? { ...mixed, isBase } : mixed;
}

function mixedOf(
  mixed: AttemptState["original"],
  compared: (gates: readonly Measurement[]) => readonly Comparison[],
): Originals {
  if (mixed === null) return { kind: "not-needed" };
  if (mixed.kind !== "made") return mixed;
  const { putBack, left, gates } = mixed;
  return { kind: "made", putBack, left, gates: gates.map(resultOf), comparisons: compared(gates) };
}

/** Gathers first, then decides, then records both in one line; nothing happens because of it yet. */
export async function decideAttempt(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { task, attempt, workspace, at } = place;
  const evidence = await evidenceOf(place, ports);
  const history = historyOf(log.state, task);
  const policy = policyOf(log.state, task);
  // What orch itself stopped is no evidence; it is gathered again when the run goes on.
  if (ports.stop.signal.aborted) return;
  const diff = await ports.workspaces.diff(workspace, attempt.checkpoint, evidence.tree);
  await ports.files.keepEvidence(ports.files.attemptDir(at), evidence, diff);
  const crossed = crossingsOf(log.state, task, evidence.tree).map(
    ({ into: peer, paths }): RunEvent => ({ type: "scope-crossed", ...at, peer, paths }),
  );
  const settings = refusedSettings(log.state, await ports.workspaces.changedSettings());
  const paths = [...refusedChanges(log.state, task, evidence.tree), ...settings];
  const refused: readonly RunEvent[] =
    paths.length === 0 ? [] : [{ type: "task-change-refused", task: id, paths }];
  await log.append(...crossed, ...refused, {
    type: "decided",
    ...at,
    evidence,
    ...decideExplained(evidence, history, policy),
  });
}

async function evidenceOf(place: Place, ports: Ports): Promise<Evidence> {
  const { step, attempt, workspace } = place;
  const ended = lastSession(attempt)?.ended ?? null;
  invariant(ended !== null, "an attempt is judged after its session ended");
  const { ending, report, trace, plan, usage } = ended;
  const work = attempt.work === "not-taken" ? null : attempt.work;
  const sides = { since: attempt.checkpoint, work };
  const tree = await ports.workspaces.change(workspace, sides, writeFence(place));
  const gathered = {
    ending,
    report,
    gatesDeclaredNone: step.gates.kind === "none",
    tree,
    trace,
    plan,
    ...(await provingEvidence(place, tree, ports)),
    usage,
    at: { nowMs: ports.clock.nowMs(), zone: ports.clock.zone, dice: ports.clock.dice() },
  };
  return { ...gathered, readings: readEvidence(gathered) };
}

function writeFence({ task }: Place): WriteFence {
  const { attempts } = currentStep(task).at;
  const strayed = attempts.flatMap(({ outcome }) => {
    const tree = outcome?.evidence.tree;
    return tree?.kind === "measured" ? [...tree.outside, ...tree.outOfScope] : [];
  });
  return { ...fenceOf(task), start: attempts[0]?.checkpoint ?? null, strayed };
}
