// How does finished work get to where the user wants it?

import { invariant } from "../core/model/assert.ts";
import { firstOf } from "../core/model/excerpt.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { Landed, LandingIntent } from "../core/model/landing.ts";
import type { Measurement, Taken } from "../core/model/measurement.ts";
import type { RunState, TaskState } from "../core/model/state.ts";
import { entryOf, isHeldBack, ranked, siblingsOf } from "../core/run/contest.ts";
import { due } from "../core/run/due.ts";
import {
  finalGates,
  gatesToPass,
  isToBringUp,
  worseThanBefore,
  otherSide,
  conclusion,
} from "../core/run/merging.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import { projectRun } from "../core/views/projection.ts";
import { proposalOf } from "../core/views/proposal.ts";
import { situationOf } from "./ask.ts";
import { type Log, placeOf } from "./log.ts";
import { measureAt } from "./measure.ts";
import type { Ports } from "./ports.ts";
import type { Entry, MergeResult, RunBase, Worktree } from "../core/model/event.ts";
import { commitMessage } from "./settle.ts";

/** Done again after a crash, it finds what was moved, pushed or opened the first time. */
export async function land(
  intent: LandingIntent,
  log: Log,
  ports: LandingPorts,
): Promise<Landed | null> {
  await log.append({ type: "landing-started", ...intent });
  const result = await carry(intent, log, ports);
  if (result !== null) await log.append({ type: "landed", of: intent.of, result });
  return result;
}

export type LandingPorts = Pick<Ports, "landing" | "gates" | "bases" | "files" | "stop">;

/** null: the run is to stop, and goes on with this later. */
async function carry(intent: LandingIntent, log: Log, ports: LandingPorts): Promise<Landed | null> {
  const { state } = log;
  const base = state.run?.base ?? null;
  invariant(base !== null, "only work that is in git is landed");
  const { landing } = ports;
  const plan = await landing.plan(intent, base, messageFor(intent, state));
  if (plan.kind === "contained") return { kind: "landed", commit: plan.commit, url: null };
  if (plan.kind === "impossible") return { kind: "left", why: plan.why, next: null };
  if (intent.how === "pull-request") {
    const view = projectRun(state);
    invariant(view !== null, "a run that lands had begun");
    return landing.propose(intent, base, proposalOf(view));
  }
  if (plan.kind === "conflict")
    return left(intent, `it conflicts in ${firstOf(plan.paths, PATHS_NAMED_MAX)}`);
  if (plan.kind === "joined") {
    const red = await redIn({ commit: plan.to, tree: plan.tree }, intent, log, ports);
    if (ports.stop.signal.aborted) return null;
    const both = `joined with what ${intent.branch} holds now`;
    if (red.length > 0) return left(intent, `${both}, ${red.join(", ")} does not pass`);
  }
  return landing.move(intent.branch, plan);
}

function left({ branch }: LandingIntent, why: string): Landed {
  return { kind: "left", why: `${why}; ${branch} was not touched`, next: null };
}

const PATHS_NAMED_MAX = 3;

/** Gates of the last task that say worse of both sides together than they said of its work. */
async function redIn(
  taken: Taken,
  intent: LandingIntent,
  log: Log,
  ports: LandingPorts,
): Promise<readonly string[]> {
  const task = lastTask(intent, log.state);
  const { step, at } = currentStep(task);
  const place = { task: task.task.id, step: step.id, attempt: lastAttempt(at)?.n ?? 0 };
  const results: Measurement[] = [];
  for (const gate of gatesToPass(log.state, task)) {
    const what = { task, of: "landed", gate, taken, at: place, earlier: null } as const;
    const measured = await measureAt(what, log.state, ports);
    if (measured === null) return [];
    await log.append(measured);
    const { result, spec, stale, checks } = measured;
    if (checks.kind !== "as-in") results.push({ ...result, spec, taken, stale, checks });
  }
  return worseThanBefore(log.state, task, results).map(({ name }) => name);
}

function lastTask({ of }: LandingIntent, state: RunState): TaskState {
  const id: TaskId | undefined = of ?? state.merged.at(-1)?.task;
  invariant(id !== undefined, "something was merged");
  return taskOf(state, id);
}

function messageFor({ of }: LandingIntent, state: RunState): string {
  const done = state.merged.map(({ task }) => taskOf(state, task).task);
  const [only] = of === null ? done : done.filter(({ id }) => id === of);
  const isOne = only !== undefined && (of !== null || done.length === 1);
  const what = isOne ? `${only.title} (${only.id})` : `${done.length} tasks of ${state.run?.id}`;
  return [`Merge ${what}`, "", `Orch-Run: ${state.run?.id}`].join("\n");
}

/** Its work is joined with what was merged before it, or what the gates say of both is drawn from them. */
export async function merge(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const task = taskOf(log.state, id);
  const { cursor } = task;
  invariant(cursor.at === "merging", `${id} waits to be merged`);
  return cursor.proof === null
    ? join(id, cursor.joining, log, ports)
    : conclude(id, conclusion(log.state, task, cursor.proof), log, ports);
}

/** What the run goes on from now. */
function treeToMerge(log: Log, id: TaskId): { workspace: Worktree; base: RunBase; tip: string } {
  const { workspace } = taskOf(log.state, id);
  const base = log.state.run?.base ?? null;
  invariant(workspace?.kind === "worktree" && base !== null, `${id} has a tree of its own`);
  return { workspace, base, tip: log.state.merged.at(-1)?.commit ?? base.commit };
}

/** What was begun before orch died is done again with the same sides: the tree may hold half of both. */
async function join(
  id: TaskId,
  begun: { readonly commit: string } | null,
  log: Log,
  ports: Ports,
): Promise<void> {
  const { workspaces } = ports;
  const { workspace, tip: onto } = treeToMerge(log, id);
  const task = taskOf(log.state, id);
  const commit = begun?.commit ?? (await finishedWork(id, log, ports));
  if (begun === null) await log.append({ type: "merge-started", task: id, commit, onto });
  const message = `Merge ${task.task.title} (${id})`;
  const { mergeTrouble: trouble } = task;
  const marked = trouble?.kind === "conflict" ? trouble.paths : [];
  const sides = { commit, onto, message, marked };
  const joined = await workspaces.join(workspace, id, sides);
  switch (joined.kind) {
    case "contained":
    case "joined": {
      const isAlone = gatesToPass(log.state, task).length === finalGates(task).length;
      if (joined.kind === "contained" && isAlone && !isToBringUp(task))
        return conclude(id, { kind: "merged", commit }, log, ports);
      const result = { commit, ...joined, kind: "to-prove", onto } as const;
      return log.append({ type: "merge-ended", task: id, result });
    }
    case "conflict": {
      const words = otherSide(log.state, task, onto);
      const { tree, paths } = joined;
      const result = { kind: "conflict", onto, tree, paths, words } as const;
      return log.append({ type: "merge-ended", task: id, result });
    }
  }
}

/** Where orch dies in between, the same commit becomes the end of the merged work once more. */
async function conclude(id: TaskId, result: MergeResult, log: Log, ports: Ports): Promise<void> {
  const { base, tip } = treeToMerge(log, id);
  if (result.kind === "merged" && result.commit !== tip)
    await ports.workspaces.advance(base, { from: tip, commit: result.commit });
  await log.append({ type: "merge-ended", task: id, result });
}

/** Of all candidates for the task, which rest, the best one goes on. */
export async function decideContest(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const entries: Entry[] = [];
  for (const one of siblingsOf(log.state.tasks, taskOf(log.state, id)))
    entries.push(entryOf(one, isHeldBack(one) ? await linesOf(one.task.id, log, ports) : 0));
  const ranking = ranked(entries);
  const [winner] = ranking;
  invariant(winner !== undefined, `${id} is a candidate`);
  const isStillDue = (state: RunState): boolean =>
    due(state, situationOf(ports)).some((one) => one.kind === "decide-contest" && one.task === id);
  await log.appendWhen(isStillDue, { type: "contest-decided", task: winner.task, ranking });
}

async function linesOf(id: TaskId, log: Log, ports: Ports): Promise<number> {
  const commit = await finishedWork(id, log, ports);
  return ports.workspaces.changedLines(treeToMerge(log, id).workspace, commit);
}

/** As it was settled, whatever stands in the tree now; what was never settled is taken from there. */
async function finishedWork(id: TaskId, log: Log, { workspaces }: Ports): Promise<string> {
  const place = placeOf(log, id);
  if (place.attempt.commit !== null) return place.attempt.commit;
  return workspaces.workOf(treeToMerge(log, id).workspace, id, commitMessage(place));
}
