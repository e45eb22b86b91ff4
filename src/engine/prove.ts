// What is measured beside an attempt's gates, so that green ones prove the work?

import {
  type Comparison,
  type Originals,
  checkedNothing,
  sumGates,
  type GateResult,
} from "../core/model/verdict.ts";
import type { Evidence, Integrity, TreeChange } from "../core/model/evidence.ts";
import { lastSession } from "../core/run/select.ts";
import type { AgentReport } from "../core/model/report.ts";
import type { TaskState } from "../core/model/state.ts";
import type { GateSpec } from "../core/model/task.ts";
import { isDependencyList } from "../readers/proof/put-back.ts";
import { namedChecks, namedFiles } from "../readers/task-text/task-names.ts";
import type { Ports } from "./ports.ts";
import { basePath, gatePath, variablesOf, type Place } from "./log.ts";

type Proving = Pick<
  Evidence,
  | "integrity"
  | "baseline"
  | "comparisons"
  | "replaced"
  | "relisted"
  | "reasons"
  | "wanted"
  | "originals"
>;

const NOT_LOOKED: Integrity = {
  kind: "not-checked",
  why: "the work is not claimed complete, or a gate is red",
};
const NOT_NEEDED: Originals = { kind: "not-needed" };

/** The costly parts only where they decide something: the work is claimed complete, and no gate speaks against it. */
export async function provingEvidence(
  place: Place,
  tree: TreeChange,
  ports: Ports,
): Promise<Proving> {
  const { task, attempt, workspace } = place;
  const report = lastSession(attempt)?.ended?.report;
  const claim =
    report?.kind === "read" && report.report.status === "completed" ? report.report : null;
  const sum = sumGates(attempt.gates);
  const isOver = claim !== null && (sum !== "failed" || wasRed(place));
  const comparisons = comparisonsOf(place, attempt.gates, ports);
  return {
    integrity: isOver ? await integrityOf(place, tree, claim, ports) : NOT_LOOKED,
    baseline: task.baseline.filter(({ name }) => attempt.gates.some((gate) => gate.name === name)),
    comparisons,
    replaced: isOver ? await ports.workspaces.replaced(workspace, task.programs) : [],
    relisted: isRelisted(place, tree),
    reasons: reasonsBefore(task),
    wanted: namedChecks(task.task.body, comparisons.flatMap(stillRed)),
    originals: isOver && sum === "passed" ? await originalsOf(place, tree, ports) : NOT_NEEDED,
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

function stillRed(comparison: Comparison): readonly string[] {
  return comparison.kind === "compared" ? comparison.stillFailing.names : [];
}

function isRelisted({ task }: Place, tree: TreeChange): boolean {
  const earlier = task.steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ outcome }) => outcome?.evidence.tree ?? []),
  );
  const changed = [tree, ...earlier].flatMap((one) => (one.kind === "measured" ? one.changed : []));
  return changed.some(isDependencyList);
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
  { step, workspace, task: { task } }: Place,
  tree: TreeChange,
  { artifacts }: AgentReport,
  { workspaces }: Ports,
): Promise<Integrity> {
  const gates = step.gates.kind === "none" ? [] : step.gates.gates;
  return workspaces.integrity(workspace, tree, {
    commands: commandsOf(gates),
    expectsChange: gates.length > 0 && step.allowWrite?.length !== 0,
    artifacts: artifacts.map(({ path }) => path),
    named: task.steps.at(-1)?.id === step.id ? namedFiles(task.body) : [],
  });
}

function commandsOf(gates: readonly GateSpec[]): readonly string[] {
  return gates.flatMap((gate) => (gate.kind === "command" ? [gate.run] : []));
}

/** Of each gate that was run on the base. */
function comparisonsOf(
  { task, at }: Place,
  ran: readonly GateResult[],
  { gates, files }: Ports,
  copy: "" | ".original" = "",
): readonly Comparison[] {
  return ran.flatMap((result) => {
    const base = task.baseline.find(({ name }) => name === result.name);
    if (base === undefined) return [];
    const before = { result: base, logPath: basePath(files, task, base.name) };
    const logPath = gatePath(files, at, result.name + copy);
    return [gates.compare(before, { result, logPath })];
  });
}

/** Run where something that proves was changed. A gate that checked nothing before has no original checks. */
async function originalsOf(place: Place, tree: TreeChange, ports: Ports): Promise<Originals> {
  const { step, workspace, task } = place;
  const had = task.baseline.flatMap((base) => (checkedNothing(base) ? [] : [base.name]));
  const gates = (step.gates.kind === "none" ? [] : step.gates.gates).filter(({ name }) =>
    had.includes(name),
  );
  if (gates.length === 0) return NOT_NEEDED;
  const made = await ports.workspaces.originalCopy(workspace, tree, commandsOf(gates));
  if (made.kind !== "made") return made;
  const { copy, putBack } = made;
  const alone = gates.find(({ name }) => task.uncopied.includes(name));
  if (alone !== undefined)
    return { kind: "not-made", why: `${alone.name} does not run in a copy as it does in the tree` };
  const results: GateResult[] = [];
  for (const gate of gates) {
    const text = `gate ${gate.name} runs again, with the original checks`;
    ports.view.activity(task.task.id, step.id, { type: "note", text });
    const logPath = gatePath(ports.files, place.at, `${gate.name}.original`);
    const request = {
      cwd: workspace.root,
      copy,
      logPath,
      variables: variablesOf(workspace),
      isBase: false,
    };
    results.push(await ports.gates.checkCopy(gate, request, ports.stop.signal));
  }
  await copy.remove();
  const comparisons = comparisonsOf(place, results, ports, ".original");
  return { kind: "made", putBack, gates: results, comparisons };
}
