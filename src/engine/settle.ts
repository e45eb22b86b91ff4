// What does a decision do to the tree, and which question does it put?

import { invariant } from "../core/model/assert.ts";
import { gateSum } from "../core/decide/facts.ts";
import type { Checkpoint, RunEvent, Conflict } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { isSibling } from "../core/run/contest.ts";
import { taskOf, lastCheckpointOf, lastSession, redWork } from "../core/run/select.ts";
import { answeredEarly } from "../core/run/transitions.ts";
import { put, questionOf } from "./answer.ts";
import { rescued } from "./begin-and-end.ts";
import type { Ports } from "./ports.ts";
import { commandsOf, gatesOf } from "../core/model/task.ts";
import { placeOf, type Place, type Log } from "./log.ts";
import type { Mixed } from "../core/model/measurement.ts";
import { nestedIn } from "../core/model/workspace.ts";
import { namedFiles } from "../readers/task-text/task-names.ts";

/** Carries out a recorded decision. Doing it twice makes a second equal checkpoint and nothing else. */
export async function settle(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { attempt, workspace, at } = place;
  invariant(attempt.outcome !== null, "only a decided attempt is settled");
  const { decision, evidence } = attempt.outcome;
  const verdict = gateSum(evidence);
  const tree = evidence.tree.kind === "measured" ? evidence.tree.tree : null;
  const label = { ...at, when: "after", tree, verdict } as const;
  const ask = "ask" in decision ? decision.ask : undefined;
  const endsAsking = decision.kind === "stall" && ask !== undefined;
  const isAdvance = decision.kind === "continue" && decision.how.kind === "advance";
  const passed = isAdvance || (endsAsking && workspace.kind === "worktree");
  const commit =
    passed && log.state.run?.autoCommit === true ? await committed(place, ports) : null;
  const checkpoint = await ports.workspaces.checkpoint(workspace, label);
  if (decision.kind === "replan" && decision.rollback !== null)
    await rollBack(place, decision.rollback, log, ports);
  const settled: RunEvent = { type: "attempt-settled", ...at, checkpoint, commit };
  const predicted = await conflictsOf(id, taskOf(log.state, id).rollback ?? checkpoint, log, ports);
  // What the running session asked waits already, or was answered meanwhile.
  const task = taskOf(log.state, id);
  const isPut = task.pendingQuestion !== null || answeredEarly(task, attempt) !== null;
  if (ask === undefined || isPut) return log.append(settled, ...predicted);
  const question = questionOf(ask, at, log.state, ports.clock.nowMs());
  // Before the end that it outlives; and nobody is waited for.
  if (endsAsking) {
    await put({ ...question, expiresAt: null }, log, ports);
    return log.append(settled, ...predicted);
  }
  await put(question, log, ports, settled, ...predicted);
}

/** A step without gates was not taken before. */
async function committed(place: Place, { workspaces }: Ports): Promise<string | null> {
  const { attempt, workspace, at } = place;
  const message = commitMessage(place);
  const work =
    attempt.work === "not-taken"
      ? await workspaces.takeWork(workspace, at.task, message, [])
      : attempt.work;
  return workspaces.commit(workspace, at.task, work);
}

/**
 * What failed stays under the attempt's checkpoint and a rescue, recorded before the tree is touched. Once
 * it may be half put back, there is nothing in it to keep: a killed orch only puts it back again.
 */
async function rollBack(
  { task, workspace, at }: Place,
  to: Checkpoint,
  log: Log,
  { workspaces }: Ports,
): Promise<void> {
  if (task.rollback === null) {
    const why = `work of ${at.task} that failed, before it went back`;
    const kept = await rescued(task, why, workspaces);
    await log.append(...kept, { type: "rollback-started", task: at.task, to });
  }
  await workspaces.rollback(workspace, to);
}

/** Nothing where it is as it was. What cannot be compared is left to the merge. */
async function conflictsOf(
  id: TaskId,
  mine: Checkpoint | null,
  { state }: Log,
  { workspaces }: Ports,
): Promise<readonly RunEvent[]> {
  const { task, workspace, conflicts: before } = taskOf(state, id);
  if (workspace?.kind !== "worktree" || mine === null) return [];
  const conflicts: Conflict[] = [];
  for (const other of state.tasks) {
    const theirs = lastCheckpointOf(other);
    if (
      other.task.id === id ||
      isSibling(task, other.task) ||
      other.cursor.at === "ended" ||
      theirs === null
    )
      continue;
    const paths = await workspaces.conflicts(workspace, mine, theirs);
    if (paths.length > 0) conflicts.push({ with: other.task.id, paths });
  }
  return JSON.stringify(conflicts) === JSON.stringify(before)
    ? []
    : [{ type: "conflicts-predicted", task: id, conflicts }];
}

/** Nothing that the session left running changes the work any more. */
export async function takeWork(id: TaskId, log: Log, { workspaces }: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { workspace, attempt, at } = place;
  const nested = nestedIn(attempt.unheld ?? []);
  const taken = await workspaces.takeWork(workspace, id, commitMessage(place), nested);
  await log.append({ type: "work-taken", ...at, taken });
}

/** The work with its checks as they were, or its checks with the product as it was. */
export async function takeMixed(
  id: TaskId,
  of: Mixed,
  log: Log,
  { workspaces }: Ports,
): Promise<void> {
  const { task, workspace, step, attempt, at } = placeOf(log, id);
  const { body, proof } = task.task;
  const work = attempt.work === "not-taken" || proof.place === "tree" ? null : attempt.work;
  const commands = commandsOf(gatesOf(step));
  const how = { of, commands, red: redWork(task), named: namedFiles(body) };
  const mixed =
    work === null
      ? ({ kind: "not-made", why: "gates run where the agent works" } as const)
      : await workspaces.takeMixed(workspace, work, how);
  await log.append({ type: "mixed-taken", ...at, of, mixed });
}

/** For a gate that is red, what the tree holds and the work does not. */
export async function findUnheld(id: TaskId, log: Log, { workspaces }: Ports): Promise<void> {
  const { task, workspace, at } = placeOf(log, id);
  const unheld = await workspaces.unheld(workspace, Date.parse(task.startedAt ?? ""));
  await log.append({ type: "unheld-found", ...at, unheld });
}

/** Names the attempt, so that the same commit is found again. */
export function commitMessage({ task, step, attempt }: Place): string {
  const report = lastSession(attempt)?.ended?.report;
  const claims = report?.kind === "read" ? report.report : null;
  const assumptions = (claims?.assumptions ?? []).map(({ decision, reason }) =>
    reason === null ? `- ${decision}` : `- ${decision} (${reason})`,
  );
  return [
    `${task.task.title}${task.steps.length > 1 ? ` (${step.id})` : ""}`.slice(0, 100),
    "",
    ...(claims === null || claims.summary === "" ? [] : [claims.summary, ""]),
    ...(assumptions.length === 0 ? [] : ["Assumptions:", ...assumptions, ""]),
    `Orch-Task: ${task.task.id}`,
    `Orch-Step: ${step.id}`,
    `Orch-Attempt: ${attempt.n}`,
  ].join("\n");
}
