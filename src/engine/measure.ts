// How is a gate measured on a commit?

import { needsPersonBefore } from "../core/decide/asking.ts";
import type { RunEvent, Workspace } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { namedChecks, NO_WORDS, specOf } from "../core/model/measurement.ts";
import type { LoggedMeasurement, MeasuredOn, Taken } from "../core/model/measurement.ts";
import type { RunState, TaskState } from "../core/model/state.ts";
import { commandsOf, type GateSpec } from "../core/model/task.ts";
import { NO_OUTPUT, staysUnknown, unknown, unknownIfUncounted } from "../core/model/verdict.ts";
import type { Action } from "../core/run/task-action.ts";
import { currentAttempt, currentStep, variablesOf } from "../core/run/select.ts";
import { knownOn, type Known } from "../core/run/known-on.ts";
import { mixedIn } from "../core/run/wanted.ts";
import { put, questionOf } from "./answer.ts";
import { endTask } from "./begin-and-end.ts";
import { type Log, treeOf, type Place } from "./log.ts";
import type { GateRequest, Measured, Ports } from "./ports.ts";

/** Every gate on every commit goes this way; the result is recorded, and what follows from it is due. */
export async function measure(
  { task: id, of, gate }: Extract<Action, { kind: "measure" }>,
  log: Log,
  ports: Ports,
): Promise<void> {
  const { task, workspace } = treeOf(log, id);
  const bases = ofRun(log.state, ports);
  const trial = of === "trial" ? await trialOf(gate, task, { ...ports, bases }) : null;
  const taken = trial === null ? await takenFor({ of, gate }, task, workspace, ports) : trial.taken;
  const at = placeIn(task, of);
  const what = { task, of, gate, taken, at, earlier: trial?.earlier ?? null };
  if (of === "canary" && taken === null) return log.append(withoutCanary(what));
  const measured = await measureAt(what, log.state, { ...ports, bases });
  // A gate that orch itself stopped gave no verdict; it runs again when the run goes on.
  if (measured === null) return;
  const { verdict } = measured.result;
  if (of === "base" && staysUnknown(measured.result))
    return needPerson({ id, at, measured }, log, ports);
  await log.append(measured);
  const ofBase = of === "base" && measured.from === null && taken !== null ? [taken.tree] : [];
  // It is kept where it shows that the gate looks at the work.
  const ofTrial = verdict.kind === "passed" ? [] : (trial?.keys ?? []);
  for (const key of [...ofBase, ...ofTrial]) bases.note(gate, key, log.state.seq);
}

/** With `--fresh` only what this run measured is found. */
function ofRun({ run }: RunState, { bases }: Pick<Ports, "bases">): Ports["bases"] {
  if (run?.flags.fresh !== true) return bases;
  const find: typeof bases.find = async (...of) => {
    const earlier = await bases.find(...of);
    return earlier?.from === run.id ? earlier : null;
  };
  return { ...bases, find };
}

function withoutCanary(what: MeasureAt): RunEvent {
  const { name, required } = what.gate;
  const verdict = unknown("not-run", NO_TEST_FILE);
  const result = { name, required, verdict, ...NO_OUTPUT, elapsedMs: 0, tookMs: 0 };
  const measured = logged(what, { result, by: "", checks: [], ...NO_WORDS });
  return { type: "measured", ...what.at, ...measured, from: null };
}

const NO_TEST_FILE = "there is no test file of a kind that a check can be added to";

/**
 * Known of what the task begins with, or of another commit on which the gate comes to run the same; with the keys by
 * which it is found again.
 */
async function trialOf(
  gate: GateSpec,
  { task, baseline, workspace }: TaskState,
  { workspaces, bases }: Pick<Ports, "workspaces" | "bases">,
) {
  const base = baseline.find(({ name }) => name === gate.name)?.taken ?? null;
  if (base === null || workspace === null || task.proof.place === "tree")
    return { taken: null, earlier: null, keys: [] };
  const here = `trial ${base.tree}`;
  const earlier = await bases.find(gate, here);
  if (earlier !== null) return { taken: null, earlier, keys: [] };
  const { taken, runs } = await workspaces.unreadable(workspace, base, commandsOf([gate]));
  const keys = [here, `trial ${runs}`];
  return { taken, earlier: await bases.find(gate, `trial ${runs}`), keys };
}

interface MeasureAt {
  readonly task: TaskState;
  readonly of: MeasuredOn;
  readonly gate: GateSpec;
  readonly taken: Taken | null;
  readonly at: Place["at"];
  /** Of a trial; null: none is known, or it is no trial. */
  readonly earlier: Earlier | null;
}

type Earlier = NonNullable<Awaited<ReturnType<Ports["bases"]["find"]>>>;

type MeasuredEvent = Extract<RunEvent, { type: "measured" }>;

/** Not run where it is known. null: the run is to stop. */
export async function measureAt(
  what: MeasureAt,
  state: RunState,
  ports: Pick<Ports, "gates" | "bases" | "files" | "stop">,
): Promise<MeasuredEvent | null> {
  const { task, of, gate, taken, at, earlier } = what;
  const { gates, files, stop } = ports;
  const earlierResult =
    taken === null || of === "beside" || of === "again"
      ? unspent(earlier)
      : await knownBefore(of, { gate, taken, earlier }, state, ports);
  const { workspace } = task;
  const branch = workspace?.kind === "worktree" ? workspace.branch : `orch/${task.task.id}`;
  const request: GateRequest = {
    checkout: taken && { ...taken, branch },
    cwd: workspace?.root ?? "",
    logPath: `${files.attemptDir(at)}/gates/${gate.name}${MAIN.has(of) ? "" : `.${of}`}.log`,
    variables: variablesOf(workspace),
    isBase: of === "base" || of === "again",
    isOriginal: of === "original",
    beside: of === "beside" ? (currentAttempt(task)?.unheld ?? []).map(({ path }) => path) : [],
  };
  const measured = earlierResult ?? (await gates.measure(gate, request, stop.signal));
  if (stop.signal.aborted) return null;
  const from = earlierResult?.from ?? null;
  const one = { type: "measured", ...at, ...logged(what, measured), from } as const;
  const other = earlierResult?.baseOf ?? null;
  if (of !== "base" || other === null) return one;
  return { ...one, checks: { kind: "as-in", task: other } };
}

/** Their logs are called after the gate alone. */
const MAIN: ReadonlySet<MeasuredOn> = new Set(["base", "work"]);

type KnownBefore = Earlier & Pick<Known, "baseOf">;

/** By this run, or, of what the task began with, by an earlier one. */
async function knownBefore(
  of: MeasuredOn,
  { gate, taken, earlier }: Pick<MeasureAt, "gate" | "earlier"> & { readonly taken: Taken },
  state: RunState,
  { bases }: Pick<Ports, "bases">,
): Promise<KnownBefore | null> {
  const inRun = of === "trial" ? null : knownOn(state, of, gate, taken);
  const { run } = state;
  if (inRun === null || run === null)
    return unspent(of === "base" ? await bases.find(gate, taken.tree) : earlier);
  return { ...inRun, ...NO_WORDS, from: run.id };
}

function unspent(earlier: Earlier | null): KnownBefore | null {
  return earlier && { ...earlier, result: { ...earlier.result, elapsedMs: 0 }, baseOf: null };
}

function logged(
  { task, of, gate, taken }: MeasureAt,
  { result: run, by, checks, notes, stale }: Measured,
): Omit<LoggedMeasurement, "from"> {
  const base = task.baseline.find(({ name }) => name === gate.name) ?? null;
  const result = of === "base" ? run : unknownIfUncounted(run, base);
  const named = namedChecks({ by, checks }, of === "base" ? null : (base?.checks ?? null));
  return { of, result, spec: specOf(gate), taken, checks: named, notes, stale };
}

/** null: there is no git, or the gates run where the agent works. */
async function takenFor(
  { of, gate }: { readonly of: MeasuredOn; readonly gate: GateSpec },
  task: TaskState,
  workspace: Workspace,
  { workspaces }: Pick<Ports, "workspaces">,
): Promise<Taken | null> {
  if (task.task.proof.place === "tree") return null;
  if (of === "base" || of === "again") return workspaces.baseOf(workspace);
  if (of === "merged")
    return task.cursor.at === "merging" ? (task.cursor.proof?.taken ?? null) : null;
  const attempt = currentAttempt(task);
  if (of === "original" || of === "control") return mixedIn(task, of)?.taken ?? null;
  const work = attempt === null || attempt.work === "not-taken" ? null : attempt.work;
  if (of !== "canary") return work;
  const runner = attempt?.gates.find(({ name }) => name === gate.name)?.counts?.runner ?? "";
  return work && workspaces.withCanary(workspace, work, runner);
}

/** What is known of the base stands before the first attempt. */
function placeIn(task: TaskState, of: MeasuredOn): Place["at"] {
  const { step } = currentStep(task);
  const n = of === "base" ? 0 : (currentAttempt(task)?.n ?? 0);
  return { task: task.task.id, step: step.id, attempt: n };
}

/** A gate that can prove nothing is a question before a session is paid for. */
async function needPerson(
  { id, at, measured }: { id: TaskId; at: Place["at"]; measured: MeasuredEvent },
  log: Log,
  ports: Ports,
): Promise<void> {
  const { step } = currentStep(treeOf(log, id).task);
  const ask = needsPersonBefore(measured.result, step.level);
  if (typeof ask !== "string")
    return put(questionOf(ask, at, log.state, ports.clock.nowMs()), log, ports, measured);
  await log.append(measured);
  return endTask(id, { kind: "blocked", reason: ask, gatesFailing: false }, log, ports);
}
