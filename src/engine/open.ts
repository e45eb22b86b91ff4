// How does a task begin, and is its text clear enough to begin with?

import { assertNever } from "../core/model/assert.ts";
import { openingAction } from "../core/decide/asking.ts";
import type { RunEvent, Workspace } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { portBaseOf, currentStep, taskOf } from "../core/run/select.ts";
import { inputSignals, inputsIn } from "../readers/task-text/task-names.ts";
import { put, questionOf } from "./answer.ts";
import { endTask } from "./end-task.ts";
import type { Log } from "./log.ts";
import type { Ports } from "./ports.ts";

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
  const { level } = step;
  const action = openingAction(score, signals, { level, uncertainty: task.uncertainty });
  switch (action.kind) {
    case "begin":
      return log.append(started, weighed);
    case "ask": {
      const at = { task: id, step: step.id, attempt: 0 };
      const question = questionOf(action.ask, at, log.state, ports.clock.nowMs());
      return put(question, log, ports, started, weighed);
    }
    case "skip": {
      const end = { kind: "skipped", reason: action.reason, gatesFailing: false } as const;
      return endTask(id, { end, before: [started, weighed] }, log, ports);
    }
    default:
      return assertNever(action, "opening");
  }
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
    if (workspace.kind === "worktree" && !stop.signal.aborted)
      await log.append({ type: "tree-made", task: id, ...made });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}
