// How does a task begin, when its text is clear enough, and how does it end?

import { openingQuestion } from "../core/decide/asking.ts";
import type { RunEvent, Workspace, TaskEnd } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { portBaseOf, currentStep, taskOf, currentSession } from "../core/run/select.ts";
import { inputSignals, inputsIn } from "../readers/task-text/task-names.ts";
import { put, questionOf } from "./answer.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";
import type { TaskState } from "../core/model/state.ts";
import { recoverSession } from "./session.ts";

/** The tree first; then the task's own text is weighed against the files that are there. */
export async function openTask(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const { task, score } = taskOf(log.state, id);
  const workspace = await treeFor(id, log, ports);
  if (ports.stop.signal.aborted) return;
  const isWeighed = task.uncertainty.enabled && inputsIn(task.body).length > 0;
  const paths = isWeighed ? await ports.workspaces.paths(workspace) : [];
  const signals = paths.length === 0 ? [] : inputSignals(task.body, paths);
  const started: RunEvent = { type: "task-started", task: id, workspace };
  const weighed: RunEvent = { type: "task-weighed", task: id, signals };
  const { step } = currentStep(taskOf(log.state, id));
  const { uncertainty } = task;
  const ask = openingQuestion(score, signals, { level: step.level, uncertainty });
  if (ask === null) return log.append(started, weighed);
  const at = { task: id, step: step.id, attempt: 0 };
  const question = questionOf(ask, at, log.state, ports.clock.nowMs());
  return put(question, log, ports, started, weighed);
}

/** Planned, then made; where orch died in between, made again as it was planned. */
async function treeFor(id: TaskId, log: Log, ports: Ports): Promise<Workspace> {
  const { workspaces } = ports;
  const { task, workspace: planned } = taskOf(log.state, id);
  const { run, merged } = log.state;
  const base = merged.at(-1)?.commit ?? run?.base?.commit ?? null;
  const isolation = run?.isolation ?? "none";
  const workspace =
    planned ??
    (await workspaces.plan(task, { isolation, base, portBase: portBaseOf(log.state, id) }));
  if (planned === null) await log.append({ type: "tree-planned", task: id, workspace });
  await makeTree(id, { workspace, tree: null }, log, ports);
  return workspace;
}

/** Before anything else of a process: a log that came here with a copied repository names the trees of another. */
export async function findPlaces(
  log: Log,
  { workspaces }: Pick<Ports, "workspaces">,
): Promise<void> {
  for (const { task, workspace: recorded } of log.state.tasks) {
    const workspace = recorded && (await workspaces.placeOf(recorded));
    if (workspace !== null && JSON.stringify(workspace) !== JSON.stringify(recorded))
      await log.append({ type: "tree-planned", task: task.id, workspace });
  }
}

interface PlannedTree {
  readonly workspace: Workspace;
  /** What is to stand there; null: the files of the task's last commit. */
  readonly tree: string | null;
}

/** The plan is on record; the tree is again made from nothing where a stop cut this off. */
export async function makeTree(
  id: TaskId,
  { workspace, tree }: PlannedTree,
  log: Log,
  { workspaces, stop }: Ports,
): Promise<void> {
  try {
    const made = await workspaces.make(workspace, id, tree, stop.signal);
    if (workspace.kind !== "plain" && !stop.signal.aborted)
      await log.append({ type: "tree-made", task: id, ...made });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/**
 * A tree that the task's commits hold all of goes. What no commit holds is rescued, and that is on record
 * before the tree goes. Done again after a crash, each part finds what the first time left.
 */
export async function endTask(
  id: TaskId,
  end: TaskEnd,
  log: Log,
  { workspaces }: Pick<Ports, "workspaces">,
): Promise<void> {
  const task = taskOf(log.state, id);
  const { workspace } = task;
  const why =
    end.kind === "done" ? `left in the tree of ${id}` : `work of ${id}, which is not done`;
  const ended: RunEvent = { type: "task-ended", task: id, end };
  if (workspace === null || (await workspaces.remove(workspace, id, "in commits")))
    return log.append(ended);
  await log.append(...(await rescued(task, why, workspaces)));
  const isGone = await workspaces.remove(workspace, id, "in commits or a rescue");
  const kept: RunEvent = { type: "tree-kept", task: id, root: workspace.root };
  await log.append(...(isGone ? [] : [kept]), ended);
}

/** Keeps what no commit holds; a rescue that is on record already is not recorded again. */
export async function rescued(
  { task: { id }, workspace, rescues }: TaskState,
  why: string,
  workspaces: Ports["workspaces"],
): Promise<readonly RunEvent[]> {
  const kept = workspace === null ? [] : await workspaces.rescue(workspace, id, why);
  return kept
    .filter(({ ref }) => !rescues.some((one) => one.ref === ref))
    .map((one): RunEvent => ({ type: "rescued", task: id, ...one }));
}

/** Whatever a dead session left running is ended, and its work is rescued before its tree goes. */
export async function abandonTask(
  id: TaskId,
  log: Log,
  ports: Pick<Ports, "workspaces" | "orphans" | "files" | "clock">,
): Promise<void> {
  const task = taskOf(log.state, id);
  const session = task.startedAt === null ? null : currentSession(task);
  if (session !== null && session.ended === null) await recoverSession(id, session, log, ports);
  await endTask(id, ABANDONED, log, ports);
}

const ABANDONED: TaskEnd = {
  kind: "skipped",
  reason: "abandoned by a person",
  gatesFailing: false,
};
